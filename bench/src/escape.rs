use std::time::Duration;

use anyhow::Context as _;
use host::Program;
use serde_json::Value;

use crate::report::{BenchReport, Goal};
use crate::server::program;

const JUDGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/testkit/escape/judge.py");

/// Runs all hostile programs of the escape suite, at each sandbox level of this machine and without a sandbox.
pub async fn run() -> anyhow::Result<BenchReport> {
    let perigee = program()?.display().to_string();
    let held = |level: &str| {
        format!("{perigee} --home {{data}} sandbox run --profile {{profile}} {level} --work {{work}} --")
    };
    let runs = [
        ("tool", "tool, full", "tool", held(""), Some(0.0)),
        ("shell", "shell, full", "shell", held(""), Some(0.0)),
        ("tool_let_out", "tool, let out to one host", "tool", held("--allow-host {granted}"), Some(0.0)),
        ("shell_let_out", "shell, let out to one host", "shell", held("--allow-host {granted}"), Some(0.0)),
        ("tool_partial", "tool, partial", "tool", held("--level partial"), None),
        ("shell_partial", "shell, partial", "shell", held("--level partial"), None),
        ("control", "no sandbox at all", "control", String::new(), None),
    ];
    let mut report = BenchReport::new(
        "escape",
        "Hostile programs, run one by one, and judged from outside by what became of the world \
         (`crates/testkit/escape`). What is not promised (a repository that a command makes in its own workspace) is not \
         counted. Without a sandbox most must get out, so that the suite is known to bite."
            .to_owned(),
    );
    for (key, name, profile, runner, most) in runs {
        let judgement = judge(profile, &runner).await?;
        let attempts = judgement["attempts"].as_array().context("no attempts")?;
        let count = |verdict: &str| {
            attempts.iter().filter(|it| it["verdict"] == verdict && it["promised"] == true).count()
        };
        let (tried, escaped) = (attempts.len() - count("not applicable"), count("escaped"));
        report.row(format!("{key}_tried"), format!("{name}: tried"), whole(tried), "", None);
        let goal = most.map(Goal::AtMost);
        report.row(format!("{key}_escaped"), format!("{name}: got out"), whole(escaped), "", goal);
        anyhow::ensure!(count("broken") == 0, "{name}: some attempts did not run as they should");
    }
    Ok(report)
}

async fn judge(profile: &str, runner: &str) -> anyhow::Result<Value> {
    let judge = Program::new("python3")
        .args(["-I", JUDGE, "--json", "--profile", profile, "--runner", runner])
        .time_limit(Duration::from_mins(10))
        .output_limit(16 << 20);
    let done = judge.run().await?;
    serde_json::from_slice(&done.stdout).with_context(|| format!("no judgement: {}", done.stderr))
}

fn whole(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
