use std::fmt::Write as _;

/// Returns random bytes from the operating system, suitable for secrets.
#[allow(
    clippy::panic,
    reason = "without random numbers every secret would be guessable: better no process than that"
)]
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    if let Err(error) = getrandom::fill(&mut bytes) {
        panic!("the operating system provides no random numbers: {error}");
    }
    bytes
}

/// Encodes bytes as lower-case hexadecimal text.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_draws_differ() {
        assert_ne!(random_bytes::<16>(), random_bytes::<16>());
    }

    #[test]
    fn hex_keeps_leading_zeros() {
        assert_eq!(hex(&[0, 10, 255]), "000aff");
        assert_eq!(hex(&[]), "");
    }
}
