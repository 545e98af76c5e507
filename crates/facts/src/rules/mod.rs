//! The rules that turn a clause into findings about a person's life.

mod aside;
mod belongings;
mod bonds;
mod death;
mod diet;
mod exchange;
mod fondness;
mod habits;
mod health;
mod hiring;
mod home;
mod leaving;
mod life;
mod moving;
mod naming;
mod of_pets;
mod pets;
mod plans;
pub mod says;
mod tastes;
mod things;
mod trade;
mod value;
mod work;

use jiff::ToSpan;
use jiff::civil::Date;
use protocol::FactCategory;

use super::clause::{Clause, Tense};
use super::finding::{Finding, Polarity};
use super::lexicon;
use super::names::Names;
use super::slot::{Kind, Slot};
use super::subject::{Mentions, Subject, capital};
use super::time::Sort;
use super::verbs::{self, Form};

pub use aside::{beside, done_to_me, in_passing, of_tastes};
pub use belongings::born_on;
pub use bonds::{met, relative};
pub use diet::diet_draft;
pub use exchange::exchanged;
pub use health::allergic;
pub use hiring::is_bought;
pub use naming::{asked_name, call_me};
pub use pets::pet;
pub use tastes::{taste, topic};
pub use things::owns;
pub use work::works_there;

/// A finding under construction.
#[derive(Debug, Clone)]
pub struct Draft {
    pub category: FactCategory,
    pub slot: Option<Slot>,
    pub value: String,
    /// The predicate in the third person: `lives in Lyon`.
    pub says: String,
    /// The whole sentence, if it is not made of subject and predicate.
    pub content: Option<String>,
    pub subject: Option<String>,
    pub polarity: Polarity,
    pub replaces: Option<String>,
    pub confidence: f32,
    pub importance: f32,
    pub expires: Option<Date>,
    /// True if it holds from the date in the clause.
    pub begins: bool,
    /// True if it is over and held at the time in the clause.
    pub past: bool,
    /// True if it happens on the date in the clause.
    pub is_event: bool,
    /// True if it held until its replacement began.
    pub gave_way: bool,
}

impl Draft {
    pub fn new(
        category: FactCategory,
        slot: impl Into<Option<Slot>>,
        value: impl Into<String>,
        says: impl Into<String>,
    ) -> Self {
        Self {
            category,
            slot: slot.into(),
            value: value.into(),
            says: says.into(),
            content: None,
            subject: None,
            polarity: Polarity::Holds,
            replaces: None,
            confidence: 0.85,
            importance: 0.5,
            expires: None,
            begins: false,
            past: false,
            is_event: false,
            gave_way: false,
        }
    }

    pub fn sure(mut self, confidence: f32) -> Self {
        self.confidence = confidence;
        self
    }

    pub fn important(mut self, importance: f32) -> Self {
        self.importance = importance;
        self
    }

    pub fn begins(mut self) -> Self {
        self.begins = true;
        self
    }

    pub fn past(mut self, past: bool) -> Self {
        self.past = past;
        self
    }

    /// Marks the draft as having held until the date of the clause.
    pub fn gave_way(mut self) -> Self {
        self.past = true;
        self.gave_way = true;
        self
    }

    pub fn event(mut self) -> Self {
        self.is_event = true;
        self
    }

    pub fn ended(mut self) -> Self {
        self.polarity = Polarity::Ended;
        self
    }

    pub fn ended_if(self, ended: bool) -> Self {
        if ended { self.ended() } else { self }
    }

    pub fn replacing(mut self, old: Option<String>) -> Self {
        if old.is_some() {
            self.replaces = old;
        }
        self
    }

    pub fn changed(mut self) -> Self {
        if self.replaces.is_none() {
            self.replaces = Some(String::new());
        }
        self
    }

    pub fn expiring(mut self, day: Date) -> Self {
        self.expires = Some(day);
        self
    }

    pub fn of(mut self, subject: &str) -> Self {
        self.subject = Some(subject.to_owned());
        self
    }

    pub fn in_full(mut self, content: String) -> Self {
        self.content = Some(content);
        self
    }
}

