//! The people and animals known by name, and those mentioned last.

use std::collections::HashSet;

use protocol::FactCategory;

use super::finding::{Finding, Polarity};
use super::lexicon;
use super::lexicon::is_function_word;
use super::slot::{FactSlot, SlotKind};
use super::verbs;

/// The known names. Each fact is passed to [`Names::hear`], after which *Anna* is known to be the sister.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct KnownNames {
    people: Vec<KnownName>,
    pets: Vec<KnownName>,
    /// Words of names of people, places and companies, in lower case.
    proper: HashSet<String>,
    /// Whole names of places and companies, in lower case.
    values: HashSet<String>,
    companies: HashSet<String>,
    places: HashSet<String>,
    /// The companion's name, in lower case: statements about the companion are not facts about the user.
    companion: String,
    /// The pet mentioned last.
    last_pet: Option<KnownName>,
    /// The current values of slots.
    held: Vec<CurrentValue>,
}

#[derive(Debug, Clone, PartialEq)]
struct CurrentValue {
    subject: String,
    slot: FactSlot,
    value: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct KnownName {
    /// `sister`, `dog`; empty if unknown.
    pub what: String,
    pub name: String,
}

impl KnownName {
    pub fn new(what: &str, name: &str) -> Self {
        Self { what: what.to_owned(), name: name.to_owned() }
    }

    /// Returns the relation and the name: `sister Anna`.
    pub fn label(&self) -> String {
        format!("{} {}", self.what, self.name).trim().to_owned()
    }
}

impl KnownNames {
    pub fn new(companion: &str) -> Self {
        Self { companion: companion.to_lowercase(), ..Self::default() }
    }

    /// Records the names and values in a finding.
    pub fn record(&mut self, finding: &Finding) {
        if let Some(slot) = finding.slot.as_ref() {
            if finding.polarity == Polarity::Ended {
                self.clear_current(&finding.subject, slot, &finding.value);
            } else if !finding.is_past() {
                if let Some(old) = finding.replaces.as_deref().filter(|_| slot.kind == SlotKind::Pet) {
                    self.clear_current(&finding.subject, slot, old);
                }
                self.set_current(&finding.subject, slot, &finding.value);
            }
        }
        if finding.polarity == Polarity::Ended {
            return;
        }
        self.record_fact(&finding.subject, finding.slot.as_ref(), &finding.value);
        if finding.category == FactCategory::Relationship
            && let Some(slot) = finding.slot.as_ref().filter(|slot| slot.kind == SlotKind::Pet)
        {
            self.last_pet = Some(KnownName::new(&slot.of, &finding.value));
        }
    }

    /// Records the same from a stored fact.
    pub fn record_fact(&mut self, subject: &str, slot: Option<&FactSlot>, value: &str) {
        let named = value.chars().next().is_some_and(char::is_alphabetic) && value.split(' ').count() <= 3;
        match slot.map(|slot| (slot.kind, slot.of.as_str())) {
            Some((SlotKind::Relative, what)) if subject.is_empty() && named => {
                add(&mut self.people, what, value);
            }
            Some((SlotKind::Pet, what)) if subject.is_empty() && named => add(&mut self.pets, what, value),
            _ => {}
        }
        let is_proper = slot.is_some_and(|slot| {
            matches!(
                slot.kind,
                SlotKind::Home
                    | SlotKind::Employer
                    | SlotKind::Origin
                    | SlotKind::Pet
                    | SlotKind::Relative
                    | SlotKind::Name
            )
        });
        if is_proper {
            self.values.insert(value.to_lowercase());
            match slot.map(|slot| slot.kind) {
                Some(SlotKind::Employer) => self.companies.insert(value.to_lowercase()),
                Some(SlotKind::Home | SlotKind::Origin) => self.places.insert(value.to_lowercase()),
                _ => false,
            };
            let words = value
                .split(' ')
                .filter(|word| word.chars().next().is_some_and(char::is_uppercase) && word.len() > 2)
                .map(str::to_lowercase);
            self.proper.extend(words.filter(|word| !is_common(word)));
        }
        if let Some((what, name)) = split_subject(subject)
            && !name.is_empty()
        {
            if lexicon::animal(what).is_some() {
                add(&mut self.pets, what, name);
            } else {
                add(&mut self.people, what, name);
            }
        }
    }

    /// Records the current value of a slot, replacing the previous one.
    pub fn set_current(&mut self, subject: &str, slot: &FactSlot, value: &str) {
        if !matches!(
            slot.kind,
            SlotKind::Home
                | SlotKind::Employer
                | SlotKind::Pet
                | SlotKind::Thing
                | SlotKind::Favourite
                | SlotKind::Diet
                | SlotKind::Taste
                | SlotKind::Property
        ) {
            return;
        }
        self.held.retain(|held| {
            !(held.slot == *slot
                && same_person(&held.subject, subject)
                && (slot.kind != SlotKind::Pet || held.value == value || held.value == slot.of))
        });
        self.held.push(CurrentValue {
            subject: subject.to_owned(),
            slot: slot.clone(),
            value: value.to_owned(),
        });
    }

