use std::fmt::Write as _;
use std::ops::Range;

use protocol::UserId;

use super::words::{fold, is_single, words};

/// What is more than this is not read: nobody types it, and it would only cost time.
const MOST_WORDS: usize = 16;
/// The shortest beginning of a word that stands for the whole: the index knows beginnings of this length.
const BEGINNING: usize = 3;

/// A search as it was understood. Every phrase must be found.
pub(super) struct Query {
    pub(super) phrases: Vec<Phrase>,
    owner: UserId,
}

/// Words that follow each other. Most have one; `well-known` has two, and 天气 one for each character.
pub(super) struct Phrase {
    pub(super) words: Vec<String>,
    /// The person may still be typing: the last word also stands for longer ones.
    pub(super) open: bool,
}

impl Phrase {
    /// Whether the phrase begins with the first of these words of a text.
    pub(super) fn stands_at(&self, text: &str, found: &[Range<usize>]) -> bool {
        let last = self.words.len() - 1;
        found.len() > last
            && self.words.iter().zip(found).enumerate().all(|(index, (word, range))| {
                let folded = fold(&text[range.clone()]);
                if index == last && self.open { folded.starts_with(word.as_str()) } else { folded == *word }
            })
    }
}

/// What of the open word counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// The words as they were typed.
    Whole,
    /// Longer words that begin with the last one, where it does not stand by itself as well.
    Beginning,
    /// Both.
    Either,
}

impl Query {
    /// `None` when there is no word to look for.
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

    /// The query in the index's own language. Folded words hold no quotation mark, so nothing that was typed can
    /// be more than a word.
    pub(super) fn expression(&self, reach: Reach) -> String {
        let mut sought = String::new();
        for phrase in &self.phrases {
            let star = if phrase.open && reach != Reach::Whole { "*" } else { "" };
            let and = if sought.is_empty() { "" } else { " AND " };
            let _ = write!(sought, "{and}\"{}\"{star}", phrase.words.join(" "));
        }
        let mut expression = format!("(owner : \"{}\") AND (text : ({sought}))", self.owner.get());
        if reach == Reach::Beginning
            && let Some(last) = self.phrases.last()
        {
            expression = format!("({expression}) NOT (text : \"{}\")", last.words.join(" "));
        }
        expression
    }
}
