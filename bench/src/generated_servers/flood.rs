//! The memory of the program while an MCP server prints without end.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use serde_json::json;
use testkit::TempHome;

use crate::report::{BenchReport, Goal};
use crate::server::{RunningServer, resident};
use crate::statistics::median;

pub const LENGTH: Duration = Duration::from_secs(6);
/// The wait after the end, before memory is measured again.
const AFTER: Duration = Duration::from_secs(2);
const BETWEEN: Duration = Duration::from_millis(5);
/// The goal for additional memory, in megabytes. A message may have 8 MiB, and its bytes, its text and its parsed form
/// exist at the same time.
const MOST: f64 = 32.0;

const SCRIPT: &str = include_str!("../workshop_flood.py");
const NAME: &str = "flood";

/// The modes of the script, with descriptions.
const KINDS: [(&str, &str); 9] = [
    ("garbage", "lines that are no messages"),
    ("forged", "answers that nobody asked for"),
    ("notes", "notifications"),
    ("changes", "word that its tools changed"),
    ("questions", "questions, with our answers unread"),
    ("large", "messages just within the limit"),
    ("too_large", "lines beyond the limit"),
    ("endless", "a line without an end"),
    ("complaints", "complaints"),
];

/// The measured sizes in megabytes.
struct Tide {
    before: f64,
    peak: f64,
    after: f64,
    /// The amount that the server sent.
    sent: f64,
}

pub async fn measure(report: &mut BenchReport) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let script = folder.path().join("flood.py");
    host::atomic_write(&script, SCRIPT.as_bytes())?;
    let mut rest = Vec::new();
    for (kind, what) in KINDS {
        let Tide { before, peak, after, sent } = flood(kind, &script, &folder.path().join(kind)).await?;
        rest.push(before);
        let goal = Some(Goal::AtMost(MOST));
        let more = format!("{sent:.0} MB of {what}: our memory at its peak, beyond what it was");
        report.row(format!("flood_{kind}_peak_mb"), more, peak - before, "MB", goal);
        let left = "the same two seconds after the end";
        report.row(format!("flood_{kind}_after_mb"), left, after - before, "MB", goal);
        report.detail(&format!("flood_{kind}_sent_mb"), sent.into());
    }
    report.row("flood_before_mb", "our memory before a flood", median(&rest), "MB", None);
    Ok(())
}

async fn flood(kind: &str, script: &Path, count: &Path) -> anyhow::Result<Tide> {
    let home = TempHome::new();
    let running = RunningServer::start(home.path(), &[]).await?;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let memory = || resident(running.process.pid());
    let before = memory()?;
    let server = json!({"command": "python3", "args": [script, kind, count]});
    running.post("/api/mcp/servers", &json!({"name": NAME, "server": server})).await?;
    let (began, mut peak) = (Instant::now(), before);
    while began.elapsed() < LENGTH {
        peak = peak.max(memory()?);
        tokio::time::sleep(BETWEEN).await;
    }
    running.post(&format!("/api/mcp/servers/{NAME}/stop"), &json!({})).await?;
    tokio::time::sleep(AFTER).await;
    let after = memory()?;
    let sent = std::fs::metadata(count).with_context(|| format!("nothing was sent of {kind}"))?.len();
    let sent = f64::from(u32::try_from(sent)?);
    Ok(Tide { before, peak, after, sent })
}
