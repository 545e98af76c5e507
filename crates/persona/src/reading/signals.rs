//! The content of a message that affects the personality.

use protocol::Dimension;

/// Something that a message shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cue {
    Laughter,
    Thanks,
    Praise,
    /// Irritation with the companion or with an answer.
    Irritation,
    /// Grief, fear, loneliness or hardship.
    Distress,
    /// The user may be in danger.
    Crisis,
    Tired,
    Slang,
    /// Polite or formal language.
    Courtesy,
    /// The user asks for reasons.
    Curiosity,
    /// The user asks for a joke or to be made to laugh.
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

/// A wish of the user about the companion's personality.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Wish {
    pub dimension: Dimension,
    pub direction: Direction,
}

/// The content of a message that affects the personality.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Signals {
    /// The valence, from -1, miserable, to 1, delighted.
    pub valence: f32,
    /// The arousal, from 0, calm, to 1, extremely excited.
    pub arousal: f32,
    /// The cues, sorted and without duplicates.
    pub cues: Vec<Cue>,
    /// The wishes, sorted, at most one per dimension.
    pub wishes: Vec<Wish>,
    /// The number of the user's own words, excluding quotations and code.
    pub words: usize,
}

impl Signals {
    pub fn shows(&self, cue: Cue) -> bool {
        self.cues.contains(&cue)
    }
}
