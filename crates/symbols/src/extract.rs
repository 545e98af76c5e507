//! Extracts the outline of a text, by its grammar or by line.

use memchr::memchr_iter;

use crate::outline::SourceOutline;
use crate::{Language, by_grammar, by_line};

/// The maximum length in bytes for a grammar; longer texts are probably generated and are read by line.
const MOST_BYTES: usize = 1 << 20;
/// The average line length in bytes above which a text counts as minified.
const MINIFIED_LINES: usize = 400;
const MINIFIED_BYTES: usize = 16 << 10;
/// The number of bytes in which a zero byte marks a file as binary.
const SAMPLE: usize = 8 << 10;
/// Parses a text. Never fails: a text that its grammar cannot parse is read by line, and binary or minified text has an
/// empty outline.
pub fn outline(language: Language, text: &str) -> SourceOutline {
    if is_no_source(text) {
        return SourceOutline::default();
    }
    let by_grammar = if text.len() <= MOST_BYTES { by_grammar::read(language, text) } else { None };
    by_grammar.unwrap_or_else(|| by_line::read(text))
}

fn is_no_source(text: &str) -> bool {
    let bytes = text.as_bytes();
    if bytes[..bytes.len().min(SAMPLE)].contains(&0) {
        return true;
    }
    bytes.len() > MINIFIED_BYTES && bytes.len() / (1 + memchr_iter(b'\n', bytes).count()) > MINIFIED_LINES
}

#[cfg(test)]
#[path = "outline_tests.rs"]
mod tests;
