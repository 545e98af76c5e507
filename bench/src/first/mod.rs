//! The first evening with a small model: twenty questions in one conversation, and twenty requests that need a tool,
//! sent through the program.
//!
//! `cargo xtask bench first` measures the starter model and every `--model FILE.gguf`. All answers are printed, because
//! rules cannot judge their quality.

mod judge;
mod questions;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use futures_util::StreamExt as _;
use protocol::{Event, StopReason, ToolStatus};
use serde_json::{Value, json};
use testkit::SseParser;

use self::questions::{FIRST, TOOL_REQUESTS, ToolRequest};
use crate::report::{BenchReport, Goal};
use crate::server::{RunningServer, starter};
use crate::statistics::median;

/// Eighty first messages, each with the properties of a sane answer, by an author who had seen neither the prompt nor
/// the written answers.
const UNSEEN: &str = include_str!("../../first/unseen.jsonl");
/// The goal for the starter model's time to the first word, in seconds.
const FIRST_WORD: f64 = 1.5;

/// An answer as a client sees it.
#[derive(Debug, Default)]
struct Told {
    text: String,
    /// The tools that ran, asked or failed: name, arguments and status.
    acts: Vec<(String, Value, ToolStatus)>,
    first_word: Option<Duration>,
    total: Duration,
    stop: Option<StopReason>,
    error: Option<String>,
    prompt: u32,
    cached: u32,
    reading: bool,
}

pub async fn run(models: &[PathBuf], seeds: u32) -> anyhow::Result<BenchReport> {
    let mut report = BenchReport::new(
        "first",
        "Twenty first questions in one conversation of a fresh home, and twenty requests that need a tool, each in a \
         conversation of its own, through `POST /api/chat/stream` with the settings that ship. Rules judge: an answer is there, \
         no marker or template text shows, it does not repeat the question, an earlier answer or itself, and is no essay; it \
         *fits* where it has a word that the answer must have. A tool counts where the expected one was called and its \
         arguments fit its schema and the request. Questions that are to be confirmed are answered with no. The starter is \
         asked with several seeds, and eighty first messages by somebody who had seen neither its prompt nor the answers to \
         small talk that are written down, each in a conversation of its own.",
    );
    let starter = starter()?;
    ask(&mut report, &starter, seeds, true).await?;
    for model in models {
        ask(&mut report, model, 1, false).await?;
    }
    Ok(report)
}

async fn ask(report: &mut BenchReport, model: &Path, seeds: u32, is_starter: bool) -> anyhow::Result<()> {
    let name = model.file_stem().and_then(|name| name.to_str()).context("the model has no name")?.to_owned();
    let (mut sane, mut fitting, mut written, mut asked, mut idle_tools) = (0_u32, 0_u32, 0_u32, 0_u32, 0_u32);
    let (mut words, mut later, mut answers) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 1..=seeds {
        let home = testkit::TempHome::new();
        configure(home.path(), model, seed)?;
        let server = RunningServer::start(home.path(), &[]).await?;
        server.until_warm().await?;
        let mut earlier: Vec<String> = Vec::new();
        for (place, question) in FIRST.iter().enumerate() {
            let told = say(&server, question.text, None).await?;
            let cut = told.stop == Some(StopReason::Length);
            let mut faults = judge::faults(question.text, &told.text, &earlier, cut);
            if !told.acts.is_empty() {
                faults.push("a tool that nobody asked for");
                idle_tools += 1;
            }
            if told.error.is_some() {
                faults.push("failed");
            }
            let fits = judge::fits(&told.text, question.fits);
            asked += 1;
            sane += u32::from(faults.is_empty());
            fitting += u32::from(faults.is_empty() && fits);
            written += u32::from(told.prompt == 0);
            if let Some(first) = told.first_word {
                if place == 0 { &mut words } else { &mut later }.push(first.as_secs_f64());
            }
            let verdict = verdict(&faults, fits);
            show(&name, seed, question.text, &told, &verdict);
            answers.push(json!({
                "seed": seed, "question": question.text, "answer": told.text, "verdict": verdict,
            }));
            earlier.push(told.text);
        }
    }
    let unseen = if is_starter { Some(unseen(&name, model).await?) } else { None };
    let errands = errands(&name, model).await?;
    let (called, right) = (errands.0, errands.1);
    let row = |report: &mut BenchReport, key: &str, what: &str, value: f64, unit, goal| {
        report.row(format!("{name}_{key}"), format!("{name}: {what}"), value, unit, goal);
    };
    let part = |count: u32, of: u32| f64::from(count) * 20.0 / f64::from(of.max(1));
    row(report, "sane", "sane answers of 20", part(sane, asked), "", Some(Goal::AtLeast(20.0)));
    row(report, "fitting", "of which those fit", part(fitting, asked), "", None);
    let first_written = part(written, asked);
    if let Some(Unseen { sane, asked, written: unseen_written }) = unseen {
        row(
            report,
            "first_written",
            "of the 20, answered from written lines without the model",
            first_written,
            "",
            None,
        );
        let (sane, asked) = (f64::from(sane), f64::from(asked));
        row(
            report,
            "unseen",
            "sane by the rules, of the first messages by somebody else",
            100.0 * sane / asked,
            "%",
            None,
        );
        let written = 100.0 * f64::from(unseen_written) / asked;
        row(report, "written", "of these, answered from written lines without the model", written, "%", None);
    }
    row(
        report,
        "idle_tools",
        "tools where none is needed",
        f64::from(idle_tools),
        "",
        Some(Goal::AtMost(0.0)),
    );
    let limit = is_starter.then_some(Goal::AtMost(FIRST_WORD));
    row(report, "first_word", "first word of the first message", median(&words), "s", limit);
    row(report, "later_word", "first word of later ones, median", median(&later), "s", limit);
    if !is_starter {
        row(report, "called", "the right tool called, of 20", f64::from(called), "", None);
        row(report, "right", "of which with arguments that fit", f64::from(right), "", None);
    }
    report.detail(&name, Value::Array(answers));
    Ok(())
}

