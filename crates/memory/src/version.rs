//! A version number for detecting changes.

use std::sync::atomic::{AtomicU64, Ordering};

static LAST: AtomicU64 = AtomicU64::new(0);

/// A number that differs after every change and is never shared by two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateVersion(u64);

impl Default for StateVersion {
    fn default() -> Self {
        Self(LAST.fetch_add(1, Ordering::Relaxed))
    }
}

impl StateVersion {
    pub fn change(&mut self) {
        *self = Self::default();
    }
}
