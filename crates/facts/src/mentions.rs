//! The subjects of clauses, and what a message has mentioned so far.

use super::names::{KnownName, KnownNames};
use super::token::WordToken;

/// The subject of a clause.
#[derive(Debug, Clone, PartialEq)]
pub enum ClauseSubject {
    /// The user, alone or with others.
    Me,
    /// A person by label: `sister Anna`.
    Person(String),
    Pet(KnownName),
    /// A possession: `my favourite colour`, `my sister's dog's name`.
    Thing {
        owner: String,
        words: Vec<WordToken>,
    },
    /// An unresolved pronoun or an unknown person.
    Somebody,
}

/// The people, pets and things mentioned most recently.
#[derive(Debug, Clone, Default)]
pub struct Mentions {
    pub last: Option<ClauseSubject>,
    /// The subject of the previous sentence.
    pub before: Option<ClauseSubject>,
    /// A person or pet mentioned in the previous clause besides its subject: `a dog, who …`.
    pub object: Option<ClauseSubject>,
    pub person: Option<String>,
    pub pet: Option<KnownName>,
    /// True if the pet is being renamed.
    pub is_renamed: bool,
    /// The last possession: `my favourite film`.
    pub thing: Option<ClauseSubject>,
    /// People and pets named in passing, as in `my sister Anna`; true for pets.
    pub met: Vec<(KnownName, bool)>,
}

impl Mentions {
    pub fn of(names: &KnownNames) -> Self {
        Self {
            // Pronouns across messages are unreliable, except for a pet that has no name yet.
            pet: names.last_pet().filter(|pet| pet.name.is_empty() || pet.name == pet.what).cloned(),
            ..Self::default()
        }
    }

    /// Begins a new sentence.
    pub fn begin(&mut self) {
        self.before = self.last.take();
        self.thing = None;
    }

    pub(super) fn note(&mut self, subject: &ClauseSubject) {
        match subject {
            ClauseSubject::Person(label) => {
                self.person = Some(label.clone());
                self.pet = None;
            }
            ClauseSubject::Pet(pet) => self.pet = Some(pet.clone()),
            ClauseSubject::Thing { .. } => self.thing = Some(subject.clone()),
            _ => {}
        }
        self.last = Some(subject.clone());
        self.object = None;
    }

    pub(super) fn resolve(&self, pronoun: &str) -> ClauseSubject {
        let person = || self.person.clone().filter(|label| may_be(label, pronoun)).map(ClauseSubject::Person);
        let pet = || self.pet.clone().map(ClauseSubject::Pet);
        let found = match pronoun {
            "it" | "its" => pet().or_else(|| self.thing.clone()),
            _ => pet().or_else(person),
        };
        found.unwrap_or(ClauseSubject::Somebody)
    }
}

/// Returns true if the pronoun can refer to the person: an uncle is never *her*.
fn may_be(label: &str, pronoun: &str) -> bool {
    let (what, _) = super::names::split_subject(label).unwrap_or((label, ""));
    let what = what.rsplit(' ').next().unwrap_or(what);
    match pronoun {
        "she" | "her" => {
            !words!("father brother son uncle nephew husband boyfriend grandfather grandson stepfather")
                .contains(what)
        }
        "he" | "his" => {
            !words!("mother sister daughter aunt niece wife girlfriend grandmother granddaughter stepmother")
                .contains(what)
        }
        _ => true,
    }
}
