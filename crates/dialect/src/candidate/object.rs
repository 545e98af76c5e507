//! JSON calls without markers: `{"tool": "web_search", "args": {…}}`, or a list of such objects.

use super::{MOST_SPACE, Verdict};
use crate::Vocabulary;
use crate::json::{self, Extent};
use crate::reading::{ARGUMENTS, NAMES, Reading};

/// The maximum length of a tool name, in bytes.
const LONGEST_NAME: usize = 128;

/// The number of parts, split at quotes, that cover the first keys of a call.
const MOST_PARTS: usize = 12;
/// Keys that are allowed between the name and the arguments.
const OTHER_KEYS: [&str; 4] = ["id", "type", "tool_call_id", "speak"];

/// The keys that a call may begin with.
pub const FIRST_KEYS: [(&str, Key); 10] = [
    ("tool", Key::Name),
    ("name", Key::Name),
    ("function", Key::Name),
    ("type", Key::Type),
    ("args", Key::Other),
    ("arguments", Key::Other),
    ("parameters", Key::Other),
    ("speak", Key::Other),
    ("tool_name", Key::Name),
    ("tool_call_id", Key::Other),
];

/// An object whose first key has been read. The text after it soon decides if the object may be a call, so that other
/// JSON is not held back.
#[derive(Debug)]
pub struct Object {
    extent: Extent,
    head: HeadState,
    /// The start of the current part of the head.
    start: usize,
    /// True if the braces are doubled, as in the example of a template. Such an object is always a call, whatever it
    /// names.
    is_doubled: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum HeadState {
    BeforeColon(Key),
    BeforeValue(Key),
    /// Within the name of a tool, with its quote character.
    Name(char),
    /// Within the type, with its quote character.
    Type(char),
    Passed,
}

/// The kind of value that the first key announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// The name of a tool, or an object with the name.
    Name,
    /// The word `function`.
    Type,
    Other,
}

impl Object {
    /// Creates the candidate. `opening` ends with the first key and its quotes.
    pub fn new(opening: &str, key: Key) -> Self {
        let mut extent = Extent::default();
        for next in opening.chars() {
            extent.feed(next);
        }
        let is_doubled = opening.bytes().filter(|byte| *byte == b'{').count() > 1;
        Self { extent, head: HeadState::BeforeColon(key), start: opening.len(), is_doubled }
    }

    pub fn is_doubled(&self) -> bool {
        self.is_doubled
    }

    /// Takes the next character. `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char, vocabulary: &Vocabulary) -> Verdict {
        // Doubled braces are often closed by a single one.
        if self.is_doubled && next == '\n' && self.extent.lacks_last_bracket() {
            return Verdict::Read(self.reading(text, vocabulary));
        }
        let reach = self.extent.feed(next);
        if self.head != HeadState::Passed {
            let Some(head) = self.head(text, next, vocabulary) else { return Verdict::No };
            if std::mem::discriminant(&head) != std::mem::discriminant(&self.head) {
                self.start = text.len();
            }
            self.head = head;
        }
        match reach {
            json::Reach::Inside => Verdict::Undecided,
            json::Reach::Closed => Verdict::Read(self.reading(text, vocabulary)),
            json::Reach::Beyond if self.is_doubled => Verdict::Undecided,
            json::Reach::Beyond | json::Reach::TooDeep => Verdict::Text,
        }
    }

    /// Reads the candidate at the end of the reply. Small models often forget the last bracket.
    pub fn finish(self, text: &str, vocabulary: &Vocabulary) -> Reading {
        if self.is_doubled && (self.head != HeadState::Passed || self.extent.is_cut_off()) {
            Reading::Flawed("the call was cut off; make the whole call again".to_owned())
        } else if self.is_doubled || self.extent.lacks_last_bracket() {
            self.reading(text, vocabulary)
        } else if is_incomplete_call(text, vocabulary) {
            Reading::cut_off("the tool")
        } else {
            Reading::Text
        }
    }

    fn reading(&self, text: &str, vocabulary: &Vocabulary) -> Reading {
        if !self.is_doubled {
            return Reading::of_bare_json(text, vocabulary);
        }
        match Reading::of_element_json(text, vocabulary) {
            Reading::Text if ARGUMENTS.iter().any(|key| text.contains(key)) => {
                Reading::Flawed("there is no such tool".to_owned())
            }
            reading => reading,
        }
    }

    fn head(&self, text: &str, next: char, vocabulary: &Vocabulary) -> Option<HeadState> {
        let read = &text[self.start..];
        let before = &read[..read.len() - next.len_utf8()];
        let quotes = matches!(next, '"' | '\'');
        let space = next.is_whitespace() && read.len() <= MOST_SPACE;
        match self.head {
            HeadState::BeforeColon(_) | HeadState::BeforeValue(_) if space => Some(self.head),
            HeadState::BeforeColon(key) if next == ':' => Some(HeadState::BeforeValue(key)),
            HeadState::BeforeValue(Key::Other) => Some(HeadState::Passed),
            // The name is inside the value: `"function": {"name": …}`.
            HeadState::BeforeValue(Key::Name) if next == '{' => Some(HeadState::Passed),
            HeadState::BeforeValue(Key::Name) if quotes => Some(HeadState::Name(next)),
            HeadState::BeforeValue(Key::Type) if quotes => Some(HeadState::Type(next)),
            HeadState::Name(quote) if next == quote => {
                (self.is_doubled || vocabulary.has_tool(before)).then_some(HeadState::Passed)
            }
            HeadState::Name(_) => {
                let fits = self.is_doubled && read.len() <= LONGEST_NAME || vocabulary.begins_tool(read);
                fits.then_some(self.head)
            }
            HeadState::Type(quote) if next == quote => (before == "function").then_some(HeadState::Passed),
            HeadState::Type(_) => "function".starts_with(read).then_some(self.head),
            HeadState::BeforeColon(_) | HeadState::BeforeValue(_) | HeadState::Passed => None,
        }
    }
}

/// Returns true if incomplete JSON names a tool, followed by arguments or nothing. Any other key makes it data.
fn is_incomplete_call(text: &str, vocabulary: &Vocabulary) -> bool {
    // The last part is not closed by a quote, so it is left out.
    let parts: Vec<&str> = text.split(['"', '\'']).take(MOST_PARTS).collect();
    let closed = parts.len().saturating_sub(1);
    let quoted: Vec<&str> = parts[..closed].iter().skip(1).step_by(2).copied().collect();
    let name = quoted.windows(2).position(|pair| NAMES.contains(&pair[0]) && vocabulary.has_tool(pair[1]));
    name.is_some_and(|name| match quoted.get(name + 2) {
        Some(key) => ARGUMENTS.contains(key) || OTHER_KEYS.contains(key),
        None => true,
    })
}
