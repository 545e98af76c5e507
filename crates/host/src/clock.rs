use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use tokio::sync::watch;

/// The future returned by [`Clock::sleep_until`].
pub type Sleep<'a> = Pin<Box<dyn Future<Output = ()> + Send + 'a>>;

/// A source of time. Tests use a [`ManualClock`] instead of the real one, so they never wait.
pub trait Clock: Send + Sync {
    fn now(&self) -> Timestamp;

    /// Returns the time zone of the user.
    fn time_zone(&self) -> TimeZone;

    /// Completes at the wall-clock time `at`, or immediately if that has passed.
    fn sleep_until(&self, at: Timestamp) -> Sleep<'_>;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

/// The maximum duration of a single timer. The runtime's timer stops during suspend and ignores changes of the system
/// clock, so a long sleep checks the wall-clock time repeatedly.
const LONGEST_NAP: Duration = Duration::from_secs(20);

fn time_left(at: Timestamp, now: Timestamp) -> Option<Duration> {
    Duration::try_from(at.duration_since(now)).ok().filter(|left| !left.is_zero())
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        Timestamp::now()
    }

    fn time_zone(&self) -> TimeZone {
        TimeZone::system()
    }

    fn sleep_until(&self, at: Timestamp) -> Sleep<'_> {
        Box::pin(async move {
            while let Some(left) = time_left(at, self.now()) {
                tokio::time::sleep(left.min(LONGEST_NAP)).await;
            }
        })
    }
}

/// A clock that moves only when a test moves it.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use std::{sync::Arc, time::Duration};
/// use host::{Clock, ManualClock};
///
/// let clock = Arc::new(ManualClock::at("2025-06-01T12:00:00Z"));
/// let sleeper = tokio::spawn({
///     let clock = clock.clone();
///     async move { clock.sleep_until("2025-06-01T13:00:00Z".parse().unwrap()).await }
/// });
/// clock.sleepers(1).await;
/// clock.advance(Duration::from_secs(3600));
/// sleeper.await.unwrap();
/// # });
/// ```
#[derive(Debug)]
pub struct ManualClock {
    now: watch::Sender<Timestamp>,
    waiting: watch::Sender<Waiting>,
    zone: TimeZone,
}

#[derive(Debug, Default)]
struct Waiting {
    next_ticket: u64,
    deadlines: Vec<(u64, Timestamp)>,
}

impl ManualClock {
    pub fn new(now: Timestamp) -> Self {
        Self {
            now: watch::Sender::new(now),
            waiting: watch::Sender::new(Waiting::default()),
            zone: TimeZone::UTC,
        }
    }

    /// Creates a clock from an RFC 3339 time. Panics on invalid text, since it is for tests.
    #[track_caller]
    #[allow(clippy::expect_used, reason = "the text is written in a test")]
    pub fn at(time: &str) -> Self {
        Self::new(time.parse().expect("a time such as 2025-06-01T12:00:00Z"))
    }

    #[must_use]
    pub fn in_zone(self, zone: TimeZone) -> Self {
        Self { zone, ..self }
    }

    /// Moves the time forward and wakes all tasks whose deadline has passed.
    pub fn advance(&self, by: Duration) {
        self.move_to(|now| now.saturating_add(by).unwrap_or(Timestamp::MAX));
    }

    /// Sets the time, which may also go back. Panics on invalid text.
    #[track_caller]
    #[allow(clippy::expect_used, reason = "the text is written in a test")]
    pub fn set(&self, time: &str) {
        let time = time.parse().expect("a time such as 2025-06-01T12:00:00Z");
        self.move_to(|_| time);
    }

    /// Waits until at least `count` tasks sleep on this clock, so a test moves the time only after they have read it.
    pub async fn sleepers(&self, count: usize) {
        let _ = self.waiting.subscribe().wait_for(|waiting| waiting.deadlines.len() >= count).await;
    }

    /// Returns the earliest deadline of the sleeping tasks.
    pub fn next_deadline(&self) -> Option<Timestamp> {
        self.waiting.borrow().deadlines.iter().map(|&(_, at)| at).min()
    }

    fn move_to(&self, change: impl FnOnce(Timestamp) -> Timestamp) {
        let now = change(*self.now.borrow());
        // Tasks whose deadline has passed count as awake immediately, so that `sleepers` waits for their next sleep.
        self.waiting.send_modify(|waiting| waiting.deadlines.retain(|&(_, at)| at > now));
        self.now.send_replace(now);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        *self.now.borrow()
    }

    fn time_zone(&self) -> TimeZone {
        self.zone.clone()
    }

    fn sleep_until(&self, at: Timestamp) -> Sleep<'_> {
        Box::pin(async move {
            let mut now = self.now.subscribe();
            if *now.borrow_and_update() >= at {
                return;
            }
            let _bed = ClockFixture::new(self, at);
            let _ = now.wait_for(|now| *now >= at).await;
        })
    }
}

/// The entry of a sleeping task, removed when its future is dropped.
struct ClockFixture<'a> {
    clock: &'a ManualClock,
    ticket: u64,
}

impl<'a> ClockFixture<'a> {
    fn new(clock: &'a ManualClock, at: Timestamp) -> Self {
        let mut ticket = 0;
        clock.waiting.send_modify(|waiting| {
            ticket = waiting.next_ticket;
            waiting.next_ticket += 1;
            waiting.deadlines.push((ticket, at));
        });
        Self { clock, ticket }
    }
}

impl Drop for ClockFixture<'_> {
    fn drop(&mut self) {
        self.clock.waiting.send_if_modified(|waiting| {
            let before = waiting.deadlines.len();
            waiting.deadlines.retain(|&(ticket, _)| ticket != self.ticket);
            waiting.deadlines.len() != before
        });
    }
}

#[cfg(test)]
#[path = "clock_tests.rs"]
mod tests;
