//! JSON calls without anything around them: `{"tool": "web_search", "args": {…}}`, or a list of such.

use super::Verdict;
use crate::Vocabulary;
use crate::json::{self, Extent};
use crate::openings::{At, Openings};
use crate::reading::Reading;

/// White space between the parts of its beginning.
const MOST_SPACE: usize = 64;
/// The first keys that are followed by the name of a tool.
const NAMES: [&str; 3] = ["tool", "name", "function"];
/// The other first keys that a call may have.
const KEYS: [&str; 5] = ["args", "arguments", "parameters", "speak", "type"];

/// An object whose first quote has been read. Its first key decides soon whether it may be a call, so that
/// other JSON is not held back.
#[derive(Debug)]
pub struct Object {
    extent: Extent,
    head: Head,
    /// Where the part of the head began that is being read.
    start: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Head {
    Key(char),
    BeforeColon(Key),
    BeforeValue(Key),
    /// The name of a tool, in this quote.
    Name(char, At),
    /// The type, in this quote.
    Type(char),
    Passed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Name,
    Type,
    Other,
}

impl Object {
    /// `opening` ends with the quote.
    pub fn new(opening: &str) -> Self {
        let mut extent = Extent::default();
        for next in opening.chars() {
            extent.feed(next);
        }
        let head = Head::Key(if opening.ends_with('"') { '"' } else { '\'' });
        Self { extent, head, start: opening.len() }
    }

    /// `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char, vocabulary: &Vocabulary) -> Verdict {
        let reach = self.extent.feed(next);
        if self.head != Head::Passed {
            let Some(head) = self.head(text, next, vocabulary) else { return Verdict::No };
            if std::mem::discriminant(&head) != std::mem::discriminant(&self.head) {
                self.start = text.len();
            }
            self.head = head;
        }
        match reach {
            json::Reach::Inside => Verdict::Undecided,
            json::Reach::Closed => Verdict::Read(Reading::of_bare_json(text, vocabulary)),
            json::Reach::Beyond | json::Reach::TooDeep => Verdict::Text,
        }
    }

    /// What it is when nothing follows. Small models often forget the last bracket.
    pub fn finish(self, text: &str, vocabulary: &Vocabulary) -> Reading {
        if self.extent.lacks_last_bracket() { Reading::of_bare_json(text, vocabulary) } else { Reading::Text }
    }

    fn head(&self, text: &str, next: char, vocabulary: &Vocabulary) -> Option<Head> {
        let read = &text[self.start..];
        let before = &read[..read.len() - next.len_utf8()];
        let quotes = matches!(next, '"' | '\'');
        let space = next.is_whitespace() && read.len() <= MOST_SPACE;
        match self.head {
            Head::BeforeColon(_) | Head::BeforeValue(_) if space => Some(self.head),
            Head::Key(quote) if next == quote => Some(Head::BeforeColon(match before {
                name if NAMES.contains(&name) => Key::Name,
                "type" => Key::Type,
                key if KEYS.contains(&key) => Key::Other,
                _ => return None,
            })),
            Head::Key(_) => {
                let begun = NAMES.iter().chain(&KEYS).any(|key| key.starts_with(read));
                begun.then_some(self.head)
            }
            Head::BeforeColon(key) if next == ':' => Some(Head::BeforeValue(key)),
            Head::BeforeValue(Key::Other) => Some(Head::Passed),
            // `"function": {"name": …}`
            Head::BeforeValue(Key::Name) if next == '{' => Some(Head::Passed),
            Head::BeforeValue(Key::Name) if quotes => Some(Head::Name(next, Openings::ROOT)),
            Head::BeforeValue(Key::Type) if quotes => Some(Head::Type(next)),
            Head::Name(quote, _) if next == quote => vocabulary.has_tool(before).then_some(Head::Passed),
            Head::Name(quote, at) => Some(Head::Name(quote, vocabulary.openings().step(at, next)?)),
            Head::Type(quote) if next == quote => (before == "function").then_some(Head::Passed),
            Head::Type(_) => "function".starts_with(read).then_some(self.head),
            Head::BeforeColon(_) | Head::BeforeValue(_) | Head::Passed => None,
        }
    }
}
