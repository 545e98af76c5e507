use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use host::Clock;
use jiff::Timestamp;
use protocol::{ProcessInfo, ProcessOutcome, ProcessState};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The longest wait after failures; it doubles with each failure up to this.
const LONGEST_BACK_OFF: Duration = Duration::from_hours(1);

/// Background work that runs periodically.
#[async_trait]
pub trait Process: Send + Sync {
    /// An identifier without spaces, such as `housekeeping`.
    fn id(&self) -> &'static str;
    fn name(&self) -> &'static str;
    /// A description in one sentence.
    fn about(&self) -> &'static str;
    fn every(&self) -> Duration;

    /// Runs once. Returns a short text about the result or the error. It may be called at any time and dropped at any
    /// await, so it must leave a consistent state at every await.
    async fn run(&self) -> Result<String, String>;
}

/// Runs the background processes: each on its schedule, with a longer wait after failures, and not while paused.
#[derive(Clone)]
pub struct Supervisor {
    clock: Arc<dyn Clock>,
    entries: Arc<Mutex<BTreeMap<&'static str, Arc<Entry>>>>,
    tasks: TaskTracker,
    closing: CancellationToken,
}

struct Entry {
    process: Box<dyn Process>,
    status: Mutex<Status>,
    changed: Notify,
}

#[derive(Clone)]
struct Status {
    paused: bool,
    running: bool,
    /// True if the user asked to run it at once.
    hurry: bool,
    last_run: Option<Timestamp>,
    next_run: Timestamp,
    outcome: Option<ProcessOutcome>,
    runs: u32,
    failures: u32,
}

impl Supervisor {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, entries: Arc::default(), tasks: TaskTracker::new(), closing: CancellationToken::new() }
    }

    /// Starts a process. Its first run is due after one interval.
    pub fn add(&self, process: impl Process + 'static) {
        let id = process.id();
        let next_run = later(self.clock.now(), process.every());
        let status = Status {
            paused: false,
            running: false,
            hurry: false,
            last_run: None,
            next_run,
            outcome: None,
            runs: 0,
            failures: 0,
        };
        let entry = Arc::new(Entry {
            process: Box::new(process),
            status: Mutex::new(status),
            changed: Notify::new(),
        });
        lock(&self.entries).insert(id, Arc::clone(&entry));
        let (clock, closing) = (Arc::clone(&self.clock), self.closing.clone());
        self.tasks.spawn(async move {
            tokio::select! {
                () = keep_running(&entry, clock.as_ref()) => {}
                () = closing.cancelled() => {}
            }
        });
    }

    pub fn list(&self) -> Vec<ProcessInfo> {
        lock(&self.entries).values().map(|entry| entry.info()).collect()
    }

    pub fn get(&self, id: &str) -> Option<ProcessInfo> {
        lock(&self.entries).get(id).map(|entry| entry.info())
    }

    /// Pauses a process. `None` if there is no such process.
    pub fn pause(&self, id: &str) -> Option<ProcessInfo> {
        self.change(id, |status| status.paused = true)
    }

    pub fn resume(&self, id: &str) -> Option<ProcessInfo> {
        self.change(id, |status| status.paused = false)
    }

    /// Runs a process immediately, regardless of its schedule.
    pub fn run_now(&self, id: &str) -> Option<ProcessInfo> {
        self.change(id, |status| status.hurry = true)
    }

    /// Stops all processes and waits for them.
    pub async fn close(&self) {
        self.closing.cancel();
        self.tasks.close();
        self.tasks.wait().await;
    }

    fn change(&self, id: &str, change: impl FnOnce(&mut Status)) -> Option<ProcessInfo> {
        let entry = lock(&self.entries).get(id).cloned()?;
        change(&mut lock(&entry.status));
        entry.changed.notify_one();
        Some(entry.info())
    }
}

async fn keep_running(entry: &Entry, clock: &dyn Clock) {
    loop {
        let Status { paused, hurry, next_run, .. } = lock(&entry.status).clone();
        if !hurry && (paused || clock.now() < next_run) {
            let due = async {
                if paused { std::future::pending().await } else { clock.sleep_until(next_run).await }
            };
            tokio::select! {
                () = due => {}
                () = entry.changed.notified() => {}
            }
            continue;
        }
        entry.run(clock).await;
    }
}

impl Entry {
    async fn run(&self, clock: &dyn Clock) {
        let started = clock.now();
        {
            let mut status = lock(&self.status);
            status.hurry = false;
            status.running = true;
        }
        let result = self.process.run().await;
        let ended = clock.now();
        let mut status = lock(&self.status);
        let (ok, message) = match result {
            Ok(did) => (true, did),
            Err(wrong) => {
                tracing::warn!("{} failed: {wrong}", self.process.id());
                (false, wrong)
            }
        };
        let millis = u32::try_from(ended.duration_since(started).as_millis()).unwrap_or(u32::MAX);
        status.running = false;
        status.last_run = Some(started);
        status.runs = status.runs.saturating_add(1);
        status.failures = if ok { 0 } else { status.failures.saturating_add(1) };
        status.outcome = Some(ProcessOutcome { ok, message, millis });
        status.next_run = later(ended, wait(self.process.every(), status.failures));
    }

    fn info(&self) -> ProcessInfo {
        let status = lock(&self.status).clone();
        let state = match &status {
            Status { running: true, .. } => ProcessState::Running,
            Status { paused: true, .. } => ProcessState::Paused,
            Status { failures: 1.., .. } => ProcessState::BackingOff,
            _ => ProcessState::Waiting,
        };
        ProcessInfo {
            id: self.process.id().to_owned(),
            name: self.process.name().to_owned(),
            about: self.process.about().to_owned(),
            schedule: in_words(self.process.every()),
            state,
            last_run: status.last_run.map(|at| at.to_string()),
            next_run: (!status.paused).then(|| status.next_run.to_string()),
            last_outcome: status.outcome,
            runs: status.runs,
            failures: status.failures,
        }
    }
}

fn wait(every: Duration, failures: u32) -> Duration {
    if failures == 0 {
        return every;
    }
    let doubled = every.saturating_mul(2_u32.saturating_pow(failures.min(16)));
    doubled.min(LONGEST_BACK_OFF.max(every))
}

fn later(now: Timestamp, wait: Duration) -> Timestamp {
    now.saturating_add(wait).unwrap_or(Timestamp::MAX)
}

fn in_words(every: Duration) -> String {
    let seconds = every.as_secs();
    let (count, unit) = match seconds {
        0..60 => (seconds, "second"),
        60..3600 => (seconds / 60, "minute"),
        3600..86_400 => (seconds / 3600, "hour"),
        _ => (seconds / 86_400, "day"),
    };
    if count == 1 { format!("every {unit}") } else { format!("every {count} {unit}s") }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "supervisor_tests.rs"]
mod tests;
