use std::fmt;
use std::hint::black_box;

use serde::{Deserialize, Deserializer};
use subtle::ConstantTimeEq;

use crate::{hex, random_bytes};

/// A text that must not appear in a log, on a screen or in an export.
///
/// It prints as dots, compares in constant time, is wiped when dropped, and cannot be serialised. The only way to read
/// it is [`Secret::expose`], whose calls are easy to find.
#[derive(Clone, Default)]
pub struct Secret(String);

impl Secret {
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// Creates a secret of 256 random bits, as 64 hexadecimal digits.
    pub fn random() -> Self {
        Self(hex(&random_bytes::<32>()))
    }

    pub fn expose(&self) -> &str {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        let mut bytes = std::mem::take(&mut self.0).into_bytes();
        bytes.fill(0);
        // Prevents the compiler from removing the write as unused.
        black_box(&bytes);
    }
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for Secret {}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_empty() { "Secret(empty)" } else { "Secret(•••)" })
    }
}

impl fmt::Display for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("•••")
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_never_prints_itself() {
        let secret = Secret::new("hunter2");
        for text in [format!("{secret}"), format!("{secret:?}"), format!("{:#?}", Some(&secret))] {
            assert!(!text.contains("hunter2"), "{text}");
        }
        assert_eq!(secret.expose(), "hunter2");
    }

    #[test]
    fn secrets_compare_by_content() {
        assert_eq!(Secret::new("a"), Secret::new("a"));
        assert_ne!(Secret::new("a"), Secret::new("ab"));
        assert!(Secret::default().is_empty());
    }

    #[test]
    fn random_secrets_are_long_and_differ() {
        let secret = Secret::random();
        assert_eq!(secret.expose().len(), 64);
        assert_ne!(secret, Secret::random());
    }
}
