use std::sync::Arc;
use std::time::Instant;

use anyhow::Context as _;
use host::SystemClock;
use store::Store;
use store::sample::{self, SampleSize};
use testkit::TempHome;

use crate::report::{BenchReport, Goal};
use crate::server::RunningServer;
use crate::statistics::{median, percentile};

const SIZE: SampleSize = SampleSize { conversations: 10_000, messages_each: 100 };
const ROUNDS: usize = 200;

/// Measures lists, opening and search over HTTP, with 10,000 conversations and a million messages.
pub async fn run() -> anyhow::Result<BenchReport> {
    let home = TempHome::new();
    let store = Store::open(&home.join("perigee.db"), Arc::new(SystemClock))?;
    let owner = store.owner().await?.id;
    eprintln!("bench: making a million messages …");
    sample::fill(&store, owner, SIZE).await?;
    store.optimize().await?;
    store.checkpoint().await?;
    let ids = store.conversation_ids(owner).await?;
    store.close().await;

    let server = RunningServer::start(home.path(), &[]).await?;
    let mut list = Vec::new();
    let mut page = String::new();
    for _ in 0..ROUNDS {
        let (answer, time) = timed(&server, &format!("/api/chats?limit=50{page}")).await?;
        list.push(time);
        page = answer["next"].as_str().map(|next| format!("&cursor={next}")).unwrap_or_default();
    }
    let mut open = Vec::new();
    for round in 0..ROUNDS {
        let id = ids[round * 7919 % ids.len()];
        open.push(timed(&server, &format!("/api/chats/{id}?limit=50")).await?.1);
    }
    let (mut common, mut rare, mut hits) = (Vec::new(), Vec::new(), 0);
    let words = sample::common_words();
    for round in 0..ROUNDS / 2 {
        let word = words[round % words.len()];
        let (answer, time) = timed(&server, &format!("/api/chats/search?q={word}")).await?;
        anyhow::ensure!(!answer["hits"].as_array().context("no hits")?.is_empty(), "{word} was not found");
        common.push(time);
        let (answer, time) =
            timed(&server, &format!("/api/chats/search?q={}", sample::rare_word(round * 149))).await?;
        hits += answer["hits"].as_array().map_or(0, Vec::len);
        rare.push(time);
    }
    anyhow::ensure!(hits > 0, "no rare word was found");
    server.process.stop().await;

    let method = format!(
        "Over HTTP, {} conversations with {} messages. {ROUNDS} pages of the list one after the other, {ROUNDS} openings all \
         over the store, {ROUNDS} searches, half of them of the forty commonest words.",
        SIZE.conversations,
        SIZE.conversations * SIZE.messages_each
    );
    let mut report = BenchReport::new("storage", method);
    let goal = Some(Goal::AtMost(50.0));
    report.row("list_p95_ms", "list, p95", percentile(&list, 95.0), "ms", goal);
    report.row("open_p95_ms", "open, p95", percentile(&open, 95.0), "ms", goal);
    report.row("search_rare_p95_ms", "search of a rare word, p95", percentile(&rare, 95.0), "ms", goal);
    let p95 = percentile(&common, 95.0);
    report.row(
        "search_common_p95_ms",
        "search of a very common word, p95",
        p95,
        "ms",
        Some(Goal::AtMost(150.0)),
    );
    report.row("list_median_ms", "list, median", median(&list), "ms", None);
    report.row(
        "search_common_median_ms",
        "search of a very common word, median",
        median(&common),
        "ms",
        None,
    );
    Ok(report)
}

async fn timed(server: &RunningServer, path: &str) -> anyhow::Result<(serde_json::Value, f64)> {
    let start = Instant::now();
    let answer = server.get(path).await?;
    Ok((answer, start.elapsed().as_secs_f64() * 1e3))
}
