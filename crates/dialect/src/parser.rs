//! The parser of a streamed reply.

use std::sync::Arc;

use crate::candidate::{Candidate, CandidateContext, LONGEST_CANDIDATE, MessageHeader, Verdict};
use crate::ending::EndingSearch;
use crate::interpretation::Interpretation;
use crate::markdown_line::MarkdownLine;
use crate::openings::{DropCondition, Opening, OpeningTree, ThoughtPlace, TreePosition};
use crate::part_collector::PartCollector;
use crate::reply_part::ReplyPart;
use crate::vocabulary::ReplyVocabulary;

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
pub struct ReplyParser {
    vocabulary: Arc<ReplyVocabulary>,
    state: State,
    line: MarkdownLine,
    /// The received text that is not decided.
    held: String,
    parts: PartCollector,
    /// True if a marker was meaningful. Related markers after it are not shown as text.
    had_marker: bool,
    /// The search for the closing marker of a thought that may have been opened or only mentioned.
    mention: Option<EndingSearch>,
}

#[derive(Debug)]
enum State {
    /// In text.
    Plain,
    /// Right after a JSON call, before surplus brackets and separators.
    AfterObject,
    /// Before text that has been checked and is not a call.
    Refused,
    /// In a thought, with the search for its closing marker.
    Reasoning(EndingSearch),
    /// In a possible opening, with the position in the tree and the number of bytes followed.
    Opening {
        at: TreePosition,
        context: CandidateContext,
        followed: usize,
    },
    Candidate(Box<Candidate>),
}

impl Default for ReplyParser {
    /// Creates a parser for text and reasoning only.
    fn default() -> Self {
        Self::new(Arc::default())
    }
}

impl ReplyParser {
    pub fn new(vocabulary: Arc<ReplyVocabulary>) -> Self {
        Self {
            vocabulary,
            state: State::Plain,
            line: MarkdownLine::default(),
            held: String::new(),
            parts: PartCollector::default(),
            had_marker: false,
            mention: None,
        }
    }

    /// Takes the next characters and returns the decided parts.
    pub fn push(&mut self, characters: &str) -> Vec<ReplyPart> {
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
        self.parts.take()
    }

    /// Returns the remaining parts at the end of the reply.
    pub fn finish(mut self) -> Vec<ReplyPart> {
        let mut text = std::mem::take(&mut self.held);
        for _ in 0..MOST_UNCLOSED {
            let State::Candidate(candidate) = self.state else { break };
            self.mention = candidate.mention().or(self.mention.take());
            let (interpretation, end) = candidate.finish(&text, &self.vocabulary);
            self.state = State::Plain;
            self.take(interpretation, &text[..end]);
            text.drain(..end);
            let decided = self.read(&text);
            text.drain(..decided);
        }
        match std::mem::replace(&mut self.state, State::Plain) {
            State::Reasoning(ending) => self.parts.add_thought(ending.begun()),
            State::AfterObject => self.parts.add_text(text.trim_end_matches([';', ',', ' '])),
            State::Opening { context, .. } => self.take(self.cut_marker(&text, context), &text),
            State::Candidate(_) => self.parts.add_text(&text),
            State::Plain | State::Refused => {}
        }
        self.parts.finish()
    }

