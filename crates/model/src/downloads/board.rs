use std::time::Duration;

use protocol::{Download, DownloadState, SourceKind};
use tokio::sync::{broadcast, watch};
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::meter::Meter;

/// Often enough to look smooth, seldom enough to cost nothing.
const EVERY: Duration = Duration::from_millis(200);

/// Where a download writes down how far it is, for everyone who looks.
#[derive(Debug)]
pub(super) struct Board {
    state: watch::Sender<Download>,
    changes: broadcast::Sender<Download>,
    meter: Meter,
    shown_at: Option<Instant>,
    /// Why an earlier source is not the one in use.
    before: String,
}

impl Board {
    pub(super) fn new(state: watch::Sender<Download>, changes: broadcast::Sender<Download>) -> Self {
        Self { state, changes, meter: Meter::default(), shown_at: None, before: String::new() }
    }

    pub(super) fn change(&mut self, change: impl FnOnce(&mut Download)) {
        self.state.send_modify(change);
        // Nobody listening is fine.
        let _ = self.changes.send(self.state.borrow().clone());
        self.shown_at = Some(Instant::now());
    }

    /// Another source is tried, or another step begins, and the bar with it.
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
                ..still(download)
            };
        });
    }

    /// The next source is used because of this.
    pub(super) fn instead_of(&mut self, why: &str) {
        self.before = format!("{}. Instead: ", why.trim_end_matches('.'));
    }

    pub(super) fn end(&mut self, state: DownloadState, message: impl Into<String>) {
        let message = message.into();
        self.change(|download| {
            let received = if state == DownloadState::Done { download.total } else { download.received };
            *download = Download { state, message, received, ..still(download) };
        });
    }

    /// Shows a step forward, if the last one was not shown a moment ago.
    pub(super) fn progress(&mut self, received: u64, total: u64) {
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

    /// Shows how far a piece of work is, while it goes on.
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
                _ = ticks.tick() => self.progress(measure(), total),
            }
        }
    }
}

/// The same with nothing moving.
fn still(download: &Download) -> Download {
    Download { bytes_per_second: 0, seconds_left: None, ..download.clone() }
}
