use std::sync::Arc;

use crate::Vocabulary;
use crate::call::Piece;
use crate::candidate::{Candidate, LONGEST, Place, Verdict};
use crate::ending::Ending;
use crate::line::Line;
use crate::openings::{At, Openings};
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
    /// What has come and is not decided.
    held: String,
    output: Output,
}

#[derive(Debug)]
enum State {
    Plain,
    /// What begins here has been looked at, and is no call.
    Refused,
    Reasoning(Ending),
    /// What may open something has been followed so far, and for so many bytes.
    Opening {
        at: At,
        place: Place,
        followed: usize,
    },
    Candidate(Box<Candidate>),
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
        if self.held.is_empty() {
            let decided = self.read(characters);
            self.held.push_str(&characters[decided..]);
        } else {
            let mut text = std::mem::take(&mut self.held);
            text.push_str(characters);
            let decided = self.read(&text);
            text.drain(..decided);
            self.held = text;
        }
        self.output.take()
    }

    /// The rest, at the end of the reply.
    pub fn finish(mut self) -> Vec<Piece> {
        match std::mem::replace(&mut self.state, State::Plain) {
            State::Candidate(candidate) => {
                let held = std::mem::take(&mut self.held);
                let reading = candidate.finish(&held, &self.vocabulary);
                self.take(reading, &held);
            }
            State::Reasoning(ending) => self.output.think(ending.begun()),
            State::Opening { .. } => self.output.say(&self.held),
            State::Plain | State::Refused => {}
        }
        self.output.finish()
    }

    /// How many bytes of a text are decided. It begins with what is held.
    fn read(&mut self, text: &str) -> usize {
        let mut decided = 0;
        while decided < text.len() {
            let rest = &text[decided..];
            let length = match self.state {
                State::Plain | State::Refused => Some(self.plain(rest)),
                State::Reasoning(_) => Some(self.reasoning(rest)),
                State::Opening { .. } => self.opening(rest),
                State::Candidate(_) => self.candidate(rest),
            };
            let Some(length) = length else { break };
            decided += length;
        }
        decided
    }

    // Each of the following gives back how many bytes of a text it has decided, if it could decide.

    /// Words, up to where something may be opened.
    fn plain(&mut self, text: &str) -> usize {
        let openings = self.vocabulary.openings();
        let mut refused = matches!(self.state, State::Refused);
        self.state = State::Plain;
        let mut said = 0;
        let opening = loop {
            if !refused {
                let opens = |text: &str| openings.walk(Openings::ROOT, text).is_some();
                said += self.line.pass_inert(&text[said..], opens);
            }
            let rest = &text[said..];
            let Some(next) = rest.chars().next() else { break None };
            let place = Place { starts_line: self.line.is_at_start(), previous: self.line.previous() };
            let may_open = !refused && (place.starts_line || matches!(next, '[' | '<'));
            if may_open
                && self.line.may_call(next)
                && let Some((at, length)) = place.walk(openings, Openings::ROOT, rest)
            {
                break Some((at, place, &rest[..length]));
            }
            refused = false;
            self.line.pass_character(next);
            said += next.len_utf8();
        };
        self.output.say(&text[..said]);
        let opened = opening.and_then(|(at, place, text)| self.open(at, place, text));
        said + opened.unwrap_or(0)
    }

    /// What may open something.
    fn opening(&mut self, text: &str) -> Option<usize> {
        let State::Opening { at, place, followed } = self.state else { return None };
        match place.walk(self.vocabulary.openings(), at, &text[followed..]) {
            Some((at, length)) if followed + length < LONGEST => {
                self.open(at, place, &text[..followed + length])
            }
            _ => Some(self.refuse()),
        }
    }

    /// The whole of a text leads to this place among the openings.
    fn open(&mut self, at: At, place: Place, text: &str) -> Option<usize> {
        let Some(opening) = self.vocabulary.openings().opened(at) else {
            self.state = State::Opening { at, place, followed: text.len() };
            return None;
        };
        let Some(candidate) = Candidate::new(opening, text, place) else {
            self.output.begin_thought();
            self.state = State::Reasoning(Ending::new(END_OF_THOUGHT));
            return Some(text.len());
        };
        self.state = State::Candidate(Box::new(candidate));
        Some(0)
    }

    /// What may be a call.
    fn candidate(&mut self, text: &str) -> Option<usize> {
        let State::Candidate(candidate) = &mut self.state else { return None };
        let (verdict, end) = candidate.follow(text, &self.vocabulary);
        match verdict {
            Verdict::Undecided => return None,
            Verdict::No => return Some(self.refuse()),
            Verdict::Text => self.say(&text[..end]),
            Verdict::Read(reading) => self.take(reading, &text[..end]),
        }
        self.state = State::Plain;
        Some(end)
    }

    /// What was held is looked at again, for what may begin behind its first character.
    fn refuse(&mut self) -> usize {
        self.state = State::Refused;
        0
    }

    fn reasoning(&mut self, text: &str) -> usize {
        let State::Reasoning(ending) = &mut self.state else { return 0 };
        let held = ending.begun();
        if held.is_empty() {
            let thought = text.find('<').unwrap_or(text.len());
            if thought > 0 {
                self.output.think(&text[..thought]);
                return thought;
            }
        }
        let Some(next) = text.chars().next() else { return 0 };
        if ending.feed(next) {
            self.output.end_thought();
            (self.state, self.line) = (State::Plain, Line::after_thought());
            return next.len_utf8();
        }
        let holds = ending.begun();
        if holds.len() <= held.len() {
            self.output.think(held);
        }
        if holds.is_empty() {
            self.output.think(&text[..next.len_utf8()]);
        }
        next.len_utf8()
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

#[cfg(test)]
#[path = "parser_tests.rs"]
mod tests;
