//! The loss of confidence in facts that are not mentioned, and the time that each kind of fact holds.

use jiff::ToSpan;
use jiff::civil::Date;
use protocol::FactCategory;

use super::slot::{Kind, Slot};

/// The confidence below which a fact is no longer used.
pub const PRUNE_BELOW: f32 = 0.2;

/// Returns the number of days after which half of a fact's confidence is lost; `None` if it does not fade.
pub fn half_life_days(category: FactCategory, slot: Option<&Slot>) -> Option<u32> {
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
        Kind::Name
        | Kind::Nickname
        | Kind::Birthday
        | Kind::Origin
        | Kind::Nationality
        | Kind::Allergy
        | Kind::Relative
        | Kind::Pet
        | Kind::Language => None,
        Kind::Home
        | Kind::Employer
        | Kind::Job
        | Kind::Bond
        | Kind::Household
        | Kind::Study
        | Kind::Property => Some(1825),
        Kind::Diet | Kind::Favourite | Kind::Taste | Kind::Skill | Kind::Thing | Kind::Condition => {
            Some(1095)
        }
        Kind::Habit => Some(730),
        Kind::Goal | Kind::Plan => Some(365),
        Kind::Age => Some(730),
        Kind::Whereabouts => Some(30),
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
pub fn expiry(category: FactCategory, slot: Option<&Slot>, said_on: Date) -> Option<Date> {
    let days = match (slot.map(|slot| slot.kind), category) {
        (Some(Kind::Whereabouts), _) => 7,
        (Some(Kind::Age), _) => 365,
        (Some(Kind::Plan), _) | (None, FactCategory::Event) => 30,
        (Some(Kind::Goal), _) => 730,
        (None, FactCategory::Context) => 90,
        _ => return None,
    };
    said_on.checked_add(days.days()).ok()
}
