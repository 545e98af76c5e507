//! The cost of the sandbox before any program runs in it.

use std::time::{Duration, Instant};

use host::Program;
use rustix::process::{WaitOptions, wait};
use sandbox::{Policy, Sandbox};

use super::processes::{MeasuredProcesses, spent};
use crate::report::{BenchReport, Goal};
use crate::statistics::{median, median_ratio, percentile};

pub const ROUNDS: usize = 100;
const PROGRAM: &str = "/bin/true";
/// The greatest time to wait for the remains of a sandbox; they normally end much faster.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Default)]
struct Costs {
    wall: Vec<f64>,
    processor: Vec<f64>,
}

pub async fn measure(report: &mut BenchReport, sandbox: &Sandbox) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let (tool, shell) = (Policy::tool(folder.path(), folder.path())?, Policy::shell(folder.path())?);
    let _orphans = Orphans::adopt()?;
    let (mut bare, mut as_tool, mut as_shell) = (Costs::default(), Costs::default(), Costs::default());
    for round in 0..=ROUNDS {
        // The first round fills caches.
        let kept = round > 0;
        bare.add(kept, run_bare).await?;
        as_tool.add(kept, async || run_held(sandbox, &tool).await).await?;
        as_shell.add(kept, async || run_held(sandbox, &shell).await).await?;
    }
    bare.report(report, "bare", "a bare process");
    for (key, costs) in [("tool", &as_tool), ("shell", &as_shell)] {
        costs.report(report, key, &format!("profile `{key}`"));
        let more: Vec<f64> =
            costs.processor.iter().zip(&bare.processor).map(|(ours, bare)| ours - bare).collect();
        let what = format!("profile `{key}`: processor's time beyond the bare process");
        report.row(format!("{key}_beyond_ms"), what, median(&more), "ms", Some(Goal::AtMost(20.0)));
        let ratio = median_ratio(&costs.processor, &bare.processor);
        report.row(format!("{key}_ratio"), format!("profile `{key}` ÷ bare, processor"), ratio, "×", None);
        let ratio = median_ratio(&costs.wall, &bare.wall);
        report.row(
            format!("{key}_wall_ratio"),
            format!("profile `{key}` ÷ bare, from start to end"),
            ratio,
            "×",
            None,
        );
    }
    Ok(())
}

async fn run_bare() -> anyhow::Result<()> {
    anyhow::ensure!(Program::new(PROGRAM).run().await?.status.success(), "{PROGRAM} failed");
    Ok(())
}

async fn run_held(sandbox: &Sandbox, policy: &Policy) -> anyhow::Result<()> {
    let cell = sandbox.start(policy, vec![PROGRAM.into()], |program| program)?;
    anyhow::ensure!(cell.finish().await?.success(), "{PROGRAM} failed in the sandbox");
    Ok(())
}

impl Costs {
    async fn add(
        &mut self,
        kept: bool,
        work: impl AsyncFnOnce() -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let before = spent(MeasuredProcesses::Ours) + spent(MeasuredProcesses::Ended);
        let began = Instant::now();
        work().await?;
        let wall = began.elapsed();
        all_ended().await?;
        let processor =
            (spent(MeasuredProcesses::Ours) + spent(MeasuredProcesses::Ended)).saturating_sub(before);
        if kept {
            self.wall.push(wall.as_secs_f64() * 1e3);
            self.processor.push(processor.as_secs_f64() * 1e3);
        }
        Ok(())
    }

    fn report(&self, report: &mut BenchReport, key: &str, what: &str) {
        report.times(&format!("{key}_processor"), &format!("{what}: processor's time"), &self.processor);
        let (middle, tail) = (median(&self.wall), percentile(&self.wall, 95.0));
        report.row(
            format!("{key}_wall_ms"),
            format!("{what}: from start to end, median"),
            middle,
            "ms",
            None,
        );
        report.row(format!("{key}_wall_p95_ms"), format!("{what}: from start to end, p95"), tail, "ms", None);
    }
}

/// Makes this process the parent of orphaned processes until dropped. bubblewrap does not wait for the first process
/// inside, and the kernel reports a process's usage only to the process that waits for it.
struct Orphans;

impl Orphans {
    fn adopt() -> anyhow::Result<Self> {
        #[cfg(target_os = "linux")]
        rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
        Ok(Self)
    }
}

impl Drop for Orphans {
    fn drop(&mut self) {
        #[cfg(target_os = "linux")]
        let _ = rustix::process::set_child_subreaper(None);
    }
}

/// Waits for all child processes to end.
async fn all_ended() -> anyhow::Result<()> {
    let began = Instant::now();
    loop {
        match wait(WaitOptions::NOHANG) {
            Err(rustix::io::Errno::CHILD) => return Ok(()),
            Err(error) => return Err(error.into()),
            Ok(Some(_)) => {}
            Ok(None) => tokio::time::sleep(Duration::from_millis(1)).await,
        }
        anyhow::ensure!(began.elapsed() < PATIENCE, "something that was started does not end");
    }
}
