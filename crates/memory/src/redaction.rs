//! Words that are to be forgotten, and what is left where they stood.

use regex::{Regex, RegexBuilder};
use store::Redact;

/// What stands where something was forgotten.
pub const MARK: &str = "[forgotten]";

/// Shorter than this, and without a figure or a capital, a word stands in too many places that mean something else.
const TELLING_CHARS: usize = 3;

/// Finds words however they are written: in capitals or not, on one line or two.
#[derive(Debug, Clone)]
pub struct Redaction {
    words: Vec<String>,
    pattern: Regex,
    /// The same, also inside of longer words.
    within: Regex,
}

impl Redaction {
    /// Nothing, where there is no word in any of them.
    pub fn new(words: impl IntoIterator<Item = String>) -> Option<Self> {
        let mut words: Vec<String> =
            words.into_iter().map(|text| tidied(&text)).filter(|text| is_telling(text)).collect();
        // The longest first: a part of it must not be taken out before the whole is found.
        words.sort_by(|one, other| other.len().cmp(&one.len()).then(one.cmp(other)));
        words.dedup();
        if words.is_empty() {
            return None;
        }
        let joined = |whole: bool| {
            let pattern = words.iter().map(|text| loose(text, whole)).collect::<Vec<_>>().join("|");
            RegexBuilder::new(&pattern).case_insensitive(true).size_limit(32 << 20).build().ok()
        };
        Some(Self { pattern: joined(true)?, within: joined(false)?, words })
    }

    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// Whether the words stand there, or inside of longer ones.
    pub fn stands_anywhere_in(&self, text: &str) -> bool {
        self.within.is_match(text)
    }

    pub fn stands_in(&self, text: &str) -> bool {
        self.pattern.is_match(text)
    }
}

impl Redact for Redaction {
    fn redact(&self, text: &str) -> Option<String> {
        self.stands_in(text).then(|| self.pattern.replace_all(text, MARK).into_owned())
    }
}

/// Without what is around it, and never the mark itself.
fn tidied(text: &str) -> String {
    let text = text.replace(MARK, " ");
    let text =
        text.trim_matches(|letter: char| letter.is_whitespace() || ".,;:!?\"'“”‘’()[]".contains(letter));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_telling(text: &str) -> bool {
    text.chars().filter(|letter| letter.is_alphanumeric()).count() >= TELLING_CHARS
        || text.chars().any(char::is_numeric)
}

/// The words in a row, with any white space or line break between them; `whole`, with nothing of a longer word around
/// them.
fn loose(text: &str, whole: bool) -> String {
    let edge =
        |letter: Option<char>| if whole && letter.is_some_and(char::is_alphanumeric) { r"\b" } else { "" };
    let words: Vec<String> = text.split(' ').map(regex::escape).collect();
    format!("{}{}{}", edge(text.chars().next()), words.join(r"\s+"), edge(text.chars().next_back()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn redaction(words: &[&str]) -> Redaction {
        Redaction::new(words.iter().map(|text| (*text).to_owned())).unwrap()
    }

    #[test]
    fn words_are_found_however_they_are_written() {
        let redaction = redaction(&["My dog is called Max.", "Max"]);
        for (text, after) in [
            ("my DOG is\ncalled max, you know", "[forgotten], you know"),
            ("Max barked at Maxine", "[forgotten] barked at Maxine"),
            ("«MAX»", "«[forgotten]»"),
        ] {
            assert_eq!(redaction.redact(text).as_deref(), Some(after), "{text}");
        }
        for text in ["", "Maximum", "the dog", MARK] {
            assert_eq!(redaction.redact(text), None, "{text}");
        }
    }

    #[test]
    fn what_is_too_short_is_not_looked_for() {
        for words in [&[""][..], &["a"], &["is"], &["  . "], &[MARK]] {
            assert!(Redaction::new(words.iter().map(|text| (*text).to_owned())).is_none(), "{words:?}");
        }
        assert!(redaction(&["42"]).stands_in("I am 42 years old"));
    }

    #[test]
    fn letters_that_mean_something_to_patterns_are_only_letters() {
        let redaction = redaction(&["C++ (2011)", "a.c"]);
        assert!(redaction.stands_in("I write c++ (2011) at home") && !redaction.stands_in("abc"));
    }

    #[test]
    fn what_was_taken_out_is_not_found_again() {
        let redaction = redaction(&["forgotten things", "ünïcode Straße"]);
        let text = redaction.redact("All forgotten things, and ÜNÏCODE straße.").unwrap();
        assert_eq!(text, "All [forgotten], and [forgotten].");
        assert!(!redaction.stands_in(&text));
    }
}
