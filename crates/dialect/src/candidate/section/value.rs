//! The value of one parameter, between its tags.

use serde_json::{Map, Value};

use super::LONGEST_TAG;
use crate::ending::Ending;
use crate::openings::{Opening, Openings, Role};
use crate::repair;

#[derive(Debug)]
pub struct Parameter {
    key: String,
    /// Where the value begins.
    start: usize,
    ending: Ending,
    close: String,
    /// The tag says that it is JSON.
    is_json: bool,
    /// A tag at the start of a line, which may be that of the next parameter.
    tag: Option<usize>,
    /// Where the value ended.
    end: usize,
}

pub enum ValueEnd {
    Closed,
    /// It was not closed, and another begins.
    Next(Parameter),
}

impl Parameter {
    /// `tag` is what stands behind the `=` of `<parameter=`, up to the end of that tag.
    pub fn new(tag: &str, close: &str, start: usize) -> Self {
        let (key, attributes) = match tag.trim().split_once(char::is_whitespace) {
            Some((key, attributes)) => (key, attributes),
            None => (tag.trim(), ""),
        };
        let is_json = attributes.contains("string=\"false\"");
        let key = key.trim_matches(['"', '\'']).to_owned();
        Self { is_json, ..Self::between(key, close, start) }
    }

    pub fn between(key: String, close: &str, start: usize) -> Self {
        let ending = Ending::new(close.to_owned());
        Self { key, start, ending, close: close.to_owned(), is_json: false, tag: None, end: start }
    }

    /// `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char, is_other: impl Fn(&str) -> bool) -> Option<ValueEnd> {
        if let Some(place) = self.ending.feed(next) {
            self.end = text.len() - self.ending.length(place);
            return Some(ValueEnd::Closed);
        }
        let before = text.len() - next.len_utf8();
        if next == '<' && text[self.start..before].ends_with('\n') {
            self.tag = Some(before);
        }
        let from = self.tag?;
        if next == '\n' || text.len() - from > LONGEST_TAG {
            self.tag = None;
        } else if next == '>' {
            self.tag = None;
            let opening = self.close.replacen("</", "<", 1);
            let inner = text[from..before].strip_prefix(opening.trim_end_matches('>'))?.trim_start();
            let inner = inner.strip_prefix("name").unwrap_or(inner).trim_start().strip_prefix('=')?;
            let following = Self::new(inner, &self.close, text.len());
            if following.key != self.key && is_other(&following.key) {
                self.end = from;
                return Some(ValueEnd::Next(following));
            }
        }
        None
    }

    /// Puts the value, which is over, among the arguments.
    pub fn keep(&self, text: &str, arguments: &mut Map<String, Value>) {
        self.keep_up_to(text, self.end, arguments);
    }

    pub fn keep_up_to(&self, text: &str, end: usize, arguments: &mut Map<String, Value>) {
        let value = without_wrapping(&text[self.start..end.max(self.start)]);
        let read = if self.is_json { repair::read(value.trim()).ok() } else { None };
        arguments.insert(self.key.clone(), read.unwrap_or_else(|| Value::String(value.to_owned())));
    }

    /// Where a value ends that nothing closed: before the mark that closes the call, at the start of a line.
    pub fn unclosed(&self, text: &str, marks: &Openings) -> Option<usize> {
        let value = &text[self.start..];
        let mut lines = value.match_indices('\n').map(|(place, _)| place + 1);
        let closes = |place: &usize| {
            let walked = marks.walk(Openings::ROOT, &value[*place..]);
            walked.is_some_and(|(at, _)| matches!(marks.opened(at), Some(Opening::Mark(Role::Close))))
        };
        lines.find(closes).map(|place| self.start + place)
    }
}

/// The line breaks around a value that stands on lines of its own belong to the syntax. A line break at its end alone
/// is its own.
fn without_wrapping(value: &str) -> &str {
    match value.strip_prefix("\r\n").or_else(|| value.strip_prefix('\n')) {
        Some(inner) => inner.strip_suffix("\r\n").or_else(|| inner.strip_suffix('\n')).unwrap_or(inner),
        None => value,
    }
}
