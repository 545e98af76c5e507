//! Tokens that are tried out, slowed down so far that none is found by trying.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use host::Clock;
use jiff::Timestamp;
use store::SecretHash;
use tokio::sync::Semaphore;

use crate::connections::Peer;

/// So many different wrong tokens a minute cost nothing: somebody pastes the wrong line, a program was left an old one.
const FREE: usize = 20;
const MINUTE: Duration = Duration::from_mins(1);
/// After them, tokens that are not known to be good are looked at one after the other, this far apart.
const PAUSE: Duration = Duration::from_millis(250);
/// More do not wait.
const MOST_WAITING: usize = 32;
/// The wrong tokens of one machine that are known again.
const MOST_WRONG: usize = 64;
const MOST_GOOD: usize = 1_024;
/// So many machines are told apart. Those beyond them wait in one line.
const MOST_PEERS: usize = 1_024;

/// Which tokens were tried, and from where: trying keeps nobody out but whoever tries. What was good before never waits.
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

/// What was tried from one machine.
#[derive(Default)]
struct Tries {
    /// The oldest first. The same one again is no other try.
    wrong: VecDeque<(SecretHash, Timestamp)>,
    line: Arc<Line>,
}

/// Where the tries of one machine wait for each other.
struct Line {
    places: Semaphore,
    turn: tokio::sync::Mutex<()>,
}

impl Default for Line {
    fn default() -> Self {
        Self { places: Semaphore::new(MOST_WAITING), turn: tokio::sync::Mutex::default() }
    }
}

/// Too many tokens are being tried at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany;

impl Attempts {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self { clock, tried: Mutex::default() }
    }

    /// Waits until this token may be looked at.
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
    /// Where a token has to wait. Nowhere, if nothing speaks against looking at it at once.
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
        // Counted as wrong until it is known to be good: of many at once, none slips by before the first is looked at.
        tries.add(secret, now);
        None
    }

    /// What was tried from there in the last minute.
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
