//! What tells whether something is still as it was.

use std::sync::atomic::{AtomicU64, Ordering};

static LAST: AtomicU64 = AtomicU64::new(0);

/// Another after every change, and never the same for two things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Version(u64);

impl Default for Version {
    fn default() -> Self {
        Self(LAST.fetch_add(1, Ordering::Relaxed))
    }
}

impl Version {
    pub fn change(&mut self) {
        *self = Self::default();
    }
}
