use std::sync::Arc;

use crate::Vocabulary;
use crate::call::Piece;
use crate::candidate::{Candidate, Header, LONGEST, Place, Verdict};
use crate::ending::Ending;
use crate::line::Line;
use crate::openings::{self, At, Opening, Openings, When};
use crate::output::Output;
use crate::reading::Reading;

/// The maximum number of consecutive unfinished candidates to resolve at the end of a reply.
const MOST_UNCLOSED: usize = 8;
/// The maximum length of a separator between two calls, in bytes.
const LONGEST_SEPARATOR: usize = 64;

/// Separates text, reasoning and calls in a stream of characters.
///
/// Reasoning is enclosed in markers such as `<think>` and `</think>`. An opening marker that is not at the start of a
/// line may be only mentioned: an answer *about* the tag shows it, and no call after it is made before the closing
/// marker. Whitespace around reasoning belongs to neither part, nor does whitespace around a call before the first
/// word. A possible call is held back until it is decided. Code and quotations are text.
#[derive(Debug)]
pub struct Parser {
    vocabulary: Arc<Vocabulary>,
    state: State,
    line: Line,
    /// The received text that is not decided.
    held: String,
    output: Output,
    /// True if a marker was meaningful. Related markers after it are not shown as text.
    has_marked: bool,
    /// The ending of a thought that may have been opened.
    mention: Option<Ending>,
}

#[derive(Debug)]
enum State {
    Plain,
    /// Right after a JSON call, before surplus brackets and separators.
    BehindObject,
    /// At text that has been checked and is not a call.
    Rejected,
    Reasoning(Ending),
    /// In a possible opening, with the position in the tree and the number of bytes followed.
    Opening {
        at: At,
        place: Place,
        followed: usize,
    },
    Candidate(Box<Candidate>),
}

