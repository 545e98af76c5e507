//! The personality in the prompt. The text changes rarely, as every change invalidates the model's cache.

use protocol::Dimension;

use crate::state::{DIMENSIONS, PersonalityState};
use crate::tone_level::{Tone, ToneLevel};

/// Returns the tone of a state. It stays the same while no value moves by more than [`HYSTERESIS`](crate::HYSTERESIS) beyond the level
/// last recorded with [`PersonalityState::showed`].
pub fn tone(state: &PersonalityState) -> Tone {
    let levels = DIMENSIONS.map(|dimension| {
        let current = state.dimension(dimension);
        current.shown.held(current.value)
    });
    let said =
        DIMENSIONS.into_iter().zip(levels).filter_map(|(dimension, level)| words(dimension, level, levels));
    Tone { text: said.collect::<Vec<_>>().join(" "), levels }
}

/// Returns the instruction for a level. Contradictions are left out: a short answer cannot go deep, and jokes do not
/// suit a user in need.
fn words(dimension: Dimension, level: ToneLevel, levels: [ToneLevel; 8]) -> Option<&'static str> {
    let other = |wanted| {
        DIMENSIONS.into_iter().zip(levels).find(|(found, _)| *found == wanted).map(|(_, level)| level)
    };
    match dimension {
        Dimension::Depth
            if level > ToneLevel::Neutral && other(Dimension::Verbosity) < Some(ToneLevel::Neutral) =>
        {
            Some("Be exact.")
        }
        Dimension::Humor | Dimension::Energy
            if level > ToneLevel::Neutral && other(Dimension::SupportNeed) == Some(ToneLevel::VeryHigh) =>
        {
            None
        }
        _ => sentence(dimension, level),
    }
}

fn sentence(dimension: Dimension, level: ToneLevel) -> Option<&'static str> {
    use ToneLevel::{High, Low, Neutral, VeryHigh, VeryLow};
    Some(match (dimension, level) {
        (_, Neutral) => return None,
        (Dimension::Mood, VeryLow) => "You feel a little sad today.",
        (Dimension::Mood, Low) => "You are in a thoughtful mood.",
        (Dimension::Mood, High) => "You are in a good mood.",
        (Dimension::Mood, VeryHigh) => "You are very happy, and it shows.",
        (Dimension::Energy, VeryLow) => "You are tired: speak softly and slowly.",
        (Dimension::Energy, Low) => "Be calm.",
        (Dimension::Energy, High) => "Be lively.",
        (Dimension::Energy, VeryHigh) => "Be full of energy and enthusiasm.",
        (Dimension::Formality, VeryLow) => "Talk casually, like a close friend.",
        (Dimension::Formality, Low) => "Use casual words.",
        (Dimension::Formality, High) => "Use polite words.",
        (Dimension::Formality, VeryHigh) => "Write formally, without slang or contractions.",
        (Dimension::Humor, VeryLow) => "Do not joke.",
        (Dimension::Humor, Low) => "Be serious most of the time.",
        (Dimension::Humor, High) => "Use some light humor.",
        (Dimension::Humor, VeryHigh) => "Be playful and joke often.",
        (Dimension::SupportNeed, VeryLow) => "Be direct and honest; do not comfort the user.",
        (Dimension::SupportNeed, Low) => "Be practical.",
        (Dimension::SupportNeed, High) => "Be warm and encouraging.",
        (Dimension::SupportNeed, VeryHigh) => "The user has a hard time: listen and comfort first.",
        (Dimension::Verbosity, VeryLow) => "Answer in one or two short sentences.",
        (Dimension::Verbosity, Low) => "Keep your answers short.",
        (Dimension::Verbosity, High) => "Give full answers.",
        (Dimension::Verbosity, VeryHigh) => "Give long and complete answers.",
        (Dimension::Depth, VeryLow) => "Explain only the basics, in simple words.",
        (Dimension::Depth, Low) => "Use simple words.",
        (Dimension::Depth, High) => "Explain the reasons too.",
        (Dimension::Depth, VeryHigh) => "Explain in depth, with reasons and examples.",
        (Dimension::QuestionFrequency, VeryLow) => "Do not ask the user questions.",
        (Dimension::QuestionFrequency, Low) => "Ask questions only when you must.",
        (Dimension::QuestionFrequency, High) => "Ask a question now and then.",
        (Dimension::QuestionFrequency, VeryHigh) => "Be curious: end with a question.",
    })
}

#[cfg(test)]
#[path = "tone_tests.rs"]
mod tests;
