//! Hashes of line contents, for comparing many lines at once.

use super::{CanonicalText, Ignoring, is_word_char, plain_length};

/// A key that no line has.
pub const NO_KEY: u64 = 0;

/// Returns a hash of a line in keyboard form and without whitespace, except where it separates words.
pub fn key(line: &str) -> u64 {
    let mut key = Key { value: 0xcbf2_9ce4_8422_2325, block: 0 };
    if plain_length(line) < line.len() {
        let canon = CanonicalText::new(line, Ignoring::Blanks, false);
        canon.text.bytes().for_each(|byte| key.add(byte));
    } else {
        let mut before = "";
        for word in line.split_ascii_whitespace() {
            if before.ends_with(is_word_char) && word.starts_with(is_word_char) {
                key.add(b' ');
            }
            word.bytes().for_each(|byte| key.add(byte));
            before = word;
        }
    }
    key.mix();
    key.value.max(NO_KEY + 1)
}

struct Key {
    value: u64,
    /// Bytes that are not yet mixed into `value`.
    block: u64,
}

impl Key {
    fn add(&mut self, byte: u8) {
        self.block = self.block << 8 | u64::from(byte);
        if self.block >> 56 != 0 {
            self.mix();
        }
    }

    fn mix(&mut self) {
        self.value = (self.value ^ self.block).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.value ^= self.value >> 29;
        self.block = 0;
    }
}

/// A filter for a set of lines that quickly rules out most other lines.
pub struct LineFilter {
    has: [bool; Self::KINDS],
}

impl LineFilter {
    const KINDS: usize = 1 << 12;

    pub fn of<'a>(lines: impl IntoIterator<Item = &'a &'a str>) -> Self {
        let mut has = [false; Self::KINDS];
        for line in lines {
            has[last_word(&CanonicalText::new(line, Ignoring::Blanks, false).text) % Self::KINDS] = true;
        }
        Self { has }
    }

    /// Returns true if a line may be equal to one of the set.
    pub fn may_have(&self, line: &str) -> bool {
        self.has[last_word(line) % Self::KINDS] || plain_length(line) < line.len()
    }
}

/// Returns a hash of the end of the last ASCII word. Changes of whitespace do not affect it.
fn last_word(line: &str) -> usize {
    const LETTERS: usize = 8;
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let letters =
        line.as_bytes().iter().rev().skip_while(|byte| !is_word(byte)).take_while(is_word).take(LETTERS);
    letters.fold(0, |mixed: usize, &byte| mixed.wrapping_mul(31) ^ usize::from(byte))
}