impl Default for Parser {
    /// Creates a parser for text and reasoning only.
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
            has_marked: false,
            mention: None,
        }
    }

    /// Takes the next characters and returns the decided parts.
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

    /// Returns the remaining parts at the end of the reply.
    pub fn finish(mut self) -> Vec<Piece> {
        let mut text = std::mem::take(&mut self.held);
        for _ in 0..MOST_UNCLOSED {
            let State::Candidate(candidate) = self.state else { break };
            self.mention = candidate.mention().or(self.mention.take());
            let (reading, end) = candidate.finish(&text, &self.vocabulary);
            self.state = State::Plain;
            self.take(reading, &text[..end]);
            text.drain(..end);
            let decided = self.read(&text);
            text.drain(..decided);
        }
        match std::mem::replace(&mut self.state, State::Plain) {
            State::Reasoning(ending) => self.output.think(ending.begun()),
            State::BehindObject => self.output.say(text.trim_end_matches([';', ',', ' '])),
            State::Opening { place, .. } => self.take(self.vocabulary.cut_mark(&text, place), &text),
            State::Candidate(_) => self.output.say(&text),
            State::Plain | State::Rejected => {}
        }
        self.output.finish()
    }

    /// Reads a text that begins with the held text. Returns the number of decided bytes.
    fn read(&mut self, text: &str) -> usize {
        let mut decided = 0;
        while decided < text.len() {
            let rest = &text[decided..];
            let length = match self.state {
                State::Plain | State::Rejected => Some(self.plain(rest)),
                State::Reasoning(_) => Some(self.reasoning(rest)),
                State::BehindObject => self.behind_object(rest),
                State::Opening { .. } => self.opening(rest),
                State::Candidate(_) => self.candidate(rest),
            };
            let Some(length) = length else { break };
            self.pass_mention(&rest[..length]);
            decided += length;
        }
        decided
    }

    // Each of the following functions returns the number of bytes that it has decided, if any.

    /// Reads plain text up to a possible opening.
    fn plain(&mut self, text: &str) -> usize {
        let openings = self.vocabulary.openings();
        let mut rejected = matches!(self.state, State::Rejected);
        self.state = State::Plain;
        let mut said = 0;
        let opening = loop {
            if !rejected {
                let opens =
                    |text: &str| opens_anywhere(text) && openings.walk(Openings::ROOT, text).is_some();
                said += self.line.pass_inert(&text[said..], opens);
            }
            let rest = &text[said..];
            let Some(next) = rest.chars().next() else { break None };
            let may_call = self.line.may_call(next);
            let place = Place {
                starts_line: self.line.is_at_start(),
                previous: self.line.previous(),
                behind: self.line.behind(),
                closes_fence: self.line.closes_fence(),
            };
            let may_open = !rejected && (place.starts_line || opens_anywhere(rest));
            if may_open
                && (may_call || place.closes_fence)
                && let Some((at, length)) = place.walk(openings, Openings::ROOT, rest)
            {
                break Some((at, place, &rest[..length]));
            }
            rejected = false;
            self.line.pass_character(next);
            said += next.len_utf8();
        };
        // This text may close a thought, which affects the opening, so it is handled first.
        if said > 0 {
            self.output.say(&text[..said]);
            return said;
        }
        opening.and_then(|(at, place, text)| self.open(at, place, text)).unwrap_or(0)
    }

    /// Continues a possible opening.
    fn opening(&mut self, text: &str) -> Option<usize> {
        let State::Opening { at, place, followed } = self.state else { return None };
        if !place.starts_line && !opens_anywhere(text) {
            return Some(self.reject());
        }
        match place.walk(self.vocabulary.openings(), at, &text[followed..]) {
            Some((at, length)) if followed + length < LONGEST => {
                self.open(at, place, &text[..followed + length])
            }
            _ => Some(self.reject()),
        }
    }

    /// Handles the position in the tree that the whole text has reached.
    fn open(&mut self, at: At, place: Place, text: &str) -> Option<usize> {
        let Some(opening) = self.vocabulary.openings().opened(at) else {
            self.state = State::Opening { at, place, followed: text.len() };
            return None;
        };
        match opening {
            // With text after it, the line does not close the fence, so it is code.
            opening if place.closes_fence && !matches!(opening, Opening::Leftover(_)) => {
                return Some(self.reject());
            }
            Opening::Thought { close, place: at }
                if place.starts_line || *at == openings::Place::Anywhere =>
            {
                self.output.begin_thought();
                self.state = State::Reasoning(Ending::new(close.to_string()));
                return Some(text.len());
            }
            Opening::Thought { .. } if self.mention.is_some() => return Some(self.reject()),
            Opening::Leftover(When::Apart) if !self.has_marked && self.output.has_said() => {}
            Opening::Leftover(When::AfterMark) if !self.has_marked => return Some(self.reject()),
            Opening::Leftover(When::AfterThought) if !self.output.is_behind_thought() => {
                return Some(self.reject());
            }
            Opening::Leftover(_) => {
                self.has_marked = true;
                self.state = State::Plain;
                return Some(text.len());
            }
            _ => {}
        }
        let Some(candidate) = Candidate::new(opening, text, place) else { return Some(self.reject()) };
        self.state = State::Candidate(Box::new(candidate));
        Some(0)
    }

    /// Drops surplus brackets and the separators between two calls.
    fn behind_object(&mut self, text: &str) -> Option<usize> {
        let rest = text.trim_start();
        let behind = rest.trim_start_matches(['}', ']']);
        if behind.len() < rest.len() && text.len() - rest.len() < LONGEST_SEPARATOR {
            return Some(text.len() - behind.len());
        }
        let separated = rest.trim_start_matches([';', ',']);
        let next = separated.trim_start();
        let is_short = text.len() - next.len() < LONGEST_SEPARATOR;
        if next.is_empty() && is_short {
            return None;
        }
        self.state = State::Plain;
        let follows = separated.len() < rest.len() && next.starts_with(['{', '[']) && is_short;
        Some(if follows { text.len() - next.len() } else { 0 })
    }

    /// Continues a possible call.
    fn candidate(&mut self, text: &str) -> Option<usize> {
        let State::Candidate(candidate) = &mut self.state else { return None };
        let (verdict, end) = candidate.follow(text, &self.vocabulary);
        match verdict {
            Verdict::Undecided => return None,
            Verdict::No => return Some(self.reject()),
            Verdict::Text => self.say(&text[..end]),
            Verdict::Read(reading) => {
                let is_object = candidate.is_object(&reading);
                self.take(reading, &text[..end]);
                self.state = if is_object { State::BehindObject } else { State::Plain };
                return Some(end);
            }
            Verdict::Thought(ending) => {
                self.has_marked = true;
                self.output.begin_thought();
                self.state = State::Reasoning(ending);
                return Some(end);
            }
            Verdict::StillThought(ending) => {
                self.output.think(candidate.mark_within_thought().unwrap_or_default());
                self.output.think(&text[..end]);
                self.state = State::Reasoning(ending);
                return Some(end);
            }
            Verdict::Aside(thought) => {
                self.output.begin_thought();
                self.output.think(&text[thought]);
                self.output.end_thought();
                self.line = Line::after_thought();
            }
            Verdict::Mention(ending) => {
                self.mention = ending;
                self.say(&text[..end]);
            }
        }
        self.state = State::Plain;
        Some(end)
    }

    /// Rejects a candidate. The held text is read again, since something may begin after its first character.
    fn reject(&mut self) -> usize {
        self.state = State::Rejected;
        0
    }

    fn reasoning(&mut self, text: &str) -> usize {
        let State::Reasoning(ending) = &mut self.state else { return 0 };
        if ending.begun().is_empty() {
            let thought = ending.clear_of(text);
            if thought > 0 {
                self.output.think(&text[..thought]);
                return thought;
            }
        }
        let Some(next) = text.chars().next() else { return 0 };
        if let Some(which) = ending.pass(next, |thought| self.output.think(thought)) {
            self.output.end_thought();
            self.line = Line::after_thought();
            self.state = match Header::mark(which) {
                Some(mark) => State::Candidate(Box::new(Candidate::within_thought(mark))),
                None => State::Plain,
            };
        }
        next.len_utf8()
    }

    fn take(&mut self, reading: Reading, text: &str) {
        match reading {
            Reading::Text => self.say(text),
            Reading::Flawed(why) => {
                self.has_marked = true;
                self.line.pass(text);
                self.output.explain(text, why);
            }
            Reading::Pieces(pieces) if self.mention.is_some() && !names(&pieces).is_empty() => {
                self.line.pass(text);
                let why = format!(
                    "the call of {} stands behind the opening of a thought, and a thought calls nothing; close it, and \
                     make the whole call again",
                    names(&pieces).join(", "),
                );
                self.output.explain(text, why);
            }
            Reading::Pieces(pieces) => {
                self.has_marked = true;
                let spoken = self.output.act(pieces, self.line.previous());
                self.line.pass_call(spoken);
            }
        }
    }

    fn say(&mut self, text: &str) {
        self.line.pass(text);
        self.output.say(text);
    }

    /// Checks the text for the ending of a thought that may have been opened.
    fn pass_mention(&mut self, text: &str) {
        if let Some(ending) = &mut self.mention
            && text.chars().any(|next| ending.feed(next).is_some())
        {
            self.mention = None;
        }
    }
}

/// Returns the names of the called tools.
fn names(pieces: &[Piece]) -> Vec<&str> {
    let mut names = Vec::new();
    for piece in pieces {
        if let Piece::Call(call) = piece {
            names.push(call.name.as_str());
        }
    }
    names
}

/// Returns true if a text may begin an opening within a line. A single brace cannot, two can.
fn opens_anywhere(text: &str) -> bool {
    match text.strip_prefix('{') {
        Some(rest) => rest.is_empty() || rest.starts_with('{'),
        None => text.starts_with(['[', '<', '◁']),
    }
}

#[cfg(test)]
#[path = "parser_tests.rs"]
mod tests;
