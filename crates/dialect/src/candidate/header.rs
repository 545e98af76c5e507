//! Messages with a header: `<|channel|>commentary to=functions.name <|constrain|>json<|message|>{…}<|call|>`.

use super::context::CandidateContext;
use super::marked_calls::MarkedCalls;
use crate::ending::EndingSearch;
use crate::known_markers::{END_OF_HEADER, HEADERS};
use crate::vocabulary::ReplyVocabulary;

/// The maximum length of a header, in bytes.
const LONGEST: usize = 120;
/// Markers that end a thought. The last one applies only to a thought with a recipient.
const ENDS: [&str; 5] = ["<|end|>", "<|return|>", HEADERS[0], HEADERS[1], "<|call|>"];

/// A header, from its marker to the marker before the message.
#[derive(Debug)]
pub struct MessageHeader {
    context: CandidateContext,
    ending: EndingSearch,
    /// The marker that began the header within an open thought.
    within: Option<&'static str>,
}

/// The decision on a header, which announces a kind of message.
pub enum HeaderVerdict {
    Undecided,
    /// Not a header.
    No,
    Thought(EndingSearch),
    /// The previous thought continues, since it only contains the text of a header.
    StillThought(EndingSearch),
    /// A message for the user.
    Text,
    /// The arguments of a call follow.
    Call(Box<MarkedCalls>),
    /// A call of an unknown tool.
    UnknownTool,
}

impl MessageHeader {
    pub fn new(context: CandidateContext) -> Self {
        Self { context, ending: EndingSearch::new(END_OF_HEADER), within: None }
    }

    /// Creates a header that begins with this marker within a thought.
    pub fn within_thought(marker: &'static str) -> Self {
        let context =
            CandidateContext { starts_line: true, previous: None, last_visible: None, closes_fence: false };
        Self { within: Some(marker), ..Self::new(context) }
    }

    /// Returns the header marker that ends a thought, by its index among the end markers. `None` if that marker begins
    /// no header.
    pub fn marker(end: usize) -> Option<&'static str> {
        ENDS.get(end).copied().filter(|marker| HEADERS.contains(marker))
    }

    /// Returns the marker before the header text, if it began within a thought.
    pub fn within(&self) -> Option<&'static str> {
        self.within
    }

    /// Takes the next character. `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char, vocabulary: &ReplyVocabulary) -> HeaderVerdict {
        if self.ending.feed(next).is_none() {
            return match self.within {
                _ if text.len() <= LONGEST => HeaderVerdict::Undecided,
                Some(_) => HeaderVerdict::StillThought(Self::end_of_thought(false)),
                None => HeaderVerdict::No,
            };
        }
        let header = &text[..text.len() - END_OF_HEADER.len()];
        let mut words = header.split([' ', '\t', '\n', '<', '>']);
        if words.any(|word| word == "analysis") {
            // Text in this channel is a thought, whichever recipient is named.
            return HeaderVerdict::Thought(Self::end_of_thought(header.contains("to=")));
        }
        if self.within == Some(HEADERS[0]) && header.contains("to=") {
            return HeaderVerdict::StillThought(Self::end_of_thought(false));
        }
        if let Some((_, recipient)) = header.split_once("to=") {
            let end =
                recipient.find(|next: char| next.is_whitespace() || next == '<').unwrap_or(recipient.len());
            let recipient = &recipient[..end];
            let name = recipient.strip_prefix("functions.").unwrap_or(recipient);
            let calls = MarkedCalls::of(name.to_owned(), self.context, text.len());
            if calls.accepts(name, vocabulary) {
                return HeaderVerdict::Call(Box::new(calls));
            }
            if !matches!(name, "user" | "all" | "assistant") {
                return HeaderVerdict::UnknownTool;
            }
        }
        HeaderVerdict::Text
    }

    fn end_of_thought(is_to_somebody: bool) -> EndingSearch {
        let most = if is_to_somebody { ENDS.len() } else { ENDS.len() - 1 };
        EndingSearch::any(ENDS.into_iter().take(most))
    }
}
