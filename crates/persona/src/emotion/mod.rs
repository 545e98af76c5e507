//! Emotion of the companion's sentences, which drives the avatar's face, body and voice.
//!
//! [`feelings`] adds two learned parts: the sentence's words and word pairs, and its embedding, if there is one. Each
//! is a table of small numbers, so a sentence takes microseconds. The words alone are nearly as good as both.
//!
//! The weights are learned by `training/emotion.py` from GoEmotions (Demszky et al. 2020, Apache-2.0), Reddit comments
//! labelled with Ekman's six emotions and neutral, and from some sentences of a companion. A negation weakens an
//! emotion more than it reverses it: by its words alone, “I am not happy” is still, barely, read as joy.

mod gesture;
mod scanner;
mod sentences;
mod weights;
mod words;

use protocol::Expression;
use serde::Serialize;

pub use gesture::gesture;
pub use sentences::{SentenceReader, sentences};

use weights::{ClassifierHead, Scores};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Emotion {
    Joy,
    Sadness,
    Anger,
    Disgust,
    Surprise,
    Fear,
    Neutral,
}

impl Emotion {
    /// All emotions in the order of the weights.
    pub const ALL: [Self; 7] =
        [Self::Joy, Self::Sadness, Self::Anger, Self::Disgust, Self::Surprise, Self::Fear, Self::Neutral];

    /// Returns the matching expression among those that every avatar has.
    pub fn expression(self) -> Expression {
        match self {
            Self::Joy => Expression::Happy,
            Self::Sadness => Expression::Sad,
            Self::Anger | Self::Disgust => Expression::Angry,
            Self::Surprise | Self::Fear => Expression::Surprised,
            Self::Neutral => Expression::Neutral,
        }
    }
}

/// The probability of each emotion; all seven add up to one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Feelings {
    pub joy: f32,
    pub sadness: f32,
    pub anger: f32,
    pub disgust: f32,
    pub surprise: f32,
    pub fear: f32,
    pub neutral: f32,
}

impl Feelings {
    pub fn of(&self, emotion: Emotion) -> f32 {
        match emotion {
            Emotion::Joy => self.joy,
            Emotion::Sadness => self.sadness,
            Emotion::Anger => self.anger,
            Emotion::Disgust => self.disgust,
            Emotion::Surprise => self.surprise,
            Emotion::Fear => self.fear,
            Emotion::Neutral => self.neutral,
        }
    }

    /// Returns the most likely emotion and its probability.
    pub fn strongest(&self) -> (Emotion, f32) {
        let all = Emotion::ALL.map(|emotion| (emotion, self.of(emotion)));
        all.into_iter().max_by(|left, right| left.1.total_cmp(&right.1)).unwrap_or((Emotion::Neutral, 0.0))
    }

    /// Converts scores to probabilities (softmax).
    fn from_scores(scores: Scores) -> Self {
        let highest = scores.into_iter().fold(f32::NEG_INFINITY, f32::max);
        let grown = scores.map(|score| (score - highest).exp());
        let all: f32 = grown.iter().sum();
        let [joy, sadness, anger, disgust, surprise, fear, neutral] = grown.map(|number| number / all);
        Self { joy, sadness, anger, disgust, surprise, fear, neutral }
    }
}

/// The embedding of a sentence, by model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Vector<'a> {
    /// all-MiniLM-L6-v2, 384 dimensions.
    MiniLm(&'a [f32]),
    /// wordllama, 256 dimensions.
    WordLlama(&'a [f32]),
}

impl<'a> Vector<'a> {
    /// Selects the variant by the model's name in the catalogue; `None` for models without learned weights.
    pub fn named(model: &str, numbers: &'a [f32]) -> Option<Self> {
        match model {
            "all-minilm-l6-v2" => Some(Self::MiniLm(numbers)),
            "wordllama-256" => Some(Self::WordLlama(numbers)),
            _ => None,
        }
    }
}

/// Classifies one sentence. A vector with the wrong length or with non-finite values is ignored.
pub fn feelings(sentence: &str, vector: Option<Vector<'_>>) -> Feelings {
    let marks = words::marks(sentence);
    let (head, numbers) = match vector {
        Some(Vector::MiniLm(numbers)) => (ClassifierHead::MiniLm, numbers),
        Some(Vector::WordLlama(numbers)) => (ClassifierHead::WordLlama, numbers),
        None => (ClassifierHead::Words, &[][..]),
    };
    let scores = weights::scores(&marks, head, numbers);
    Feelings::from_scores(
        scores.unwrap_or_else(|| weights::scores(&marks, ClassifierHead::Words, &[]).unwrap_or_default()),
    )
}

#[cfg(test)]
#[path = "emotion_tests.rs"]
mod tests;
