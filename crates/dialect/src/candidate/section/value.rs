//! The value of one parameter, between its tags.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{LONGEST_TAG, Section};
use crate::ending::Ending;
use crate::openings::{Opening, Openings, Role};
use crate::repair;
use crate::syntax::Pairs;

/// No call is closed by more marks.
const MOST_MARKS: usize = 8;

/// No tool has more parameters.
const MOST_OTHERS: usize = 64;

/// A value, and those that begin within it as if it had been closed.
///
/// Small models forget to close one, and others write about parameters. Which it was is told by what follows the mark that
/// closes: a mark again, or words.
#[derive(Debug)]
pub struct Parameter {
    head: Head,
    others: Vec<Head>,
    /// What looks for the next of them.
    manner: Manner,
    close: String,
    ending: Ending,
    /// What reads like the beginning of a parameter stands in it.
    has_nested: bool,
    /// Where the values ended, and the mark that closed them.
    closed: Option<(usize, usize)>,
}

#[derive(Debug)]
struct Head {
    key: String,
    /// The tag says that it is JSON.
    is_json: bool,
    /// Where it begins, and where its value does.
    from: usize,
    start: usize,
}

#[derive(Debug)]
enum Manner {
    /// `<parameter=key>`: what stands before the key, and where such a tag may begin.
    Tags { opening: String, tag: Option<usize> },
    /// A key between two marks, and this before the value.
    Pairs(Arc<Pairs>, Ending),
}

impl Parameter {
    /// `tag` is what stands behind the `=` of `<parameter=`, up to the end of that tag.
    pub fn new(tag: &str, close: &str, start: usize) -> Self {
        let opening = close.replacen("</", "<", 1).trim_end_matches('>').to_owned();
        Self::with(Head::of(tag, start, start), close, Manner::Tags { opening, tag: None })
    }

    pub fn between(key: String, pairs: &Arc<Pairs>, start: usize) -> Self {
        let head = Head { key, is_json: false, from: start, start };
        let manner = Manner::Pairs(Arc::clone(pairs), Ending::new(pairs.value_open.clone()));
        Self::with(head, &pairs.value_close, manner)
    }

    fn with(head: Head, close: &str, manner: Manner) -> Self {
        let (close, ending) = (close.to_owned(), Ending::new(close.to_owned()));
        Self { head, others: Vec::new(), manner, close, ending, has_nested: false, closed: None }
    }

    pub fn key(&self) -> &str {
        &self.head.key
    }

    /// `text` is everything so far, with `next` at its end. Tells where the values are over. `is_other` tells whether a
    /// key may be that of another parameter, at the start of a line or further on.
    pub fn feed(&mut self, text: &str, next: char, is_other: impl Fn(&str, bool) -> bool) -> Option<usize> {
        if let Some((_, behind)) = self.closed {
            return self.behind_close(text, behind);
        }
        if self.ending.feed(next).is_some() {
            let end = text.len() - self.close.len();
            self.closed = Some((end, text.len()));
            return (!self.has_nested).then_some(text.len());
        }
        if let Some(head) = self.manner.feed(text, next) {
            self.has_nested = true;
            let begins_line = text[..head.from].ends_with('\n');
            let is_within = head.from >= self.others.last().unwrap_or(&self.head).start;
            let is_known = self.head.key == head.key || self.has_within(&head.key);
            let has_room = self.others.len() < MOST_OTHERS;
            if is_within && has_room && !is_known && is_other(&head.key, begins_line) {
                self.others.push(head);
            }
        }
        None
    }

    /// What stands behind the mark that closed a value within which another began, or so it read.
    fn behind_close(&mut self, text: &str, behind: usize) -> Option<usize> {
        let rest = text[behind..].trim_start();
        if rest == self.close {
            self.others.clear();
            self.closed = Some((text.len() - rest.len(), text.len()));
            return Some(text.len());
        }
        if self.close.starts_with(rest) {
            return None;
        }
        if rest.starts_with('<') {
            return Some(behind);
        }
        // Words: the value spoke of a parameter, and goes on.
        (self.others, self.closed) = (Vec::new(), None);
        for next in rest.chars() {
            self.ending.feed(next);
        }
        None
    }

    /// Puts the values, which are over, among the arguments.
    pub fn keep(&self, text: &str, arguments: &mut Map<String, Value>) {
        let end = self.closed.map_or(text.len(), |(end, _)| end);
        self.keep_up_to(text, end, arguments);
    }

    pub fn keep_up_to(&self, text: &str, end: usize, arguments: &mut Map<String, Value>) {
        let ends = self.others.iter().map(|other| other.from).chain([end]);
        for (head, end) in [&self.head].into_iter().chain(&self.others).zip(ends) {
            head.keep(text, end, arguments);
        }
    }

    /// Whether values begin within another.
    pub fn has_others(&self) -> bool {
        !self.others.is_empty()
    }