/// The result of the unseen first messages.
struct Unseen {
    sane: u32,
    asked: u32,
    /// The number of answers given without a model.
    written: u32,
}

async fn unseen(name: &str, model: &Path) -> anyhow::Result<Unseen> {
    let home = testkit::TempHome::new();
    configure(home.path(), model, 1)?;
    let server = RunningServer::start(home.path(), &[]).await?;
    server.until_warm().await?;
    let mut unseen = Unseen { sane: 0, asked: 0, written: 0 };
    for line in UNSEEN.lines().filter(|line| !line.is_empty()) {
        let question: Value = serde_json::from_str(line)?;
        let question = question["ask"].as_str().context("a line without a question")?;
        let conversation = server.fresh().await?;
        let told = say(&server, question, Some(&conversation)).await?;
        let faults = judge::faults(question, &told.text, &[], told.stop == Some(StopReason::Length));
        unseen.asked += 1;
        unseen.sane += u32::from(faults.is_empty() && told.error.is_none());
        unseen.written += u32::from(told.prompt == 0);
        show(name, 1, question, &told, &verdict(&faults, true));
    }
    Ok(unseen)
}

/// Returns the number of requests that led to the right tool, and the number of those with the right arguments.
async fn errands(name: &str, model: &Path) -> anyhow::Result<(u32, u32)> {
    let home = testkit::TempHome::new();
    configure(home.path(), model, 1)?;
    let server = RunningServer::start(home.path(), &[]).await?;
    server.until_warm().await?;
    let (mut called, mut right) = (0, 0);
    for errand in &TOOL_REQUESTS {
        let conversation = server.fresh().await?;
        let told = say(&server, errand.text, Some(&conversation)).await?;
        let (was_called, is_right) = judged(errand, &told);
        called += u32::from(was_called);
        right += u32::from(is_right);
        let verdict = match (was_called, is_right) {
            (_, true) => "right",
            (true, false) => "the right tool, wrong arguments",
            (false, _) => "not called",
        };
        let faults = judge::faults(errand.text, &told.text, &[], false);
        show(name, 1, errand.text, &told, &format!("{verdict} {}", faults.join(", ")));
    }
    Ok((called, right))
}

fn judged(errand: &ToolRequest, told: &Told) -> (bool, bool) {
    let expected = told.acts.iter().filter(|(name, ..)| errand.tools.contains(&name.as_str()));
    let mut was_called = false;
    for (_, arguments, status) in expected {
        was_called = true;
        let names = arguments.to_string().to_lowercase().contains(errand.argument);
        if names && *status != ToolStatus::Blocked {
            return (true, true);
        }
    }
    (was_called, false)
}

fn verdict(faults: &[&str], fits: bool) -> String {
    match (faults, fits) {
        ([], true) => "sane".to_owned(),
        ([], false) => "sane, does not fit".to_owned(),
        (faults, _) => faults.join(", "),
    }
}

fn show(model: &str, seed: u32, question: &str, told: &Told, verdict: &str) {
    let first = told.first_word.map_or("-".to_owned(), |first| format!("{:.2}", first.as_secs_f64()));
    eprintln!(
        "{model} #{seed} [{verdict}] {first} of {:.2} s, {} of {} tokens known{}\n  > {question}\n  < {}",
        told.total.as_secs_f64(),
        told.cached,
        told.prompt,
        if told.reading { ", progress shown" } else { "" },
        told.text.trim().replace('\n', "\n    "),
    );
    for (name, arguments, status) in &told.acts {
        eprintln!("    {name} {arguments} {status:?}");
    }
    if let Some(error) = &told.error {
        eprintln!("    failed: {error}");
    }
}

fn configure(home: &Path, model: &Path, seed: u32) -> anyhow::Result<()> {
    let model = serde_json::to_string(&std::path::absolute(model)?)?;
    let text = format!("[llm]\nmodel = {model}\nseed = {seed}\n");
    host::atomic_write(home.join("config.toml"), text.as_bytes())?;
    Ok(())
}

/// Sends a message and follows the answer to its end. Every confirmation request is denied.
async fn say(server: &RunningServer, message: &str, conversation: Option<&str>) -> anyhow::Result<Told> {
    let body = json!({"message": message, "conversationId": conversation});
    let (mut parser, mut told, began) = (SseParser::default(), Told::default(), Instant::now());
    let mut bytes = server.post("/api/chat/stream", &body).await?.bytes_stream();
    while let Some(chunk) = bytes.next().await {
        for event in parser.push(&chunk?) {
            match serde_json::from_str(&event.data)? {
                Event::Token { content } => {
                    told.first_word.get_or_insert_with(|| began.elapsed());
                    told.text.push_str(&content);
                }
                Event::Progress { .. } => told.reading = true,
                Event::Tool { name, args, status, .. } if status != ToolStatus::Running => {
                    told.acts.push((name, args, status));
                }
                Event::Confirmation(question) => {
                    let route = format!("/api/chat/confirm/{}", question.id);
                    server.post(&route, &json!({"approved": false})).await?;
                }
                Event::Usage(usage) => {
                    (told.prompt, told.cached) = (usage.prompt_tokens, usage.cached_tokens);
                }
                Event::Done { stop_reason, .. } => told.stop = Some(stop_reason),
                Event::Error { message, .. } => told.error = Some(message),
                _ => {}
            }
        }
    }
    told.total = began.elapsed();
    Ok(told)
}
