//! The loss of confidence in facts that are not mentioned, and the time that each kind of fact holds.

use jiff::ToSpan;
use jiff::civil::Date;
use protocol::FactCategory;

use super::slot::{FactSlot, SlotKind};

/// The confidence below which a fact is no longer used.
pub const MIN_CONFIDENCE: f32 = 0.2;

/// Returns the number of days after which half of a fact's confidence is lost; `None` if it does not fade.
pub fn half_life_days(category: FactCategory, slot: Option<&FactSlot>) -> Option<u32> {
    let Some(slot) = slot else {
        return match category {
            FactCategory::Personal | FactCategory::Relationship | FactCategory::Health => Some(1460),
            FactCategory::Preference => Some(1095),
            FactCategory::Behaviour | FactCategory::Goal => Some(540),
            FactCategory::Event => Some(365),
            FactCategory::Context => Some(240),
        };
    };
    match slot.kind {
        SlotKind::Name
        | SlotKind::Nickname
        | SlotKind::Birthday
        | SlotKind::Origin
        | SlotKind::Nationality
        | SlotKind::Allergy
        | SlotKind::Relative
        | SlotKind::Pet
        | SlotKind::Language => None,
        SlotKind::Home
        | SlotKind::Employer
        | SlotKind::Job
        | SlotKind::Bond
        | SlotKind::Household
        | SlotKind::Study
        | SlotKind::Property => Some(1825),
        SlotKind::Diet
        | SlotKind::Favourite
        | SlotKind::Taste
        | SlotKind::Skill
        | SlotKind::Thing
        | SlotKind::Condition => Some(1095),
        SlotKind::Habit => Some(730),
        SlotKind::Goal | SlotKind::Plan => Some(365),
        SlotKind::Age => Some(730),
        SlotKind::Whereabouts => Some(30),
    }
}

/// Returns the confidence after the given number of days without a mention.
pub fn fade(confidence: f32, days: u32, half_life_days: Option<u32>) -> f32 {
    let Some(half_life) = half_life_days.filter(|days| *days > 0) else { return confidence };
    #[allow(clippy::cast_precision_loss, reason = "days are small numbers")]
    let halves = days as f32 / half_life as f32;
    confidence * 0.5_f32.powf(halves)
}

/// Returns true if a fact is certain, repeated and old enough that it no longer fades.
pub fn is_promoted(confidence: f32, told: u32, days_known: u32) -> bool {
    confidence >= 0.9 && told >= 3 && days_known >= 30
}

/// Returns the day on which a fact of this kind expires, for facts whose words do not say so.
pub fn expiry(category: FactCategory, slot: Option<&FactSlot>, said_on: Date) -> Option<Date> {
    let days = match (slot.map(|slot| slot.kind), category) {
        (Some(SlotKind::Whereabouts), _) => 7,
        (Some(SlotKind::Age), _) => 365,
        (Some(SlotKind::Plan), _) | (None, FactCategory::Event) => 30,
        (Some(SlotKind::Goal), _) => 730,
        (None, FactCategory::Context) => 90,
        _ => return None,
    };
    said_on.checked_add(days.days()).ok()
}
