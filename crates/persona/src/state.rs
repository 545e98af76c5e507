use std::collections::BTreeMap;

use jiff::civil::{Date, DateTime};
use protocol::Dimension;
use serde::{Deserialize, Serialize};

use crate::tone::{Level, Tone};

/// In the order in which they are shown and spoken of.
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

/// The middle: she is as her soul files describe her.
pub const REST: f64 = 0.5;

/// Where one dimension stands.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Leaning {
    pub value: f64,
    /// Where it is pulled back to.
    pub rest: f64,
    /// It stays where it is, whatever is said.
    pub locked: bool,
    /// The level that the prompt's words were last chosen for.
    pub shown: Level,
    /// What the steps of this day add up to.
    pub(crate) moved_today: f64,
    /// How far it has settled since that was last told. Only what can be seen is worth a line.
    pub(crate) untold: f64,
}

impl Default for Leaning {
    fn default() -> Self {
        Self { value: REST, rest: REST, locked: false, shown: Level::Neutral, moved_today: 0.0, untold: 0.0 }
    }
}

/// How she is. What was stored by hand or by another version is brought within bounds when it is read.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Stored")]
pub struct State {
    pub(crate) leanings: BTreeMap<Dimension, Leaning>,
    /// The day that `moved_today`, `messages_today` and `jokes_today` count for.
    pub(crate) day: Option<Date>,
    pub(crate) messages_today: u32,
    /// How often a joke was asked for on that day.
    pub(crate) jokes_today: u32,
    /// The moment up to which it has settled.
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

/// A change of one dimension, with its reason.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Move {
    pub dimension: Dimension,
    pub from: f64,
    pub to: f64,
    /// In a few words to the user: “you laughed”.
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

    /// The user's own choice: she stays around it, and the words follow at once. It holds for locked ones too.
    pub fn choose(&mut self, dimension: Dimension, value: f64) -> Option<Move> {
        let leaning = self.leaning_mut(dimension);
        let (from, to) = (leaning.value, bounded(value));
        *leaning = Leaning { value: to, rest: to, shown: Level::of(to), untold: 0.0, ..*leaning };
        different(from, to).then_some(Move { dimension, from, to, why: "you set it" })
    }

    pub fn lock(&mut self, dimension: Dimension, locked: bool) {
        self.leaning_mut(dimension).locked = locked;
    }

    /// As on the first day, without locks. The day's account stays: a reset is no way to be moved further.
    pub fn reset(&mut self) -> Vec<Move> {
        let moves = DIMENSIONS.into_iter().filter_map(|dimension| {
            let leaning = self.leaning_mut(dimension);
            let from = leaning.value;
            *leaning = Leaning { moved_today: leaning.moved_today, ..Leaning::default() };
            different(from, REST).then_some(Move { dimension, from, to: REST, why: "you started over" })
        });
        moves.collect()
    }

    /// What a change by hand changed, as it was before.
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

    /// Takes a change by hand back: the sides that it changed, and no other.
    pub fn take_back(&mut self, was: &Self) -> Vec<Move> {
        let moves = was.leanings.iter().filter_map(|(&dimension, was)| {
            let leaning = self.leaning_mut(dimension);
            let (from, to) = (leaning.value, was.value);
            *leaning = Leaning { moved_today: leaning.moved_today, ..*was };
            different(from, to).then_some(Move { dimension, from, to, why: "you took it back" })
        });
        moves.collect()
    }

    /// The prompt says this: from here the words stay until a value has clearly left its level.
    pub fn showed(&mut self, tone: &Tone) {
        for (dimension, level) in DIMENSIONS.into_iter().zip(tone.levels) {
            self.leaning_mut(dimension).shown = level;
        }
    }
}

/// A value that is no number is the middle.
pub(crate) fn bounded(value: f64) -> f64 {
    if value.is_nan() { REST } else { value.clamp(LOWEST, HIGHEST) }
}

fn different(from: f64, to: f64) -> bool {
    (from - to).abs() > f64::EPSILON
}

#[cfg(test)]
#[path = "state_tests.rs"]
mod tests;
