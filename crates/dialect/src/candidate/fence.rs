//! Calls in code fences with certain names, for models that write them so.

use super::Verdict;
use super::sequence;
use crate::Vocabulary;
use crate::reading::Reading;

/// The maximum length of the opening line, in bytes.
const LONGEST_OPENING: usize = 40;
/// The maximum length of the closing line, in bytes.
const LONGEST_CLOSING: usize = 200;

/// A code fence that may contain calls.
#[derive(Debug, Default)]
pub struct Fence {
    /// The number of opening backticks and the start of the content. `None` until the first line has been read.
    open: Option<(usize, usize)>,
    /// The start of the current line.
    line: usize,
    /// The position after the closing backticks.
    end: usize,
}

impl Fence {
    /// Returns the position after the last character of the fence, once it has been read.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Continues reading. `text` is everything so far.
    pub fn feed(&mut self, text: &str, vocabulary: &Vocabulary) -> Verdict {
        let Some((marks, content)) = self.open else { return self.opening(text, vocabulary) };
        let is_over = text.ends_with('\n');
        let closing = after_marks(&text[self.line..], marks)
            .filter(|rest| is_over && rest.is_empty() || vocabulary.ends().has(rest));
        if let Some(rest) = closing {
            self.end = text.len() - rest.len();
            return Verdict::Read(read(&text[content..self.line], vocabulary));
        }
        if is_over {
            self.line = text.len();
        }
        Verdict::Undecided
    }

    /// Reads the fence at the end of the reply. Returns the reading and its end.
    pub fn finish(self, text: &str, vocabulary: &Vocabulary) -> (Reading, usize) {
        let closing = self.open.and_then(|open| Some((open, after_marks(&text[self.line..], open.0)?)));
        match closing {
            Some(((_, content), rest)) if vocabulary.ends().leads(rest) => {
                (read(&text[content..self.line], vocabulary), text.len() - rest.len())
            }
            _ => (Reading::Text, text.len()),
        }
    }

    fn opening(&mut self, text: &str, vocabulary: &Vocabulary) -> Verdict {
        let info = text.trim_start_matches('`');
        let marks = text.len() - info.len();
        let named = info.trim();
        if text.len() > LONGEST_OPENING || (marks < 3 && !info.is_empty()) {
            return Verdict::No;
        }
        if !text.ends_with('\n') {
            let open = vocabulary.fences().iter().any(|known| known.starts_with(named));
            return if open { Verdict::Undecided } else { Verdict::No };
        }
        if !vocabulary.fences().iter().any(|known| known == named) {
            return Verdict::No;
        }
        self.open = Some((marks, text.len()));
        self.line = text.len();
        Verdict::Undecided
    }
}

/// Reads the content. Unreadable content counts as a flawed call only if it names a tool, since other data may have
/// errors of its own.
fn read(content: &str, vocabulary: &Vocabulary) -> Reading {
    match sequence::read(content, vocabulary) {
        Reading::Flawed(_) if !vocabulary.is_named_in(content) => Reading::Text,
        reading => reading,
    }
}

/// Returns the rest of a line after the closing backticks of a fence.
fn after_marks(line: &str, marks: usize) -> Option<&str> {
    if line.len() > LONGEST_CLOSING {
        return None;
    }
    let line = line.trim_start();
    let rest = line.trim_start_matches('`');
    (line.len() - rest.len() >= marks).then(|| rest.trim_start())
}
