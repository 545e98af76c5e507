//! A thought that begins in the middle of a line, or a sentence about thoughts.
//!
//! `Let me see. <think>…</think> Done.` and `The tag <think> opens a thought.` begin alike. To run what was only thought
//! is worse than not to run what was meant, so no call behind either is made before the mark that closes a thought; its
//! model is told, and can make it again. To hide an answer is worse than to show a thought, so one is hidden only if it
//! is closed.

use std::sync::Arc;

use super::{Place, Verdict, closing_quote};
use crate::ending::Ending;
use crate::reading::Reading;

#[derive(Debug)]
pub struct Aside {
    close: Arc<str>,
    /// Where the thought begins.
    start: usize,
    place: Place,
    /// Once it is no sentence.
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

    /// `text` is everything so far, with `next` at its end.
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

    /// Reads it where nothing closes it: as words, if there are any, and a thought that was not begun otherwise.
    pub fn finish(&self, text: &str) -> (Reading, usize) {
        let is_sentence = self.place.behind.is_some_and(goes_on);
        if text.len() == self.start && !is_sentence {
            (Reading::Pieces(Vec::new()), self.start)
        } else {
            (Reading::Text, self.start)
        }
    }
}

/// Whether a sentence goes on behind a character.
pub fn goes_on(last: char) -> bool {
    last.is_alphanumeric()
        || matches!(last, ',' | ':' | '(' | '/' | '&' | '+' | '*' | '_')
        || closing_quote(last).is_some()
}
