//! Decides which of the names in a sentence is the current home or employer, and which was left.

use std::sync::LazyLock;

use protocol::FactCategory;

use super::name_mention::{NameKind, NameMention};
use super::sentence_draft::SentenceDraft;
use super::sentence_view::SentenceView;
use crate::lexicon;
use crate::rules::FactDraft;
use crate::slot::{FactSlot, SlotKind};
use crate::verbs::{self, VerbForm};
use crate::wordlists::WordList;

/// Words of work.
pub static WORK: WordList = LazyLock::new(|| {
    "work department marketing redundant signed lanyard cv works working worked job employer boss manager office colleague colleagues coworker coworkers team company \
    firm commute shift shifts payroll hired hire offer started start starting joined joining contract poached badge \
    salary pays paid career position role desk staff bills wages paycheck paycheque employed employs employee \
    onboarding probation notice gig recruited headhunted snapped resigned quit hq headquarters factory warehouse \
    workplace payslip clock newest hires recruit found employers jobs workmates workmate shifts badge uniform \
    intranet canteen overtime wage income earn earning earns living nine-to-five ladder internship laptop induction \
    onboarded hr bosses payday pension mug meetings deadline deadlines trainee rota"
        .split_whitespace()
        .collect()
});

/// Things that people have where they live.
pub static DWELLING: WordList = LazyLock::new(|| {
    "crib digs gaff pad household flat apartment house home place landlord landlady neighbour neighbours neighbors neighbourhood address postcode \
    balcony kitchen bed bedroom garden street lease boxes removal rent mortgage hometown city town studio life keys \
    roots family"
        .split_whitespace()
        .collect()
});

/// Returns true if a name is the subject of a note: *new job! Kestrel*, but not *started reading Dune*.
pub fn is_noted(view: &SentenceView<'_>, name: &NameMention) -> bool {
    let before = view.before(name.range.start, 1);
    name.kind == NameKind::Unknown
        && !view.words.iter().any(|word| lexicon::animal(word).is_some() || lexicon::relation(word).is_some())
        && (matches!(
            before,
            "" | ":" | "," | "!" | "." | ">" | "→" | "=" | "in" | "into" | "at" | "for" | "by" | "now" | "a"
        ) || name.range.start == 0)
}

/// Returns true if a name belongs to a person or an animal, or is no name at all.
pub fn is_somebody(view: &SentenceView<'_>, name: &NameMention) -> bool {
    let written = view.tokens.get(name.range.start).is_some_and(|token| token.is_capital);
    let low = view.word(name.range.start);
    let another = lexicon::is_given_name(low)
        || lexicon::is_language(low)
        || lexicon::is_likeable(low)
        || lexicon::is_allergen(low);
    // *My boss, Priscilla,*, *Abena's things*
    let beside = view.before(name.range.start, 1) == ","
        && (lexicon::relation(view.before(name.range.start, 2)).is_some()
            || lexicon::is_occupation(&[view.before(name.range.start, 2)]));
    another
        || beside
        || view.word(name.range.end) == "'s" && verbs::lemma(view.word(name.range.end + 1)).is_none()
        || name.text.contains('&')
        || !written
        || view.words.iter().any(|word| lexicon::animal(word).is_some())
}

/// Returns true if a name is said to be current in a sentence about the distant past.
fn is_today(view: &SentenceView<'_>, name: &NameMention) -> bool {
    let clause = view.clause(name.range.start);
    clause.contains(&"now") && !view.phrase(&["ago", "now"]) || view.phrase(&["these", "days"])
}

/// The wording of a slot: for its current value, for an earlier one, and for its end.
pub struct SlotWording {
    pub kind: SlotKind,
    pub now: &'static str,
    pub then: &'static str,
    pub gone: &'static str,
}

