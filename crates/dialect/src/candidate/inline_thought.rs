//! A thought marker within a line, which may open a thought or be mentioned in a sentence.
//!
//! `Let me see. <think>…</think> Done.` and `The tag <think> opens a thought.` begin alike. Running a call that was
//! only considered is worse than not running an intended one, so no call after such a marker is made before the closing
//! marker; the model is told and can repeat the call. Hiding an answer is worse than showing a thought, so a thought is
//! hidden only if it is closed.

use std::sync::Arc;

use super::context::{CandidateContext, closing_quote, continues_sentence};
use super::verdict::Verdict;
use crate::ending::EndingSearch;
use crate::interpretation::Interpretation;

/// A text after the opening marker of a thought within a line.
#[derive(Debug)]
pub struct InlineThought {
    close: Arc<str>,
    /// The position where the thought begins.
    start: usize,
    context: CandidateContext,
    /// The search for the closing marker. `None` while the text may still be a sentence.
    ending: Option<EndingSearch>,
}

impl InlineThought {
    pub fn new(close: Arc<str>, start: usize, context: CandidateContext) -> Self {
        Self { close, start, context, ending: None }
    }

    pub fn start(&self) -> usize {
        self.start
    }

    pub fn ending(&self) -> EndingSearch {
        EndingSearch::new(self.close.to_string())
    }

    /// Takes the next character. `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char) -> Verdict {
        if self.ending.is_none() {
            if self.context.previous.and_then(closing_quote) == Some(next) {
                return Verdict::Mention(None);
            }
            let is_sentence = self.context.last_visible.is_some_and(continues_sentence);
            if is_sentence && !matches!(next, '\n' | '\r') {
                return Verdict::Mention(Some(self.ending()));
            }
            self.ending = Some(self.ending());
        }
        let ended = self.ending.as_mut().and_then(|ending| ending.feed(next));
        match ended {
            Some(_) => Verdict::InlineThought(self.start..text.len() - self.close.len()),
            None => Verdict::Undecided,
        }
    }

    /// Reads an unclosed candidate: an opening marker at the very end of the reply is dropped; everything else is text.
    pub fn finish(&self, text: &str) -> (Interpretation, usize) {
        let is_sentence = self.context.last_visible.is_some_and(continues_sentence);
        if text.len() == self.start && !is_sentence {
            (Interpretation::Parts(Vec::new()), self.start)
        } else {
            (Interpretation::Text, self.start)
        }
    }
}
