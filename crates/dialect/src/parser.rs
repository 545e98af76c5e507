use std::sync::Arc;

use crate::Vocabulary;
use crate::call::Piece;
use crate::candidate::{Candidate, Place, Verdict};
use crate::ending::Ending;
use crate::line::Line;
use crate::output::Output;
use crate::reading::Reading;

const END_OF_THOUGHT: &str = "</think>";

/// Tells text, reasoning and calls apart in a stream of characters.
///
/// Reasoning stands between `<think>` and `</think>`, where the opening is at the start of a line outside of
/// code: an answer *about* the tag shows it. White space around reasoning belongs to neither part, nor does
/// white space around a call before the first word. What may be a call is held back until it is decided; what
/// stands in code or in quotes is text.
#[derive(Debug)]
pub struct Parser {
    vocabulary: Arc<Vocabulary>,
    state: State,
    line: Line,
    /// The text of a candidate.
    held: String,
    output: Output,
}

#[derive(Debug)]
enum State {
    Plain,
    Reasoning(Ending),
    /// What has come so far does not decide it.
    Candidate(Candidate, Place),
}

impl Default for Parser {
    /// Knows text and reasoning alone.
    fn default() -> Self {
        Self::new(Arc::default())
    }
}

impl Parser {
    pub fn new(vocabulary: Arc<Vocabulary>) -> Self {
        Self {
            vocabulary,
            state: State::Plain,
            line: Line::default(),
            held: String::new(),
            output: Output::default(),
        }
    }

    /// Takes the next characters and gives back the parts that are decided.
    pub fn push(&mut self, characters: &str) -> Vec<Piece> {
        match std::mem::replace(&mut self.state, State::Plain) {
            State::Candidate(mut candidate, place) => {
                let mut held = std::mem::take(&mut self.held);
                let from = held.len();
                held.push_str(characters);
                match candidate.follow(&held, from, place, &self.vocabulary) {
                    (Verdict::Undecided, _) => {
                        self.held = held;
                        self.state = State::Candidate(candidate, place);
                    }
                    (verdict, end) => {
                        let rest = self.decide(verdict, &held, end);
                        self.read(rest);
                    }
                }
            }
            state => {
                self.state = state;
                self.read(characters);
            }
        }
        self.output.take()
    }

    /// The rest, at the end of the reply.
    pub fn finish(mut self) -> Vec<Piece> {
        match std::mem::replace(&mut self.state, State::Plain) {
            State::Candidate(candidate, _) => {
                let held = std::mem::take(&mut self.held);
                let reading = candidate.finish(&held, &self.vocabulary);
                self.take(reading, &held);
            }
            State::Reasoning(ending) => self.output.think(ending.begun()),
            State::Plain => {}
        }
        self.output.finish()
    }

    fn read(&mut self, characters: &str) {
        let mut rest = characters;
        while !rest.is_empty() {
            rest = match self.state {
                State::Reasoning(_) => self.reasoning(rest),
                State::Plain | State::Candidate(..) => self.plain(rest),
            };
        }
    }

    // Each of the following reads the beginning of a text and gives back the rest.

    fn plain<'a>(&mut self, text: &'a str) -> &'a str {
        let (mut said, openings) = (0, self.vocabulary.openings());
        let begun = loop {
            said += self.line.pass_inert(&text[said..], |text| openings.walk(text).is_some());
            let Some(next) = text[said..].chars().next() else { break None };
            if self.line.may_call(next) {
                let place = Place { starts_line: self.line.is_at_start(), previous: self.line.previous() };
                let begun = Candidate::begin(&text[said..], next, place, &self.vocabulary);
                if let Some((at, length)) = begun {
                    break Some((at, length, place));
                }
            }
            self.line.pass_character(next);
            said += next.len_utf8();
        };
        let (words, rest) = text.split_at(said);
        self.output.say(words);
        let Some((at, length, place)) = begun else { return rest };
        let mut candidate = Candidate::open(at, &rest[..length], &self.vocabulary);
        match candidate.follow(rest, length, place, &self.vocabulary) {
            (Verdict::Undecided, _) => {
                self.held.push_str(rest);
                self.state = State::Candidate(candidate, place);
                ""
            }
            (verdict, end) => self.decide(verdict, rest, end),
        }
    }

    /// A text begins with what turned out to be this, up to the end of it.
    fn decide<'a>(&mut self, verdict: Verdict, text: &'a str, end: usize) -> &'a str {
        let (whole, rest) = text.split_at(end);
        match verdict {
            Verdict::Read(reading) => self.take(reading, whole),
            Verdict::Think => self.begin_thought(),
            Verdict::Text | Verdict::Undecided => self.say(whole),
            Verdict::No => {
                let (first, rest) = split_first(text);
                self.say(first);
                return rest;
            }
        }
        rest
    }

    fn reasoning<'a>(&mut self, text: &'a str) -> &'a str {
        let State::Reasoning(ending) = &mut self.state else { return text };
        let held = ending.begun();
        if held.is_empty() {
            let (thought, rest) = text.split_at(text.find('<').unwrap_or(text.len()));
            if !thought.is_empty() {
                self.output.think(thought);
                return rest;
            }
        }
        let (first, rest) = split_first(text);
        if first.chars().any(|next| ending.feed(next)) {
            self.output.end_thought();
            (self.state, self.line) = (State::Plain, Line::after_thought());
            return rest;
        }
        let holds = ending.begun();
        if holds.len() <= held.len() {
            self.output.think(held);
        }
        if holds.is_empty() {
            self.output.think(first);
        }
        rest
    }

    fn begin_thought(&mut self) {
        self.output.begin_thought();
        self.state = State::Reasoning(Ending::new(END_OF_THOUGHT));
    }

    fn take(&mut self, reading: Reading, text: &str) {
        match reading {
            Reading::Text => self.say(text),
            Reading::Flawed(why) => {
                self.line.pass(text);
                self.output.explain(text, why);
            }
            Reading::Pieces(pieces) => {
                let spoken = self.output.act(pieces, self.line.previous());
                self.line.pass_call(spoken);
            }
        }
    }

    fn say(&mut self, text: &str) {
        self.line.pass(text);
        self.output.say(text);
    }
}

fn split_first(text: &str) -> (&str, &str) {
    text.split_at(text.chars().next().map_or(0, char::len_utf8))
}

#[cfg(test)]
#[path = "parser_tests.rs"]
mod tests;
