//! Calls in fences of certain names, for models that write them so.

use super::Verdict;
use super::sequence;
use crate::Vocabulary;
use crate::reading::Reading;

/// The line that opens such a fence is not longer.
const LONGEST_OPENING: usize = 40;

#[derive(Debug, Default)]
pub struct Fence {
    /// The marks that opened it, once its first line is read: how many, and where its content begins.
    open: Option<(usize, usize)>,
    /// Where the line begins that is being read.
    line: usize,
}

impl Fence {
    /// `text` is everything so far.
    pub fn feed(&mut self, text: &str, vocabulary: &Vocabulary) -> Verdict {
        let Some((marks, content)) = self.open else { return self.opening(text, vocabulary) };
        if !text.ends_with('\n') {
            return Verdict::Undecided;
        }
        if closes(&text[self.line..], marks) {
            return Verdict::Read(read(&text[content..self.line], vocabulary));
        }
        self.line = text.len();
        Verdict::Undecided
    }

    /// What it is when nothing follows.
    pub fn finish(self, text: &str, vocabulary: &Vocabulary) -> Reading {
        match self.open {
            Some((marks, content)) if closes(&text[self.line..], marks) => {
                read(&text[content..self.line], vocabulary)
            }
            _ => Reading::Text,
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

fn closes(line: &str, marks: usize) -> bool {
    let line = line.trim();
    line.len() >= marks && line.bytes().all(|mark| mark == b'`')
}