    fn clear_current(&mut self, subject: &str, slot: &FactSlot, value: &str) {
        self.held.retain(|held| {
            !(held.slot == *slot
                && same_person(&held.subject, subject)
                && (value.is_empty() || held.value.eq_ignore_ascii_case(value)))
        });
    }

    /// Returns the current value of a slot, if known.
    pub fn current_value(&self, subject: &str, kind: SlotKind, of: &str) -> Option<String> {
        let those = self.held.iter().rev().filter(|held| held.slot.kind == kind && held.slot.of == of);
        those.filter(|held| same_person(&held.subject, subject)).map(|held| held.value.clone()).next()
    }

    pub fn is_companion(&self, word: &str) -> bool {
        !self.companion.is_empty() && self.companion == word
    }

    /// Returns true if a word in lower case is part of a known name.
    pub fn is_proper(&self, word: &str) -> bool {
        self.proper.contains(word)
    }

    /// Returns true if a word is the whole name of a known place or company, even if it is also an everyday word.
    pub fn is_value(&self, word: &str) -> bool {
        self.values.contains(word)
    }

    /// Returns true if a value is known only as a company.
    pub fn is_company(&self, value: &str) -> bool {
        let value = value.to_lowercase();
        self.companies.contains(&value) && !self.places.contains(&value)
    }

    /// Returns true if a value is known as a place or a company, even if it is also a person's name.
    pub fn is_value_of_work_or_home(&self, low: &str) -> bool {
        self.companies.contains(low) || self.places.contains(low)
    }

    pub fn is_place(&self, value: &str) -> bool {
        let value = value.to_lowercase();
        self.places.contains(&value) && !self.companies.contains(&value)
    }

    /// Returns the full label of a person: `sister Anna` for `Anna`.
    pub fn person(&self, name: &str) -> Option<String> {
        find(&self.people, name).map(KnownName::label)
    }

    /// Returns the label of the only person with a relation, such as the only sister.
    pub fn relative(&self, what: &str) -> Option<String> {
        let mut those = self.people.iter().filter(|named| named.what == what);
        let first = those.next()?;
        those.next().is_none().then(|| first.label())
    }

    pub fn pet(&self, name: &str) -> Option<&KnownName> {
        find(&self.pets, name)
    }

    pub fn pet_of_kind(&self, what: &str) -> Option<&KnownName> {
        self.pets.iter().rev().find(|named| named.what == what)
    }

    pub fn last_pet(&self) -> Option<&KnownName> {
        self.last_pet.as_ref()
    }
}

/// Returns true for names that are also everyday words.
fn is_common(word: &str) -> bool {
    verbs::lemma(word).is_some()
        || lexicon::family(word).is_some()
        || lexicon::animal(word).is_some()
        || is_function_word(word)
        || words!(
            "nice bath cork reading shell apple target olive peanut shadow pepper biscuit daisy ruby rusty \
            red general electric new san max hope grace joy may june summer will mark bill rose art frank \
            the best gap orange amazon mobile hull university hospital bank school"
        )
        .contains(word)
}

fn find<'a>(list: &'a [KnownName], name: &str) -> Option<&'a KnownName> {
    list.iter().rev().find(|named| named.name.eq_ignore_ascii_case(name))
}

fn add(list: &mut Vec<KnownName>, what: &str, name: &str) {
    match list.iter_mut().find(|named| named.name.eq_ignore_ascii_case(name)) {
        Some(named) if named.what.is_empty() => what.clone_into(&mut named.what),
        Some(_) => {}
        None => list.push(KnownName::new(what, name)),
    }
}

/// Splits a subject into relation and name: `sister Anna`, `best friend Tom`, `Anna`, `sister`.
pub fn split_subject(subject: &str) -> Option<(&str, &str)> {
    if subject.is_empty() {
        return None;
    }
    let place = subject
        .char_indices()
        .find(|(at, letter)| letter.is_uppercase() && (*at == 0 || subject.as_bytes()[at - 1] == b' '));
    Some(match place {
        Some((at, _)) => (subject[..at].trim_end(), &subject[at..]),
        None => (subject, ""),
    })
}

/// Returns true if two subjects are the same person: `Anna` is `sister Anna`, and so is `sister`.
pub fn same_person(one: &str, other: &str) -> bool {
    if one.eq_ignore_ascii_case(other) {
        return true;
    }
    match (split_subject(one), split_subject(other)) {
        (Some((what, name)), Some((other_what, other_name))) => {
            let whats = what.is_empty() || other_what.is_empty() || what == other_what;
            let names = name.is_empty() || other_name.is_empty() || name.eq_ignore_ascii_case(other_name);
            let shared = (!name.is_empty() && name.eq_ignore_ascii_case(other_name))
                || (!what.is_empty() && what == other_what);
            whats && names && shared
        }
        _ => false,
    }
}
