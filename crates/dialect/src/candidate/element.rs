//! Calls between `<tool_call>` and `</tool_call>`: JSON or tags, one or several.

use super::embedded::{Embedded, Reach};
use super::xml::{LONGEST_TAG, Xml};
use super::{MOST_SPACE, Verdict};
use crate::Vocabulary;
use crate::openings::{Opening, Openings};
use crate::reading::Reading;

/// What the tags of calls begin with.
const TAGS: [&str; 2] = ["<function", "<invoke"];

/// An element whose opening tag has been read.
#[derive(Debug)]
pub struct Element {
    closing: &'static str,
    state: State,
    /// Where the state began.
    start: usize,
    reading: Option<Reading>,
}

#[derive(Debug)]
enum State {
    Between,
    Json(Embedded),
    /// A tag that may open a call or close the element.
    Tag,
    Xml(Xml),
}

impl Element {
    pub fn new(closing: &'static str, start: usize) -> Self {
        Self { closing, state: State::Between, start, reading: None }
    }

    /// `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char, vocabulary: &Vocabulary) -> Verdict {
        match &mut self.state {
            State::Between => return self.between(text, next),
            State::Json(json) => match json.feed(text, next) {
                Reach::Inside => {}
                Reach::TooDeep => return Verdict::Text,
                Reach::Value(value) => {
                    self.add(Reading::of_element_json(value, vocabulary));
                    self.begin(State::Between, text.len());
                }
                Reach::Ended(value) => {
                    self.add(Reading::of_element_json(value, vocabulary));
                    return self.close();
                }
            },
            State::Tag => return self.tag(text, next, vocabulary),
            State::Xml(xml) => match xml.feed(text, next) {
                Verdict::Read(reading) => {
                    self.add(reading);
                    self.begin(State::Between, text.len());
                }
                other => return other,
            },
        }
        Verdict::Undecided
    }

    /// What it is when nothing follows.
    pub fn finish(self) -> Reading {
        match self.state {
            State::Json(json) => json.flaw().map_or(Reading::Text, Reading::Flawed),
            State::Xml(xml) => xml.finish(),
            State::Between | State::Tag => Reading::Text,
        }
    }

    fn between(&mut self, text: &str, next: char) -> Verdict {
        match next {
            '{' | '[' => self.begin(State::Json(Embedded::new(next, self.closing, text.len())), text.len()),
            '<' => self.begin(State::Tag, text.len() - 1),
            // One bracket too many.
            '}' if self.reading.is_some() => {}
            _ if next.is_whitespace() && text.len() - self.start < MOST_SPACE => {}
            _ => return self.give_up(),
        }
        Verdict::Undecided
    }

    fn tag(&mut self, text: &str, next: char, vocabulary: &Vocabulary) -> Verdict {
        let (tag, openings) = (&text[self.start..], vocabulary.openings());
        if tag == self.closing && self.reading.is_some() {
            return self.close();
        }
        if next == '>'
            && let Some((at, length)) = openings.walk(Openings::ROOT, tag)
            && length == tag.len()
            && let Some(Opening::Xml(name, closing)) = openings.opened(at)
        {
            self.begin(State::Xml(Xml::new(name.clone(), closing)), text.len());
            return Verdict::Undecided;
        }
        let begun =
            TAGS.iter().chain([&self.closing]).any(|known| known.starts_with(tag) || tag.starts_with(known));
        if !begun || next == '>' || tag.len() > LONGEST_TAG {
            return self.give_up();
        }
        Verdict::Undecided
    }

    fn begin(&mut self, state: State, start: usize) {
        (self.state, self.start) = (state, start);
    }

    fn add(&mut self, reading: Reading) {
        self.reading = Some(match self.reading.take() {
            Some(earlier) => earlier.and(reading),
            None => reading,
        });
    }

    fn close(&mut self) -> Verdict {
        Verdict::Read(self.reading.take().unwrap_or(Reading::Text))
    }

    fn give_up(&self) -> Verdict {
        if self.reading.is_none() { Verdict::No } else { Verdict::Text }
    }
}
