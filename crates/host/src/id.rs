use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::{Clock, random_bytes};

/// The start of the time in ids: 2024-01-01T00:00:00Z in milliseconds. 41 bits from there reach the year 2093.
const EPOCH: i64 = 1_704_067_200_000;
const LOW_BITS: u32 = 22;
const LAST_MILLISECOND: i64 = (1 << 41) - 1;

/// A generator of ids that sort by time: milliseconds, followed by 22 bits that start at random, so that two data
/// folders can be merged without duplicate ids.
///
/// Every id is greater than the one before, even if the clock is set back.
pub struct IdSource {
    clock: Arc<dyn Clock>,
    start: i64,
    last: AtomicI64,
}

impl IdSource {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let random = u32::from_le_bytes(random_bytes());
        Self { clock, start: i64::from(random >> (u32::BITS - LOW_BITS)), last: AtomicI64::new(0) }
    }

    #[allow(clippy::should_implement_trait, reason = "an endless source that is shared is no iterator")]
    pub fn next(&self) -> i64 {
        let milliseconds = (self.clock.now().as_millisecond() - EPOCH).clamp(0, LAST_MILLISECOND);
        let by_time = milliseconds << LOW_BITS | self.start;
        let after = |last: i64| by_time.max(last.saturating_add(1));
        match self.last.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(after(last))) {
            Ok(last) | Err(last) => after(last),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::time::Duration;

    use super::*;
    use crate::ManualClock;

    fn source() -> (Arc<ManualClock>, IdSource) {
        let clock = Arc::new(ManualClock::at("2025-06-01T12:00:00Z"));
        (clock.clone(), IdSource::new(clock))
    }

    #[test]
    fn the_high_bits_are_the_time() {
        let (clock, ids) = source();
        let since_epoch = clock.now().as_millisecond() - EPOCH;
        assert_eq!(ids.next() >> LOW_BITS, since_epoch);
        clock.advance(Duration::from_millis(7));
        assert_eq!(ids.next() >> LOW_BITS, since_epoch + 7);
    }

    #[test]
    fn ids_rise_within_a_millisecond_and_across_a_clock_set_back() {
        let (clock, ids) = source();
        let mut last = 0;
        for step in 0..10_000 {
            if step == 5_000 {
                clock.set("2024-02-01T00:00:00Z");
            }
            let id = ids.next();
            assert!(id > last, "step {step}");
            last = id;
        }
    }

    #[test]
    fn a_clock_outside_of_the_range_gives_valid_ids() {
        for time in ["1970-01-01T00:00:00Z", "9999-01-01T00:00:00Z"] {
            let clock = Arc::new(ManualClock::at(time));
            let ids = IdSource::new(clock);
            let first = ids.next();
            assert!(first >= 0 && ids.next() > first, "{time}");
        }
    }

    #[test]
    fn threads_never_get_the_same_id() {
        let (_, ids) = source();
        let drawn: Vec<Vec<i64>> = std::thread::scope(|scope| {
            let threads: Vec<_> =
                (0..4).map(|_| scope.spawn(|| (0..2_000).map(|_| ids.next()).collect())).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let all: HashSet<i64> = drawn.iter().flatten().copied().collect();
        assert_eq!(all.len(), 8_000);
    }
}
