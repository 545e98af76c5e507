use std::io::{self, Write};

use config::{Config, Paths};
use host::Secret;

use crate::token::TokenFile;

const REPLACEMENT: &str = "•••";
/// The minimum length of a known secret: shorter texts occur by chance.
const MIN_SECRET_LENGTH: usize = 8;
/// The length of a generated token in hexadecimal digits.
const TOKEN_DIGITS: usize = 64;

/// Returns the known secrets that must not appear in a log: the token and the keys in the settings.
pub fn known_secrets(paths: &Paths, config: &Config) -> Vec<Secret> {
    // An unusable token is not a secret.
    let token = TokenFile::new(&paths.home).read(config).ok().flatten();
    let keys = [&config.llm.api_key, &config.auth.api_key, &config.builtin_tools.web_search.brave.api_key];
    let all = token.into_iter().chain(keys.into_iter().cloned());
    all.filter(|secret| secret.expose().len() >= MIN_SECRET_LENGTH).collect()
}

/// Removes secrets from the output: known ones, and anything that looks like a generated token. A safeguard, as no code
/// should log a secret.
pub struct SecretFilter<W> {
    inner: W,
    secrets: Vec<Secret>,
}

impl<W> SecretFilter<W> {
    pub fn new(inner: W, secrets: Vec<Secret>) -> Self {
        Self { inner, secrets }
    }
}

impl<W: Write> Write for SecretFilter<W> {
    /// The log writes whole lines, so a secret is never split.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = without_secrets(&String::from_utf8_lossy(bytes), &self.secrets);
        self.inner.write_all(text.as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

fn without_secrets(text: &str, secrets: &[Secret]) -> String {
    let mut text = text.to_owned();
    for secret in secrets {
        text = text.replace(secret.expose(), REPLACEMENT);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_hexdigit()) {
        let digits = rest[start..].bytes().take_while(u8::is_ascii_hexdigit).count();
        let (before, run) = (&rest[..start], &rest[start..start + digits]);
        out.push_str(before);
        out.push_str(if digits == TOKEN_DIGITS { REPLACEMENT } else { run });
        rest = &rest[start + digits..];
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_secret_reaches_the_log() {
        let token = "0123456789abcdef".repeat(4);
        let known = [Secret::new("sk-live-12345678")];
        for (line, expected) in [
            ("key sk-live-12345678, twice: sk-live-12345678".to_owned(), "key •••, twice: •••"),
            (format!("Bearer {token}"), "Bearer •••"),
            (format!("{{\"token\":\"{token}\"}}"), "{\"token\":\"•••\"}"),
            ("turn 0123456789abc took 42 ms".to_owned(), "turn 0123456789abc took 42 ms"),
            ("café".to_owned(), "café"),
        ] {
            assert_eq!(without_secrets(&line, &known), expected);
        }
    }

    #[test]
    fn the_whole_line_counts_as_written() {
        let mut out = Vec::new();
        let mut log = SecretFilter::new(&mut out, vec![Secret::new("longsecret")]);
        log.write_all(b"a longsecret b\n").unwrap();
        assert_eq!(out, "a ••• b\n".as_bytes());
    }
}