/// Returns everything that a clause says.
pub fn drafts(clause: &Clause<'_>, names: &Names, mentions: &mut Mentions) -> Vec<Draft> {
    match &clause.subject {
        Subject::Me | Subject::Person(_) => {
            let rules: [fn(&Clause<'_>) -> Vec<Draft>; 11] = [
                life::read,
                pets::read,
                home::read,
                work::read,
                bonds::read,
                diet::diet,
                health::health,
                tastes::read,
                plans::read,
                things::read,
                habits::habit,
            ];
            bonds::introduced(clause, names, mentions);
            let found = pets::read_with(clause, names, mentions);
            if !found.is_empty() {
                return found;
            }
            rules.iter().map(|rule| rule(clause)).find(|found| !found.is_empty()).unwrap_or_default()
        }
        Subject::Pet(pet) => of_pets::of_pet(clause, pet, mentions),
        Subject::Thing { owner, words } => {
            let found = belongings::of_thing(clause, owner, words, names, mentions);
            if found.is_empty() { plans::of_thing(clause, owner, words) } else { found }
        }
        Subject::Somebody => Vec::new(),
    }
}

/// Returns a draft with a new value for a slot: `it's Lyon now`.
pub fn refilled(clause: &Clause<'_>, slot: &Slot) -> Option<Draft> {
    let value = match slot.kind {
        Kind::Home | Kind::Origin => value::place(clause.text, &clause.rest)?,
        Kind::Employer => value::organisation(clause.text, &clause.rest)?,
        Kind::Pet | Kind::Relative | Kind::Name => value::name(clause.text, &clause.rest)?,
        Kind::Favourite | Kind::Thing => value::object(clause.text, &clause.rest)?,
        Kind::Taste => {
            let end = clause.rest.iter().position(|token| token.low == "for").unwrap_or(clause.rest.len());
            let value = value::object(clause.text, &clause.rest[..end])?;
            let family = lexicon::family_of(&value)?;
            let slot = Slot::of(Kind::Property, format!("preferred {family}"));
            return Some(
                Draft::new(FactCategory::Preference, slot, value.clone(), format!("switched to {value}"))
                    .begins(),
            );
        }
        _ => return None,
    };
    let says = match slot.kind {
        Kind::Home => format!("lives in {value}"),
        Kind::Origin => format!("comes from {value}"),
        Kind::Employer => format!("works at {value}"),
        Kind::Pet => return Some(pet(&slot.of, &value).begins()),
        Kind::Relative => return Some(relative(&slot.of, &value)),
        Kind::Favourite => format!("favourite {} is {value}", slot.of),
        Kind::Thing => return Some(owns(&slot.of, &value).begins()),
        _ => format!("is called {value}"),
    };
    let category =
        if slot.kind == Kind::Favourite { FactCategory::Preference } else { FactCategory::Personal };
    Some(Draft::new(category, slot.clone(), value, says).begins())
}

/// Turns a draft into a finding.
pub fn finish(draft: Draft, clause: &Clause<'_>) -> Finding {
    let subject = draft.subject.clone().unwrap_or_else(|| match &clause.subject {
        Subject::Person(label) => label.clone(),
        _ => String::new(),
    });
    let content = draft.content.clone().unwrap_or_else(|| sentence(&subject, &draft.says));
    let today = clause.today;
    let mut confidence = draft.confidence;
    if clause.hints.asked {
        confidence = confidence.max(0.95);
    }
    if clause.hints.doubts {
        confidence *= 0.6;
    }
    if !subject.is_empty() {
        confidence *= 0.95;
    }
    // *Sold the car*: the subject is most likely the user.
    if clause.elided {
        confidence *= 0.88;
    }
    let at = clause.when(&[Sort::At, Sort::Since, Sort::Throughout]);
    let until = clause.when(&[Sort::Until]);
    let mut valid_from = at
        .filter(|when| when.from <= today && (draft.begins || when.sort == Sort::Since))
        .map(|when| when.from);
    if draft.slot.as_ref().is_some_and(|slot| slot.kind == Kind::Whereabouts) {
        valid_from = None;
    }
    let mut valid_to = None;
    let mut expires = draft.expires;
    if draft.gave_way {
        valid_to = Some(at.filter(|when| when.from <= today).map_or(today, |when| when.from));
        valid_from = None;
    } else if draft.past {
        valid_from = clause.when(&[Sort::At, Sort::Throughout]).map(|when| when.from);
        let end = clause.when(&[Sort::At, Sort::Throughout]).map(|when| when.to.min(today));
        let before = end.unwrap_or_else(|| today.checked_sub(1.day()).unwrap_or(today));
        valid_to = Some(before);
    } else if draft.begins
        && valid_from.is_none()
        && matches!(clause.tense, Tense::Past | Tense::Perfect)
        // *I've been learning the cello* began before today.
        && !(clause.progressive && clause.tense == Tense::Perfect)
        && draft.polarity == Polarity::Holds
    {
        valid_from = Some(today);
    }
    if clause.hints.is_now
        && draft.begins
        && !draft.past
        && valid_from.is_none()
        && draft.polarity == Polarity::Holds
    {
        valid_from = Some(today);
    }
    if draft.is_event {
        let day = at.or(until).copied();
        valid_from = day.map(|day| day.from);
        valid_to = None;
        let after = day.map_or(today, |day| day.to).checked_add(1.day()).ok();
        if day.is_some_and(|day| day.to >= today) {
            expires = after;
        }
    } else if let Some(month) = at.filter(|at| {
        // *I'm not eating sugar this month*
        clause.progressive
            && clause.tense == Tense::Present
            && at.sort == Sort::At
            && at.from <= today
            && at.to > today
            && draft
                .slot
                .as_ref()
                .is_some_and(|slot| matches!(slot.kind, Kind::Diet | Kind::Habit | Kind::Taste))
    }) {
        expires = month.to.checked_add(1.day()).ok();
    } else if let Some(until) = until.filter(|_| !draft.past) {
        expires = until.to.checked_add(1.day()).ok();
    }
    if draft.polarity == Polarity::Ended {
        valid_to = Some(at.filter(|when| when.from <= today).map_or(today, |when| when.from));
        valid_from = None;
    }
    let mut replaces = draft.replaces;
    // *I moved to Rome in 2015* need not be current; *since 2015* is.
    let long_ago = today.checked_sub(60.days()).unwrap_or(today);
    match at {
        Some(when) if when.sort == Sort::At && when.to < long_ago && replaces.as_deref() == Some("") => {
            replaces = None;
        }
        Some(when) if when.sort == Sort::Since && replaces.is_none() && !draft.past => {
            replaces = Some(String::new());
        }
        _ => {}
    }
    if replaces.is_none() && clause.hints.corrects && draft.polarity == Polarity::Holds && !draft.past {
        replaces = Some(String::new());
    }
    Finding {
        category: draft.category,
        subject,
        slot: draft.slot,
        value: draft.value,
        content,
        quote: clause.text.get(clause.range.clone()).unwrap_or_default().trim().to_owned(),
        confidence: confidence.clamp(0.05, 0.99),
        importance: if clause.hints.asked { draft.importance.max(0.8) } else { draft.importance },
        valid_from,
        valid_to,
        expires,
        polarity: draft.polarity,
        replaces,
    }
}

/// Returns a self-contained sentence.
pub fn sentence(subject: &str, says: &str) -> String {
    let whole = match subject {
        "" => says.to_owned(),
        several if is_several(several) => format!("{several} {}", of_several(says)),
        one => format!("{one} {says}"),
    };
    let whole = capital(whole.trim());
    if whole.ends_with(['.', '!', '?']) { whole } else { whole + "." }
}

fn is_several(subject: &str) -> bool {
    words!("parents children grandparents sons daughters brothers sisters friends in-laws").contains(subject)
}

/// Puts a predicate into the plural: `lives in Spain` becomes `live in Spain`.
fn of_several(says: &str) -> String {
    let (verb, rest) = says.split_once(' ').unwrap_or((says, ""));
    let plural = match verb {
        "is" => "are",
        "was" => "were",
        "has" => "have",
        _ => verbs::lemma(verb).filter(|(_, form)| *form == Form::Third).map_or(verb, |(base, _)| base),
    };
    format!("{plural} {rest}")
}

/// Returns the number of words of the first phrase that the words begin with.
pub fn begins(words: &[&str], phrases: &[&[&str]]) -> Option<usize> {
    phrases.iter().find(|phrase| words.starts_with(phrase)).map(|phrase| phrase.len())
}
