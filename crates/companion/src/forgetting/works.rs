//! Tracks active work during a request to forget: work that began before may have read the words, so its output is
//! swept when it ends.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The active turns, maintenance runs and other work that stores what it has read.
#[derive(Default)]
pub(crate) struct Works {
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
pub(crate) struct Work {
    works: Arc<Works>,
    number: u64,
}

impl Works {
    pub fn begin(self: &Arc<Self>) -> Work {
        let mut state = self.lock();
        state.last += 1;
        let number = state.last;
        state.running.insert(number);
        drop(state);
        Work { works: Arc::clone(self), number }
    }

    /// Waits until no work is active, at most for `patience`.
    pub async fn rest(&self, patience: Duration) {
        let resting = async {
            while !self.lock().running.is_empty() {
                tokio::time::sleep(LOOK_EVERY).await;
            }
        };
        // The output of longer work is swept when it ends.
        let _ = tokio::time::timeout(patience, resting).await;
    }

    /// Records the active work that a request must wait for. Returns its number.
    pub fn wait(&self, forgetting: i64) -> usize {
        let mut state = self.lock();
        let running = state.running.clone();
        let count = running.len();
        state.waiting.insert(forgetting, running);
        count
    }

    /// Returns true if work that a request waits for is still active.
    pub fn is_waiting(&self, forgetting: i64) -> bool {
        let state = self.lock();
        state.waiting.get(&forgetting).is_some_and(|works| !works.is_disjoint(&state.running))
    }

    pub fn over(&self, forgetting: i64) {
        self.lock().waiting.remove(&forgetting);
    }

    pub fn is_idle(&self) -> bool {
        self.lock().waiting.is_empty()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.works.lock().running.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_forgotten_waits_for_what_ran_before_it() {
        let works = Arc::new(Works::default());
        let (one, other) = (works.begin(), works.begin());
        assert_eq!(works.wait(7), 2);
        let later = works.begin();
        drop(one);
        assert!(works.is_waiting(7));
        drop(other);
        assert!(!works.is_waiting(7), "what began later has not read it");
        assert!(!works.is_idle());
        works.over(7);
        assert!(works.is_idle());
        drop(later);
    }
}
