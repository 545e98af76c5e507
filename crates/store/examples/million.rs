//! Measures list, open, search and a turn on ten thousand conversations with a million messages.
//!
//! `cargo run -p store --example million -- FILE [CONVERSATIONS] [MESSAGES_EACH]`
//!
//! The file is created on the first run and reused after that.
#![allow(clippy::print_stdout, reason = "this program's purpose is to print a table")]

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use host::SystemClock;
use protocol::{MessageStatus, StopReason, Timings, Usage, UserId};
use store::sample::{self, SampleSize};
use store::{BeginTurnResult, FinishedTurn, ListQuery, MessageTarget, NewTurn, Store, StoreError};

const ROUNDS: usize = 200;

#[tokio::main]
async fn main() -> Result<(), StoreError> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_else(|| "million.db".into());
    let mut number = |default| arguments.next().and_then(|text| text.parse().ok()).unwrap_or(default);
    let size = SampleSize { conversations: number(10_000), messages_each: number(100) };

    let store = Store::open(Path::new(&path), Arc::new(SystemClock))?;
    let user = store.owner().await?.id;
    if store.conversation_ids(user).await?.is_empty() {
        let start = Instant::now();
        sample::fill(&store, user, size).await?;
        store.checkpoint().await?;
        println!("made {} messages in {:.1?}", size.conversations * size.messages_each, start.elapsed());
    }

    let start = Instant::now();
    store.optimize().await?;
    println!("optimize: {:.1?}", start.elapsed());
    list(&store, user).await?;
    open(&store, user).await?;
    search(&store, user).await?;
    turns(&store, user).await?;
    crowd(&store, user).await?;
    upkeep(&store, user, Path::new(&path)).await?;
    store.close().await;
    Ok(())
}

async fn list(store: &Store, user: UserId) -> Result<(), StoreError> {
    let mut pages = Vec::new();
    let mut query = ListQuery { limit: 50, ..ListQuery::default() };
    for _ in 0..ROUNDS {
        let start = Instant::now();
        query.cursor = store.list(user, query.clone()).await?.next;
        pages.push(start.elapsed());
    }
    report("list, page after page", &mut pages);
    for (name, folder, tag) in
        [("list of a folder", Some("Folder 2"), None), ("list of a tag", None, Some("tag1"))]
    {
        let query =
            ListQuery { folder: folder.map(Into::into), tag: tag.map(Into::into), limit: 50, cursor: None };
        let mut times = Vec::new();
        for _ in 0..ROUNDS {
            let start = Instant::now();
            store.list(user, query.clone()).await?;
            times.push(start.elapsed());
        }
        report(name, &mut times);
    }
    Ok(())
}

async fn open(store: &Store, user: UserId) -> Result<(), StoreError> {
    let ids = store.conversation_ids(user).await?;
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        let id = ids[round * 7919 % ids.len()];
        let start = Instant::now();
        store.open_conversation(user, id, None, 50).await?;
        times.push(start.elapsed());
    }
    report("open", &mut times);
    Ok(())
}

async fn search(store: &Store, user: UserId) -> Result<(), StoreError> {
    let common = sample::common_words();
    let pairs = |index: usize| format!("{} {}", common[index % 20], common[(index * 7 + 3) % common.len()]);
    let phrases = |n: usize| [n, n * 3 + 1, n * 5 + 2].map(|index| common[index % common.len()]).join("-");
    let kinds: [(&str, Vec<String>); 7] = [
        ("search, common word", (0..ROUNDS).map(|n| common[n % common.len()].into()).collect()),
        ("search, two common words", (0..ROUNDS).map(pairs).collect()),
        ("search, phrase of three common words", (0..ROUNDS).map(phrases).collect()),
        ("search, common word being typed", (0..ROUNDS).map(|n| begun(common[n % common.len()])).collect()),
        ("search, rare word", (0..ROUNDS).map(|n| sample::rare_word(n * 149)).collect()),
        (
            "search, rare and common",
            (0..ROUNDS).map(|n| format!("{} the", sample::rare_word(n * 149))).collect(),
        ),
        ("search, rare word being typed", (0..ROUNDS).map(|n| begun(&sample::rare_word(n * 149))).collect()),
    ];
    for (name, queries) in kinds {
        let mut times = Vec::new();
        let mut hits = 0;
        for query in queries {
            let start = Instant::now();
            hits += store.search(user, &query, None, 30).await?.hits.len();
            times.push(start.elapsed());
        }
        report(&format!("{name} ({} hits)", hits / ROUNDS), &mut times);
    }
    // Queries for a user without messages must not be slowed down by those of others.
    let guest = match store.users().await?.into_iter().find(|user| !user.owner) {
        Some(guest) => guest,
        None => store.create_user("guest").await?,
    };
    let mut times = Vec::new();
    for word in common.iter().cycle().take(ROUNDS) {
        let start = Instant::now();
        store.search(guest.id, word, None, 30).await?;
        times.push(start.elapsed());
    }
    report("search by a guest, common word (0 hits)", &mut times);
    Ok(())
}

