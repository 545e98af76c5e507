//! Calls in code fences with certain names, for models that write calls there.

use super::sequence;
use super::verdict::Verdict;
use crate::interpretation::Interpretation;
use crate::vocabulary::ReplyVocabulary;

/// The maximum length of the opening line, in bytes.
const LONGEST_OPENING: usize = 40;
/// The maximum length of the closing line, in bytes.
const LONGEST_CLOSING: usize = 200;

/// A code fence that may contain only calls.
#[derive(Debug, Default)]
pub struct FencedCalls {
    /// The number of opening backticks and the start of the content. `None` until the first line has been read.
    open: Option<(usize, usize)>,
    /// The start of the current line.
    line: usize,
    /// The position after the closing backticks.
    end: usize,
}

impl FencedCalls {
    /// Returns the position after the last character of the fence, once it has been read.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Continues after the next character. `text` is everything so far.
    pub fn feed(&mut self, text: &str, vocabulary: &ReplyVocabulary) -> Verdict {
        let Some((backticks, content)) = self.open else { return self.opening(text, vocabulary) };
        let is_over = text.ends_with('\n');
        let closing = after_backticks(&text[self.line..], backticks)
            .filter(|after| is_over && after.is_empty() || vocabulary.turn_ends().has(after));
        if let Some(after) = closing {
            self.end = text.len() - after.len();
            return Verdict::Read(read(&text[content..self.line], vocabulary));
        }
        if is_over {
            self.line = text.len();
        }
        Verdict::Undecided
    }

    /// Reads the fence at the end of the reply. Returns the interpretation and its end.
    pub fn finish(self, text: &str, vocabulary: &ReplyVocabulary) -> (Interpretation, usize) {
        let closing = self.open.and_then(|open| Some((open, after_backticks(&text[self.line..], open.0)?)));
        match closing {
            Some(((_, content), after)) if vocabulary.turn_ends().leads(after) => {
                (read(&text[content..self.line], vocabulary), text.len() - after.len())
            }
            _ => (Interpretation::Text, text.len()),
        }
    }

    fn opening(&mut self, text: &str, vocabulary: &ReplyVocabulary) -> Verdict {
        let info = text.trim_start_matches('`');
        let backticks = text.len() - info.len();
        let named = info.trim();
        if text.len() > LONGEST_OPENING || (backticks < 3 && !info.is_empty()) {
            return Verdict::No;
        }
        if !text.ends_with('\n') {
            let open = vocabulary.fences().iter().any(|known| known.starts_with(named));
            return if open { Verdict::Undecided } else { Verdict::No };
        }
        if !vocabulary.fences().iter().any(|known| known == named) {
            return Verdict::No;
        }
        self.open = Some((backticks, text.len()));
        self.line = text.len();
        Verdict::Undecided
    }
}

/// Reads the content. Unreadable content counts as a flawed call only if it names a tool, since other data may have
/// errors of its own.
fn read(content: &str, vocabulary: &ReplyVocabulary) -> Interpretation {
    match sequence::read(content, vocabulary) {
        Interpretation::Flawed(_) if !vocabulary.is_named_in(content) => Interpretation::Text,
        interpretation => interpretation,
    }
}

/// Returns the rest of a line after the closing backticks of a fence.
fn after_backticks(line: &str, backticks: usize) -> Option<&str> {
    if line.len() > LONGEST_CLOSING {
        return None;
    }
    let line = line.trim_start();
    let after = line.trim_start_matches('`');
    (line.len() - after.len() >= backticks).then(|| after.trim_start())
}
