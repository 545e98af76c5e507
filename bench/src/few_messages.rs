//! Recall in a memory with few messages: a few things said over weeks, and a question about the present.
//!
//! A file has one JSON object per line: `{"said": [[DAYS_AGO, TEXT], ..], "ask": QUESTION, "answer": PLACE}`. The place
//! is absent if nothing that was said answers the question.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use jiff::{Timestamp, ToSpan as _};
use memory::{RecallRequest, Recipient, SpeakerNames};
use protocol::{MemoryKind, Role};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::memory_setup::{self, DatedMessage, MemorySetup};
use crate::report::{BenchReport, Goal};

const FOLDER: &str = "bench/young";
const NOW: &str = "2026-06-15T18:00:00Z";
/// The room in letters that a user who tries recall is shown.
const ROOM: usize = 2_700;
/// Luna's replies to the messages, which contain no information.
const REPLIES: [&str; 4] =
    ["Thanks for telling me.", "Oh, I see. How are you?", "That sounds like a day.", "Noted."];

#[derive(Deserialize)]
struct Life {
    said: Vec<(i64, String)>,
    ask: String,
    answer: Option<usize>,
}

#[derive(Default)]
struct Tally {
    asked: f64,
    first: f64,
    among_three: f64,
    refused: f64,
    missing: f64,
    strange: f64,
    strange_refused: f64,
}

/// Measures the sets of the repository, or one file.
pub async fn run(file: Option<&Path>) -> anyhow::Result<BenchReport> {
    let files = file.map_or_else(own_files, |file| Ok(vec![file.to_owned()]))?;
    let vectors = match memory_setup::embedder() {
        Some(_) => "with the embedding model that ships",
        None => "by words alone, since the embedding model is not here",
    };
    let mut report = BenchReport::new(
        "young",
        format!(
            "Four things said over weeks, each in a conversation of its own and in everyday words, and a question about how \
             things are now, {vectors}. `seen` was in view when recall was changed, `unseen` was not."
        ),
    );
    let mut asked = Vec::new();
    for file in files {
        let name = file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let mut tally = Tally::default();
        for life in read(&file)? {
            asked.push(one(&life, &mut tally).await?);
        }
        let share = |part: f64, of: f64| 100.0 * part / of.max(1.0);
        let mut row = |key: &str, what: String, value: f64, goal: Option<Goal>| {
            report.row(format!("{name}_{key}"), format!("{name}: {what}"), value, "%", goal);
        };
        let of = format!("of {} questions, ", tally.asked);
        row(
            "first",
            format!("{of}the message that answers comes first"),
            share(tally.first, tally.asked),
            None,
        );
        row(
            "among_three",
            format!("{of}it is among the first three"),
            share(tally.among_three, tally.asked),
            Some(Goal::AtLeast(90.0)),
        );
        row(
            "missing",
            format!("{of}it is not there"),
            share(tally.missing, tally.asked),
            Some(Goal::AtMost(0.0)),
        );
        row("refused", format!("{of}said not to be answered"), share(tally.refused, tally.asked), None);
        row(
            "strange_refused",
            format!("of {} that nothing answers, said not to be", tally.strange),
            share(tally.strange_refused, tally.strange),
            None,
        );
    }
    report.detail("asked", Value::Array(asked));
    Ok(report)
}

fn own_files() -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(FOLDER).with_context(|| format!("{FOLDER} cannot be read"))? {
        files.push(entry?.path());
    }
    files.sort();
    Ok(files)
}

fn read(file: &Path) -> anyhow::Result<Vec<Life>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| serde_json::from_str(line).with_context(|| format!("{}: {line}", file.display())))
        .collect()
}

async fn one(life: &Life, tally: &mut Tally) -> anyhow::Result<Value> {
    let names = SpeakerNames { user: "Sam".into(), companion: "Luna".into() };
    let setup = MemorySetup::new(names, NOW, memory_setup::embedder()).await?;
    let now: Timestamp = NOW.parse()?;
    let mut said = Vec::new();
    for (place, (days, text)) in life.said.iter().enumerate() {
        let at = now.checked_sub((24 * days).hours())?;
        let lines = [
            DatedMessage { role: Role::User, text: text.clone(), at },
            DatedMessage { role: Role::Assistant, text: REPLIES[place % REPLIES.len()].to_owned(), at },
        ];
        said.push(setup.tell("Talk", &lines).await?.1[0]);
    }
    setup.memory.learn_from_unread(100).await?;
    setup.embed_all().await?;
    let recall = RecallRequest {
        room_for_everything: ROOM,
        ..RecallRequest::new(life.ask.clone(), Recipient::Person)
    };
    let recalled = setup.memory.recall(setup.user, recall).await?;
    let answer = life.answer.map(|place| said[place]);
    let rank = recalled.items.iter().position(|item| {
        answer.is_some()
            && item.message_id == answer
            && matches!(item.kind, MemoryKind::Message | MemoryKind::Fact)
    });
    let is = |yes: bool| f64::from(u8::from(yes));
    if answer.is_some() {
        tally.asked += 1.0;
        tally.first += is(rank == Some(0));
        tally.among_three += is(rank.is_some_and(|rank| rank < 3));
        tally.missing += is(rank.is_none());
        tally.refused += is(recalled.refused);
    } else {
        tally.strange += 1.0;
        tally.strange_refused += is(recalled.refused);
    }
    let items = recalled.items.iter().map(|item| {
        json!({"kind": item.kind, "text": item.text, "who": item.who, "score": item.score, "parts": item.parts,
               "is_answer": answer.is_some() && item.message_id == answer})
    });
    Ok(json!({"ask": life.ask, "rank": rank, "refused": recalled.refused, "sureness": recalled.answerable,
              "items": items.collect::<Vec<_>>()}))
}
