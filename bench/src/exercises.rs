//! Small exercises with a real model: with the agent, with and without building, testing and repairing, compared with
//! one request to the same model without tools.
//!
//! `cargo xtask bench exercises --model FILE.gguf`. Results are kept in `bench/.exercises`, so that an interrupted run
//! continues; deleting that folder starts over.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::Context as _;
use futures_util::StreamExt as _;
use protocol::Event;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use testkit::SseParser;

use crate::report::BenchReport;
use crate::server::RunningServer;

const FOLDER: &str = "bench/exercises";
const KEPT: &str = "bench/.exercises";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Way {
    /// One request with all files in the prompt, without tools.
    Once,
    /// The agent, without building and testing.
    Agent,
    /// The complete agent.
    Repairing,
}

#[derive(Debug, Serialize, Deserialize)]
struct Done {
    exercise: String,
    way: Way,
    passed: bool,
    seconds: f64,
}

pub async fn run(model: Option<&Path>) -> anyhow::Result<BenchReport> {
    let model = model.context("name a model that writes code: --model FILE.gguf")?;
    let name = model.file_stem().and_then(|name| name.to_str()).context("the model has no name")?;
    let kept = Path::new(KEPT).join(format!("{name}.jsonl"));
    let mut done = read(&kept);
    for way in [Way::Once, Way::Agent, Way::Repairing] {
        let open: Vec<PathBuf> = exercises()?
            .into_iter()
            .filter(|path| !done.iter().any(|done| done.way == way && done.exercise == called(path)))
            .collect();
        if open.is_empty() {
            continue;
        }
        let home = testkit::TempHome::new();
        configure(home.path(), model, way)?;
        let server = RunningServer::start(home.path(), &[]).await?;
        server.until_loaded().await?;
        for exercise in open {
            let result = attempt(&server, &exercise, way).await?;
            eprintln!("{way:?} {}: {} in {:.0} s", result.exercise, verdict(result.passed), result.seconds);
            host::private_dir(KEPT)?;
            host::append_line_private(&kept, serde_json::to_string(&result)?.as_bytes())?;
            done.push(result);
        }
    }
    Ok(report(name, &done))
}

fn verdict(passed: bool) -> &'static str {
    if passed { "passed" } else { "failed" }
}

fn report(model: &str, done: &[Done]) -> BenchReport {
    let count = done.iter().filter(|done| done.way == Way::Once).count();
    let mut report = BenchReport::new(
        "exercises",
        format!(
            "{count} small exercises of our own in Python (`bench/exercises`), judged by tests that the model does not see. \
             Model: {model}, temperature 0. *Asked once*: all files and the task in one prompt, the answer's files are taken. *Agent*: \
             `POST /api/code/stream`, half of the tasks name no file. *With repair*: the same with building, testing and at most two \
             rounds of mending."
        ),
    );
    for (way, key, what) in [
        (Way::Once, "once", "asked once, no tools"),
        (Way::Agent, "agent", "agent, without verify and repair"),
        (Way::Repairing, "repairing", "agent, with verify and repair"),
    ] {
        let of: Vec<&Done> = done.iter().filter(|done| done.way == way).collect();
        let passed = of.iter().filter(|done| done.passed).count();
        let seconds: f64 = of.iter().map(|done| done.seconds).sum();
        #[expect(clippy::cast_precision_loss, reason = "a few dozen")]
        let (percent, each) =
            (100.0 * passed as f64 / of.len().max(1) as f64, seconds / of.len().max(1) as f64);
        report.row(
            format!("{key}_percent"),
            format!("{what}: {passed} of {} solved", of.len()),
            percent,
            "%",
            None,
        );
        report.row(format!("{key}_seconds"), format!("{what}: time for one"), each, "s", None);
    }
    report
}

fn read(kept: &Path) -> Vec<Done> {
    let text = std::fs::read_to_string(kept).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn exercises() -> anyhow::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(FOLDER).context("run it in the repository")?;
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("task.txt").exists())
        .collect();
    paths.sort();
    Ok(paths)
}

