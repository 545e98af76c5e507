//! The standard wording of each kind of fact.

use protocol::FactCategory;

use super::draft::FactDraft;
use super::taste_drafts::topic;
use crate::slot::{FactSlot, SlotKind};

/// Returns *a* or *an*, by pronunciation.
pub fn article(word: &str) -> &'static str {
    let low = word.to_lowercase();
    let spoken = ["uni", "use", "ux", "uk", "eu", "one"].iter().any(|start| low.starts_with(start));
    if low.starts_with(['a', 'e', 'i', 'o', 'u']) && !spoken { "an" } else { "a" }
}

pub fn lives(place: &str) -> FactDraft {
    FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Home), place, format!("lives in {place}"))
}

/// Returns the draft of a home that was left.
pub fn lived(place: &str) -> FactDraft {
    FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Home), place, format!("lived in {place}"))
        .gave_way()
        .important(0.6)
}

pub fn left_home(place: &str) -> FactDraft {
    FactDraft::new(
        FactCategory::Personal,
        FactSlot::new(SlotKind::Home),
        place,
        format!("no longer lives in {place}"),
    )
    .ended()
}

pub fn works_at(company: &str) -> FactDraft {
    FactDraft::new(
        FactCategory::Personal,
        FactSlot::new(SlotKind::Employer),
        company,
        format!("works at {company}"),
    )
}

/// Returns the draft of an employer that was left.
pub fn worked_at(company: &str) -> FactDraft {
    FactDraft::new(
        FactCategory::Personal,
        FactSlot::new(SlotKind::Employer),
        company,
        format!("worked at {company}"),
    )
    .gave_way()
    .important(0.6)
}

pub fn left_work(company: &str) -> FactDraft {
    let says = format!("no longer works at {company}");
    FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Employer), company, says).ended()
}

pub fn comes_from(place: &str) -> FactDraft {
    FactDraft::new(
        FactCategory::Personal,
        FactSlot::new(SlotKind::Origin),
        place,
        format!("comes from {place}"),
    )
}

pub fn called(name: &str) -> FactDraft {
    FactDraft::new(FactCategory::Personal, FactSlot::new(SlotKind::Name), name, format!("is called {name}"))
}

/// Returns the draft of a thing that the user gave up.
pub fn gave_up(what: &str) -> FactDraft {
    FactDraft::new(
        FactCategory::Preference,
        FactSlot::of(SlotKind::Taste, topic(what)),
        "likes",
        format!("gave up {what}"),
    )
    .ended()
}
