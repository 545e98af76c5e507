//! Rate limiting of unknown tokens, so that no token can be found by guessing.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use host::Clock;
use jiff::Timestamp;
use store::SecretHash;
use tokio::sync::Semaphore;

use crate::connections::Peer;

/// The number of different wrong tokens per minute that are not delayed. Users paste wrong lines, and programs hold
/// outdated tokens.
const FREE: usize = 20;
const MINUTE: Duration = Duration::from_mins(1);
/// The delay for each unknown token after that. They are checked one after the other.
const PAUSE: Duration = Duration::from_millis(250);
/// The maximum number of waiting requests per machine. Further ones are refused.
const MOST_WAITING: usize = 32;
/// The number of wrong tokens that are remembered per machine.
const MOST_WRONG: usize = 64;
const MOST_GOOD: usize = 1_024;
/// The number of machines that are tracked separately. All others share one queue.
const MOST_PEERS: usize = 1_024;

/// The tokens that were tried, by machine. Guessing delays only the machine that guesses, and tokens known to be valid
/// are never delayed.
pub struct Attempts {
    clock: Arc<dyn Clock>,
    tried: Mutex<Tried>,
}

#[derive(Default)]
struct Tried {
    good: HashSet<SecretHash>,
    by: HashMap<Peer, Tries>,
    by_others: Tries,
}

/// The attempts of one machine.
#[derive(Default)]
struct Tries {
    /// Wrong tokens, oldest first. Repeating the same one does not count as another attempt.
    wrong: VecDeque<(SecretHash, Timestamp)>,
    line: Arc<Line>,
}

/// The queue in which the attempts of one machine wait.
struct Line {
    places: Semaphore,
    turn: tokio::sync::Mutex<()>,
}

impl Default for Line {
    fn default() -> Self {
        Self { places: Semaphore::new(MOST_WAITING), turn: tokio::sync::Mutex::default() }
    }
}

/// The error for too many attempts at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany;

impl Attempts {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, tried: Mutex::default() }
    }

    /// Waits until this token may be checked.
    pub async fn wait(&self, peer: Peer, secret: SecretHash) -> Result<(), TooMany> {
        let Some(line) = self.lock().line_for(peer, secret, self.clock.now()) else { return Ok(()) };
        let _place = line.places.try_acquire().map_err(|_| TooMany)?;
        let _turn = line.turn.lock().await;
        self.clock.sleep_until(self.clock.now() + PAUSE).await;
        Ok(())
    }

    pub fn was(&self, peer: Peer, secret: SecretHash, good: bool) {
        let now = self.clock.now();
        let mut tried = self.lock();
        if good {
            if tried.good.len() == MOST_GOOD {
                tried.good.clear();
            }
            tried.good.insert(secret);
            tried.of(peer, now).wrong.retain(|(other, _)| *other != secret);
        } else {
            tried.good.remove(&secret);
            tried.of(peer, now).add(secret, now);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Tried> {
        self.tried.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tried {
    /// Returns the queue in which a token has to wait, or `None` if it may be checked at once.
    fn line_for(&mut self, peer: Peer, secret: SecretHash, now: Timestamp) -> Option<Arc<Line>> {
        if self.good.contains(&secret) {
            return None;
        }
        let tries = self.of(peer, now);
        if tries.wrong.iter().any(|(other, _)| *other == secret) {
            return None;
        }
        if tries.wrong.len() >= FREE {
            return Some(Arc::clone(&tries.line));
        }
        // Counted as wrong until proven valid, so that of many concurrent attempts none is checked for free.
        tries.add(secret, now);
        None
    }

    /// Returns the attempts of this machine within the last minute.
    fn of(&mut self, peer: Peer, now: Timestamp) -> &mut Tries {
        if !self.by.contains_key(&peer) && self.by.len() == MOST_PEERS {
            self.by.retain(|_, tries| {
                tries.forgive(now);
                !tries.wrong.is_empty()
            });
        }
        let has_place = self.by.contains_key(&peer) || self.by.len() < MOST_PEERS;
        let tries = if has_place { self.by.entry(peer).or_default() } else { &mut self.by_others };
        tries.forgive(now);
        tries
    }
}

impl Tries {
    fn forgive(&mut self, now: Timestamp) {
        self.wrong.retain(|(_, at)| *at + MINUTE > now);
    }

    fn add(&mut self, secret: SecretHash, now: Timestamp) {
        if self.wrong.iter().any(|(other, _)| *other == secret) {
            return;
        }
        if self.wrong.len() == MOST_WRONG {
            self.wrong.pop_front();
        }
        self.wrong.push_back((secret, now));
    }
}

#[cfg(test)]
#[path = "attempts_tests.rs"]
mod tests;
