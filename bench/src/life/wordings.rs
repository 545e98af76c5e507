//! The sets of wordings in which a year can be told and asked about: data, with one file per set.
//!
//! A file has the form `{"tellings": {KIND: [..]}, "questions": {KIND: [..]}}`. In its sentences `{new}` and `{old}`
//! are values, `{kind}` is an animal, `{of}` the subject of a favourite, `{who}` a friend, and `{when}` a time such as
//! a month.

use std::collections::HashMap;
use std::hash::Hash;

use serde::Deserialize;

/// A kind of telling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum TellingKind {
    Name,
    Home,
    /// A home of many years.
    HomeLong,
    Moved,
    Employer,
    JobChanged,
    Title,
    Promoted,
    Pet,
    PetRenamed,
    Likes,
    Dislikes,
    TurnedAgainst,
    TurnedTowards,
    Favourite,
    FavouriteChanged,
    Diet,
    DietChanged,
    MeatAgain,
    Friend,
    FriendMoved,
    FriendWorks,
    Car,
    CarChanged,
    Birthday,
    Allergy,
    Language,
    Partner,
    DrinkSwitched,
    LivedThen,
}

impl TellingKind {
    pub const ALL: [Self; 30] = [
        Self::Name,
        Self::Home,
        Self::HomeLong,
        Self::Moved,
        Self::Employer,
        Self::JobChanged,
        Self::Title,
        Self::Promoted,
        Self::Pet,
        Self::PetRenamed,
        Self::Likes,
        Self::Dislikes,
        Self::TurnedAgainst,
        Self::TurnedTowards,
        Self::Favourite,
        Self::FavouriteChanged,
        Self::Diet,
        Self::DietChanged,
        Self::MeatAgain,
        Self::Friend,
        Self::FriendMoved,
        Self::FriendWorks,
        Self::Car,
        Self::CarChanged,
        Self::Birthday,
        Self::Allergy,
        Self::Language,
        Self::Partner,
        Self::DrinkSwitched,
        Self::LivedThen,
    ];
}

/// A kind of question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum QuestionKind {
    Home,
    HomeThen,
    HomeBefore,
    Employer,
    EmployerThen,
    EmployerBefore,
    Title,
    Pet,
    PetBefore,
    Opinion,
    Favourite,
    FavouriteBefore,
    Diet,
    FriendHome,
    FriendHomeBefore,
    FriendEmployer,
    Car,
    CarBefore,
    Birthday,
    Allergy,
    Language,
    Partner,
    Name,
    Drink,
    Unknown,
}

/// The sets by which the patterns were extended, each after it had been measured unseen. The first one is the default.
const SETS: [(&str, &str); 8] = [
    ("usual", include_str!("../../wordings/usual.json")),
    ("other", include_str!("../../wordings/other.json")),
    ("spoken", include_str!("../../wordings/spoken.json")),
    ("letters", include_str!("../../wordings/letters.json")),
    ("formal", include_str!("../../wordings/formal.json")),
    ("mixed", include_str!("../../wordings/mixed.json")),
    ("diverse", include_str!("../../wordings/diverse.json")),
    ("brief", include_str!("../../wordings/brief.json")),
];

/// A set of wordings. Every kind has at least one sentence.
#[derive(Debug, Clone)]
pub struct Wordings {
    pub name: String,
    /// The kinds without sentences of their own, which use the default ones.
    pub borrowed: Vec<String>,
    tellings: HashMap<TellingKind, Vec<String>>,
    questions: HashMap<QuestionKind, Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    tellings: HashMap<TellingKind, Vec<String>>,
    questions: HashMap<QuestionKind, Vec<String>>,
}

impl Wordings {
    pub fn usual() -> serde_json::Result<Self> {
        let File { tellings, questions } = serde_json::from_str(SETS[0].1)?;
        Ok(Self { name: SETS[0].0.to_owned(), borrowed: Vec::new(), tellings, questions })
    }

    /// Reads all sets of the repository, the default one first.
    pub fn all() -> serde_json::Result<Vec<Self>> {
        SETS.into_iter().map(|(name, text)| Self::read(name, text)).collect()
    }

    /// Reads a set. Missing kinds use the default sentences; an unknown kind is an error.
    pub fn read(name: &str, text: &str) -> serde_json::Result<Self> {
        let File { tellings, questions } = serde_json::from_str(text)?;
        let usual = Self::usual()?;
        let mut set = Self { name: name.to_owned(), borrowed: Vec::new(), tellings, questions };
        fill_up(&mut set.tellings, usual.tellings, "tellings", &mut set.borrowed);
        fill_up(&mut set.questions, usual.questions, "questions", &mut set.borrowed);
        set.borrowed.sort();
        Ok(set)
    }

    pub fn tellings(&self, told: TellingKind) -> &[String] {
        &self.tellings[&told]
    }

    pub fn questions(&self, ask: QuestionKind) -> &[String] {
        &self.questions[&ask]
    }
}

fn fill_up<Kind: std::fmt::Debug + Eq + Hash>(
    own: &mut HashMap<Kind, Vec<String>>,
    usual: HashMap<Kind, Vec<String>>,
    part: &str,
    borrowed: &mut Vec<String>,
) {
    own.retain(|_, sentences| !sentences.is_empty());
    for (kind, sentences) in usual {
        let name = format!("{part}.{kind:?}");
        own.entry(kind).or_insert_with(|| {
            borrowed.push(name);
            sentences
        });
    }
}
