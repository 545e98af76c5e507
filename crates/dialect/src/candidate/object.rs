//! JSON calls without markers: `{"tool": "web_search", "args": {…}}`, or a list of such objects.

use super::limits::MOST_SPACE;
use super::verdict::Verdict;
use crate::call_keys::{ARGUMENT_KEYS, FirstKey, NAME_KEYS};
use crate::interpretation::Interpretation;
use crate::json::{JsonExtent, JsonProgress};
use crate::vocabulary::{LONGEST_NAME, ReplyVocabulary};

/// The number of parts, split at quotes, that cover the first keys of a call.
const MOST_PARTS: usize = 12;
/// Keys that are allowed between the name and the arguments.
const BESIDE: [&str; 4] = ["id", "type", "tool_call_id", "speak"];

/// An object whose first key has been read. The text after it soon decides if the object may be a call, so that other
/// JSON is not held back.
#[derive(Debug)]
pub struct JsonCall {
    extent: JsonExtent,
    head: Head,
    /// The start of the current part of the head.
    start: usize,
    /// True if the braces are doubled, as in the example of a template. Such an object is always a call, even of
    /// an unknown tool.
    is_doubled: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Head {
    BeforeColon(FirstKey),
    BeforeValue(FirstKey),
    /// Within the name of a tool, with its quote character.
    Name(char),
    /// Within the type, with its quote character.
    Type(char),
    Passed,
}

impl JsonCall {
    /// Creates the candidate. `opening` ends with the first key and its quotes.
    pub fn new(opening: &str, key: FirstKey) -> Self {
        let mut extent = JsonExtent::default();
        for next in opening.chars() {
            extent.feed(next);
        }
        let is_doubled = opening.bytes().filter(|byte| *byte == b'{').count() > 1;
        Self { extent, head: Head::BeforeColon(key), start: opening.len(), is_doubled }
    }

    pub fn is_doubled(&self) -> bool {
        self.is_doubled
    }

    /// Takes the next character. `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char, vocabulary: &ReplyVocabulary) -> Verdict {
        // Doubled braces are often closed by a single one.
        if self.is_doubled && next == '\n' && self.extent.lacks_last_bracket() {
            return Verdict::Read(self.interpret(text, vocabulary));
        }
        let reach = self.extent.feed(next);
        if self.head != Head::Passed {
            let Some(head) = self.head(text, next, vocabulary) else { return Verdict::No };
            if std::mem::discriminant(&head) != std::mem::discriminant(&self.head) {
                self.start = text.len();
            }
            self.head = head;
        }
        match reach {
            JsonProgress::Inside => Verdict::Undecided,
            JsonProgress::Closed => Verdict::Read(self.interpret(text, vocabulary)),
            JsonProgress::Beyond if self.is_doubled => Verdict::Undecided,
            JsonProgress::Beyond | JsonProgress::TooDeep => Verdict::Text,
        }
    }

    /// Reads the candidate at the end of the reply. Small models often forget the last bracket.
    pub fn finish(self, text: &str, vocabulary: &ReplyVocabulary) -> Interpretation {
        if self.is_doubled && (self.head != Head::Passed || self.extent.is_cut_off()) {
            Interpretation::Flawed("the call was cut off; make the whole call again".to_owned())
        } else if self.is_doubled || self.extent.lacks_last_bracket() {
            self.interpret(text, vocabulary)
        } else if is_call_so_far(text, vocabulary) {
            Interpretation::cut_off("the tool")
        } else {
            Interpretation::Text
        }
    }

    fn interpret(&self, text: &str, vocabulary: &ReplyVocabulary) -> Interpretation {
        if !self.is_doubled {
            return Interpretation::of_bare_json(text, vocabulary);
        }
        match Interpretation::of_element_json(text, vocabulary) {
            Interpretation::Text if ARGUMENT_KEYS.iter().any(|key| text.contains(key)) => {
                Interpretation::Flawed("there is no such tool".to_owned())
            }
            interpretation => interpretation,
        }
    }

    fn head(&self, text: &str, next: char, vocabulary: &ReplyVocabulary) -> Option<Head> {
        let read = &text[self.start..];
        let before = &read[..read.len() - next.len_utf8()];
        let quotes = matches!(next, '"' | '\'');
        let space = next.is_whitespace() && read.len() <= MOST_SPACE;
        match self.head {
            Head::BeforeColon(_) | Head::BeforeValue(_) if space => Some(self.head),
            Head::BeforeColon(key) if next == ':' => Some(Head::BeforeValue(key)),
            Head::BeforeValue(FirstKey::Other) => Some(Head::Passed),
            // The name is inside the value: `"function": {"name": …}`.
            Head::BeforeValue(FirstKey::Name) if next == '{' => Some(Head::Passed),
            Head::BeforeValue(FirstKey::Name) if quotes => Some(Head::Name(next)),
            Head::BeforeValue(FirstKey::Type) if quotes => Some(Head::Type(next)),
            Head::Name(quote) if next == quote => {
                (self.is_doubled || vocabulary.has_tool(before)).then_some(Head::Passed)
            }
            Head::Name(_) => {
                let fits = self.is_doubled && read.len() <= LONGEST_NAME || vocabulary.begins_tool(read);
                fits.then_some(self.head)
            }
            Head::Type(quote) if next == quote => (before == "function").then_some(Head::Passed),
            Head::Type(_) => "function".starts_with(read).then_some(self.head),
            Head::BeforeColon(_) | Head::BeforeValue(_) | Head::Passed => None,
        }
    }
}

/// Returns true if incomplete JSON names a tool, followed by arguments or nothing. Any other key makes it data.
fn is_call_so_far(text: &str, vocabulary: &ReplyVocabulary) -> bool {
    // The last part is not closed by a quote, so it is left out.
    let parts: Vec<&str> = text.split(['"', '\'']).take(MOST_PARTS).collect();
    let closed = parts.len().saturating_sub(1);
    let quoted: Vec<&str> = parts[..closed].iter().skip(1).step_by(2).copied().collect();
    let name =
        quoted.windows(2).position(|pair| NAME_KEYS.contains(&pair[0]) && vocabulary.has_tool(pair[1]));
    name.is_some_and(|name| match quoted.get(name + 2) {
        Some(key) => ARGUMENT_KEYS.contains(key) || BESIDE.contains(key),
        None => true,
    })
}
