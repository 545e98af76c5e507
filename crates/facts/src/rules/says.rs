//! What can be said of somebody, each in one wording.

use protocol::FactCategory;

use super::Draft;
use super::tastes::topic;
use crate::slot::{Kind, Slot};

/// *A* or *an*, as it is spoken.
pub fn article(word: &str) -> &'static str {
    let low = word.to_lowercase();
    let spoken = ["uni", "use", "ux", "uk", "eu", "one"].iter().any(|start| low.starts_with(start));
    if low.starts_with(['a', 'e', 'i', 'o', 'u']) && !spoken { "an" } else { "a" }
}

pub fn lives(place: &str) -> Draft {
    Draft::new(FactCategory::Personal, Slot::new(Kind::Home), place, format!("lives in {place}"))
}

/// It was home until a move.
pub fn lived(place: &str) -> Draft {
    Draft::new(FactCategory::Personal, Slot::new(Kind::Home), place, format!("lived in {place}"))
        .gave_way()
        .important(0.6)
}

pub fn left_home(place: &str) -> Draft {
    Draft::new(FactCategory::Personal, Slot::new(Kind::Home), place, format!("no longer lives in {place}"))
        .ended()
}

pub fn works_at(company: &str) -> Draft {
    Draft::new(FactCategory::Personal, Slot::new(Kind::Employer), company, format!("works at {company}"))
}

/// It was the employer until another took its place.
pub fn worked_at(company: &str) -> Draft {
    Draft::new(FactCategory::Personal, Slot::new(Kind::Employer), company, format!("worked at {company}"))
        .gave_way()
        .important(0.6)
}

pub fn left_work(company: &str) -> Draft {
    let says = format!("no longer works at {company}");
    Draft::new(FactCategory::Personal, Slot::new(Kind::Employer), company, says).ended()
}

pub fn comes_from(place: &str) -> Draft {
    Draft::new(FactCategory::Personal, Slot::new(Kind::Origin), place, format!("comes from {place}"))
}

pub fn called(name: &str) -> Draft {
    Draft::new(FactCategory::Personal, Slot::new(Kind::Name), name, format!("is called {name}"))
}

/// It was liked, and is not had any more.
pub fn gave_up(what: &str) -> Draft {
    Draft::new(
        FactCategory::Preference,
        Slot::of(Kind::Taste, topic(what)),
        "likes",
        format!("gave up {what}"),
    )
    .ended()
}
