//! The remaining time of a build, computed from cargo's progress line. Pure: the clock is passed in.
//!
//! Units differ by two orders of magnitude (the build script of llama.cpp takes minutes), so counting them would show
//! no progress for most of the build. Work is measured in core-seconds of a reference machine, and the speed of this
//! machine is learned during the build.

use std::collections::BTreeMap;
use std::time::Duration;

/// The work of a unit that is not listed below.
const USUAL_WORK: f64 = 1.3;

/// The amount of work assumed done at the expected speed beforehand, so that the first minutes, with many small units,
/// do not distort the estimate.
const PRIOR_WORK: f64 = 300.0;

/// The time before which finished units come from an earlier run and say nothing about the speed.
const SETTLED: Duration = Duration::from_secs(2);

/// The maximum share of a running unit that counts as done.
const MOST_OF_A_UNIT: f64 = 0.95;

/// The work of heavy units in core-seconds, by cargo's name of the unit, measured with `cargo build --timings` on two
/// cores.
const HEAVY: [(&str, f64); 9] = [
    (LLAMA, 680.0),
    ("libsqlite3-sys(build)", 55.0),
    ("llguidance", 50.0),
    ("minijinja", 45.0),
    ("rustls", 30.0),
    ("reqwest", 28.0),
    ("utoipa", 22.0),
    ("tokio", 16.0),
    ("jiff", 15.0),
];

const LLAMA: &str = "llama-cpp-sys-2(build)";

/// A snapshot of the build: `231/304: a, b`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildProgress {
    pub done: usize,
    pub total: usize,
    pub active: Vec<String>,
}

impl BuildProgress {
    /// Parses cargo's progress line. Returns `None` for any other line.
    pub fn parse(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix("Building")?.trim_start().strip_prefix('[')?;
        let (count, names) = rest.split_once(']')?.1.split_once(':')?;
        let (done, total) = count.trim().split_once('/')?;
        let names = names.trim().trim_end_matches("...");
        let active =
            names.split(", ").map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned).collect();
        Some(Self { done: done.parse().ok()?, total: total.parse().ok()?, active })
    }
}

/// The state of the heavy units at the start of the build.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildStart {
    Cold,
    Warm,
}

/// The state of a running build.
pub struct Estimate {
    cores: f64,
    latest: Option<BuildProgress>,
    /// The time of the last update of `running`.
    at: Duration,
    /// The work spent so far on each running unit.
    running: BTreeMap<String, f64>,
    /// The heavy units that have not been seen yet.
    ahead: Vec<&'static str>,
    heavy_done: Vec<&'static str>,
    /// The time at which the build had settled, and the work done until then.
    baseline: Option<(Duration, f64)>,
}

impl Estimate {
    pub fn new(cores: usize, start: BuildStart) -> Self {
        let ahead = HEAVY.iter().map(|(name, _)| *name).filter(|_| start == BuildStart::Cold).collect();
        Self {
            cores: as_f64(cores.max(1)),
            latest: None,
            at: Duration::ZERO,
            running: BTreeMap::new(),
            ahead,
            heavy_done: Vec::new(),
            baseline: None,
        }
    }

    /// Adds a snapshot of the build, taken `now` after its start.
    pub fn observe(&mut self, now: Duration, progress: BuildProgress) {
        self.pass_time(now);
        let is_active = |name: &str| progress.active.iter().any(|active| active == name);
        self.ahead.retain(|name| !is_active(name));
        let finished = HEAVY.iter().filter(|(name, _)| self.running.contains_key(*name) && !is_active(name));
        self.heavy_done.extend(finished.map(|(name, _)| *name));
        self.running.retain(|name, _| is_active(name));
        for name in &progress.active {
            self.running.entry(name.clone()).or_insert(0.0);
        }
        self.latest = Some(progress);
        if self.baseline.is_none() && now >= SETTLED {
            self.baseline = Some((now, self.work_done()));
        }
    }

    /// Returns the live line: `building 231/304 · llama.cpp (long) · about 6 min left`.
    pub fn describe(&mut self, now: Duration) -> Option<String> {
        self.pass_time(now);
        let latest = self.latest.as_ref()?;
        let count = format!("building {}/{}", latest.done, latest.total);
        let name =
            latest.active.iter().max_by(|a, b| work_of(a).total_cmp(&work_of(b)).then_with(|| b.cmp(a)));
        let name = name.map(|name| if name == LLAMA { "llama.cpp (long)" } else { name.as_str() });
        let left = self.left().map(|left| format!("about {} left", crate::terminal::in_words(left)));
        Some(
            [Some(count.as_str()), name, left.as_deref()]
                .into_iter()
                .flatten()
                .collect::<Vec<_>>()
                .join(" · "),
        )
    }

    /// Returns the remaining time, or `None` until the build has settled.
    fn left(&self) -> Option<Duration> {
        let (since, done_then) = self.baseline?;
        let done = (self.work_done() - done_then).max(0.0);
        let spent = self.at.saturating_sub(since).as_secs_f64() * self.cores;
        let pace = (spent + PRIOR_WORK) / (done + PRIOR_WORK);
        Some(Duration::from_secs_f64(self.work_left() * pace / self.cores))
    }

    /// Distributes the cores among the running units. The build of llama.cpp starts a compiler for each core, in
    /// addition to the others.
    fn pass_time(&mut self, now: Duration) {
        let seconds = now.saturating_sub(self.at).as_secs_f64();
        self.at = self.at.max(now);
        let cores = self.cores;
        let processes = |name: &str| if name == LLAMA { cores } else { 1.0 };
        let all: f64 = self.running.keys().map(|name| processes(name)).sum();
        for (name, spent) in &mut self.running {
            *spent += seconds * processes(name) * (cores / all).min(1.0);
        }
    }

    fn work_done(&self) -> f64 {
        let done = self.latest.as_ref().map_or(0, |progress| progress.done);
        let usual = as_f64(done.saturating_sub(self.heavy_done.len())) * USUAL_WORK;
        let heavy: f64 = self.heavy_done.iter().map(|name| work_of(name)).sum();
        usual + heavy + self.running.iter().map(|(name, spent)| part_done(name, *spent)).sum::<f64>()
    }

    fn work_left(&self) -> f64 {
        let Some(latest) = &self.latest else { return 0.0 };
        let running: f64 =
            self.running.iter().map(|(name, spent)| work_of(name) - part_done(name, *spent)).sum();
        let unseen = latest.total.saturating_sub(latest.done + self.running.len());
        let heavy = self.ahead.iter().take(unseen);
        let usual = as_f64(unseen - heavy.len()) * USUAL_WORK;
        running + usual + heavy.map(|name| work_of(name)).sum::<f64>()
    }
}

fn part_done(name: &str, spent: f64) -> f64 {
    spent.min(work_of(name) * MOST_OF_A_UNIT)
}

fn work_of(name: &str) -> f64 {
    HEAVY.iter().find(|(heavy, _)| *heavy == name).map_or(USUAL_WORK, |(_, work)| *work)
}

fn as_f64(count: usize) -> f64 {
    u32::try_from(count).map_or(f64::from(u32::MAX), f64::from)
}

#[cfg(test)]
#[path = "estimate_tests.rs"]
mod tests;
