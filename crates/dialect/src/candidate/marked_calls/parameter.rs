//! Reads the value of a parameter between its tags.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::candidate::limits::LONGEST_TAG;
use crate::ending::EndingSearch;
use crate::openings::{MarkerRole, Opening, OpeningTree};
use crate::repair;
use crate::syntax::KeyValueMarkers;

/// The maximum number of markers that close a call.
const MOST_MARKERS: usize = 8;

/// The maximum number of parameters that begin within a value.
const MOST_OTHERS: usize = 64;

/// A value, and the parameters that begin within it as if it had been closed.
///
/// Small models forget to close a value, and others write text about parameters. The text after the closing marker
/// decides which it was: another marker, or prose.
#[derive(Debug)]
pub struct Parameter {
    head: ParameterStart,
    others: Vec<ParameterStart>,
    /// The detector of the next parameter.
    detector: ParameterDetector,
    close: String,
    ending: EndingSearch,
    /// True if the value contains text like the beginning of a parameter.
    has_nested: bool,
    /// The end of the values and the end of the marker that closed them.
    closed: Option<(usize, usize)>,
}

#[derive(Debug)]
struct ParameterStart {
    key: String,
    /// True if the tag says that the value is JSON.
    is_json: bool,
    /// The start of the parameter; `start` is the start of its value.
    from: usize,
    start: usize,
}

#[derive(Debug)]
enum ParameterDetector {
    /// Tags such as `<parameter=key>`: the text before the key, and the possible start of a tag.
    Tags { opening: String, tag: Option<usize> },
    /// Keys between two markers, and the ending that opens the value.
    Pairs(Arc<KeyValueMarkers>, EndingSearch),
}

impl Parameter {
    /// Creates a parameter. `tag` is the text after the `=` of `<parameter=`, up to the end of the tag.
    pub fn new(tag: &str, close: &str, start: usize) -> Self {
        let opening = close.replacen("</", "<", 1).trim_end_matches('>').to_owned();
        Self::with(
            ParameterStart::of(tag, start, start),
            close,
            ParameterDetector::Tags { opening, tag: None },
        )
    }

    pub fn between(key: String, pairs: &Arc<KeyValueMarkers>, start: usize) -> Self {
        let head = ParameterStart { key, is_json: false, from: start, start };
        let detector =
            ParameterDetector::Pairs(Arc::clone(pairs), EndingSearch::new(pairs.value_open.clone()));
        Self::with(head, &pairs.value_close, detector)
    }

    fn with(head: ParameterStart, close: &str, detector: ParameterDetector) -> Self {
        let (close, ending) = (close.to_owned(), EndingSearch::new(close.to_owned()));
        Self { head, others: Vec::new(), detector, close, ending, has_nested: false, closed: None }
    }

    pub fn key(&self) -> &str {
        &self.head.key
    }

    /// Takes the next character. `text` is everything so far, with `next` at its end. Returns the end of the values
    /// once they are complete. `is_other` decides if a key may belong to another parameter; its second argument is true
    /// at the start of a line.
    pub fn feed(&mut self, text: &str, next: char, is_other: impl Fn(&str, bool) -> bool) -> Option<usize> {
        if let Some((_, after)) = self.closed {
            return self.after_close(text, after);
        }
        if self.ending.feed(next).is_some() {
            let end = text.len() - self.close.len();
            self.closed = Some((end, text.len()));
            return (!self.has_nested).then_some(text.len());
        }
        if let Some(head) = self.detector.feed(text, next) {
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

    /// Handles the text after the closing marker of a value that contains text like another parameter.
    fn after_close(&mut self, text: &str, after: usize) -> Option<usize> {
        let rest = text[after..].trim_start();
        if rest == self.close {
            self.others.clear();
            self.closed = Some((text.len() - rest.len(), text.len()));
            return Some(text.len());
        }
        if self.close.starts_with(rest) {
            return None;
        }
        if rest.starts_with('<') {
            return Some(after);
        }
        // Prose: the value only mentions a parameter and continues.
        (self.others, self.closed) = (Vec::new(), None);
        for next in rest.chars() {
            self.ending.feed(next);
        }
        None
    }

    /// Adds the complete values to the arguments.
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

    /// Returns true if other parameters began within the value.
    pub fn has_others(&self) -> bool {
        !self.others.is_empty()
    }

    /// Returns true if a parameter with this key began within the value.
    pub fn has_within(&self, key: &str) -> bool {
        self.others.iter().any(|other| other.key == key)
    }

    /// Adds the value to the arguments as a whole, including the parameters that began within it.
    pub fn keep_whole(&self, text: &str, arguments: &mut Map<String, Value>) {
        for other in &self.others {
            arguments.shift_remove(&other.key);
        }
        if let Some((end, _)) = self.closed {
            self.head.keep(text, end, arguments);
        }
    }

    /// Returns the end of an unclosed value: before the marker that closes the call, at the start of a line or at the
    /// end of the reply.
    pub fn unclosed(&self, text: &str, markers: &OpeningTree) -> Option<usize> {
        if let Some((end, _)) = self.closed {
            return Some(end);
        }
        let start = self.others.last().map_or(self.head.start, |other| other.start);
        let value = &text[start..];
        let mut lines = value.match_indices('\n').map(|(place, _)| place + 1);
        let closes = |place: &usize| closing_marker(&value[*place..], markers).is_some();
        let end = lines.find(closes);
        let before = before_markers(&value[..end.unwrap_or(value.len())], markers);
        before.or(end).map(|end| start + end)
    }
}

impl ParameterStart {
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

impl ParameterDetector {
    /// Takes the next character and returns the head of another parameter if the text ends with one.
    fn feed(&mut self, text: &str, next: char) -> Option<ParameterStart> {
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
                Some(ParameterStart::of(inner, from, text.len()))
            }
            Self::Pairs(pairs, ending) => {
                ending.feed(next)?;
                let after = text.len() - pairs.value_open.len();
                let near = text.floor_char_boundary(after.saturating_sub(LONGEST_TAG));
                let from = near + text[near..after].rfind(pairs.key_open.as_str())?;
                let key = text[from + pairs.key_open.len()..after].trim_end();
                let key = key.strip_suffix(pairs.key_close.as_str())?.trim().to_owned();
                Some(ParameterStart { key, is_json: false, from, start: text.len() })
            }
        }
    }
}

/// Returns the length of the marker at the start of a text, if it closes a call.
fn closing_marker(text: &str, markers: &OpeningTree) -> Option<usize> {
    let (at, length) = markers.walk(OpeningTree::ROOT, text)?;
    matches!(markers.opened(at), Some(Opening::CallMarker(MarkerRole::Close))).then_some(length)
}

/// Returns the start of the markers that close a call at the very end of a text.
fn before_markers(text: &str, markers: &OpeningTree) -> Option<usize> {
    let mut end = text.trim_end().len();
    for _ in 0..MOST_MARKERS {
        let Some(marker) = text[..end].rfind('<') else { break };
        if closing_marker(&text[marker..end], markers) != Some(end - marker) {
            break;
        }
        end = text[..marker].trim_end().len();
    }
    (end < text.trim_end().len()).then_some(end)
}

/// Removes the line breaks around a value on separate lines, which belong to the syntax. A line break only at the end
/// belongs to the value.
fn without_wrapping(value: &str) -> &str {
    match value.strip_prefix("\r\n").or_else(|| value.strip_prefix('\n')) {
        Some(inner) => inner.strip_suffix("\r\n").or_else(|| inner.strip_suffix('\n')).unwrap_or(inner),
        None => value,
    }
}
