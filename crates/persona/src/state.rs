use std::collections::BTreeMap;

use jiff::civil::{Date, DateTime};
use protocol::Dimension;
use serde::{Deserialize, Serialize};

use crate::tone::{Level, Tone};

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
pub struct Leaning {
    pub value: f64,
    /// The value that it returns to.
    pub rest: f64,
    /// True if nothing but the user's own choice moves it.
    pub locked: bool,
    /// The level that the prompt's text was last chosen for.
    pub shown: Level,
    /// The sum of the day's steps.
    pub(crate) moved_today: f64,
    /// The change by settling that has not been reported, as it is too small so far.
    pub(crate) untold: f64,
}

impl Default for Leaning {
    fn default() -> Self {
        Self { value: REST, rest: REST, locked: false, shown: Level::Neutral, moved_today: 0.0, untold: 0.0 }
    }
}

/// The state of the personality. Stored values out of bounds are corrected when read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored")]
pub struct State {
    pub(crate) leanings: BTreeMap<Dimension, Leaning>,
    /// The day of `moved_today`, `messages_today` and `jokes_today`.
    pub(crate) day: Option<Date>,
    pub(crate) messages_today: u32,
    /// The number of requests for a joke on that day.
    pub(crate) jokes_today: u32,
    /// The time up to which it has settled.
    pub(crate) settled: Option<DateTime>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Stored {
    leanings: BTreeMap<Dimension, Leaning>,
    day: Option<Date>,
    messages_today: u32,
    jokes_today: u32,
    settled: Option<DateTime>,
}

impl From<Stored> for State {
    fn from(stored: Stored) -> Self {
        let Stored { mut leanings, day, messages_today, jokes_today, settled } = stored;
        for leaning in leanings.values_mut() {
            leaning.value = bounded(leaning.value);
            leaning.rest = bounded(leaning.rest);
            for sum in [&mut leaning.moved_today, &mut leaning.untold] {
                *sum = if sum.is_finite() { sum.clamp(-1.0, 1.0) } else { 0.0 };
            }
        }
        Self { leanings, day, messages_today, jokes_today, settled }
    }
}

/// A change of one dimension with its reason.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Move {
    pub dimension: Dimension,
    pub from: f64,
    pub to: f64,
    /// The reason in a few words for the user: “you laughed”.
    pub why: &'static str,
}

impl State {
    pub fn leaning(&self, dimension: Dimension) -> Leaning {
        self.leanings.get(&dimension).copied().unwrap_or_default()
    }

    pub fn value(&self, dimension: Dimension) -> f64 {
        self.leaning(dimension).value
    }

    pub(crate) fn leaning_mut(&mut self, dimension: Dimension) -> &mut Leaning {
        self.leanings.entry(dimension).or_default()
    }

    /// Sets a value chosen by the user, which becomes the rest value, and the prompt follows at once. Applies to locked
    /// dimensions too.
    pub fn choose(&mut self, dimension: Dimension, value: f64) -> Option<Move> {
        let leaning = self.leaning_mut(dimension);
        let (from, to) = (leaning.value, bounded(value));
        *leaning = Leaning { value: to, rest: to, shown: Level::of(to), untold: 0.0, ..*leaning };
        different(from, to).then_some(Move { dimension, from, to, why: "you set it" })
    }

    pub fn lock(&mut self, dimension: Dimension, locked: bool) {
        self.leaning_mut(dimension).locked = locked;
    }

    /// Resets all values and locks. The day's sum of steps is kept, so that a reset does not allow further movement.
    pub fn reset(&mut self) -> Vec<Move> {
        let moves = DIMENSIONS.into_iter().filter_map(|dimension| {
            let leaning = self.leaning_mut(dimension);
            let from = leaning.value;
            *leaning = Leaning { moved_today: leaning.moved_today, ..Leaning::default() };
            different(from, REST).then_some(Move { dimension, from, to: REST, why: "you started over" })
        });
        moves.collect()
    }

    /// Returns the earlier values of what a manual change has changed.
    #[must_use]
    pub fn changed_by_hand(&self, after: &Self) -> Self {
        let changed = |dimension: &Dimension| {
            let (was, is) = (self.leaning(*dimension), after.leaning(*dimension));
            different(was.value, is.value) || different(was.rest, is.rest) || was.locked != is.locked
        };
        let leanings = DIMENSIONS.into_iter().filter(changed);
        Self {
            leanings: leanings.map(|dimension| (dimension, self.leaning(dimension))).collect(),
            ..Self::default()
        }
    }

    /// Undoes a manual change: only the dimensions that it changed.
    pub fn take_back(&mut self, was: &Self) -> Vec<Move> {
        let moves = was.leanings.iter().filter_map(|(&dimension, was)| {
            let leaning = self.leaning_mut(dimension);
            let (from, to) = (leaning.value, was.value);
            *leaning = Leaning { moved_today: leaning.moved_today, ..*was };
            different(from, to).then_some(Move { dimension, from, to, why: "you took it back" })
        });
        moves.collect()
    }

    /// Records the levels shown in the prompt, which then stay until a value has clearly left its level.
    pub fn showed(&mut self, tone: &Tone) {
        for (dimension, level) in DIMENSIONS.into_iter().zip(tone.levels) {
            self.leaning_mut(dimension).shown = level;
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