fn called(exercise: &Path) -> String {
    exercise.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn configure(home: &Path, model: &Path, way: Way) -> anyhow::Result<()> {
    let model = serde_json::to_string(&std::path::absolute(model)?)?;
    let verify = way == Way::Repairing;
    let text = format!(
        "[llm]\nmodel = {model}\ntemperature = 0.0\nnum_ctx = 4096\n\n[chat]\ntitle = \"off\"\n\n[code]\napply = \"auto\"\n\
         verify = {verify}\n"
    );
    host::atomic_write(home.join("config.toml"), text.as_bytes())?;
    Ok(())
}

async fn attempt(server: &RunningServer, exercise: &Path, way: Way) -> anyhow::Result<Done> {
    let work = tempfile::tempdir()?;
    copy(&exercise.join("start"), work.path())?;
    let task = std::fs::read_to_string(exercise.join("task.txt"))?;
    let start = Instant::now();
    match way {
        Way::Once => once(server, work.path(), task.trim()).await?,
        Way::Agent | Way::Repairing => agent(server, work.path(), task.trim()).await?,
    }
    let seconds = start.elapsed().as_secs_f64();
    copy(&exercise.join("hidden"), work.path())?;
    Ok(Done { exercise: called(exercise), way, passed: passes(work.path())?, seconds })
}

/// Sends everything in one prompt, and writes the files in the answer.
async fn once(server: &RunningServer, work: &Path, task: &str) -> anyhow::Result<()> {
    let mut prompt = String::new();
    let mut sources = Vec::new();
    let mut names: Vec<PathBuf> =
        std::fs::read_dir(work)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    names.sort();
    for path in names {
        let name = called(&path);
        prompt.push_str(&["```python ", &name, "\n", &std::fs::read_to_string(&path)?, "```\n\n"].concat());
        if !name.starts_with("test_") {
            sources.push(name);
        }
    }
    prompt.push_str(task);
    prompt.push_str(
        "\n\nAnswer with each file that changes, whole, in a block that begins with ```python and its name.",
    );
    let body = json!({"model": "bare", "messages": [{"role": "user", "content": prompt}], "temperature": 0, "max_tokens": 1000});
    let answer: Value = server.post("/v1/chat/completions", &body).await?.json().await?;
    let text = answer["choices"][0]["message"]["content"].as_str().unwrap_or_default();
    for (name, content) in blocks(text, &sources) {
        host::atomic_write(work.join(name), content.as_bytes())?;
    }
    Ok(())
}

/// Returns the code blocks by file name. A block without a name belongs to the only file, if there is just one.
fn blocks(text: &str, sources: &[String]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("```") {
        let Some((info, after)) = after.split_once('\n') else { break };
        let (content, after) = after.split_once("```").unwrap_or((after, ""));
        let said = format!("{} {info}", before.lines().last().unwrap_or_default());
        let named = sources
            .iter()
            .find(|name| said.contains(name.as_str()) || content.contains(&format!("# {name}")));
        let only = if let [only] = sources { Some(only) } else { None };
        if let Some(name) = named.or(only) {
            found.push((name.clone(), content.to_owned()));
        }
        rest = after;
    }
    found
}

async fn agent(server: &RunningServer, work: &Path, task: &str) -> anyhow::Result<()> {
    server.post("/api/code/root", &json!({"path": work})).await?;
    let mut parser = SseParser::default();
    let mut bytes = server.post("/api/code/stream", &json!({"text": task})).await?.bytes_stream();
    while let Some(chunk) = bytes.next().await {
        for event in parser.push(&chunk?) {
            match serde_json::from_str(&event.data)? {
                // A proposal with failing tests waits for a review. There is no reviewer here, so it is applied as it
                // is.
                Event::Meta(meta) if meta.requires_approval => {
                    let id = meta.proposal_id.context("no proposal")?;
                    server.post(&format!("/api/code/proposals/{id}/apply"), &json!({})).await?;
                }
                Event::Error { message, .. } => eprintln!("  {message}"),
                _ => {}
            }
        }
    }
    Ok(())
}

fn passes(work: &Path) -> anyhow::Result<bool> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the judge, outside of the sandbox, on code of a few lines"
    )]
    let mut python = Command::new("timeout");
    let status = python
        .args(["20", "python3", "-m", "unittest", "test_hidden"])
        .current_dir(work)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    Ok(status.success())
}

#[expect(clippy::disallowed_methods, reason = "into a folder of its own")]
fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(from)? {
        let path = entry?.path();
        if path.is_file() {
            std::fs::copy(&path, to.join(called(&path)))?;
        }
    }
    Ok(())
}
