//! Determines whether two wordings mean the same.

use std::collections::BTreeSet;

use text::terms;

use super::slot::SlotKind;

fn set(text: &str) -> BTreeSet<String> {
    terms(text).into_iter().collect()
}

/// Returns true if two values of a slot are the same: `Lyon` and `Lyon, France`, `a nurse` and `nurse`.
pub fn same_value(kind: SlotKind, one: &str, other: &str) -> bool {
    if one.eq_ignore_ascii_case(other) {
        return true;
    }
    let (one, other) = (set(one), set(other));
    if one.is_empty() || other.is_empty() {
        return false;
    }
    match kind {
        SlotKind::Home
        | SlotKind::Employer
        | SlotKind::Job
        | SlotKind::Origin
        | SlotKind::Thing
        | SlotKind::Study
        | SlotKind::Whereabouts => one.is_subset(&other) || other.is_subset(&one),
        _ => one == other,
    }
}

/// Returns true if a value says no more than another: *Lyon* beside *Lyon, France*.
pub fn says_no_more(kind: SlotKind, value: &str, known: &str) -> bool {
    // A vegan eats no meat.
    if kind == SlotKind::Diet && value == "no meat" {
        return words!("vegan vegetarian pescatarian pescetarian plant-based meat-free").contains(known);
    }
    if !same_value(kind, value, known) {
        return false;
    }
    set(value).is_subset(&set(known))
}

/// The prepared form of a sentence for comparison. Callers with many comparisons create each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wording {
    small: String,
    /// Negations and other words that reverse the meaning.
    turns: BTreeSet<String>,
    /// Names and numbers; sentences that differ in these are different facts.
    told: BTreeSet<String>,
    terms: BTreeSet<String>,
}

impl Wording {
    pub fn of(text: &str) -> Self {
        let words =
            text.split_whitespace().skip(1).map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        let told =
            words.filter(|word| word.chars().next().is_some_and(|c| c.is_uppercase() || c.is_ascii_digit()));
        let turns = text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| {
            words!("not no never longer dislikes Dislikes used was had stopped Stopped cannot")
                .contains(*word)
        });
        Self {
            small: text.to_ascii_lowercase(),
            turns: turns.map(str::to_owned).collect(),
            told: told.map(str::to_lowercase).collect(),
            terms: set(text),
        }
    }

    /// Returns true if two sentences about the same person have the same meaning, so that one is enough.
    pub fn says_the_same(&self, other: &Self) -> bool {
        if self.small == other.small {
            return true;
        }
        if self.told != other.told || self.turns != other.turns {
            return false;
        }
        let shared = self.terms.intersection(&other.terms).count();
        let all = self.terms.len() + other.terms.len() - shared;
        all > 0 && shared * 5 >= all * 4
    }
}

/// Returns true if two sentences about the same person have the same meaning.
pub fn same(one: &str, other: &str) -> bool {
    Wording::of(one).says_the_same(&Wording::of(other))
}
