//! Messages that begin with a header: `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>`.

use super::Place;
use super::section::Section;
use crate::Vocabulary;
use crate::ending::Ending;
use crate::vocabulary::{END_OF_HEADER, HEADERS};

/// No header is longer.
const LONGEST: usize = 120;
/// What ends a message: the last two begin another.
const ENDS: [&str; 5] = ["<|end|>", "<|return|>", "<|call|>", HEADERS[0], HEADERS[1]];
/// How many of them do not.
pub const CLOSING: usize = 3;

#[derive(Debug)]
pub struct Header {
    place: Place,
    ending: Ending,
}

/// What a header says of its message.
pub enum Message {
    Undecided,
    /// It is no header.
    No,
    Thought,
    Words,
    Call(Box<Section>),
    /// A call of something that nobody knows.
    Stranger,
}

impl Header {
    pub fn new(place: Place) -> Self {
        Self { place, ending: Ending::new(END_OF_HEADER) }
    }

    /// What ends the thought in a message.
    pub fn ending() -> Ending {
        Ending::any(ENDS)
    }

    /// `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char, vocabulary: &Vocabulary) -> Message {
        if self.ending.feed(next).is_none() {
            return if text.len() > LONGEST { Message::No } else { Message::Undecided };
        }
        let header = &text[..text.len() - END_OF_HEADER.len()];
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
                return Message::Stranger;
            }
        }
        if header.contains("analysis") { Message::Thought } else { Message::Words }
    }
}
