//! The levels of the dimensions in the prompt.

use serde::{Deserialize, Serialize};

/// The distance by which a value must pass its level's border before the text changes.
pub const HYSTERESIS: f64 = 0.03;

/// The borders between the five levels.
const BORDERS: [f64; 4] = [0.24, 0.40, 0.60, 0.76];

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ToneLevel {
    VeryLow,
    Low,
    /// Adds nothing to the prompt.
    #[default]
    Neutral,
    High,
    VeryHigh,
}

/// The prompt's text about the personality; empty if all dimensions are neutral.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tone {
    pub text: String,
    /// The level of each of [`DIMENSIONS`], in that order.
    pub levels: [ToneLevel; 8],
}

impl ToneLevel {
    pub(crate) const ALL: [Self; 5] = [Self::VeryLow, Self::Low, Self::Neutral, Self::High, Self::VeryHigh];

    pub fn of(value: f64) -> Self {
        Self::ALL[BORDERS.iter().filter(|border| value >= **border).count()]
    }

    /// Returns the level of a value that was last shown as `self`.
    pub(crate) fn held(self, value: f64) -> Self {
        let near = [Self::of(value - HYSTERESIS), Self::of(value + HYSTERESIS)];
        if near[0] <= self && self <= near[1] { self } else { Self::of(value) }
    }
}
