#![expect(clippy::float_cmp, reason = "what must stay stays exactly")]

use jiff::ToSpan;
use jiff::civil::date;

use super::*;
use crate::state::{HIGHEST, LOWEST};

fn noon() -> DateTime {
    date(2026, 5, 1).at(12, 0, 0, 0)
}

/// A state with every dimension far from its rest value, settled until noon.
fn stirred() -> PersonalityState {
    let mut state = PersonalityState::default();
    for (dimension, value) in DIMENSIONS.into_iter().zip([0.9, 0.1, 0.2, 0.8, 0.95, 0.05, 0.7, 0.3]) {
        state.dimension_mut(dimension).value = value;
    }
    decay(&mut state, noon());
    state
}

fn values(state: &PersonalityState) -> [f64; 8] {
    DIMENSIONS.map(|dimension| state.value(dimension))
}

#[test]
fn pieces_add_up() {
    for (whole, pieces) in
        [(2.hours(), 2), (3.days(), 7), (40.days(), 960), (1.minute(), 60), (3.years(), 50)]
    {
        let end = noon().checked_add(whole).unwrap();
        let mut once = stirred();
        decay(&mut once, end);
        let mut often = stirred();
        let step = end.duration_since(noon()) / pieces;
        for piece in 1..pieces {
            decay(&mut often, noon().checked_add(step * piece).unwrap());
        }
        decay(&mut often, end);
        decay(&mut often, end);
        for (one, other) in values(&once).into_iter().zip(values(&often)) {
            assert!((one - other).abs() < 1e-9, "{whole}: {one} and {other}");
        }
    }
}

#[test]
fn half_is_gone_after_a_half_life() {
    for (dimension, days, from) in [
        (Dimension::Mood, 1.5, 0.9),
        (Dimension::SupportNeed, 3.0, 0.95),
        (Dimension::Formality, 14.0, 0.2),
        (Dimension::QuestionFrequency, 14.0, 0.3),
    ] {
        let mut state = stirred();
        decay(&mut state, noon().checked_add(jiff::SignedDuration::from_secs_f64(days * DAY)).unwrap());
        let expected = 0.5 + (from - 0.5) / 2.0;
        assert!((state.value(dimension) - expected).abs() < 1e-9, "{dimension:?} {}", state.value(dimension));
    }
}

#[test]
fn a_night_restores_energy_and_an_afternoon_does_not() {
    let energy = |hours: i64| {
        let mut state = stirred();
        let moves = decay(&mut state, noon().checked_add(hours.hours()).unwrap());
        let why = moves.iter().find(|one| one.dimension == Dimension::Energy).map(|one| one.why);
        (state.value(Dimension::Energy), why)
    };
    assert!(energy(8).0 < 0.2, "in the evening: {:?}", energy(8));
    let (morning, why) = energy(19);
    assert!(morning > 0.47, "in the morning: {morning}");
    assert_eq!(why, Some("a night’s rest"));
}

#[test]
fn small_changes_are_made_and_told_once_they_add_up() {
    let mut state = stirred();
    let mut told = 0;
    let mut at = noon();
    for _ in 0..(12 * 24) {
        at = at.checked_add(5.minutes()).unwrap();
        for one in decay(&mut state, at) {
            told += 1;
            assert!((one.to - one.from).abs() >= WORTH_TELLING - 1e-9, "{one:?}");
            assert!(!one.why.is_empty());
        }
    }
    assert!((8..160).contains(&told), "{told} lines in a day");
}

#[test]
fn locked_ones_and_rested_ones_stay() {
    let mut state = stirred();
    state.lock(Dimension::Mood, true);
    let end = noon().checked_add(30.days()).unwrap();
    assert!(decay(&mut state, end).iter().all(|one| one.dimension != Dimension::Mood));
    assert_eq!(state.value(Dimension::Mood), 0.9);

    let mut rested = PersonalityState::default();
    decay(&mut rested, noon());
    assert!(decay(&mut rested, end).is_empty());
}

#[test]
fn a_clock_set_back_or_far_ahead_does_no_harm() {
    let mut state = stirred();
    let before = values(&state);
    assert!(decay(&mut state, noon().checked_sub(3.days()).unwrap()).is_empty());
    assert_eq!(values(&state), before);
    decay(&mut state, DateTime::MAX);
    decay(&mut state, DateTime::MIN);
    decay(&mut state, noon());
    assert!(values(&state).into_iter().all(|value| (LOWEST..=HIGHEST).contains(&value)));
}
