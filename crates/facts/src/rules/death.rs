//! Deaths of people close to the user.

use protocol::FactCategory;

use super::draft::FactDraft;
use crate::clause::{Clause, Tense};
use crate::mentions::ClauseSubject;
use crate::slot::{FactSlot, SlotKind};
use crate::time::TimeKind;

/// Reads a death: *My mother died last year*; but not *my sister died laughing*.
pub(super) fn died(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let ClauseSubject::Person(label) = &clause.subject else { return Vec::new() };
    let is_close = crate::names::split_subject(label).is_some_and(|(what, _)| !what.is_empty());
    let after = words.iter().find(|word| !matches!(**word, "away" | "on")).copied().unwrap_or_default();
    let meant =
        matches!(after, "" | "," | "in" | "from" | "at" | "after" | "before" | "peacefully" | "suddenly")
            || after == "of"
                && !words.iter().any(|word| words!("laughter shame embarrassment boredom").contains(*word));
    if !is_close || !meant || clause.negated || !matches!(clause.tense, Tense::Past | Tense::Perfect) {
        return Vec::new();
    }
    vec![death(clause)]
}

/// Reads a bereavement: *I lost my mum in 2019*, but neither *I lost my brother in the crowd* nor *I lost my wife's
/// keys*.
pub(super) fn bereaved(clause: &Clause<'_>, words: &[&str]) -> Vec<FactDraft> {
    let at = usize::from(matches!(words.first(), Some(&("my" | "our"))));
    let kin = words.get(at).copied().unwrap_or("");
    let capital = clause.rest.get(at).is_some_and(|token| token.is_capital);
    let is_close = words!(
        "mother father grandmother grandfather wife husband brother sister son daughter aunt uncle parents"
    )
    .contains(kin);
    let closes = match words.get(at + 1) {
        None => true,
        Some(&"to") => !words.get(at + 2).is_some_and(|next| matches!(*next, "a" | "the" | "his" | "her")),
        Some(next) => matches!(*next, "," | "and" | "but" | "when" | "before" | "so"),
    };
    if !is_close || !closes || at == 0 && !capital {
        return Vec::new();
    }
    vec![death(clause).of(kin)]
}

fn death(clause: &Clause<'_>) -> FactDraft {
    let says = super::sentence_text::dated(clause, "died");
    let mut death =
        FactDraft::new(FactCategory::Relationship, FactSlot::of(SlotKind::Property, "death"), "died", says)
            .important(0.8);
    // Without a date, the death need not have been today.
    death.begins = clause.when(&[TimeKind::At]).is_some();
    death
}
