#![expect(clippy::float_cmp, reason = "what must stay stays exactly")]

use jiff::civil::date;

use super::*;
use crate::{decay, tone};

#[test]
fn she_begins_as_her_soul_describes_her() {
    let state = PersonalityState::default();
    assert!(DIMENSIONS.into_iter().all(|dimension| state.dimension(dimension) == DimensionState::default()));
    assert_eq!(tone(&state).text, "");
}

#[test]
fn a_choice_is_where_she_stays_and_shows_at_once() {
    let mut state = PersonalityState::default();
    let chosen = state.choose(Dimension::Verbosity, 0.39).unwrap();
    assert_eq!((chosen.from, chosen.to, chosen.why), (0.5, 0.39, "you set it"));
    assert_eq!(tone(&state).text, "Keep your answers short.");
    decay(&mut state, date(2026, 5, 1).at(12, 0, 0, 0));
    decay(&mut state, date(2026, 9, 1).at(12, 0, 0, 0));
    assert_eq!(state.dimension(Dimension::Verbosity).value, 0.39);
    assert_eq!(state.choose(Dimension::Verbosity, 0.39), None);
}

#[test]
fn a_choice_stays_within_bounds() {
    for (wanted, value) in
        [(7.0, HIGHEST), (-1.0, LOWEST), (f64::NAN, REST), (f64::INFINITY, HIGHEST), (0.3, 0.3)]
    {
        let mut state = PersonalityState::default();
        state.choose(Dimension::Mood, wanted);
        assert_eq!(state.value(Dimension::Mood), value, "{wanted}");
    }
}

#[test]
fn a_reset_tells_what_it_changed() {
    let mut state = PersonalityState::default();
    state.choose(Dimension::Humor, 0.9);
    state.choose(Dimension::Mood, 0.1);
    state.lock(Dimension::Mood, true);
    let moves = state.reset();
    assert_eq!(
        moves.iter().map(|one| one.dimension).collect::<Vec<_>>(),
        [Dimension::Mood, Dimension::Humor]
    );
    assert!(moves.iter().all(|one| one.to == REST && !one.why.is_empty()));
    assert!(!state.dimension(Dimension::Mood).locked);
    assert!(state.reset().is_empty());
}

#[test]
fn it_can_be_stored() {
    let mut state = PersonalityState::default();
    state.choose(Dimension::Humor, 0.81);
    state.lock(Dimension::Depth, true);
    decay(&mut state, date(2026, 5, 1).at(12, 0, 0, 0));
    let text = serde_json::to_string(&state).unwrap();
    assert_eq!(serde_json::from_str::<PersonalityState>(&text).unwrap(), state);
}

#[test]
fn what_was_stored_elsewhere_is_brought_within_bounds() {
    for (text, value, locked) in [
        ("{}", 0.5, false),
        (r#"{"leanings":{"mood":{}}}"#, 0.5, false),
        (r#"{"leanings":{"mood":{"value":12.0,"locked":true}}}"#, 0.95, true),
        (r#"{"leanings":{"mood":{"value":-3,"movedToday":1e300}}}"#, 0.05, false),
        (r#"{"leanings":{"mood":{"value":0.3,"later":1}},"later":2}"#, 0.3, false),
    ] {
        let state: PersonalityState = serde_json::from_str(text).unwrap();
        let current = state.dimension(Dimension::Mood);
        assert_eq!((current.value, current.locked), (value, locked), "{text}");
        assert!(current.moved_today.abs() <= 1.0);
    }
}

#[test]
fn what_is_taken_back_is_what_was_changed_by_hand_and_no_more() {
    let mut state = PersonalityState::default();
    let before = state.clone();
    state.choose(Dimension::Humor, 0.9);
    state.lock(Dimension::Depth, true);
    let undo = before.changed_by_hand(&state);
    state.dimension_mut(Dimension::Mood).value = 0.65;
    let moves = state.take_back(&undo);
    let told: Vec<_> = moves.iter().map(|one| (one.dimension, one.from, one.to)).collect();
    assert_eq!(told, [(Dimension::Humor, 0.9, 0.5)]);
    assert_eq!(state.value(Dimension::Humor), 0.5);
    assert_eq!(state.value(Dimension::Mood), 0.65, "what moved since stays");
    assert!(!state.dimension(Dimension::Depth).locked);
}
