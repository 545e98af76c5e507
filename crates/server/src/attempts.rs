//! Tokens that are tried out, slowed down so far that none is found by trying.

use std::collections::{HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use host::Clock;
use jiff::Timestamp;
use store::SecretHash;
use tokio::sync::Semaphore;

/// So many different wrong tokens a minute cost nothing: somebody pastes the wrong line, a program was left an old one.
const FREE: usize = 20;
const MINUTE: Duration = Duration::from_mins(1);
/// After them, tokens that are not known to be good are looked at one after the other, this far apart.
const PAUSE: Duration = Duration::from_millis(250);
/// More do not wait.
const MOST_WAITING: usize = 32;
const MOST_KEPT: usize = 1_024;

/// Which tokens were tried. What was good before never waits, so that trying keeps nobody out.
pub struct Attempts {
    clock: Arc<dyn Clock>,
    tried: Mutex<Tried>,
    waiting: Semaphore,
    turn: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Tried {
    good: HashSet<SecretHash>,
    /// The oldest first. The same one again is no other try.
    wrong: VecDeque<(SecretHash, Timestamp)>,
}

/// Too many tokens are being tried at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooMany;

impl Attempts {
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        let (tried, turn) = (Mutex::default(), tokio::sync::Mutex::default());
        Self { clock, tried, waiting: Semaphore::new(MOST_WAITING), turn }
    }

    /// Waits until this token may be looked at.
    pub async fn wait(&self, secret: SecretHash) -> Result<(), TooMany> {
        if !self.lock().is_suspect(secret, self.clock.now()) {
            return Ok(());
        }
        let _place = self.waiting.try_acquire().map_err(|_| TooMany)?;
        let _turn = self.turn.lock().await;
        self.clock.sleep_until(self.clock.now() + PAUSE).await;
        Ok(())
    }

    pub fn was(&self, secret: SecretHash, good: bool) {
        let mut tried = self.lock();
        if good {
            if tried.good.len() == MOST_KEPT {
                tried.good.clear();
            }
            tried.good.insert(secret);
            tried.wrong.retain(|(other, _)| *other != secret);
            return;
        }
        tried.good.remove(&secret);
        if !tried.wrong.iter().any(|(other, _)| *other == secret) {
            if tried.wrong.len() == MOST_KEPT {
                tried.wrong.pop_front();
            }
            tried.wrong.push_back((secret, self.clock.now()));
        }
    }

    fn lock(&self) -> MutexGuard<'_, Tried> {
        self.tried.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Tried {
    fn is_suspect(&mut self, secret: SecretHash, now: Timestamp) -> bool {
        self.wrong.retain(|(_, at)| *at + MINUTE > now);
        let is_known = self.good.contains(&secret) || self.wrong.iter().any(|(other, _)| *other == secret);
        if is_known {
            return false;
        }
        if self.wrong.len() >= FREE {
            return true;
        }
        // Counted as wrong until it is known to be good: of many at once, none slips by before the first is looked at.
        self.wrong.push_back((secret, now));
        false
    }
}

#[cfg(test)]
mod tests {
    use host::ManualClock;

    use super::*;

    fn secret(number: usize) -> SecretHash {
        SecretHash::of(&number.to_string())
    }

    fn begun() -> (Arc<ManualClock>, Arc<Attempts>) {
        let clock = Arc::new(ManualClock::at("2026-11-15T12:00:00Z"));
        let shared: Arc<dyn Clock> = clock.clone();
        (clock, Arc::new(Attempts::new(shared)))
    }

    #[tokio::test]
    async fn who_tries_many_tokens_waits_and_who_has_one_does_not() {
        let (clock, attempts) = begun();
        let waits = |number: usize| attempts.lock().is_suspect(secret(number), clock.now());
        attempts.was(secret(1_000), true);
        for number in 0..FREE {
            assert!(!waits(number), "{number}");
            attempts.was(secret(number), false);
            // The same again is no other try.
            attempts.was(secret(0), false);
        }
        assert!(waits(2_000), "one that nobody knows waits its turn");
        assert!(!waits(1_000), "what was good never waits");
        assert!(!waits(0), "nor what is known to be wrong");
        attempts.was(secret(1_000), false);
        assert!(!waits(1_000), "it is no guess");
        clock.advance(MINUTE);
        assert!(!waits(2_000), "a minute later it is forgiven");
    }

    #[tokio::test]
    async fn many_at_once_are_as_slow_as_one_after_the_other() {
        let (clock, attempts) = begun();
        for number in 0..FREE {
            attempts.was(secret(number), false);
        }
        let tries = (0..MOST_WAITING + 40).map(|number| {
            let attempts = Arc::clone(&attempts);
            tokio::spawn(async move { attempts.wait(secret(5_000 + number)).await })
        });
        let tries: Vec<_> = tries.collect();
        let ended = || tries.iter().filter(|tried| tried.is_finished()).count();
        let settle = async || {
            for _ in 0..200 {
                tokio::task::yield_now().await;
            }
        };
        settle().await;
        assert_eq!(ended(), 40, "more do not even wait");
        for number in 1..=MOST_WAITING {
            clock.advance(PAUSE);
            settle().await;
            assert_eq!(ended(), 40 + number, "one at a time");
        }
    }
}
