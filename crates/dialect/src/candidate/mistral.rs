//! Mistral's calls: `[TOOL_CALLS][{"name": …}]`, or `[TOOL_CALLS]name[ARGS]{…}`.

use super::{MOST_SPACE, Verdict};
use crate::Vocabulary;
use crate::json::{self, Extent};
use crate::reading::Reading;

/// What stands between a name and its arguments.
const LONGEST_MARKS: usize = 64;

/// What follows `[TOOL_CALLS]`.
#[derive(Debug)]
pub struct Mistral {
    /// Where the state began.
    start: usize,
    state: State,
}

#[derive(Debug)]
enum State {
    Start,
    /// A list has begun: calls are objects.
    Bracket,
    Name,
    /// The name has ended. Marks follow.
    Marks {
        name: String,
    },
    Arguments {
        name: String,
        extent: Extent,
    },
    Calls(Extent),
}

impl Mistral {
    pub fn new(start: usize) -> Self {
        Self { start, state: State::Start }
    }

    /// `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char, vocabulary: &Vocabulary) -> Verdict {
        let before = text.len() - next.len_utf8();
        let read = &text[self.start..];
        match &mut self.state {
            State::Start if next == '{' => self.begin(State::Calls(Extent::opened_by(next)), before),
            State::Start if next == '[' => self.begin(State::Bracket, before),
            State::Start if next.is_whitespace() && read.len() <= MOST_SPACE => {}
            State::Start if vocabulary.begins_tool(&text[before..]) => self.begin(State::Name, before),
            State::Bracket if next == '{' => {
                let mut extent = Extent::opened_by('[');
                extent.feed(next);
                self.state = State::Calls(extent);
            }
            State::Bracket if next.is_whitespace() && read.len() <= MOST_SPACE => {}
            State::Start | State::Bracket => return Verdict::No,
            State::Name => {
                let name = &text[self.start..before];
                if matches!(next, '[' | '{' | ' ') && vocabulary.has_tool(name) {
                    let name = name.to_owned();
                    self.begin(State::Marks { name }, before);
                    return self.marks(text, next);
                }
                if !vocabulary.begins_tool(read) {
                    return Verdict::No;
                }
            }
            State::Marks { .. } => return self.marks(text, next),
            State::Arguments { name, extent } => match extent.feed(next) {
                json::Reach::Closed => return Verdict::Read(Reading::of_arguments(name, read)),
                json::Reach::Inside => {}
                json::Reach::Beyond | json::Reach::TooDeep => return Verdict::Text,
            },
            State::Calls(extent) => match extent.feed(next) {
                json::Reach::Closed => return Verdict::Read(Reading::of_json(read, vocabulary)),
                json::Reach::Inside => {}
                json::Reach::Beyond | json::Reach::TooDeep => return Verdict::Text,
            },
        }
        Verdict::Undecided
    }

    fn marks(&mut self, text: &str, next: char) -> Verdict {
        let State::Marks { name } = &mut self.state else { return Verdict::No };
        let marks = text[self.start..].trim();
        if !may_be_marks(marks.trim_end_matches('{')) || text.len() - self.start > LONGEST_MARKS {
            return Verdict::No;
        }
        if next == '{' {
            let (name, extent) = (std::mem::take(name), Extent::opened_by(next));
            self.begin(State::Arguments { name, extent }, text.len() - 1);
        }
        Verdict::Undecided
    }

    fn begin(&mut self, state: State, start: usize) {
        (self.start, self.state) = (start, state);
    }
}

/// `[ARGS]`, perhaps after `[CALL_ID]…`, as far as it has come.
fn may_be_marks(text: &str) -> bool {
    let text = text.strip_prefix("[CALL_ID]").map_or(text, |id| id.trim_start_matches(char::is_alphanumeric));
    let text = text.trim_end();
    "[ARGS]".starts_with(text) || "[CALL_ID]".starts_with(text)
}
