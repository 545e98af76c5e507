//! A generated server: in the sandbox and in our runner, compared with the same file under the official package.

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use host::Program;
use mcp::Python;
use serde_json::{Map, Value};

use super::calls::{CALLS, ROUNDS};
use super::measured_tool::{ANSWER, ARGUMENTS, CALLED, TOOL};
use super::ours::{Ours, Started, until_gone};
use super::processes::{MeasuredProcesses, ProcessUsage, spent};
use super::theirs::Theirs;
use crate::report::{BenchReport, Goal};
use crate::statistics::{median, median_ratio};

pub const COLD: usize = 20;
const HERS: &str = "scales";
/// The same server with the official package, for the official client.
const PLAIN: &str = "plain";
/// The time for which the cost of an idle server is measured.
const REST: Duration = Duration::from_secs(10);

#[derive(Default)]
struct Side {
    cold: Vec<f64>,
    /// The resources used after each cold start.
    taken: Vec<ProcessUsage>,
    warm: Vec<f64>,
    /// The median of each round of calls.
    rounds: Vec<f64>,
}

pub async fn measure(
    report: &mut BenchReport,
    ours: &Ours,
    theirs: Option<&mut Theirs>,
) -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("server.py");
    host::atomic_write(&file, TOOL.as_bytes())?;
    ours.make(HERS, TOOL).await?;
    let loose = in_the_runner(folder.path(), &file).await?;
    let (mut held, mut alone, mut official) = (Side::default(), Side::default(), Side::default());
    let mut theirs = theirs;
    for round in 0..=COLD {
        let starts = [hers(ours).await?, without_walls(&loose).await?];
        let other = match &mut theirs {
            Some(theirs) => Some(official_once(theirs, &file).await?),
            None => None,
        };
        // The first round writes files and fills caches on both sides.
        if round > 0 {
            held.started(starts[0]);
            alone.started(starts[1]);
            if let Some(other) = other {
                official.started(other);
            }
        }
    }
    let arguments: Map<String, Value> = serde_json::from_str(ARGUMENTS)?;
    let before = Started::before();
    ours.start_made(HERS).await?;
    if let Some(theirs) = &mut theirs {
        theirs.open(PLAIN, &official_command(theirs, &file)).await?;
    }
    for round in 0..=ROUNDS {
        let mine = ours.call(HERS, (CALLED, ANSWER), &arguments, CALLS).await?;
        let other = match &mut theirs {
            Some(theirs) => theirs.call(PLAIN, CALLED, &arguments, CALLS).await?,
            None => Vec::new(),
        };
        if round > 0 {
            held.called(&mine);
            official.called(&other);
        }
    }
    let resting = resting().await;
    let process = before.process()?;
    ours.stop_made(HERS).await?;
    until_gone(process).await;
    if let Some(theirs) = &mut theirs {
        theirs.close(PLAIN).await?;
    }
    tell(report, &held, &alone, theirs.is_some().then_some(&official), resting);
    Ok(())
}

fn tell(report: &mut BenchReport, held: &Side, alone: &Side, official: Option<&Side>, resting: f64) {
    held.tell(report, "made", "a tool of hers");
    alone.tell(report, "loose", "the same without the sandbox");
    if let Some(official) = official {
        official.tell(report, "official", "the same under the official package");
        let mut ratio = |key: &str, what: &str, ours: &[f64], theirs: &[f64]| {
            let (what, ratio) = (format!("{what}, ours ÷ theirs"), median_ratio(ours, theirs));
            report.row(key, what, ratio, "×", Some(Goal::AtMost(1.0)));
        };
        ratio("made_cold_ratio", "cold start", &held.cold, &official.cold);
        let (ours, theirs) = (held.each(|taken| taken.processor), official.each(|taken| taken.processor));
        ratio("made_cold_processor_ratio", "cold start, processor's time", &ours, &theirs);
        ratio("made_warm_ratio", "a call", &held.rounds, &official.rounds);
        let (ours, theirs) = (held.each(|taken| taken.whole), official.each(|taken| taken.whole));
        ratio("made_memory_ratio", "memory of all", &ours, &theirs);
    }
    let what = "looking after a tool of hers that rests, our processor's time each second";
    report.row("made_resting_ms", what, resting, "ms", None);
}

