//! Checks and normalizes what is written into a fact.

use facts::{Finding, Polarity};

use crate::memory::{MemoryError, Result};

/// The confidence of what a user writes down.
pub(super) const HAND_WRITTEN_CONFIDENCE: f32 = 0.95;
/// The maximum length of a fact in bytes.
pub(super) const LONGEST_FACT: usize = 2_000;
const LONGEST_SUBJECT: usize = 100;

/// Returns the slot and the value that a parsed finding fills today. A past finding fills none.
pub(super) fn slot_and_value(read: Option<&Finding>) -> (Option<String>, String) {
    let holds = |finding: &&Finding| finding.polarity == Polarity::Holds && !finding.is_past();
    let filled = read.filter(holds).and_then(|finding| Some((finding.slot.as_ref()?, &finding.value)));
    filled.map_or_else(Default::default, |(slot, value)| (Some(slot.to_string()), value.clone()))
}

/// Clamps a number to the range 0 to 1; NaN becomes the confidence of
/// what is written by hand.
pub(super) fn clamped(number: f32) -> f32 {
    if number.is_nan() { HAND_WRITTEN_CONFIDENCE } else { number.clamp(0.0, 1.0) }
}

/// Normalizes the subject of a fact: a few words, or empty for the user.
pub(super) fn checked_subject(subject: &str) -> Result<String> {
    let subject = in_one_line(subject);
    if subject.chars().count() > LONGEST_SUBJECT {
        return Err(MemoryError::Invalid(format!("a subject has at most {LONGEST_SUBJECT} characters")));
    }
    Ok(subject)
}

fn in_one_line(text: &str) -> String {
    let is_apart = |letter: char| letter.is_whitespace() || letter.is_control();
    text.split(is_apart).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Normalizes the text of a fact: one line, neither empty nor too long.
pub(crate) fn checked_content(content: &str) -> Result<String> {
    let content = in_one_line(content);
    if content.is_empty() {
        return Err(MemoryError::Invalid("a fact cannot be empty".into()));
    }
    if content.len() > LONGEST_FACT {
        return Err(MemoryError::Invalid(format!(
            "a fact has at most {LONGEST_FACT} characters: write a memory file"
        )));
    }
    Ok(content)
}
