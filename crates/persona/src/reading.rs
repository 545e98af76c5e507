//! Reads the user's feelings and wishes from a message, without a model.

mod cues;
mod lexicon;
mod phrase;
mod sentiment;
mod signals;
mod style_words;
mod user_words;
mod wishes;

pub use signals::{Cue, Direction, Signals, Wish};
use user_words::UserWords;

/// Reads a message. Quotations and code in it are ignored, as they say nothing about the user. Of a very long one, only
/// the beginning and the end are read. Takes time linear in its length.
pub fn read(message: &str) -> Signals {
    let own = UserWords::of(message);
    let mood = sentiment::of(&own);
    let mut cues = cues::of(&own);
    if wishes::asks_for_a_joke(&own) {
        cues.push(Cue::JokeWanted);
    }
    Signals { valence: mood.valence, arousal: mood.arousal, cues, wishes: wishes::of(&own), words: own.count }
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod tests;
