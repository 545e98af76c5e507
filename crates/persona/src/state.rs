use std::collections::BTreeMap;

use jiff::civil::{Date, DateTime};
use protocol::Dimension;
use serde::{Deserialize, Serialize};

use crate::tone_level::{Tone, ToneLevel};

/// The dimensions in the order of display.
pub const DIMENSIONS: [Dimension; 8] = [
    Dimension::Mood,
    Dimension::Energy,
    Dimension::Formality,
    Dimension::Humor,
    Dimension::SupportNeed,
    Dimension::Verbosity,
    Dimension::Depth,
    Dimension::QuestionFrequency,
];

pub const LOWEST: f64 = 0.05;
pub const HIGHEST: f64 = 0.95;

/// The rest value in the middle, which corresponds to the soul files.
pub const REST: f64 = 0.5;

/// The state of one dimension.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DimensionState {
    pub value: f64,
    /// The value that it returns to.
    pub rest: f64,
    /// True if nothing but the user's own choice moves it.
    pub locked: bool,
    /// The level that the prompt's text was last chosen for.
    pub shown: ToneLevel,
    /// The sum of the day's steps.
    pub(crate) moved_today: f64,
    /// The change by decay that has not been reported, as it is too small so far.
    pub(crate) untold: f64,
}

impl Default for DimensionState {
    fn default() -> Self {
        Self {
            value: REST,
            rest: REST,
            locked: false,
            shown: ToneLevel::Neutral,
            moved_today: 0.0,
            untold: 0.0,
        }
    }
}

/// The state of the personality. Stored values out of bounds are corrected when read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored")]
pub struct PersonalityState {
    #[serde(rename = "leanings")]
    pub(crate) dimensions: BTreeMap<Dimension, DimensionState>,
    /// The day of `moved_today`, `messages_today` and `jokes_today`.
    pub(crate) day: Option<Date>,
    pub(crate) messages_today: u32,
    /// The number of requests for a joke on that day.
    pub(crate) jokes_today: u32,
    /// The time up to which the values have decayed towards their rest values.
    #[serde(rename = "settled")]
    pub(crate) decayed_until: Option<DateTime>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Stored {
    #[serde(rename = "leanings")]
    dimensions: BTreeMap<Dimension, DimensionState>,
    day: Option<Date>,
    messages_today: u32,
    jokes_today: u32,
    #[serde(rename = "settled")]
    decayed_until: Option<DateTime>,
}

impl From<Stored> for PersonalityState {
    fn from(stored: Stored) -> Self {
        let Stored { mut dimensions, day, messages_today, jokes_today, decayed_until } = stored;
        for current in dimensions.values_mut() {
            current.value = bounded(current.value);
            current.rest = bounded(current.rest);
            for sum in [&mut current.moved_today, &mut current.untold] {
                *sum = if sum.is_finite() { sum.clamp(-1.0, 1.0) } else { 0.0 };
            }
        }
        Self { dimensions, day, messages_today, jokes_today, decayed_until }
    }
}

/// A change of one dimension with its reason.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PersonalityChange {
    pub dimension: Dimension,
    pub from: f64,
    pub to: f64,
    /// The reason in a few words for the user: “you laughed”.
    pub why: &'static str,
}

impl PersonalityState {
    pub fn dimension(&self, dimension: Dimension) -> DimensionState {
        self.dimensions.get(&dimension).copied().unwrap_or_default()
    }

    pub fn value(&self, dimension: Dimension) -> f64 {
        self.dimension(dimension).value
    }

    pub(crate) fn dimension_mut(&mut self, dimension: Dimension) -> &mut DimensionState {
        self.dimensions.entry(dimension).or_default()
    }

    /// Sets a value chosen by the user, which becomes the rest value, and the prompt follows at once. Applies to locked
    /// dimensions too.
    pub fn choose(&mut self, dimension: Dimension, value: f64) -> Option<PersonalityChange> {
        let current = self.dimension_mut(dimension);
        let (from, to) = (current.value, bounded(value));
        *current = DimensionState { value: to, rest: to, shown: ToneLevel::of(to), untold: 0.0, ..*current };
        different(from, to).then_some(PersonalityChange { dimension, from, to, why: "you set it" })
    }

    pub fn lock(&mut self, dimension: Dimension, locked: bool) {
        self.dimension_mut(dimension).locked = locked;
    }

    /// Resets all values and locks. The day's sum of steps is kept, so that a reset does not allow further movement.
    pub fn reset(&mut self) -> Vec<PersonalityChange> {
        let moves = DIMENSIONS.into_iter().filter_map(|dimension| {
            let current = self.dimension_mut(dimension);
            let from = current.value;
            *current = DimensionState { moved_today: current.moved_today, ..DimensionState::default() };
            different(from, REST).then_some(PersonalityChange {
                dimension,
                from,
                to: REST,
                why: "you started over",
            })
        });
        moves.collect()
    }

    /// Returns the earlier values of what a manual change has changed.
    #[must_use]
    pub fn changed_by_hand(&self, after: &Self) -> Self {
        let changed = |dimension: &Dimension| {
            let (was, is) = (self.dimension(*dimension), after.dimension(*dimension));
            different(was.value, is.value) || different(was.rest, is.rest) || was.locked != is.locked
        };
        let dimensions = DIMENSIONS.into_iter().filter(changed);
        Self {
            dimensions: dimensions.map(|dimension| (dimension, self.dimension(dimension))).collect(),
            ..Self::default()
        }
    }

    /// Undoes a manual change: only the dimensions that it changed.
    pub fn take_back(&mut self, was: &Self) -> Vec<PersonalityChange> {
        let moves = was.dimensions.iter().filter_map(|(&dimension, was)| {
            let current = self.dimension_mut(dimension);
            let (from, to) = (current.value, was.value);
            *current = DimensionState { moved_today: current.moved_today, ..*was };
            different(from, to).then_some(PersonalityChange { dimension, from, to, why: "you took it back" })
        });
        moves.collect()
    }

    /// Records the levels shown in the prompt, which then stay until a value has clearly left its level.
    pub fn showed(&mut self, tone: &Tone) {
        for (dimension, level) in DIMENSIONS.into_iter().zip(tone.levels) {
            self.dimension_mut(dimension).shown = level;
        }
    }
}

/// Clamps a value; NaN becomes the middle.
pub(crate) fn bounded(value: f64) -> f64 {
    if value.is_nan() { REST } else { value.clamp(LOWEST, HIGHEST) }
}

fn different(from: f64, to: f64) -> bool {
    (from - to).abs() > f64::EPSILON
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
