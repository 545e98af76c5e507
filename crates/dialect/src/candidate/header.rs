//! Messages with a header: `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>`.

use super::Place;
use super::section::Section;
use crate::Vocabulary;
use crate::ending::Ending;
use crate::known::{END_OF_HEADER, HEADERS};

/// The maximum length of a header, in bytes.
const LONGEST: usize = 120;
/// Markers that end a thought. The last one applies only to a thought with a recipient.
const ENDS: [&str; 5] = ["<|end|>", "<|return|>", HEADERS[0], HEADERS[1], "<|call|>"];

/// A message with a header.
#[derive(Debug)]
pub struct Header {
    place: Place,
    ending: Ending,
    /// The marker that began the header within an open thought.
    within: Option<&'static str>,
}

/// The kind of message that a header announces.
pub enum Message {
    Undecided,
    /// Not a header.
    No,
    Thought(Ending),
    /// The previous thought continues: the apparent header is part of it.
    StillThought(Ending),
    Words,
    Call(Box<Section>),
    /// A call of an unknown tool.
    UnknownTool,
}

impl Header {
    pub fn new(place: Place) -> Self {
        Self { place, ending: Ending::new(END_OF_HEADER), within: None }
    }

    /// Creates a header that begins with this marker within a thought.
    pub fn within_thought(mark: &'static str) -> Self {
        let place = Place { starts_line: true, previous: None, behind: None, closes_fence: false };
        Self { within: Some(mark), ..Self::new(place) }
    }

    /// Returns the header marker that ends a thought, by its index among the end markers. `None` if that marker begins
    /// no header.
    pub fn mark(end: usize) -> Option<&'static str> {
        ENDS.get(end).copied().filter(|mark| HEADERS.contains(mark))
    }

    /// Returns the marker before the header text, if it began within a thought.
    pub fn within(&self) -> Option<&'static str> {
        self.within
    }

    /// Takes the next character. `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char, vocabulary: &Vocabulary) -> Message {
        if self.ending.feed(next).is_none() {
            return match self.within {
                _ if text.len() <= LONGEST => Message::Undecided,
                Some(_) => Message::StillThought(Self::end_of_thought(false)),
                None => Message::No,
            };
        }
        let header = &text[..text.len() - END_OF_HEADER.len()];
        let mut words = header.split([' ', '\t', '\n', '<', '>']);
        if words.any(|word| word == "analysis") {
            // Text in this channel is a thought, whichever recipient is named.
            return Message::Thought(Self::end_of_thought(header.contains("to=")));
        }
        if self.within == Some(HEADERS[0]) && header.contains("to=") {
            return Message::StillThought(Self::end_of_thought(false));
        }
        if let Some((_, recipient)) = header.split_once("to=") {
            let end =
                recipient.find(|next: char| next.is_whitespace() || next == '<').unwrap_or(recipient.len());
            let recipient = &recipient[..end];
            let name = recipient.strip_prefix("functions.").unwrap_or(recipient);
            let section = Section::of(name.to_owned(), self.place, text.len());
            if section.accepts(name, vocabulary) {
                return Message::Call(Box::new(section));
            }
            if !matches!(name, "user" | "all" | "assistant") {
                return Message::UnknownTool;
            }
        }
        Message::Words
    }

    fn end_of_thought(has_recipient: bool) -> Ending {
        let most = if has_recipient { ENDS.len() } else { ENDS.len() - 1 };
        Ending::any(ENDS.into_iter().take(most))
    }
}
