//! The user's car, recognised by makes and models next to words of owning and driving.

use std::sync::LazyLock;

use super::cues;
use super::sentence_draft::SentenceDraft;
use super::sentence_view::SentenceView;
use crate::lexicon;
use crate::lexicon::is_function_word;
use crate::name_text::capital;
use crate::names::KnownNames;
use crate::rules;
use crate::slot::SlotKind;
use crate::wordlists::WordList;

static DRIVING: WordList = LazyLock::new(|| {
    "drive driving drives car ride wheels parked driveway garage dealer dealership garaged engine behind \
    bought copped purchased picked got traded test-drive vehicle keys sold swapped replaced mechanic \
    around own owner have"
        .split_whitespace()
        .collect()
});

pub fn car(view: &SentenceView<'_>, names: &KnownNames) -> Vec<SentenceDraft> {
    if !view.is_mine()
        || view.is_of_family
        || view.has_any(words!("rental rented hire toy taxi saw seen spotted noticed looks advert ad"))
    {
        return Vec::new();
    }
    let current = names.current_value("", SlotKind::Thing, "car");
    let cars = makes(view);
    let is_current = |value: &str| {
        current.as_deref().is_some_and(|current| {
            let (current, value) = (current.to_lowercase(), value.to_lowercase());
            current.contains(&value) || value.contains(&current)
        })
    };
    let new: Vec<&Make> = cars.iter().filter(|car| !car.is_left && !is_current(&car.text)).collect();
    let old = cars.iter().any(|car| is_current(&car.text));
    let leaves = cars.iter().any(|car| is_current(&car.text) && car.is_left);
    let asked = view.phrase(&["i", "drive"]) || view.phrase(&["my", "car"]);
    let spoken = view.says_me() || old || view.is_change || view.phrase(&["the", "car"]);
    if let [car] = new.as_slice()
        && spoken
        && (view.has_any(&DRIVING) || car.is_mine || old && view.is_change || leaves)
        && (car.is_mine || car.has_article || old || asked)
    {
        let draft = rules::owns("car", &car.text).sure(0.7);
        return vec![if current.is_some() {
            SentenceDraft::changed(draft)
        } else {
            SentenceDraft::new(draft)
        }];
    }
    if new.is_empty()
        && let Some(car) = cars.iter().find(|car| car.is_left && is_current(&car.text))
        && view.is_change
    {
        return vec![SentenceDraft::new(rules::owns("car", &car.text).ended().sure(0.6))];
    }
    Vec::new()
}

/// Returns a car that the sentence presupposes: *The mechanic said that my Golf would last*.
pub fn owned(view: &SentenceView<'_>, names: &KnownNames) -> Vec<SentenceDraft> {
    let current = names.current_value("", SlotKind::Thing, "car").unwrap_or_default().to_lowercase();
    let is_told = |car: &&Make| car.is_mine && !car.is_former && !current.contains(&car.text.to_lowercase());
    makes(view)
        .iter()
        .filter(is_told)
        .take(1)
        .map(|car| SentenceDraft::new(rules::owns("car", &car.text).sure(0.7)))
        .collect()
}

struct Make {
    text: String,
    /// True if the user may no longer have it: *My old Golf*, *I sold my Golf*.
    is_former: bool,
    is_left: bool,
    is_mine: bool,
    has_article: bool,
}

fn makes(view: &SentenceView<'_>) -> Vec<Make> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < view.words.len() {
        let length = view.words[at..].iter().take_while(|word| lexicon::is_make(word)).count();
        // *A Volvo V60*, *a Mazda 3*
        let model = length > 0
            && view.word(at + length).len() <= 4
            && view.word(at + length).contains(|letter: char| letter.is_ascii_digit());
        let length = length + usize::from(model);
        if length == 0 {
            at += 1;
            continue;
        }
        // *A golf lesson*, *a mini fridge*
        let written = view.tokens[at].is_capital || view.has(&["drive", "drives", "driving", "car"]);
        if lexicon::is_ambiguous_make(view.words[at])
            && !written
            && view.word(at + length).starts_with(char::is_alphabetic)
            && !is_function_word(view.word(at + length))
        {
            at += length;
            continue;
        }
        let text = view.words[at..at + length].iter().map(|word| capital(word)).collect::<Vec<_>>().join(" ");
        let which = (0..at)
            .rev()
            .take_while(|place| lexicon::is_which(view.words[*place]) || view.words[*place] == "trusty")
            .count();
        let owner = view.before(at - which, 1);
        let led: Vec<&str> =
            view.clause(at).iter().copied().take_while(|word| *word != view.words[at]).collect();
        found.push(Make {
            is_former: view.words[at - which..at]
                .iter()
                .any(|word| words!("old first former last previous next other dream").contains(*word))
                || led.iter().any(|word| {
                    cues::is_leaving(word) || words!("miss missed remember after").contains(*word)
                }),
            is_left: super::name_mention::is_left(&view.words, &(at - which..at + length))
                || super::name_mention::is_left(&view.words, &(at..at + length)),
            is_mine: matches!(owner, "my" | "our"),
            has_article: matches!(owner, "a" | "an" | "the" | ":" | "="),
            text,
        });
        at += length;
    }
    found
}
