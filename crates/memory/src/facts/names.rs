//! Who is who: the people and animals that are known by name, and whom was spoken of last.

use protocol::FactCategory;

use super::finding::Finding;
use super::lexicon;
use super::slot::{Kind, Slot};

/// The names that are known. Tell it every fact with [`Names::hear`], and *Anna* is known to be the sister.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Names {
    people: Vec<Named>,
    pets: Vec<Named>,
    /// What she herself is called: what is said of her is no fact about the user.
    companion: String,
    /// Whom *she* or *he* means at the beginning of a message.
    last_person: Option<String>,
    last_pet: Option<Named>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// `sister`, `dog`; empty where that was not said.
    pub what: String,
    pub name: String,
}

impl Named {
    pub fn new(what: &str, name: &str) -> Self {
        Self { what: what.to_owned(), name: name.to_owned() }
    }

    /// `sister Anna`.
    pub fn label(&self) -> String {
        format!("{} {}", self.what, self.name).trim().to_owned()
    }
}

impl Names {
    pub fn new(companion: &str) -> Self {
        Self { companion: companion.to_lowercase(), ..Self::default() }
    }

    /// Takes in what a fact tells about who is who.
    pub fn hear(&mut self, finding: &Finding) {
        self.learn(&finding.subject, finding.slot.as_ref(), &finding.value);
        if finding.category == FactCategory::Relationship
            && let Some(slot) = &finding.slot
        {
            match slot.kind {
                Kind::Relative => self.last_person = Some(Named::new(&slot.of, &finding.value).label()),
                Kind::Pet => self.last_pet = Some(Named::new(&slot.of, &finding.value)),
                _ => {}
            }
        }
        if !finding.subject.is_empty() {
            self.last_person = Some(finding.subject.clone());
        }
    }

    /// The same from a fact that is stored.
    pub fn learn(&mut self, subject: &str, slot: Option<&Slot>, value: &str) {
        let named = value.chars().next().is_some_and(char::is_alphabetic) && value.split(' ').count() <= 3;
        match slot.map(|slot| (slot.kind, slot.of.as_str())) {
            Some((Kind::Relative, what)) if subject.is_empty() && named => add(&mut self.people, what, value),
            Some((Kind::Pet, what)) if subject.is_empty() && named => add(&mut self.pets, what, value),
            _ => {}
        }
        if let Some((what, name)) = parted(subject)
            && !name.is_empty()
        {
            if lexicon::animal(what).is_some() {
                add(&mut self.pets, what, name);
            } else {
                add(&mut self.people, what, name);
            }
        }
    }

    pub fn is_companion(&self, word: &str) -> bool {
        !self.companion.is_empty() && self.companion == word
    }

    /// `Anna` is `sister Anna`.
    pub fn person(&self, name: &str) -> Option<String> {
        find(&self.people, name).map(Named::label)
    }

    /// The only one who is a sister.
    pub fn relative(&self, what: &str) -> Option<String> {
        let mut those = self.people.iter().filter(|named| named.what == what);
        let first = those.next()?;
        those.next().is_none().then(|| first.label())
    }

    pub fn pet(&self, name: &str) -> Option<&Named> {
        find(&self.pets, name)
    }

    pub fn pet_of_kind(&self, what: &str) -> Option<&Named> {
        self.pets.iter().rev().find(|named| named.what == what)
    }

    pub fn last_person(&self) -> Option<&str> {
        self.last_person.as_deref()
    }

    pub fn last_pet(&self) -> Option<&Named> {
        self.last_pet.as_ref()
    }
}

fn find<'a>(list: &'a [Named], name: &str) -> Option<&'a Named> {
    list.iter().rev().find(|named| named.name.eq_ignore_ascii_case(name))
}

fn add(list: &mut Vec<Named>, what: &str, name: &str) {
    match list.iter_mut().find(|named| named.name.eq_ignore_ascii_case(name)) {
        Some(named) if named.what.is_empty() => what.clone_into(&mut named.what),
        Some(_) => {}
        None => list.push(Named::new(what, name)),
    }
}

/// What somebody is, and the name, of a subject: `sister Anna`, `best friend Tom`, `Anna`, `sister`.
pub fn parted(subject: &str) -> Option<(&str, &str)> {
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

/// Whether two subjects are the same person: `Anna` is `sister Anna`, and so is `sister`.
pub fn same_person(one: &str, other: &str) -> bool {
    if one.eq_ignore_ascii_case(other) {
        return true;
    }
    match (parted(one), parted(other)) {
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
