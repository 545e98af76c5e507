//! The rules that turn a clause into findings about a person's life.

mod age_drafts;
mod attributes;
mod death;
mod diet;
mod draft;
mod fondness;
mod habits;
mod health;
mod hiring;
mod home;
mod home_drafts;
mod leaving;
mod life;
mod moving;
mod naming;
mod occupation;
mod pet_facts;
mod pets;
mod plans;
mod possessions;
mod properties;
mod relationships;
mod replacements;
mod sentence_text;
mod taste_drafts;
mod tastes;
mod value;
mod word_order;
pub mod wordings;
mod work;
mod work_drafts;

use protocol::FactCategory;

pub use attributes::born_on;
pub use diet::diet_draft;
pub use draft::{FactDraft, finish};
pub use health::allergic;
pub use hiring::is_bought;
pub use naming::{asked_name, call_me};
pub use pets::pet;
pub use possessions::owns;
pub use relationships::{met, relative};
pub use replacements::exchanged;
pub use sentence_text::sentence;
pub use taste_drafts::{taste, topic};
pub use word_order::{beside, done_to_me, in_passing, of_tastes};
pub use work::works_there;

use super::clause::Clause;
use super::lexicon;
use super::mentions::{ClauseSubject, Mentions};
use super::names::KnownNames;
use super::slot::{FactSlot, SlotKind};

/// Returns everything that a clause says.
pub fn drafts(clause: &Clause<'_>, names: &KnownNames, mentions: &mut Mentions) -> Vec<FactDraft> {
    match &clause.subject {
        ClauseSubject::Me | ClauseSubject::Person(_) => {
            let rules: [fn(&Clause<'_>) -> Vec<FactDraft>; 11] = [
                life::read,
                pets::read,
                home::read,
                work::read,
                relationships::read,
                diet::diet,
                health::health,
                tastes::read,
                plans::read,
                possessions::read,
                habits::habit,
            ];
            relationships::introduced(clause, names, mentions);
            let found = pets::read_with(clause, names, mentions);
            if !found.is_empty() {
                return found;
            }
            rules.iter().map(|rule| rule(clause)).find(|found| !found.is_empty()).unwrap_or_default()
        }
        ClauseSubject::Pet(pet) => pet_facts::of_pet(clause, pet, mentions),
        ClauseSubject::Thing { owner, words } => {
            let found = attributes::of_thing(clause, owner, words, names, mentions);
            if found.is_empty() { plans::of_thing(clause, owner, words) } else { found }
        }
        ClauseSubject::Somebody => Vec::new(),
    }
}

/// Returns a draft with a new value for a slot: `it's Lyon now`.
pub fn refilled(clause: &Clause<'_>, slot: &FactSlot) -> Option<FactDraft> {
    let value = match slot.kind {
        SlotKind::Home | SlotKind::Origin => value::place(clause.text, &clause.rest)?,
        SlotKind::Employer => value::organisation(clause.text, &clause.rest)?,
        SlotKind::Pet | SlotKind::Relative | SlotKind::Name => value::name(clause.text, &clause.rest)?,
        SlotKind::Favourite | SlotKind::Thing => value::object(clause.text, &clause.rest)?,
        SlotKind::Taste => {
            let end = clause.rest.iter().position(|token| token.low == "for").unwrap_or(clause.rest.len());
            let value = value::object(clause.text, &clause.rest[..end])?;
            let family = lexicon::family_of(&value)?;
            let slot = FactSlot::of(SlotKind::Property, format!("preferred {family}"));
            return Some(
                FactDraft::new(FactCategory::Preference, slot, value.clone(), format!("switched to {value}"))
                    .begins(),
            );
        }
        _ => return None,
    };
    let says = match slot.kind {
        SlotKind::Home => format!("lives in {value}"),
        SlotKind::Origin => format!("comes from {value}"),
        SlotKind::Employer => format!("works at {value}"),
        SlotKind::Pet => return Some(pet(&slot.of, &value).begins()),
        SlotKind::Relative => return Some(relative(&slot.of, &value)),
        SlotKind::Favourite => format!("favourite {} is {value}", slot.of),
        SlotKind::Thing => return Some(owns(&slot.of, &value).begins()),
        _ => format!("is called {value}"),
    };
    let category =
        if slot.kind == SlotKind::Favourite { FactCategory::Preference } else { FactCategory::Personal };
    Some(FactDraft::new(category, slot.clone(), value, says).begins())
}