/// Determines which of the matching names is current and which was left.
pub fn current_and_left(
    view: &SentenceView<'_>,
    current: Option<&str>,
    (topic, terse): (bool, bool),
    fits: impl Fn(&NameMention) -> bool,
    phrases: &SlotWording,
) -> Vec<SentenceDraft> {
    let mut fitting: Vec<&NameMention> = view.names.iter().filter(|name| fits(name)).collect();
    // If a friend is named, only names in a clause with *I* or next to a *my* are the user's.
    if view.is_mine() && view.names_another {
        fitting.retain(|name| {
            let clause = view.clause(name.range.start);
            let at = name.range.start;
            let own = clause.iter().any(|word| matches!(*word, "i" | "we"))
                || view.has_own_beside(at, &WORK)
                || view.has_own_beside(at, &DWELLING);
            own && !clause.iter().any(|word| lexicon::is_given_name(word))
        });
    }
    if !view.is_mine() {
        fitting.retain(|name| view.is_theirs(name.range.start));
    }
    // *Tom lost his job at Lego* only names what has ended.
    if !view.is_mine() && current.is_none() && fitting.len() == 1 && view.says_over() {
        return Vec::new();
    }
    // Known cities and companies take precedence over names that only may be one.
    let is_current =
        |name: &NameMention| current.is_some_and(|current| current.eq_ignore_ascii_case(&name.text));
    if fitting.iter().any(|name| name.kind != NameKind::Unknown && !name.is_left && !is_current(name)) {
        fitting.retain(|name| name.kind != NameKind::Unknown);
    }
    let mentions_current = fitting.iter().any(|name| is_current(name));
    let slot = FactSlot::new(phrases.kind);
    let make = |value: &str, says: &str| {
        FactDraft::new(FactCategory::Personal, slot.clone(), value, format!("{says} {value}"))
            .important(0.75)
            .of(&view.subject)
    };
    let new: Vec<&&NameMention> = fitting.iter().filter(|name| !name.is_left && !is_current(name)).collect();
    let left =
        fitting.iter().find(|name| name.is_left).or_else(|| fitting.iter().find(|name| is_current(name)));
    // A name next to the current value needs a sign of change; any other needs words about the slot.
    let leaves = fitting.iter().any(|name| is_current(name) && name.is_left);
    let tells = topic || mentions_current && (view.is_change || leaves);
    // Chat messages often omit the subject: *Moved to Rome*, *no more Lyon*.
    let opens = view.words.iter().find(|word| word.chars().all(char::is_alphabetic)).is_some_and(|word| {
        verbs::lemma(word).is_some_and(|(_, form)| form != VerbForm::Third)
            || matches!(*word, "finally" | "new" | "just" | "no")
    });
    let opens = opens && (view.is_change || current.is_none());
    let names_home = view.phrase(&["been", "home"])
        || view.phrase(&["is", "home"])
        || view.words.contains(&"resident") && !view.has(&["the", "a"]);
    let spoken = view.says_me() || !view.is_mine() || leaves || terse || opens || names_home;
    if let [name] = new.as_slice()
        && tells
        && spoken
        && (!view.is_long_ago || is_today(view, name))
    {
        let draft = make(&name.text, phrases.now).sure(0.65);
        let changes = view.is_change || left.is_some();
        if !changes {
            return vec![SentenceDraft::new(draft)];
        }
        let mut found = vec![SentenceDraft::changed(draft.replacing(left.map(|left| left.text.clone())))];
        if let Some(left) = left.filter(|left| !is_current(left) && left.text != name.text) {
            found.push(SentenceDraft::new(make(&left.text, phrases.then).gave_way().sure(0.6)));
        }
        return found;
    }
    // The current value has ended and nothing else is clear: having no value is better than keeping the old one.
    if new.is_empty()
        && let Some(name) = fitting.iter().find(|name| is_current(name) && name.is_left)
        && (topic || view.is_change)
        && !view.is_long_ago
    {
        return vec![SentenceDraft::new(make(&name.text, phrases.gone).ended().sure(0.6))];
    }
    Vec::new()
}
