//! From what the user wrote to how they feel and what they want, without a model.

mod cues;
mod lexicon;
mod own_words;
mod phrase;
mod sentiment;
mod style_words;
mod wishes;

use protocol::Dimension;

use own_words::OwnWords;

/// Something that shows in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cue {
    Laughter,
    Thanks,
    Praise,
    /// With her, or with an answer.
    Irritation,
    /// Grief, fear, loneliness, a hard time.
    Distress,
    /// The user may be in danger.
    Crisis,
    Tired,
    Slang,
    /// Polite or formal address.
    Courtesy,
    /// The user asks for reasons.
    Curiosity,
    /// The user asks to be told a joke, or to be made to laugh.
    JokeWanted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    Down,
    Up,
}

impl Direction {
    pub(crate) fn reversed(self) -> Self {
        match self {
            Self::Down => Self::Up,
            Self::Up => Self::Down,
        }
    }
}

/// What the user says about how she should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wish {
    pub dimension: Dimension,
    pub direction: Direction,
}

/// What a message shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Signals {
    /// From -1, miserable, to 1, delighted.
    pub valence: f32,
    /// From 0, calm, to 1, beside oneself.
    pub arousal: f32,
    /// Each at most once, sorted.
    pub cues: Vec<Cue>,
    /// At most one for a dimension, sorted.
    pub wishes: Vec<Wish>,
    /// How many words are the user's own: not quoted, and not code.
    pub words: usize,
}

impl Signals {
    pub fn shows(&self, cue: Cue) -> bool {
        self.cues.contains(&cue)
    }
}

/// Reads a message. Quotations and code in it are somebody else's words and say nothing about the user. Of a very
/// long one, the beginning and the end are read. Time is linear in its length.
pub fn read(message: &str) -> Signals {
    let own = OwnWords::of(message);
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
