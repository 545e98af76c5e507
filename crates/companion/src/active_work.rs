//! Tracks active work during a request to forget: work that began before may have read the words, so its output is
//! swept when it ends.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const POLL_EVERY: Duration = Duration::from_millis(20);

/// The active turns, maintenance runs and other work that stores what it has read.
#[derive(Default)]
pub(crate) struct ActiveWork {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    last: u64,
    running: BTreeSet<u64>,
    /// The work that was active when a request began, by the request's id.
    waiting: HashMap<i64, BTreeSet<u64>>,
}

/// A piece of active work, until it is dropped.
pub(crate) struct WorkGuard {
    work: Arc<ActiveWork>,
    number: u64,
}

impl ActiveWork {
    pub fn begin(self: &Arc<Self>) -> WorkGuard {
        let mut state = self.lock();
        state.last += 1;
        let number = state.last;
        state.running.insert(number);
        drop(state);
        WorkGuard { work: Arc::clone(self), number }
    }

    /// Waits until no work is active, at most for `patience`.
    pub async fn wait_until_idle(&self, patience: Duration) {
        let idle = async {
            while !self.lock().running.is_empty() {
                tokio::time::sleep(POLL_EVERY).await;
            }
        };
        // The output of longer work is swept when it ends.
        let _ = tokio::time::timeout(patience, idle).await;
    }

    /// Records the active work that a request must wait for. Returns its number.
    pub fn begin_waiting(&self, forgetting: i64) -> usize {
        let mut state = self.lock();
        let running = state.running.clone();
        let count = running.len();
        state.waiting.insert(forgetting, running);
        count
    }

    /// Returns true if work that a request waits for is still active.
    pub fn is_waiting(&self, forgetting: i64) -> bool {
        let state = self.lock();
        state.waiting.get(&forgetting).is_some_and(|work| !work.is_disjoint(&state.running))
    }

    pub fn end_waiting(&self, forgetting: i64) {
        self.lock().waiting.remove(&forgetting);
    }

    pub fn has_no_waiting(&self) -> bool {
        self.lock().waiting.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for WorkGuard {
    fn drop(&mut self) {
        self.work.lock().running.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forgotten_waits_for_what_ran_before_it() {
        let work = Arc::new(ActiveWork::default());
        let (one, other) = (work.begin(), work.begin());
        assert_eq!(work.begin_waiting(7), 2);
        let later = work.begin();
        drop(one);
        assert!(work.is_waiting(7));
        drop(other);
        assert!(!work.is_waiting(7), "what began later has not read it");
        assert!(!work.has_no_waiting());
        work.end_waiting(7);
        assert!(work.has_no_waiting());
        drop(later);
    }
}
