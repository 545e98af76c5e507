//! The return of all dimensions to their rest values over time.

use jiff::civil::{DateTime, Time, date};
use protocol::Dimension;

use crate::state::{DIMENSIONS, PersonalityChange, PersonalityState, bounded};

/// The least change that is reported; smaller ones are made and add up.
const WORTH_TELLING: f64 = 0.01;

const HOUR: f64 = 3600.0;
const DAY: f64 = 24.0 * HOUR;

/// The hours of sleep: from two to six.
const NIGHT_STARTS: f64 = 2.0 * HOUR;
const NIGHT: f64 = 4.0 * HOUR;

/// Returns the half-life: days for a feeling, weeks for a habit.
fn half_life(dimension: Dimension) -> f64 {
    match dimension {
        Dimension::Energy => DAY,
        Dimension::Mood => 1.5 * DAY,
        Dimension::SupportNeed => 3.0 * DAY,
        Dimension::Formality
        | Dimension::Humor
        | Dimension::Verbosity
        | Dimension::Depth
        | Dimension::QuestionFrequency => 14.0 * DAY,
    }
}

/// The half-life of energy during sleep, so that little is left of a tiring day in the morning.
const HALF_LIFE_ASLEEP: f64 = HOUR;

/// Brings the state up to `now`, the user's local time. The number of calls does not matter: twice an hour equals two
/// hours once. The first call only starts the clock; if the clock was set back, only that time is lost.
pub fn decay(state: &mut PersonalityState, now: DateTime) -> Vec<PersonalityChange> {
    let Some(since) = state.decayed_until.replace(now) else { return Vec::new() };
    let elapsed = now.duration_since(since).as_secs_f64();
    if elapsed <= 0.0 {
        return Vec::new();
    }
    let asleep = nights_until(now) - nights_until(since);
    DIMENSIONS.into_iter().filter_map(|dimension| pull_back(state, dimension, elapsed, asleep)).collect()
}

fn pull_back(
    state: &mut PersonalityState,
    dimension: Dimension,
    elapsed: f64,
    asleep: f64,
) -> Option<PersonalityChange> {
    let current = state.dimension_mut(dimension);
    if current.locked {
        return None;
    }
    let (halvings, why) = match dimension {
        Dimension::Energy if asleep > 0.0 => {
            ((elapsed - asleep) / half_life(dimension) + asleep / HALF_LIFE_ASLEEP, "a night’s rest")
        }
        _ => (elapsed / half_life(dimension), "it settles with time"),
    };
    let value = bounded(current.rest + (current.value - current.rest) * (-halvings).exp2());
    current.untold += value - current.value;
    current.value = value;
    if current.untold.abs() < WORTH_TELLING {
        return None;
    }
    let from = bounded(value - std::mem::take(&mut current.untold));
    Some(PersonalityChange { dimension, from, to: value, why })
}

/// Returns the seconds of sleep from a fixed date up to this moment.
fn nights_until(at: DateTime) -> f64 {
    let days = at.date().duration_since(date(2000, 1, 1)).as_secs_f64() / DAY;
    days * NIGHT + (second_of_day(at) - NIGHT_STARTS).clamp(0.0, NIGHT)
}

fn second_of_day(at: DateTime) -> f64 {
    at.duration_since(at.date().to_datetime(Time::midnight())).as_secs_f64()
}

#[cfg(test)]
#[path = "decay_tests.rs"]
mod tests;
