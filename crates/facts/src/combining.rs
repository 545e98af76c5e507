//! Combines the findings of one message.

use super::finding::{Finding, Polarity};
use super::lexicon::is_function_word;
use super::slot::SlotKind;

pub(super) fn combine(found: &mut Vec<Finding>) {
    join_changes(found);
    drop_withdrawn(found);
    drop_told_of_others(found);
}

/// Joins an end and a beginning into one change: *The dog is not called Max, his name is Bruno*.
fn join_changes(found: &mut Vec<Finding>) {
    let mut place = 0;
    while place < found.len() {
        let old = &found[place];
        let joined = found.iter().position(|new| {
            old.polarity == Polarity::Ended
                && !old.value.is_empty()
                && new.polarity == Polarity::Holds
                && !new.is_past()
                && new.subject == old.subject
                && new.slot == old.slot
                && new.slot.as_ref().is_some_and(|slot| slot.kind.has_names())
                && new.value != old.value
                && new.replaces.as_deref().is_none_or(|name| name.is_empty() || name == old.value)
        });
        match joined {
            Some(new) => {
                found[new].replaces = Some(found[place].value.clone());
                found.remove(place);
            }
            None => place += 1,
        }
    }
}

/// Drops findings that are taken back: *I hate jazz. Scratch that, I love jazz*.
fn drop_withdrawn(found: &mut Vec<Finding>) {
    let holds = |finding: &Finding| {
        finding.polarity == Polarity::Holds
            && !finding.is_past()
            && finding
                .slot
                .as_ref()
                .is_some_and(|slot| matches!(slot.kind, SlotKind::Taste | SlotKind::Favourite))
    };
    for place in (0..found.len()).rev() {
        let (before, after) = found.split_at(place + 1);
        let one = &before[place];
        let later = |other: &Finding| {
            holds(other)
                && other.slot == one.slot
                && other.subject == one.subject
                && !other.value.eq_ignore_ascii_case(&one.value)
                // *My favourite colour is green, and has been for years*
                && !other.value.split(' ').next().is_some_and(is_function_word)
        };
        if holds(one) && after.iter().any(later) {
            found.remove(place);
        }
    }
}

/// Drops guesses from the whole sentence that repeat a clause's finding for another person: *My sister Ines works at
/// Bosch, and I moved to Dublin*.
fn drop_told_of_others(found: &mut Vec<Finding>) {
    let is_theirs = |guess: &Finding, plain: &Finding| {
        guess.slot.is_some()
            && guess.slot == plain.slot
            && guess.value == plain.value
            && guess.subject != plain.subject
            && guess.confidence < plain.confidence
            && guess.quote.len() > plain.quote.len()
            && guess.quote.contains(&plain.quote)
    };
    let all = found.clone();
    found.retain(|guess| !all.iter().any(|plain| is_theirs(guess, plain)));
}
