//! The slot that a fact fills: two facts with different values for the same slot contradict each other.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The kinds of slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SlotKind {
    Name,
    Nickname,
    Age,
    Birthday,
    Home,
    /// The people that a person lives with.
    Household,
    /// A temporary stay of some days.
    Whereabouts,
    Origin,
    Nationality,
    Job,
    Employer,
    Study,
    /// Married, single, engaged.
    Bond,
    /// The name of a relative or friend; the slot says which kind.
    Relative,
    /// The name of a pet; the slot says which kind.
    Pet,
    Diet,
    Allergy,
    Condition,
    /// A like or dislike.
    Taste,
    Favourite,
    Habit,
    /// A thing that a person owns; the slot says which kind.
    Thing,
    Skill,
    Language,
    Goal,
    Plan,
    /// Any other property with a name: a shoe size, a door code.
    Property,
}

impl SlotKind {
    /// Returns true if the slot holds a single name that another can replace.
    pub fn has_names(self) -> bool {
        matches!(
            self,
            Self::Home
                | Self::Employer
                | Self::Job
                | Self::Pet
                | Self::Relative
                | Self::Thing
                | Self::Favourite
                | Self::Name
        )
    }

    pub const ALL: [Self; KEYS.len()] = {
        let mut kinds = [Self::Name; KEYS.len()];
        let mut at = 0;
        while at < KEYS.len() {
            kinds[at] = KEYS[at].0;
            at += 1;
        }
        kinds
    };
}

/// Every kind with its key.
const KEYS: [(SlotKind, &str); 27] = [
    (SlotKind::Name, "name"),
    (SlotKind::Nickname, "nickname"),
    (SlotKind::Age, "age"),
    (SlotKind::Birthday, "birthday"),
    (SlotKind::Home, "home"),
    (SlotKind::Household, "household"),
    (SlotKind::Whereabouts, "whereabouts"),
    (SlotKind::Origin, "origin"),
    (SlotKind::Nationality, "nationality"),
    (SlotKind::Job, "job"),
    (SlotKind::Employer, "employer"),
    (SlotKind::Study, "study"),
    (SlotKind::Bond, "bond"),
    (SlotKind::Relative, "relative"),
    (SlotKind::Pet, "pet"),
    (SlotKind::Diet, "diet"),
    (SlotKind::Allergy, "allergy"),
    (SlotKind::Condition, "condition"),
    (SlotKind::Taste, "taste"),
    (SlotKind::Favourite, "favourite"),
    (SlotKind::Habit, "habit"),
    (SlotKind::Thing, "thing"),
    (SlotKind::Skill, "skill"),
    (SlotKind::Language, "language"),
    (SlotKind::Goal, "goal"),
    (SlotKind::Plan, "plan"),
    (SlotKind::Property, "property"),
];

/// The key of a fact: `home`, `pet:dog`, `favourite:colour`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FactSlot {
    pub kind: SlotKind,
    /// The item within the kind; empty if there is only one.
    pub of: String,
}

/// The error for a string that is not the key of a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownSlot;

impl FactSlot {
    pub fn new(kind: SlotKind) -> Self {
        Self { kind, of: String::new() }
    }

    pub fn of(kind: SlotKind, of: impl Into<String>) -> Self {
        Self { kind, of: of.into() }
    }

    /// Returns true if a person has only one of it at a time.
    pub fn is_single(&self) -> bool {
        match self.kind {
            SlotKind::Relative => matches!(
                self.of.as_str(),
                "wife"
                    | "husband"
                    | "partner"
                    | "girlfriend"
                    | "boyfriend"
                    | "fiancé"
                    | "mother"
                    | "father"
                    | "boss"
                    | "best friend"
                    | "landlord"
                    | "doctor"
                    | "dentist"
                    | "therapist"
            ),
            // People may own several guitars, but only one car that they call theirs.
            SlotKind::Thing => matches!(self.of.as_str(), "car" | "phone" | "laptop" | "home" | "computer"),
            SlotKind::Allergy
            | SlotKind::Condition
            | SlotKind::Skill
            | SlotKind::Language
            | SlotKind::Goal
            | SlotKind::Plan
            | SlotKind::Nationality => false,
            _ => true,
        }
    }
}

impl fmt::Display for FactSlot {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key = KEYS.iter().find(|(kind, _)| *kind == self.kind).map_or("property", |(_, key)| key);
        formatter.write_str(key)?;
        if !self.of.is_empty() {
            write!(formatter, ":{}", self.of)?;
        }
        Ok(())
    }
}

impl FromStr for FactSlot {
    type Err = UnknownSlot;

    fn from_str(text: &str) -> Result<Self, UnknownSlot> {
        let (key, of) = text.split_once(':').unwrap_or((text, ""));
        let kind = KEYS.iter().find(|(_, known)| *known == key).map(|(kind, _)| *kind).ok_or(UnknownSlot)?;
        Ok(Self::of(kind, of))
    }
}

impl Serialize for FactSlot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for FactSlot {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| serde::de::Error::custom(format!("`{text}` is not the key of a slot")))
    }
}
