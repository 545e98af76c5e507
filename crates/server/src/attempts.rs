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
const UNDELAYED: usize = 20;
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
    tried: Mutex<AttemptTable>,
}

/// The valid tokens, and the attempts of each machine.
#[derive(Default)]
struct AttemptTable {
    good: HashSet<SecretHash>,
    by_peer: HashMap<Peer, PeerAttempts>,
    of_others: PeerAttempts,
}

/// The attempts of one machine.
#[derive(Default)]
struct PeerAttempts {
    /// Wrong tokens, oldest first. Repeating the same one does not count as another attempt.
    wrong: VecDeque<(SecretHash, Timestamp)>,
    queue: Arc<Queue>,
}

/// The queue in which the attempts of one machine wait.
struct Queue {
    slots: Semaphore,
    turn: tokio::sync::Mutex<()>,
}

impl Default for Queue {
    fn default() -> Self {
        Self { slots: Semaphore::new(MOST_WAITING), turn: tokio::sync::Mutex::default() }
    }
}

/// The error for too many attempts at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyAttempts;

impl Attempts {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, tried: Mutex::default() }
    }

    /// Waits until this token may be checked.
    pub async fn wait(&self, peer: Peer, secret: SecretHash) -> Result<(), TooManyAttempts> {
        let Some(queue) = self.lock().queue_for(peer, secret, self.clock.now()) else { return Ok(()) };
        let _slot = queue.slots.try_acquire().map_err(|_| TooManyAttempts)?;
        let _turn = queue.turn.lock().await;
        self.clock.sleep_until(self.clock.now() + PAUSE).await;
        Ok(())
    }

    /// Records whether a checked token was valid.
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

    fn lock(&self) -> MutexGuard<'_, AttemptTable> {
        self.tried.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AttemptTable {
    /// Returns the queue in which a token has to wait, or `None` if it may be checked at once.
    fn queue_for(&mut self, peer: Peer, secret: SecretHash, now: Timestamp) -> Option<Arc<Queue>> {
        if self.good.contains(&secret) {
            return None;
        }
        let attempts = self.of(peer, now);
        if attempts.wrong.iter().any(|(other, _)| *other == secret) {
            return None;
        }
        if attempts.wrong.len() >= UNDELAYED {
            return Some(Arc::clone(&attempts.queue));
        }
        // Counted as wrong until proven valid, so that of many concurrent attempts none is checked for free.
        attempts.add(secret, now);
        None
    }

    /// Returns the attempts of this machine within the last minute.
    fn of(&mut self, peer: Peer, now: Timestamp) -> &mut PeerAttempts {
        if !self.by_peer.contains_key(&peer) && self.by_peer.len() == MOST_PEERS {
            self.by_peer.retain(|_, attempts| {
                attempts.forget_old(now);
                !attempts.wrong.is_empty()
            });
        }
        let is_tracked = self.by_peer.contains_key(&peer) || self.by_peer.len() < MOST_PEERS;
        let attempts = if is_tracked { self.by_peer.entry(peer).or_default() } else { &mut self.of_others };
        attempts.forget_old(now);
        attempts
    }
}

impl PeerAttempts {
    fn forget_old(&mut self, now: Timestamp) {
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