fn begun(word: &str) -> String {
    word.chars().take(word.len().saturating_sub(1).max(3)).collect()
}

async fn turns(store: &Store, user: UserId) -> Result<(), StoreError> {
    let (mut begins, mut ends) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let begun = store.begin_turn(user, question()).await?;
        begins.push(start.elapsed());
        let (BeginTurnResult::New(turn) | BeginTurnResult::Existing(turn)) = begun;
        let start = Instant::now();
        store.finish_turn(turn.id, answer()).await?;
        ends.push(start.elapsed());
    }
    report("begin_turn", &mut begins);
    report("finish_turn", &mut ends);
    Ok(())
}

/// Measures sixty-four concurrent writers, which share transactions.
async fn crowd(store: &Store, user: UserId) -> Result<(), StoreError> {
    let start = Instant::now();
    let people: Vec<_> = (0..64)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move {
                for _ in 0..10 {
                    let (BeginTurnResult::New(turn) | BeginTurnResult::Existing(turn)) =
                        store.begin_turn(user, question()).await?;
                    store.finish_turn(turn.id, answer()).await?;
                }
                Ok::<_, StoreError>(())
            })
        })
        .collect();
    for person in people {
        person.await.map_err(|error| StoreError::Internal(error.to_string()))??;
    }
    let each = 640.0 / start.elapsed().as_secs_f64();
    println!("64 people, 10 turns each: {each:.0} turns a second");
    Ok(())
}

async fn upkeep(store: &Store, user: UserId, path: &Path) -> Result<(), StoreError> {
    let before = store.conversation_ids(user).await?.len();
    sample::fill(store, user, SampleSize { conversations: 20, messages_each: 100 }).await?;
    for id in store.conversation_ids(user).await?.into_iter().skip(before) {
        store.delete_conversation(user, id).await?;
    }
    let start = Instant::now();
    let purge = tokio::spawn({
        let store = store.clone();
        async move { store.purge_deleted_before(jiff::Timestamp::MAX).await }
    });
    let mut begins = Vec::new();
    while begins.is_empty() || !purge.is_finished() {
        let start = Instant::now();
        store.begin_turn(user, question()).await?;
        begins.push(start.elapsed());
    }
    println!("purge of 20 conversations of 100 messages: {:.1?}", start.elapsed());
    report("begin_turn during the purge", &mut begins);
    let start = Instant::now();
    let copy = path.with_extension("backup.db");
    match store.backup_to(&copy).await {
        Ok(()) => println!("backup into {}: {:.1?}", copy.display(), start.elapsed()),
        Err(error) => println!("no backup: {error}"),
    }
    let start = Instant::now();
    let report = store.check().await?;
    println!("check: {:.1?}, problems: {:?}", start.elapsed(), report.problems);
    Ok(())
}

fn question() -> NewTurn {
    NewTurn {
        target: MessageTarget::Fresh,
        content: "How far away is the moon at perigee, and how much larger does it look?".into(),
        model: "sample".into(),
        ..NewTurn::default()
    }
}

fn answer() -> FinishedTurn {
    FinishedTurn {
        content: "About 363,300 kilometres, and it looks some fourteen per cent larger than at apogee. "
            .repeat(6),
        reasoning: None,
        status: MessageStatus::Complete,
        stop_reason: Some(StopReason::End),
        error: None,
        error_code: None,
        model: "sample".into(),
        usage: Usage::default(),
        timings: Timings::default(),
        fragments: Vec::new(),
        last_round: None,
        last_events: None,
    }
}

fn report(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!("{name:48} p50 {:>9.2?}  p95 {:>9.2?}  max {:>9.2?}", at(50), at(95), at(100));
}
