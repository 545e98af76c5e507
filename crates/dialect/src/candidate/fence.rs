//! Calls in fences of certain names, for models that write them so.

use super::Verdict;
use super::sequence;
use crate::Vocabulary;
use crate::reading::Reading;

/// The line that opens such a fence is not longer.
const LONGEST_OPENING: usize = 40;
/// Nor is the line that closes one.
const LONGEST_CLOSING: usize = 200;

#[derive(Debug, Default)]
pub struct Fence {
    /// The marks that opened it, once its first line is read: how many, and where its content begins.
    open: Option<(usize, usize)>,
    /// Where the line begins that is being read.
    line: usize,
    /// Behind the marks that closed it.
    end: usize,
}

impl Fence {
    /// Behind the last character that belongs to it, once it is read.
    pub fn end(&self) -> usize {
        self.end
    }

    /// `text` is everything so far.
    pub fn feed(&mut self, text: &str, vocabulary: &Vocabulary) -> Verdict {
        let Some((marks, content)) = self.open else { return self.opening(text, vocabulary) };
        let is_over = text.ends_with('\n');
        let closing = behind_marks(&text[self.line..], marks)
            .filter(|behind| is_over && behind.is_empty() || vocabulary.ends().has(behind));
        if let Some(behind) = closing {
            self.end = text.len() - behind.len();
            return Verdict::Read(read(&text[content..self.line], vocabulary));
        }
        if is_over {
            self.line = text.len();
        }
        Verdict::Undecided
    }

    /// Reads it at the end of the reply, and says how far it goes.
    pub fn finish(self, text: &str, vocabulary: &Vocabulary) -> (Reading, usize) {
        let closing = self.open.and_then(|open| Some((open, behind_marks(&text[self.line..], open.0)?)));
        match closing {
            Some(((_, content), behind)) if vocabulary.ends().leads(behind) => {
                (read(&text[content..self.line], vocabulary), text.len() - behind.len())
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

/// What cannot be read was meant as a call only if it names a tool: data may have faults of its own.
fn read(content: &str, vocabulary: &Vocabulary) -> Reading {
    match sequence::read(content, vocabulary) {
        Reading::Flawed(_) if !vocabulary.is_named_in(content) => Reading::Text,
        reading => reading,
    }
}

/// The rest of a line behind the marks that close a fence.
fn behind_marks(line: &str, marks: usize) -> Option<&str> {
    if line.len() > LONGEST_CLOSING {
        return None;
    }
    let line = line.trim_start();
    let behind = line.trim_start_matches('`');
    (line.len() - behind.len() >= marks).then(|| behind.trim_start())
}
