//! Quotes words as a shell needs it.

/// Returns a word with the quotes that a shell needs.
pub fn quoted(word: &str) -> String {
    let plain = |next: char| next.is_ascii_alphanumeric() || "_-./,:=+@%^".contains(next);
    if !word.is_empty() && word != "..." && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