    /// Whether one does under this key.
    pub fn has_within(&self, key: &str) -> bool {
        self.others.iter().any(|other| other.key == key)
    }

    /// Puts the value among the arguments as a whole: what began within it was a part of it.
    pub fn keep_whole(&self, text: &str, arguments: &mut Map<String, Value>) {
        for other in &self.others {
            arguments.shift_remove(&other.key);
        }
        if let Some((end, _)) = self.closed {
            self.head.keep(text, end, arguments);
        }
    }

    /// Where a value ends that nothing closed: before the mark that closes the call, at the start of a line or at the end
    /// of the reply.
    pub fn unclosed(&self, text: &str, marks: &Openings) -> Option<usize> {
        if let Some((end, _)) = self.closed {
            return Some(end);
        }
        let start = self.others.last().map_or(self.head.start, |other| other.start);
        let value = &text[start..];
        let mut lines = value.match_indices('\n').map(|(place, _)| place + 1);
        let closes = |place: &usize| closing_mark(&value[*place..], marks).is_some();
        let end = lines.find(closes);
        let before = before_marks(&value[..end.unwrap_or(value.len())], marks);
        before.or(end).map(|end| start + end)
    }
}

impl Section {
    /// A parameter of this key begins. If one of the same began within the value before, that was a part of the value.
    pub(super) fn unnest(&mut self, key: &str, text: &str) {
        if let Some(nested) = self.nested.take_if(|nested| nested.has_within(key))
            && let Some((_, arguments)) = &mut self.call
        {
            nested.keep_whole(text, arguments);
        }
    }
}

impl Head {
    fn of(tag: &str, from: usize, start: usize) -> Self {
        let (key, attributes) = match tag.trim().split_once(char::is_whitespace) {
            Some((key, attributes)) => (key, attributes),
            None => (tag.trim(), ""),
        };
        let is_json = attributes.contains("string=\"false\"");
        Self { key: key.trim_matches(['"', '\'']).to_owned(), is_json, from, start }
    }

    fn keep(&self, text: &str, end: usize, arguments: &mut Map<String, Value>) {
        let value = without_wrapping(&text[self.start..end.max(self.start)]);
        let read = if self.is_json { repair::read(value.trim()).ok() } else { None };
        arguments.insert(self.key.clone(), read.unwrap_or_else(|| Value::String(value.to_owned())));
    }
}

impl Manner {
    /// What a text ends with, where another parameter may begin behind it.
    fn feed(&mut self, text: &str, next: char) -> Option<Head> {
        let before = text.len() - next.len_utf8();
        match self {
            Self::Tags { opening, tag } => {
                if next == '<' {
                    *tag = Some(before);
                }
                let from = (*tag)?;
                if next == '\n' || text.len() - from > LONGEST_TAG {
                    *tag = None;
                }
                if next != '>' {
                    return None;
                }
                *tag = None;
                let inner = text[from..before].strip_prefix(opening.as_str())?.trim_start();
                let inner = inner.strip_prefix("name").unwrap_or(inner).trim_start().strip_prefix('=')?;
                Some(Head::of(inner, from, text.len()))
            }
            Self::Pairs(pairs, ending) => {
                ending.feed(next)?;
                let behind = text.len() - pairs.value_open.len();
                let near = text.floor_char_boundary(behind.saturating_sub(LONGEST_TAG));
                let from = near + text[near..behind].rfind(pairs.key_open.as_str())?;
                let key = text[from + pairs.key_open.len()..behind].trim_end();
                let key = key.strip_suffix(pairs.key_close.as_str())?.trim().to_owned();
                Some(Head { key, is_json: false, from, start: text.len() })
            }
        }
    }
}

/// The length of the mark that a text begins with, if it closes a call.
fn closing_mark(text: &str, marks: &Openings) -> Option<usize> {
    let (at, length) = marks.walk(Openings::ROOT, text)?;
    matches!(marks.opened(at), Some(Opening::Mark(Role::Close))).then_some(length)
}

/// Where the marks begin that close a call at the end of a text, with nothing behind them.
fn before_marks(text: &str, marks: &Openings) -> Option<usize> {
    let mut end = text.trim_end().len();
    for _ in 0..MOST_MARKS {
        let Some(mark) = text[..end].rfind('<') else { break };
        if closing_mark(&text[mark..end], marks) != Some(end - mark) {
            break;
        }
        end = text[..mark].trim_end().len();
    }
    (end < text.trim_end().len()).then_some(end)
}

/// The line breaks around a value that stands on lines of its own belong to the syntax. A line break at its end alone
/// is its own.
fn without_wrapping(value: &str) -> &str {
    match value.strip_prefix("\r\n").or_else(|| value.strip_prefix('\n')) {
        Some(inner) => inner.strip_suffix("\r\n").or_else(|| inner.strip_suffix('\n')).unwrap_or(inner),
        None => value,
    }
}
