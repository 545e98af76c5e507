const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";
const FENCE: &str = "```";

/// A part of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Said to the user, as Markdown.
    Text(String),
    /// Thought, and shown folded. It never acts.
    Reasoning(String),
}

/// Tells text and reasoning apart in a stream of characters.
///
/// Reasoning stands between `<think>` and `</think>`, where the opening is at the start of a line outside of
/// a code fence: an answer *about* the tag shows it. White space around reasoning belongs to neither part.
#[derive(Debug, Default)]
pub struct Parser {
    held: String,
    state: State,
    in_fence: bool,
    said_anything: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    /// Nothing of this line was passed on yet.
    #[default]
    LineStart,
    MidLine,
    Reasoning,
    /// White space after reasoning is dropped.
    AfterReasoning,
}

/// What the parser can do with what it holds.
enum Move {
    /// This many bytes are decided: they are text, reasoning or nothing, by the state that they were read in.
    Take(usize, State),
    Skip(usize, State),
    Wait,
}

impl Parser {
    /// Takes the next characters and gives back the parts that are decided.
    pub fn push(&mut self, characters: &str) -> Vec<Piece> {
        self.held.push_str(characters);
        self.advance(false)
    }

    /// The rest, at the end of the reply.
    pub fn finish(mut self) -> Vec<Piece> {
        let mut pieces = self.advance(true);
        let rest = std::mem::take(&mut self.held);
        self.emit(rest, &mut pieces);
        pieces
    }

    fn advance(&mut self, at_end: bool) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let held = std::mem::take(&mut self.held);
        let mut rest = held.as_str();
        while !rest.is_empty() {
            match self.next_move(rest, at_end) {
                Move::Take(bytes, state) => {
                    let (taken, left) = rest.split_at(bytes);
                    self.emit(taken.to_owned(), &mut pieces);
                    (self.state, rest) = (state, left);
                }
                Move::Skip(bytes, state) => (self.state, rest) = (state, &rest[bytes..]),
                Move::Wait => break,
            }
        }
        rest.clone_into(&mut self.held);
        pieces
    }

    fn next_move(&mut self, rest: &str, at_end: bool) -> Move {
        match self.state {
            State::LineStart => self.line_start(rest, at_end),
            State::MidLine => match rest.find('\n') {
                Some(newline) => Move::Take(newline + 1, State::LineStart),
                None => Move::Take(rest.len(), State::MidLine),
            },
            State::Reasoning => match rest.find(CLOSE) {
                Some(0) => Move::Skip(CLOSE.len(), State::AfterReasoning),
                Some(close) => Move::Take(close, State::Reasoning),
                None => match rest.len() - begun(rest, CLOSE) {
                    0 if at_end => Move::Take(rest.len(), State::Reasoning),
                    0 => Move::Wait,
                    decided => Move::Take(decided, State::Reasoning),
                },
            },
            State::AfterReasoning => match rest.len() - rest.trim_start().len() {
                0 => Move::Skip(0, State::LineStart),
                white => Move::Skip(white, State::AfterReasoning),
            },
        }
    }

    fn line_start(&mut self, rest: &str, at_end: bool) -> Move {
        let inner = rest.trim_start_matches([' ', '\t']);
        let indent = rest.len() - inner.len();
        // Before the first word, blank lines may still turn out to stand before reasoning.
        let opening = if self.said_anything { inner } else { rest.trim_start() };
        let undecided = |text: &str, tag: &str| tag.starts_with(text) && text.len() < tag.len();
        if !self.in_fence && opening.starts_with(OPEN) {
            return Move::Skip(rest.len() - opening.len() + OPEN.len(), State::Reasoning);
        }
        if inner.starts_with(FENCE) {
            self.in_fence = !self.in_fence;
            return Move::Take(indent + FENCE.len(), State::MidLine);
        }
        if !at_end && ((!self.in_fence && undecided(opening, OPEN)) || undecided(inner, FENCE)) {
            return Move::Wait;
        }
        if inner.starts_with('\n') {
            return Move::Take(indent + 1, State::LineStart);
        }
        Move::Take(indent + inner.chars().next().map_or(0, char::len_utf8), State::MidLine)
    }

    fn emit(&mut self, text: String, pieces: &mut Vec<Piece>) {
        if text.is_empty() {
            return;
        }
        if self.state == State::Reasoning {
            match pieces.last_mut() {
                Some(Piece::Reasoning(last)) => last.push_str(&text),
                _ => pieces.push(Piece::Reasoning(text)),
            }
        } else {
            self.said_anything |= !text.trim().is_empty();
            match pieces.last_mut() {
                Some(Piece::Text(last)) => last.push_str(&text),
                _ => pieces.push(Piece::Text(text)),
            }
        }
    }
}

/// How many bytes at the end of `text` could be the beginning of `tag`.
fn begun(text: &str, tag: &str) -> usize {
    (1..tag.len()).rev().find(|&bytes| text.ends_with(&tag[..bytes])).unwrap_or(0)
}

#[cfg(test)]
#[path = "parser_tests.rs"]
mod tests;
