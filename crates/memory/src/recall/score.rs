//! The score of an item for a question, and its parts.

use super::item::ItemPosition;

/// The weights of the parts of a score. Each part has a scale of its own that is the same in every memory, so that the
/// parts can be added without regard to the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScoreWeights {
    pub words: f32,
    /// The similarity of the vectors, blended with an item's neighbours.
    pub meaning: f32,
    pub speaker: f32,
    pub day: f32,
    pub month: f32,
    pub length: f32,
    pub informativeness: f32,
    /// A time is named, if the question asks for one.
    pub time: f32,
    pub recency: f32,
}

impl Default for ScoreWeights {
    fn default() -> Self {
        Self {
            words: 0.8,
            meaning: 1.0,
            speaker: 0.35,
            day: 0.6,
            month: 0.25,
            length: 0.05,
            informativeness: 0.03,
            time: 0.12,
            recency: 0.05,
        }
    }
}

/// The parts of an item's score.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ScoreParts {
    pub words: f32,
    pub meaning: f32,
    pub person: f32,
    pub day: f32,
    /// The informativeness of the item, regardless of the question.
    pub informativeness: f32,
    /// It names a time, and the question asks for one.
    pub time: f32,
    pub recency: f32,
}

impl ScoreParts {
    pub fn score(&self) -> f32 {
        self.content() + self.person + self.day + self.informativeness + self.time + self.recency
    }

    /// Returns the similarity of its content to the question.
    pub fn content(&self) -> f32 {
        self.words + self.meaning
    }
}

/// An item that may be among the best. It holds only what the selection needs, since there may be very many.
pub(super) struct RecallCandidate {
    pub(super) position: ItemPosition,
    pub(super) score: f32,
    pub(super) content: f32,
    pub(super) corrects: bool,
}
