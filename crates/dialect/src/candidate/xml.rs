//! Calls in tags: `<function=name><parameter=key>value</parameter></function>`, and the same with
//! `<invoke name="…">`, or with one JSON object in place of the parameters.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::Verdict;
use super::embedded::{Embedded, Reach};
use crate::Arguments;
use crate::ending::Ending;
use crate::reading::Reading;

/// Nobody's tool or parameter has a longer name.
pub const LONGEST_TAG: usize = 160;
const END_OF_VALUE: &str = "</parameter>";

/// A call whose opening tag has been read.
#[derive(Debug)]
pub struct Xml {
    name: Arc<str>,
    closing: &'static str,
    state: State,
    reading: Option<Reading>,
    arguments: Map<String, Value>,
}

#[derive(Debug)]
enum State {
    Between,
    /// A tag between the parameters, from where it begins.
    Tag(usize),
    /// The value of a parameter, and where it begins.
    Value(String, usize, Ending),
    Json(Embedded),
}

impl Xml {
    pub fn new(name: Arc<str>, closing: &'static str) -> Self {
        Self { name, closing, state: State::Between, reading: None, arguments: Map::new() }
    }

    /// `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char) -> Verdict {
        match &mut self.state {
            State::Between if next == '<' => self.state = State::Tag(text.len() - 1),
            State::Between if next.is_whitespace() => {}
            State::Between if next == '{' && self.reading.is_none() && self.arguments.is_empty() => {
                self.state = State::Json(Embedded::new(next, self.closing, text.len()));
            }
            State::Between => return Verdict::Text,
            State::Tag(start) if next == '>' => {
                let tag = &text[*start..];
                if tag == self.closing {
                    return Verdict::Read(self.reading());
                }
                let Some(key) = parameter(tag).filter(|_| self.reading.is_none()) else {
                    return Verdict::Text;
                };
                self.state = State::Value(key.to_owned(), text.len(), Ending::new(END_OF_VALUE));
            }
            State::Tag(start) if next == '<' || text.len() - *start > LONGEST_TAG => return Verdict::Text,
            State::Tag(_) => {}
            State::Value(key, start, ending) => {
                if ending.feed(next) {
                    let value = &text[*start..text.len() - END_OF_VALUE.len()];
                    let value = value.strip_prefix('\n').unwrap_or(value);
                    let value = value.strip_suffix('\n').unwrap_or(value);
                    self.arguments.insert(std::mem::take(key), Value::String(value.to_owned()));
                    self.state = State::Between;
                }
            }
            State::Json(json) => match json.feed(text, next) {
                Reach::Inside => {}
                Reach::TooDeep => return Verdict::Text,
                Reach::Value(value) => {
                    self.reading = Some(Reading::of_arguments(&self.name, value));
                    self.state = State::Between;
                }
                Reach::Ended(value) => return Verdict::Read(Reading::of_arguments(&self.name, value)),
            },
        }
        Verdict::Undecided
    }

    /// What it is when nothing follows.
    pub fn finish(self) -> Reading {
        match self.state {
            State::Json(json) => json.flaw().map_or(Reading::Text, Reading::Flawed),
            _ => Reading::Text,
        }
    }

    fn reading(&mut self) -> Reading {
        let named = Arguments::Named(std::mem::take(&mut self.arguments));
        self.reading.take().unwrap_or_else(|| Reading::call(&self.name, named))
    }
}

/// The key in `<parameter=key>` or `<parameter name="key">`.
fn parameter(tag: &str) -> Option<&str> {
    let rest = tag.strip_prefix("<parameter")?.strip_suffix('>')?.trim();
    let key = rest.strip_prefix("name").map_or(rest, str::trim_start).strip_prefix('=')?;
    let key = key.trim().trim_matches(['"', '\'']);
    (!key.is_empty()).then_some(key)
}
