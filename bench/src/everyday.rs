//! Facts extracted from everyday messages, compared with the notes of a careful person.
//!
//! A file has one JSON object per line: `{"text": MESSAGE, "facts": [NOTE, ..]}`.

use std::path::{Path, PathBuf};

use anyhow::Context;
use facts::{Finding, KnownNames, Polarity};
use memory::Memory;
use serde::Deserialize;
use serde_json::{Value, json};
use text::terms;

use crate::memory_setup::{self, MemorySetup};
use crate::report::BenchReport;

const FOLDER: &str = "bench/everyday";
/// The share of the shorter text's words that a fact and a note must have in common to agree.
const SHARED: f64 = 0.6;

#[derive(Deserialize)]
pub struct NotedMessage {
    pub text: String,
    pub facts: Vec<String>,
}

#[derive(Default)]
struct Count {
    messages: usize,
    read: usize,
    /// The number of extracted facts that agree with a note.
    agreed: usize,
    noted: usize,
    /// The number of notes that agree with an extracted fact.
    found: usize,
    /// The number of messages without notes from which something was extracted.
    noise: usize,
    empty: usize,
}

/// Measures the sets of the repository, or one file.
pub async fn run(file: Option<&Path>) -> anyhow::Result<BenchReport> {
    let files = file.map_or_else(own_files, |file| Ok(vec![file.to_owned()]))?;
    let mut report = BenchReport::new(
        "facts",
        "Everyday messages, written by people who had not seen the patterns, each with the facts that a careful person \
         would note. A fact that was read and a note agree when they share most of their words, which is a rough measure \
         in both directions: the list of what did not agree (`--json`) is for reading.",
    );
    let (mut disagreed, mut all) = (Vec::new(), Vec::new());
    let called = memory::SpeakerNames { user: "You".into(), companion: "Luna".into() };
    let setup = MemorySetup::new(called, "2026-06-15T12:00:00Z", memory_setup::embedder()).await?;
    for file in files {
        let name = file.file_stem().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let count = measure(&setup.memory, &read(&file)?, &mut disagreed, &mut all).await;
        let Count { messages, read, agreed, noted, found, noise, empty } = count;
        let mut row = |key: &str, what: String, value: f64, unit| {
            report.row(format!("{name}_{key}"), format!("{name}: {what}"), value, unit, None);
        };
        row("precision", format!("of {read} facts read, noted by a person"), share(agreed, read), "%");
        row("recall", format!("of {noted} notes, read"), share(found, noted), "%");
        row(
            "noise",
            format!("of {empty} of {messages} messages with nothing to note, something was read in"),
            share(noise, empty),
            "%",
        );
    }
    report.detail("disagreed", Value::Array(disagreed));
    report.detail("read", Value::Array(all));
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

pub fn read(file: &Path) -> anyhow::Result<Vec<NotedMessage>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| serde_json::from_str(line).with_context(|| format!("{}: {line}", file.display())))
        .collect()
}

async fn measure(
    memory: &Memory,
    messages: &[NotedMessage],
    disagreed: &mut Vec<Value>,
    all: &mut Vec<Value>,
) -> Count {
    let today = jiff::civil::date(2026, 6, 15);
    let mut count = Count { messages: messages.len(), ..Count::default() };
    for NotedMessage { text, facts } in messages {
        let found = memory.extract_findings(text, today, &KnownNames::new("Luna")).await.stated;
        all.extend(found.iter().map(|finding| {
            json!({"text": text, "fact": told(finding), "quote": finding.quote, "confidence": finding.confidence})
        }));
        let read: Vec<String> = found.iter().map(told).collect();
        let wrong: Vec<&String> = read.iter().filter(|fact| !any_agrees(fact, facts)).collect();
        let missed: Vec<&String> = facts.iter().filter(|note| !any_agrees(note, &read)).collect();
        count.read += read.len();
        count.agreed += read.len() - wrong.len();
        count.noted += facts.len();
        count.found += facts.len() - missed.len();
        count.empty += usize::from(facts.is_empty());
        count.noise += usize::from(facts.is_empty() && !read.is_empty());
        if !wrong.is_empty() || !missed.is_empty() {
            disagreed.push(json!({"text": text, "read": read, "wrong": wrong, "missed": missed}));
        }
    }
    count
}

/// Returns the text of a finding. A fact that has ended is marked, because it removes knowledge instead of adding it.
fn told(finding: &Finding) -> String {
    match finding.polarity {
        Polarity::Holds => finding.content.clone(),
        Polarity::Ended => format!("(Over) {}", finding.content),
    }
}

pub fn any_agrees(one: &str, others: &[impl AsRef<str>]) -> bool {
    others.iter().any(|other| agree(one, other.as_ref()))
}

fn agree(one: &str, other: &str) -> bool {
    let (one, other) = (terms(one), terms(other));
    let shared = one.iter().filter(|term| other.contains(term)).count();
    share(shared, one.len().min(other.len())) >= SHARED * 100.0
}

#[allow(clippy::cast_precision_loss, reason = "counts of words and messages")]
fn share(part: usize, whole: usize) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}
