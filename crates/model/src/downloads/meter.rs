use std::collections::VecDeque;
use std::time::Duration;

use tokio::time::Instant;

/// The window for measuring speed: long enough for a steady figure, short enough to follow changes.
const WINDOW: Duration = Duration::from_secs(5);

/// Measures the speed of a download and estimates the remaining time.
#[derive(Debug, Default)]
pub(super) struct SpeedMeter {
    samples: VecDeque<(Instant, u64)>,
}

impl SpeedMeter {
    pub(super) fn reset(&mut self) {
        self.samples.clear();
    }

    pub(super) fn add(&mut self, now: Instant, received: u64) {
        if self.samples.back().is_some_and(|&(_, before)| received < before) {
            self.samples.clear();
        }
        self.samples.push_back((now, received));
        while self.samples.len() > 2 && self.samples.front().is_some_and(|&(at, _)| now - at > WINDOW) {
            self.samples.pop_front();
        }
    }

    pub(super) fn bytes_per_second(&self) -> u32 {
        let (Some(&(began, first)), Some(&(ended, last))) = (self.samples.front(), self.samples.back())
        else {
            return 0;
        };
        let millis = u64::try_from((ended - began).as_millis()).unwrap_or(u64::MAX);
        let rate = (last - first).saturating_mul(1000).checked_div(millis).unwrap_or(0);
        u32::try_from(rate).unwrap_or(u32::MAX)
    }

    /// Returns `None` while there are no measurements or no progress.
    pub(super) fn seconds_left(&self, total: u64) -> Option<u32> {
        let received = self.samples.back()?.1;
        let left = total.checked_sub(received)?;
        let seconds = left.checked_div(u64::from(self.bytes_per_second()))?;
        u32::try_from(seconds).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_follows_what_came_lately() {
        let start = Instant::now();
        let at = |seconds: u64| start + Duration::from_secs(seconds);
        let mut meter = SpeedMeter::default();
        assert_eq!((meter.bytes_per_second(), meter.seconds_left(1000)), (0, None));
        meter.add(at(0), 0);
        assert_eq!(meter.seconds_left(1000), None);
        for second in 1..=20 {
            meter.add(at(second), second * 100);
        }
        assert_eq!((meter.bytes_per_second(), meter.seconds_left(3000)), (100, Some(10)));
        for second in 21..=40 {
            meter.add(at(second), 2000 + (second - 20) * 1000);
        }
        assert_eq!(meter.bytes_per_second(), 1000);
        // The download restarts from zero.
        meter.add(at(41), 0);
        assert_eq!(meter.bytes_per_second(), 0);
    }
}