    /// Reads a text that begins with the held text. Returns the number of decided bytes.
    fn read(&mut self, text: &str) -> usize {
        let mut decided = 0;
        while decided < text.len() {
            let rest = &text[decided..];
            let length = match self.state {
                State::Plain | State::Refused => Some(self.plain(rest)),
                State::Reasoning(_) => Some(self.reasoning(rest)),
                State::AfterObject => self.after_object(rest),
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
        let mut refused = matches!(self.state, State::Refused);
        self.state = State::Plain;
        let mut passed = 0;
        let opening = loop {
            if !refused {
                let opens =
                    |text: &str| opens_anywhere(text) && openings.walk(OpeningTree::ROOT, text).is_some();
                passed += self.line.pass_inert(&text[passed..], opens);
            }
            let rest = &text[passed..];
            let Some(next) = rest.chars().next() else { break None };
            let may_call = self.line.may_call(next);
            let context = CandidateContext {
                starts_line: self.line.is_at_start(),
                previous: self.line.previous(),
                last_visible: self.line.last_visible(),
                closes_fence: self.line.closes_fence(),
            };
            let may_open = !refused && (context.starts_line || opens_anywhere(rest));
            if may_open
                && (may_call || context.closes_fence)
                && let Some((at, length)) = context.walk(openings, OpeningTree::ROOT, rest)
            {
                break Some((at, context, &rest[..length]));
            }
            refused = false;
            self.line.pass_character(next);
            passed += next.len_utf8();
        };
        // This text may close a thought, which affects the opening, so it is handled first.
        if passed > 0 {
            self.parts.add_text(&text[..passed]);
            return passed;
        }
        opening.and_then(|(at, context, text)| self.open(at, context, text)).unwrap_or(0)
    }

    /// Continues a possible opening.
    fn opening(&mut self, text: &str) -> Option<usize> {
        let State::Opening { at, context, followed } = self.state else { return None };
        if !context.starts_line && !opens_anywhere(text) {
            return Some(self.refuse());
        }
        match context.walk(self.vocabulary.openings(), at, &text[followed..]) {
            Some((at, length)) if followed + length < LONGEST_CANDIDATE => {
                self.open(at, context, &text[..followed + length])
            }
            _ => Some(self.refuse()),
        }
    }

    /// Handles the position in the tree that the whole text has reached.
    fn open(&mut self, at: TreePosition, context: CandidateContext, text: &str) -> Option<usize> {
        let Some(opening) = self.vocabulary.openings().opened(at) else {
            self.state = State::Opening { at, context, followed: text.len() };
            return None;
        };
        match opening {
            // With text after it, the line does not close the fence, so it is code.
            opening if context.closes_fence && !matches!(opening, Opening::Dropped(_)) => {
                return Some(self.refuse());
            }
            Opening::Thought { close, place: at } if context.starts_line || *at == ThoughtPlace::Anywhere => {
                self.parts.begin_thought();
                self.state = State::Reasoning(EndingSearch::new(close.to_string()));
                return Some(text.len());
            }
            Opening::Thought { .. } if self.mention.is_some() => return Some(self.refuse()),
            Opening::Dropped(DropCondition::Apart) if !self.had_marker && self.parts.has_text() => {}
            Opening::Dropped(DropCondition::AfterMarker) if !self.had_marker => return Some(self.refuse()),
            Opening::Dropped(DropCondition::AfterThought) if !self.parts.follows_thought() => {
                return Some(self.refuse());
            }
            Opening::Dropped(_) => {
                self.had_marker = true;
                self.state = State::Plain;
                return Some(text.len());
            }
            _ => {}
        }
        let Some(candidate) = Candidate::new(opening, text, context) else { return Some(self.refuse()) };
        self.state = State::Candidate(Box::new(candidate));
        Some(0)
    }

    /// Drops surplus brackets and the separators between two calls.
    fn after_object(&mut self, text: &str) -> Option<usize> {
        let rest = text.trim_start();
        let after = rest.trim_start_matches(['}', ']']);
        if after.len() < rest.len() && text.len() - rest.len() < LONGEST_SEPARATOR {
            return Some(text.len() - after.len());
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
            Verdict::No => return Some(self.refuse()),
            Verdict::Text => self.add_text(&text[..end]),
            Verdict::Read(interpretation) => {
                let is_object = candidate.is_object(&interpretation);
                self.take(interpretation, &text[..end]);
                self.state = if is_object { State::AfterObject } else { State::Plain };
                return Some(end);
            }
            Verdict::Thought(ending) => {
                self.had_marker = true;
                self.parts.begin_thought();
                self.state = State::Reasoning(ending);
                return Some(end);
            }
            Verdict::StillThought(ending) => {
                self.parts.add_thought(candidate.marker_within_thought().unwrap_or_default());
                self.parts.add_thought(&text[..end]);
                self.state = State::Reasoning(ending);
                return Some(end);
            }
            Verdict::InlineThought(thought) => {
                self.parts.begin_thought();
                self.parts.add_thought(&text[thought]);
                self.parts.end_thought();
                self.line = MarkdownLine::after_thought();
            }
            Verdict::Mention(ending) => {
                self.mention = ending;
                self.add_text(&text[..end]);
            }
        }
        self.state = State::Plain;
        Some(end)
    }

    /// Rejects a candidate. The held text is read again, since something may begin after its first character.
    fn refuse(&mut self) -> usize {
        self.state = State::Refused;
        0
    }

    /// Reads the end of the reply, which may be the beginning of a marker.
    fn cut_marker(&self, text: &str, context: CandidateContext) -> Interpretation {
        if !context.is_apart() {
            Interpretation::Text
        } else if self.vocabulary.begins_call_marker(text) {
            Interpretation::cut_off("the tool")
        } else if self.vocabulary.begins_other_marker(text) {
            Interpretation::Parts(Vec::new())
        } else {
            Interpretation::Text
        }
    }

    /// Reads a thought up to its closing marker.
    fn reasoning(&mut self, text: &str) -> usize {
        let State::Reasoning(ending) = &mut self.state else { return 0 };
        if ending.begun().is_empty() {
            let thought = ending.clear_of(text);
            if thought > 0 {
                self.parts.add_thought(&text[..thought]);
                return thought;
            }
        }
        let Some(next) = text.chars().next() else { return 0 };
        if let Some(which) = ending.pass(next, |thought| self.parts.add_thought(thought)) {
            self.parts.end_thought();
            self.line = MarkdownLine::after_thought();
            self.state = match MessageHeader::marker(which) {
                Some(marker) => State::Candidate(Box::new(Candidate::within_thought(marker))),
                None => State::Plain,
            };
        }
        next.len_utf8()
    }

    /// Adds the parts of a text that has been interpreted.
    fn take(&mut self, interpretation: Interpretation, text: &str) {
        match interpretation {
            Interpretation::Text => self.add_text(text),
            Interpretation::Flawed(why) => {
                self.had_marker = true;
                self.line.pass(text);
                self.parts.add_flawed(text, why);
            }
            Interpretation::Parts(parts) if self.mention.is_some() && !names(&parts).is_empty() => {
                self.line.pass(text);
                let why = format!(
                    "the call of {} stands behind the opening of a thought, and a thought calls nothing; close it, and \
                     make the whole call again",
                    names(&parts).join(", "),
                );
                self.parts.add_flawed(text, why);
            }
            Interpretation::Parts(parts) => {
                self.had_marker = true;
                let spoken = self.parts.add_calls(parts, self.line.previous());
                self.line.pass_call(spoken);
            }
        }
    }

    fn add_text(&mut self, text: &str) {
        self.line.pass(text);
        self.parts.add_text(text);
    }

    /// Checks the text for the closing marker of a thought that may have been opened.
    fn pass_mention(&mut self, text: &str) {
        if let Some(ending) = &mut self.mention
            && text.chars().any(|next| ending.feed(next).is_some())
        {
            self.mention = None;
        }
    }
}

/// Returns the names of the called tools.
fn names(parts: &[ReplyPart]) -> Vec<&str> {
    let mut names = Vec::new();
    for part in parts {
        if let ReplyPart::Call(call) = part {
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
