use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use protocol::{MessageStatus, Usage};

/// Counts of turns and tokens since the start.
#[derive(Default)]
pub(crate) struct TurnMetrics {
    complete: AtomicU64,
    partial: AtomicU64,
    failed: AtomicU64,
    prompt_tokens: AtomicU64,
    cached_tokens: AtomicU64,
    completion_tokens: AtomicU64,
}

/// The values of a [`TurnMetrics`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TurnTotals {
    pub running: u64,
    pub complete: u64,
    pub partial: u64,
    pub failed: u64,
    pub prompt_tokens: u64,
    pub cached_tokens: u64,
    pub completion_tokens: u64,
}

impl TurnMetrics {
    pub fn count(&self, status: MessageStatus, usage: Usage) {
        let ended = match status {
            MessageStatus::Complete => &self.complete,
            MessageStatus::Streaming | MessageStatus::Partial => &self.partial,
            MessageStatus::Failed => &self.failed,
        };
        ended.fetch_add(1, Ordering::Relaxed);
        let tokens = [
            (&self.prompt_tokens, usage.prompt_tokens),
            (&self.cached_tokens, usage.cached_tokens),
            (&self.completion_tokens, usage.completion_tokens),
        ];
        for (counter, value) in tokens {
            counter.fetch_add(u64::from(value), Ordering::Relaxed);
        }
    }

    pub fn totals(&self, running: usize) -> TurnTotals {
        let value = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        TurnTotals {
            running: running as u64,
            complete: value(&self.complete),
            partial: value(&self.partial),
            failed: value(&self.failed),
            prompt_tokens: value(&self.prompt_tokens),
            cached_tokens: value(&self.cached_tokens),
            completion_tokens: value(&self.completion_tokens),
        }
    }
}

/// Returns a duration in whole milliseconds.
pub(crate) fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}
