//! A thought marker within a line, which may open a thought or be mentioned in a sentence.
//!
//! `Let me see. <think>…</think> Done.` and `The tag <think> opens a thought.` begin alike. Running a call that was
//! only thought is worse than not running one that was meant, so no call after such a marker is made before the closing
//! marker; the model is told and can repeat the call. Hiding an answer is worse than showing a thought, so a thought is
//! hidden only if it is closed.

use std::sync::Arc;

use super::{Place, Verdict, closing_quote};
use crate::ending::Ending;
use crate::reading::Reading;

/// A marker within a line that may open a thought.
#[derive(Debug)]
pub struct Aside {
    close: Arc<str>,
    /// The position where the thought begins.
    start: usize,
    place: Place,
    /// The search for the closing marker. `None` while the text may still be a sentence.
    ending: Option<Ending>,
}

impl Aside {
    pub fn new(close: Arc<str>, start: usize, place: Place) -> Self {
        Self { close, start, place, ending: None }
    }

    pub fn start(&self) -> usize {
        self.start
    }

    pub fn ending(&self) -> Ending {
        Ending::new(self.close.to_string())
    }

    /// Takes the next character. `text` is everything so far, with `next` at its end.
    pub fn feed(&mut self, text: &str, next: char) -> Verdict {
        if self.ending.is_none() {
            if self.place.previous.and_then(closing_quote) == Some(next) {
                return Verdict::Mention(None);
            }
            let is_sentence = self.place.behind.is_some_and(goes_on);
            if is_sentence && !matches!(next, '\n' | '\r') {
                return Verdict::Mention(Some(self.ending()));
            }
            self.ending = Some(self.ending());
        }
        let ended = self.ending.as_mut().and_then(|ending| ending.feed(next));
        match ended {
            Some(_) => Verdict::Aside(self.start..text.len() - self.close.len()),
            None => Verdict::Undecided,
        }
    }

    /// Reads the candidate if it is not closed: text as text, and an opening marker at the end of the reply as nothing.
    pub fn finish(&self, text: &str) -> (Reading, usize) {
        let is_sentence = self.place.behind.is_some_and(goes_on);
        if text.len() == self.start && !is_sentence {
            (Reading::Pieces(Vec::new()), self.start)
        } else {
            (Reading::Text, self.start)
        }
    }
}

/// Returns true if a sentence may continue after this character.
pub fn goes_on(last: char) -> bool {
    last.is_alphanumeric()
        || matches!(last, ',' | ':' | '(' | '/' | '&' | '+' | '*' | '_')
        || closing_quote(last).is_some()
}
