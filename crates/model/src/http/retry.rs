use std::time::Duration;

use reqwest::header::{HeaderMap, RETRY_AFTER};

/// Number and delays of retries for a request that the server did not process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    pub attempts: u32,
    /// The first delay; each further one is twice as long.
    pub first_wait: Duration,
    /// The maximum delay, even if the server asks for more.
    pub longest_wait: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self { attempts: 4, first_wait: Duration::from_millis(300), longest_wait: Duration::from_secs(20) }
    }
}

impl Retry {
    /// Returns the delay after this many attempts; `None` if there should be no further attempt.
    ///
    /// If the server asks for a longer delay than the maximum, there is no retry, because it would only be refused.
    pub(crate) fn wait(&self, made: u32, asked: Option<Duration>) -> Option<Duration> {
        if made >= self.attempts || asked.is_some_and(|asked| asked > self.longest_wait) {
            return None;
        }
        let doubled = self.first_wait.saturating_mul(1 << (made.saturating_sub(1)).min(16));
        // Between half and all of the delay, so that clients which failed together do not retry together.
        let jitter = f64::from(host::random_bytes::<1>()[0]) / 512.0 + 0.5;
        let wait = doubled.min(self.longest_wait).mul_f64(jitter);
        Some(asked.map_or(wait, |asked| asked.max(wait)))
    }
}

/// Parses `Retry-After` in seconds. The date form is rare and ignored in favour of the default delay.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?;
    value.trim().parse().ok().map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_grow_and_end() {
        let retry = Retry {
            attempts: 4,
            first_wait: Duration::from_millis(100),
            longest_wait: Duration::from_secs(1),
        };
        for (made, at_most) in [(1, 100), (2, 200), (3, 400)] {
            let wait = retry.wait(made, None).unwrap().as_millis();
            assert!(wait >= at_most / 2 && wait <= at_most, "{wait} after {made}");
        }
        assert_eq!(retry.wait(4, None), None);
    }

    #[test]
    fn a_server_may_ask_for_a_little_patience_and_no_more() {
        let retry = Retry::default();
        assert_eq!(retry.wait(1, Some(Duration::from_secs(5))), Some(Duration::from_secs(5)));
        assert_eq!(retry.wait(1, Some(Duration::from_hours(1))), None);
    }

    #[test]
    fn retry_after_is_read_in_seconds() {
        let mut headers = HeaderMap::new();
        for (value, expected) in
            [("7", Some(7)), (" 7 ", Some(7)), ("Wed, 21 Oct 2026 07:28:00 GMT", None), ("-1", None)]
        {
            headers.insert(RETRY_AFTER, value.parse().unwrap());
            assert_eq!(retry_after(&headers), expected.map(Duration::from_secs), "{value}");
        }
    }
}
