//! Splitting of spoken text into sentences, as a whole or while it streams.
//!
//! Both ways use the same [`Scanner`], so the result does not depend on how the text is split.

use super::scanner::{Scanner, SentenceKind};
use super::words::is_picture;

/// Returns the trimmed sentences of a text, without code blocks and links that stand alone.
pub fn sentences(text: &str) -> impl Iterator<Item = &str> {
    let mut scanner = Scanner::default();
    let mut begin = 0;
    let ends = text.char_indices().map(|(at, letter)| (at, Some(letter))).chain([(text.len(), None)]);
    ends.filter_map(move |(at, letter)| {
        let end = match letter {
            Some(letter) => scanner.step(letter)?,
            None => scanner.kind(),
        };
        let sentence = text[begin..at].trim();
        begin = at;
        (end == SentenceKind::Said && is_spoken(sentence)).then_some(sentence)
    })
}

/// Collects sentences from streamed text.
#[derive(Debug, Default)]
pub struct SentenceReader {
    scanner: Scanner,
    open: String,
}

impl SentenceReader {
    /// Adds a piece and returns the sentences that it completes.
    pub fn push(&mut self, piece: &str) -> Vec<String> {
        let mut complete = vec![];
        for letter in piece.chars() {
            if let Some(kind) = self.scanner.step(letter) {
                complete.extend(said(&self.open, kind));
                self.open.clear();
            }
            // A code block may be long and is not needed.
            if self.scanner.kind() == SentenceKind::Said {
                self.open.push(letter);
            }
        }
        complete
    }

    /// Returns the rest at the end of the text.
    pub fn finish(self) -> Option<String> {
        said(&self.open, self.scanner.kind())
    }
}

fn said(text: &str, kind: SentenceKind) -> Option<String> {
    let text = text.trim();
    (kind == SentenceKind::Said && is_spoken(text)).then(|| text.to_owned())
}

/// Returns true if the text has a word or an emoji outside of a bare link.
fn is_spoken(text: &str) -> bool {
    let bare = text.trim_start_matches(['-', '*', '+', '>', ' ', '<', '!']).trim_end_matches(['.', '>', ' ']);
    let address = |text: &str| {
        (text.starts_with("http://") || text.starts_with("https://")) && !text.contains(char::is_whitespace)
    };
    let link = bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(')')).is_some_and(|rest| {
        rest.split_once("](").is_some_and(|(_, target)| !target.contains([' ', '(', '[']))
    });
    !link && !address(bare) && text.chars().any(|letter| letter.is_alphanumeric() || is_picture(letter))
}

#[cfg(test)]
#[path = "sentences_tests.rs"]
mod tests;
