//! Work that runs while something is forgotten may have read it before: what it writes is swept when it ends.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

const LOOK_EVERY: Duration = Duration::from_millis(20);

/// Turns, the maintenance, and whatever else writes down what it read.
#[derive(Default)]
pub(crate) struct Works {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    last: u64,
    running: BTreeSet<u64>,
    /// By the number of what is being forgotten: the work that ran at that time.
    waiting: HashMap<i64, BTreeSet<u64>>,
}

/// Something that runs, until it is dropped.
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

    /// Waits until nothing runs, but no longer than this.
    pub async fn rest(&self, patience: Duration) {
        let resting = async {
            while !self.lock().running.is_empty() {
                tokio::time::sleep(LOOK_EVERY).await;
            }
        };
        // Whatever runs longer is swept when it ends.
        let _ = tokio::time::timeout(patience, resting).await;
    }

    /// Notes that something is forgotten while all this runs. Returns how much that is.
    pub fn wait(&self, forgetting: i64) -> usize {
        let mut state = self.lock();
        let running = state.running.clone();
        let count = running.len();
        state.waiting.insert(forgetting, running);
        count
    }

    /// Whether something that was running then runs still.
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
