use std::time::Duration;

use protocol::{Download, DownloadState, SourceKind};
use tokio::sync::{broadcast, watch};
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::meter::SpeedMeter;

/// The minimum interval between progress updates: short enough to look smooth, long enough to cost nothing.
const EVERY: Duration = Duration::from_millis(200);

/// The published state of one download.
#[derive(Debug)]
pub(super) struct DownloadStatus {
    state: watch::Sender<Download>,
    changes: broadcast::Sender<Download>,
    meter: SpeedMeter,
    shown_at: Option<Instant>,
    /// The reason why the previous source was given up, as a prefix for messages.
    before: String,
}

impl DownloadStatus {
    pub(super) fn new(state: watch::Sender<Download>, changes: broadcast::Sender<Download>) -> Self {
        Self { state, changes, meter: SpeedMeter::default(), shown_at: None, before: String::new() }
    }

    pub(super) fn change(&mut self, change: impl FnOnce(&mut Download)) {
        self.state.send_modify(change);
        // Having no receiver is not an error.
        let _ = self.changes.send(self.state.borrow().clone());
        self.shown_at = Some(Instant::now());
    }

    /// Begins another source or another step and resets the progress.
    pub(super) fn step(
        &mut self,
        state: DownloadState,
        source: Option<SourceKind>,
        message: impl Into<String>,
    ) {
        self.meter.reset();
        let message: String = message.into();
        let message =
            if state == DownloadState::Running { format!("{}{message}", self.before) } else { message };
        self.change(|download| {
            *download = Download {
                state,
                message,
                source: source.or(download.source),
                received: 0,
                ..without_speed(download)
            };
        });
    }

    /// Records why the next source is used.
    pub(super) fn instead_of(&mut self, why: &str) {
        self.before = format!("{}. Instead: ", why.trim_end_matches('.'));
    }

    pub(super) fn end(&mut self, state: DownloadState, message: impl Into<String>) {
        let message = message.into();
        self.change(|download| {
            let received = if state == DownloadState::Done { download.total } else { download.received };
            *download = Download { state, message, received, ..without_speed(download) };
        });
    }

    /// Publishes progress, unless the last update was less than [`EVERY`] ago.
    pub(super) fn report_progress(&mut self, received: u64, total: u64) {
        let now = Instant::now();
        if self.shown_at.is_some_and(|shown| now - shown < EVERY) && received < total {
            return;
        }
        self.meter.add(now, received);
        let (speed, left) = (self.meter.bytes_per_second(), self.meter.seconds_left(total));
        self.change(|download| {
            download.received = if total == 0 { received } else { received.min(total) };
            download.total = total;
            download.bytes_per_second = speed;
            download.seconds_left = left;
        });
    }

    /// Publishes the measured progress while the work runs.
    pub(super) async fn watch<T>(
        &mut self,
        total: u64,
        measure: impl Fn() -> u64,
        work: impl Future<Output = T>,
    ) -> T {
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut work = std::pin::pin!(work);
        loop {
            tokio::select! {
                biased;
                done = &mut work => return done,
                _ = ticks.tick() => self.report_progress(measure(), total),
            }
        }
    }
}

/// Returns a copy of the download without speed and remaining time.
fn without_speed(download: &Download) -> Download {
    Download { bytes_per_second: 0, seconds_left: None, ..download.clone() }
}
