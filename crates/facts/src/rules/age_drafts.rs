//! Drafts of ages.

use jiff::ToSpan;
use protocol::FactCategory;

use super::draft::FactDraft;
use crate::clause::Clause;
use crate::slot::{FactSlot, SlotKind};

/// Returns a number that can be an age.
pub(super) fn number(word: &str) -> Option<i64> {
    crate::calendar::number(word).filter(|number| {
        (1..=110).contains(number) && !matches!(word, "a" | "an" | "couple" | "few" | "several")
    })
}

pub(super) fn aged(clause: &Clause<'_>, age: i64, unit: &str) -> FactDraft {
    let expires = clause.today.checked_add(365.days()).unwrap_or(clause.today);
    FactDraft::new(
        FactCategory::Personal,
        FactSlot::new(SlotKind::Age),
        age.to_string(),
        format!("is {age} {unit} old"),
    )
    .important(0.6)
    .expiring(expires)
}
