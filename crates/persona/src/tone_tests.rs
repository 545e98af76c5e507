use super::*;

fn with(values: &[(Dimension, f64)]) -> PersonalityState {
    let mut state = PersonalityState::default();
    for (dimension, value) in values {
        state.choose(*dimension, *value);
    }
    state
}

/// A value in the middle of each level.
const OF_LEVELS: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

#[test]
fn each_level_has_its_words() {
    let words = |dimension| OF_LEVELS.map(|value| tone(&with(&[(dimension, value)])).text);
    let table = DIMENSIONS.map(|dimension| (dimension, words(dimension)));
    for (dimension, texts) in &table {
        assert_eq!(texts[2], "", "{dimension:?}");
        let said: Vec<&String> = texts.iter().filter(|text| !text.is_empty()).collect();
        assert_eq!(said.len(), 4, "{dimension:?}");
        for text in said {
            assert!(text.ends_with('.') && text.split(' ').count() <= 10, "{text}");
            assert_eq!(texts.iter().filter(|other| *other == text).count(), 1, "{text} is said twice");
        }
    }
    assert_eq!(table[5].1[0], "Answer in one or two short sentences.");
    assert_eq!(table[7].1[0], "Do not ask the user questions.");
}

#[test]
fn it_is_at_most_sixty_words() {
    let longest = |dimension| {
        let texts = ToneLevel::ALL.into_iter().filter_map(|level| sentence(dimension, level));
        texts.map(|text| text.split(' ').count()).max().unwrap()
    };
    let most: usize = DIMENSIONS.into_iter().map(longest).sum();
    assert!(most <= 60, "{most} words");
}

#[test]
fn lines_do_not_contradict_each_other() {
    let terse = tone(&with(&[(Dimension::Verbosity, 0.1), (Dimension::Depth, 0.9)]));
    assert_eq!(terse.text, "Answer in one or two short sentences. Be exact.");
    let in_need =
        tone(&with(&[(Dimension::SupportNeed, 0.9), (Dimension::Humor, 0.9), (Dimension::Energy, 0.7)]));
    assert_eq!(in_need.text, "The user has a hard time: listen and comfort first.");
}

#[test]
fn a_change_smaller_than_the_hysteresis_changes_no_word() {
    for dimension in DIMENSIONS {
        for step in 0..=900 {
            let value = 0.05 + f64::from(step) / 1000.0;
            let mut state = with(&[(dimension, value)]);
            let before = tone(&state);
            state.showed(&before);
            for change in [-0.0299, -0.015, -0.0001, 0.0001, 0.015, 0.0299] {
                let mut moved = state.clone();
                moved.dimension_mut(dimension).value = value + change;
                assert_eq!(tone(&moved), before, "{dimension:?} {value} {change}");
            }
        }
    }
}

#[test]
fn words_that_changed_do_not_change_back_at_once() {
    let mut state = PersonalityState::default();
    let at = |state: &mut PersonalityState, value: f64| {
        state.dimension_mut(Dimension::Humor).value = value;
        let shown = tone(state);
        state.showed(&shown);
        shown.text
    };
    for (value, text) in [
        (0.62, ""),
        (0.64, "Use some light humor."),
        (0.58, "Use some light humor."),
        (0.56, ""),
        (0.62, ""),
        (0.20, "Do not joke."),
        (0.26, "Do not joke."),
        (0.28, "Be serious most of the time."),
        (0.95, "Be playful and joke often."),
    ] {
        assert_eq!(at(&mut state, value), text, "{value}");
    }
}