impl Side {
    fn tell(&self, report: &mut BenchReport, key: &str, what: &str) {
        report.times(&format!("{key}_cold"), &format!("{what}: cold start"), &self.cold);
        let mut row = |key: &str, part: &str, value: f64, unit: &'static str| {
            report.row(key, format!("{what}: {part}"), value, unit, None);
        };
        let processor = median(&self.each(|taken| taken.processor));
        row(&format!("{key}_cold_processor_ms"), "processor's time of that", processor, "ms");
        let interpreter = median(&self.each(|taken| taken.interpreter));
        row(&format!("{key}_memory_mb"), "memory of the interpreter", interpreter, "MB");
        let whole = median(&self.each(|taken| taken.whole));
        row(&format!("{key}_whole_mb"), "memory of all its processes, what is shared in part", whole, "MB");
        if !self.warm.is_empty() {
            report.times(&format!("{key}_warm"), &format!("{what}: a call"), &self.warm);
        }
    }

    fn each(&self, part: impl Fn(&ProcessUsage) -> f64) -> Vec<f64> {
        self.taken.iter().map(part).collect()
    }

    fn started(&mut self, (cold, taken): (f64, ProcessUsage)) {
        self.cold.push(cold);
        self.taken.push(taken);
    }

    fn called(&mut self, seconds: &[f64]) {
        let times: Vec<f64> = seconds.iter().map(|seconds| seconds * 1e3).collect();
        self.rounds.push(median(&times));
        self.warm.extend(times);
    }
}

/// Returns the milliseconds of a cold start, and the resources used until then.
async fn hers(ours: &Ours) -> anyhow::Result<(f64, ProcessUsage)> {
    let before = Started::before();
    let seconds = ours.start_made(HERS).await?;
    let process = before.process()?;
    let taken = ProcessUsage::by(process)?;
    ours.stop_made(HERS).await?;
    until_gone(process).await;
    Ok((seconds * 1e3, taken))
}

/// The same for the runner alone: until it has told its tools.
async fn without_walls(command: &[OsString]) -> anyhow::Result<(f64, ProcessUsage)> {
    let (program, arguments) = command.split_first().context("no program")?;
    let began = Instant::now();
    let mut child = Program::new(program).args(arguments).with_open_stdin().spawn()?;
    let input = child.take_stdin();
    child.next().await?.context("it told nothing")?;
    let milliseconds = began.elapsed().as_secs_f64() * 1e3;
    let taken = ProcessUsage::by(child.pid().context("it has ended")?)?;
    drop(input);
    child.finish().await?;
    Ok((milliseconds, taken))
}

async fn official_once(theirs: &mut Theirs, file: &Path) -> anyhow::Result<(f64, ProcessUsage)> {
    let seconds = theirs.open(PLAIN, &official_command(theirs, file)).await?;
    let taken = ProcessUsage::by(theirs.server()?)?;
    theirs.close(PLAIN).await?;
    Ok((seconds * 1e3, taken))
}

fn official_command(theirs: &Theirs, file: &Path) -> Vec<String> {
    vec![theirs.python.clone(), file.display().to_string()]
}

async fn in_the_runner(cache: &Path, file: &Path) -> anyhow::Result<Vec<OsString>> {
    let python = Python::find().await?;
    let runner = python.runner(cache, false).await?;
    Ok(python.sandboxed_command(&runner, file, cache)?.1)
}

/// Returns the milliseconds of our processor time per second.
async fn resting() -> f64 {
    // A server that has just started is polled more often.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let before = spent(MeasuredProcesses::Ours);
    tokio::time::sleep(REST).await;
    spent(MeasuredProcesses::Ours).saturating_sub(before).as_secs_f64() * 1e3 / REST.as_secs_f64()
}
