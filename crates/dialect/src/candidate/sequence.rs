//! Consecutive calls in a text of their own: after the marker of Llama, or in a fence.

use super::function::{self, ArgumentScan, ScanProgress};
use super::limits::MOST_SPACE;
use super::verdict::Verdict;
use crate::ending::EndingSearch;
use crate::interpretation::Interpretation;
use crate::json::{JsonExtent, JsonProgress};
use crate::vocabulary::ReplyVocabulary;

/// The text after `<|python_tag|>`, all of which is calls.
#[derive(Debug)]
pub struct PythonTag {
    start: usize,
    state: State,
    ends: EndingSearch,
}

#[derive(Debug, Clone, Copy)]
enum State {
    Start,
    /// The name of a function, with its start.
    Name(usize),
    Calls,
}

impl PythonTag {
    pub fn new(start: usize) -> Self {
        Self { start, state: State::Start, ends: EndingSearch::any(["<|eom_id|>", "<|eot_id|>"]) }
    }

    /// Takes the next character. `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char, vocabulary: &ReplyVocabulary) -> Verdict {
        let before = text.len() - next.len_utf8();
        match self.state {
            State::Start if next.is_whitespace() && text.len() - self.start <= MOST_SPACE => {}
            State::Start if matches!(next, '{' | '[') => self.state = State::Calls,
            State::Start if vocabulary.begins_tool(&text[before..]) => self.state = State::Name(before),
            State::Name(start) if matches!(next, '(' | '.') && vocabulary.has_tool(&text[start..before]) => {
                self.state = State::Calls;
            }
            State::Name(start) if vocabulary.begins_tool(&text[start..]) => {}
            State::Start | State::Name(_) => return Verdict::No,
            State::Calls => {
                if let Some(end) = self.ends.feed(next) {
                    let calls = &text[self.start..text.len() - self.ends.length(end)];
                    return Verdict::Read(read(calls, vocabulary));
                }
            }
        }
        Verdict::Undecided
    }

    /// Returns true if nothing follows the marker yet.
    pub fn begins(&self, text: &str) -> bool {
        text.len() == self.start
    }

    /// Reads the candidate at the end of the reply.
    pub fn finish(self, text: &str, vocabulary: &ReplyVocabulary) -> Interpretation {
        let calls = &text[self.start..];
        match self.state {
            State::Calls if is_cut_function(calls, vocabulary) => Interpretation::cut_off("the tool"),
            State::Calls => read(calls, vocabulary),
            // After a space, the name is a word of a sentence.
            State::Name(start) if start == self.start => Interpretation::cut_off("the tool"),
            State::Start | State::Name(_) => Interpretation::Text,
        }
    }
}

/// Reads `{…}; {…}` or functions: `name(…)`, `name.call(…)`, `print(name(…))`.
pub fn read(text: &str, vocabulary: &ReplyVocabulary) -> Interpretation {
    let mut interpretation: Option<Interpretation> = None;
    let mut rest = text;
    loop {
        rest = rest.trim_start_matches(|next: char| next.is_whitespace() || matches!(next, ';' | ','));
        if rest.is_empty() {
            return interpretation.unwrap_or(Interpretation::Text);
        }
        let (call, after) = first(rest, vocabulary);
        interpretation = Some(match interpretation {
            Some(earlier) => earlier.and(call),
            None => call,
        });
        if !matches!(interpretation, Some(Interpretation::Parts(_))) {
            return interpretation.unwrap_or(Interpretation::Text);
        }
        rest = after;
    }
}

/// Reads the first call. Returns it with the rest of the text.
fn first<'a>(text: &'a str, vocabulary: &ReplyVocabulary) -> (Interpretation, &'a str) {
    if text.starts_with(['{', '[']) {
        let mut extent = JsonExtent::default();
        let end = text.char_indices().find(|(_, next)| extent.feed(*next) != JsonProgress::Inside);
        let (call, after) = text.split_at(end.map_or(text.len(), |(place, next)| place + next.len_utf8()));
        let is_doubled = call[1..].trim_start().starts_with('{') && call.starts_with('{');
        let interpretation = if is_doubled {
            Interpretation::of_element_json(call, vocabulary)
        } else {
            Interpretation::of_json(call, vocabulary)
        };
        // A surplus brace also closes the call.
        return (interpretation, if is_doubled { after.trim_start_matches('}') } else { after });
    }
    if let Some(printed) = text.strip_prefix("print(") {
        let (call, after) = function(printed.trim_start(), vocabulary);
        return match after.trim_start().strip_prefix(')') {
            Some(after) => (call, after),
            None => (Interpretation::Text, after),
        };
    }
    function(text, vocabulary)
}

/// Returns true if a text ends within the parentheses of a function.
fn is_cut_function(text: &str, vocabulary: &ReplyVocabulary) -> bool {
    let Some((name, rest)) = text.trim_start().split_once('(') else { return !text.contains(['{', '[']) };
    let mut scan = ArgumentScan::default();
    vocabulary.has_tool(name.strip_suffix(".call").unwrap_or(name))
        && rest.chars().all(|next| scan.feed(next) == ScanProgress::Inside)
}

fn function<'a>(text: &'a str, vocabulary: &ReplyVocabulary) -> (Interpretation, &'a str) {
    let Some((name, rest)) = text.split_once('(') else { return (Interpretation::Text, text) };
    let name = name.strip_suffix(".call").unwrap_or(name);
    let mut scan = ArgumentScan::default();
    let end = rest.char_indices().find(|(_, next)| scan.feed(*next) != ScanProgress::Inside);
    match end {
        Some((end, ')')) if vocabulary.has_tool(name) => {
            (function::interpret(name, &rest[..end]), &rest[end + 1..])
        }
        _ => (Interpretation::Text, text),
    }
}
