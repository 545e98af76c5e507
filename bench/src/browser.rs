use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use host::Program;
use serde_json::Value;
use testkit::TempHome;

use crate::report::{BenchReport, Goal};
use crate::server::RunningServer;
use crate::statistics::{median, percentile};

const QUESTIONS: usize = 20;

/// Measures the time from pressing Enter to the first word on the screen, in a real browser with the starter model.
pub async fn run() -> anyhow::Result<BenchReport> {
    let home = TempHome::new();
    home.write("config.toml", "[llm]\nnum_predict = 16\n");
    let server = RunningServer::with_starter(home.path()).await?;
    let script = Path::new("web/e2e/first-token.mjs");
    let measuring = Program::new("node")
        .arg(script)
        .arg(server.process.address())
        .arg(QUESTIONS.to_string())
        .env("PERIGEE_TOKEN", server.process.token())
        .inherit(&["CHROMIUM"])
        .time_limit(Duration::from_mins(5));
    let finished = measuring.run().await?;
    anyhow::ensure!(finished.status.success(), "the browser failed: {}", finished.stderr);
    let text = String::from_utf8_lossy(&finished.stdout);
    let times: Vec<f64> = serde_json::from_str::<Value>(text.trim())?
        .as_array()
        .context("the script printed no list")?
        .iter()
        .filter_map(Value::as_f64)
        .collect();
    anyhow::ensure!(times.len() == QUESTIONS, "{} of {QUESTIONS} answers came", times.len());
    server.process.stop().await;
    let method = format!(
        "{QUESTIONS} questions in headless Chromium, each in a new conversation, with the starter model on the same two \
         cores. Time is from pressing Enter to the first character of the answer in the page."
    );
    let mut report = BenchReport::new("browser", method);
    report.row(
        "first_token_ms",
        "first word on the screen, median",
        median(&times),
        "ms",
        Some(Goal::AtMost(1500.0)),
    );
    report.row("first_token_p95_ms", "first word on the screen, p95", percentile(&times, 95.0), "ms", None);
    Ok(report)
}
