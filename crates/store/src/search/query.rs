use std::fmt::Write as _;
use std::ops::Range;

use protocol::UserId;

use super::words::{fold, is_single, words};

/// The maximum number of words that are used: longer queries are not typed by hand and would only cost time.
const MOST_WORDS: usize = 16;
/// The minimum length of a prefix: the index holds prefixes of this length.
const BEGINNING: usize = 3;

/// A parsed query. Every phrase must be found.
pub(super) struct Query {
    pub(super) phrases: Vec<Phrase>,
    owner: UserId,
}

/// Consecutive words. Most phrases have one; `well-known` has two, and 天气 one for each character.
pub(super) struct Phrase {
    pub(super) words: Vec<String>,
    /// True if the user may still be typing: the last word also matches as a prefix.
    pub(super) open: bool,
}

impl Phrase {
    /// Returns true if the phrase matches at the first of these words of a text.
    pub(super) fn stands_at(&self, text: &str, found: &[Range<usize>]) -> bool {
        let last = self.words.len() - 1;
        found.len() > last
            && self.words.iter().zip(found).enumerate().all(|(index, (word, range))| {
                let folded = fold(&text[range.clone()]);
                if index == last && self.open { folded.starts_with(word.as_str()) } else { folded == *word }
            })
    }
}

/// The way the open word is matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WordMatch {
    /// As a whole word.
    Whole,
    /// As a prefix, in texts that do not also contain it as a whole word.
    Prefix,
    /// In either way.
    Either,
}

impl Query {
    /// Returns `None` if there is no word to look for.
    pub(super) fn parse(owner: UserId, input: &str) -> Option<Self> {
        let mut phrases: Vec<Phrase> = input
            .split_whitespace()
            .map(|part| {
                words(part).map(|word| fold(&part[word]).into_owned()).take(MOST_WORDS).collect::<Vec<_>>()
            })
            .filter(|words| !words.is_empty())
            .take(MOST_WORDS)
            .map(|words| Phrase { words, open: false })
            .collect();
        if let Some(last) = phrases.last_mut() {
            let typing =
                input.chars().next_back().is_some_and(|c| !c.is_ascii_punctuation() && !c.is_whitespace());
            let beginning =
                last.words.last().is_some_and(|w| !is_single(w) && w.chars().count() >= BEGINNING);
            last.open = typing && beginning;
        }
        (!phrases.is_empty()).then_some(Self { phrases, owner })
    }

    pub(super) fn is_open(&self) -> bool {
        self.phrases.last().is_some_and(|phrase| phrase.open)
    }

    /// Returns the query in the syntax of the index. Folded words contain no quotation mark, so user input cannot be
    /// more than a word.
    pub(super) fn expression(&self, word_match: WordMatch) -> String {
        let mut sought = String::new();
        for phrase in &self.phrases {
            let star = if phrase.open && word_match != WordMatch::Whole { "*" } else { "" };
            let and = if sought.is_empty() { "" } else { " AND " };
            let _ = write!(sought, "{and}\"{}\"{star}", phrase.words.join(" "));
        }
        let mut expression = format!("(owner : \"{}\") AND (text : ({sought}))", self.owner.get());
        if word_match == WordMatch::Prefix
            && let Some(last) = self.phrases.last()
        {
            expression = format!("({expression}) NOT (text : \"{}\")", last.words.join(" "));
        }
        expression
    }
}
