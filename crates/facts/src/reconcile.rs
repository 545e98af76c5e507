//! Compares a finding with the known facts: it may be new, a repetition, a contradiction, or an end.

use jiff::ToSpan;
use jiff::civil::Date;
use protocol::{FactId, FactStatus};

use super::countries;
use super::finding::{Finding, Polarity};
use super::lexicon;
use super::names::{same_person, split_subject};
use super::same::{same_value, says_no_more};
use super::slot::{FactSlot, SlotKind};

/// Findings with less confidence may be mistaken: *I think that I …*.
const UNCERTAIN_BELOW: f32 = 0.6;
/// The confidence of facts that were stated more than once or written by the user.
const CERTAIN: f32 = 0.9;

/// A fact that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownFact {
    pub id: FactId,
    pub subject: String,
    pub slot: Option<FactSlot>,
    pub value: String,
    pub content: String,
    /// The present confidence.
    pub confidence: f32,
    pub status: FactStatus,
    /// The day on which it was first told.
    pub learned: Date,
    pub valid_from: Option<Date>,
    pub valid_to: Option<Date>,
    pub expires: Option<Date>,
    /// True if a message told of a change that may concern this fact.
    pub is_doubted: bool,
}

/// The effect of a finding on the known facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReconcileOutcome {
    New,
    /// The same fact was known; it gains confidence, see [`confidence_after_repetition`].
    Repeat(FactId),
    /// The old facts end on that day and the finding takes their place.
    Supersede {
        old: Vec<FactId>,
        on: Date,
    },
    /// The old facts end on that day without a replacement.
    End {
        old: Vec<FactId>,
        on: Date,
    },
    /// The finding held until that day, before a known fact; it is stored as a past fact.
    Earlier {
        until: Date,
    },
    /// The finding adds nothing.
    Ignore,
}

impl KnownFact {
    /// Returns true if the fact is known to hold on a day. Unconfirmed facts do not count.
    pub fn holds_on(&self, day: Date) -> bool {
        self.status == FactStatus::Current && self.lasts_on(day)
    }

    /// Returns true if the validity period has not ended on a day, regardless of the status.
    pub fn lasts_on(&self, day: Date) -> bool {
        self.valid_to.is_none_or(|to| to > day) && self.expires.is_none_or(|expires| expires > day)
    }

    /// Returns true if the fact awaits confirmation and the finding says the same.
    pub fn awaits(&self, finding: &Finding) -> bool {
        let holds = finding.polarity == Polarity::Holds && !finding.is_past();
        let same = || match finding.slot {
            Some(_) => self.slot == finding.slot && self.value.eq_ignore_ascii_case(&finding.value),
            None => super::same::same(&self.content, &finding.content),
        };
        self.status == FactStatus::Unconfirmed
            && holds
            && same_person(&self.subject, &finding.subject)
            && same()
    }

    /// Returns true if the fact is only known to have held at some time in the past: *I used to live in Rome*.
    pub fn is_vague_past(&self) -> bool {
        self.valid_from.is_none() && self.valid_to.is_some_and(|to| to < self.learned)
    }

    /// Returns the first day on which the fact is known to hold.
    pub fn since(&self) -> Date {
        if self.is_vague_past() { Date::MIN } else { self.valid_from.unwrap_or(self.learned) }
    }
}

/// Returns the confidence of a fact after a repetition.
pub fn confidence_after_repetition(confidence: f32) -> f32 {
    (1.0 - (1.0 - confidence) * 0.6).min(0.98)
}

/// Compares a finding with the known facts. An uncertain finding does not override a certain fact.
pub fn reconcile(known: &[KnownFact], finding: &Finding, said_on: Date) -> ReconcileOutcome {
    let outcome = compare(known, finding, said_on);
    let is_sure = |id: &FactId| known.iter().any(|fact| fact.id == *id && fact.confidence >= CERTAIN);
    match &outcome {
        ReconcileOutcome::Supersede { old, .. } | ReconcileOutcome::End { old, .. }
            if finding.confidence < UNCERTAIN_BELOW && old.iter().any(is_sure) =>
        {
            ReconcileOutcome::Ignore
        }
        _ => outcome,
    }
}

fn compare(known: &[KnownFact], finding: &Finding, said_on: Date) -> ReconcileOutcome {
    let about = |fact: &&KnownFact| {
        same_person(&fact.subject, &finding.subject) && !is_another(&fact.subject, &finding.subject)
    };
    let Some(slot) = &finding.slot else {
        let same = known
            .iter()
            .filter(about)
            .find(|fact| fact.holds_on(said_on) && super::same::same(&fact.content, &finding.content));
        return same.map_or(ReconcileOutcome::New, |fact| ReconcileOutcome::Repeat(fact.id));
    };
    let filled: Vec<&KnownFact> = known
        .iter()
        .filter(about)
        .filter(|fact| fact.status != FactStatus::Unconfirmed)
        .filter(|fact| {
            fact.slot.as_ref().is_some_and(|other| {
                is_about_same(slot, other) || contradicts_habit(finding, slot, fact, other)
            })
        })
        .collect();
    let current: Vec<&KnownFact> = filled.iter().copied().filter(|fact| fact.holds_on(said_on)).collect();
    let same = |fact: &&&KnownFact| same_value(slot.kind, &fact.value, &finding.value);
    let on = finding.valid_from.filter(|from| *from <= said_on).unwrap_or(said_on);
    if finding.polarity == Polarity::Ended {
        let on = finding.valid_to.unwrap_or(said_on);
        let current: Vec<&KnownFact> = current.into_iter().filter(|fact| fact.since() <= said_on).collect();
        return ended(known, finding, slot, &current, said_on, on);
    }
    if finding.is_past() {
        return past(finding, &filled, &current, said_on, same);
    }
    // *I have a dog* adds nothing to *I have a dog called Max*.
    let unnamed = slot.kind == SlotKind::Pet && finding.value == slot.of;
    let told = |fact: &&&KnownFact| {
        fact.value.eq_ignore_ascii_case(&finding.value)
            || says_no_more(slot.kind, &finding.value, &fact.value)
    };
    if let Some(fact) = current.iter().find(|fact| told(fact) || unnamed) {
        return ReconcileOutcome::Repeat(fact.id);
    }
    if is_vaguer(slot, finding, &current) {
        return ReconcileOutcome::Ignore;
    }
    let old = replaced(slot, finding, &current);
    let start = old.iter().map(|fact| fact.since()).max();
    // *I moved from Lyon to Nice in 2019*, although the user is known to have lived in Rome since then.
    let names_old = |old: &[&KnownFact]| {
        finding.replaces.as_deref().is_some_and(|name| {
            name.is_empty() || old.iter().any(|fact| same_value(slot.kind, &fact.value, name))
        })
    };
    let long_before = |from: Date, start: Date| from.checked_add(30.days()).is_ok_and(|from| from < start);
    if let Some(start) = start
        // An old message, for example from an imported file, tells about the time before the known fact.
        && (long_before(said_on, start)
            || !names_old(&old) && finding.valid_from.is_some_and(|from| long_before(from, start)))
    {
        return ReconcileOutcome::Earlier { until: start };
    }
    let mut ids: Vec<FactId> = old.iter().map(|fact| fact.id).collect();
    ids.extend(contradicted(known, finding, slot, said_on));
    if ids.is_empty() { ReconcileOutcome::New } else { ReconcileOutcome::Supersede { old: ids, on } }
}

/// Returns true if two slots are about the same thing.
fn is_about_same(one: &FactSlot, other: &FactSlot) -> bool {
    let couple =
        |of: &str| matches!(of, "partner" | "girlfriend" | "boyfriend" | "wife" | "husband" | "fiancé");
    one.kind == other.kind
        && (one.of == other.of
            || (one.kind == SlotKind::Pet && (one.of == "pet" || other.of == "pet"))
            || (one.kind == SlotKind::Allergy && one.of.is_empty())
            || (one.kind == SlotKind::Property && is_kin(&one.of, &other.of))
            || (one.kind == SlotKind::Relative && couple(&one.of) && couple(&other.of)))
}

/// Returns true if two words mean the same kind of relative: *kids* are *children*, and *a brother* is one of
/// *brothers*.
fn is_kin(one: &str, other: &str) -> bool {
    let kin = |word: &str| match lexicon::relation(word)? {
        "child" => Some("children"),
        several if several.ends_with('s') && several != "boss" => Some(several.trim_end_matches('s')),
        one => Some(one),
    };
    kin(one).is_some() && kin(one) == kin(other)
}

/// Returns true if having none of `kin` excludes having a `relative`.
fn is_one_of(kin: &str, relative: &str) -> bool {
    is_kin(kin, relative)
        || is_kin(kin, "children") && matches!(relative, "son" | "daughter" | "child" | "baby")
}

/// Returns true if a finding about a habit in general contradicts a fact about its frequency, or the reverse: drinking
/// no coffee excludes drinking coffee every morning.
fn contradicts_habit(finding: &Finding, slot: &FactSlot, known: &KnownFact, other: &FactSlot) -> bool {
    let widens = |wide: &FactSlot, narrow: &FactSlot| {
        let rhythm = narrow.of.strip_prefix(&wide.of).and_then(|rest| rest.strip_prefix(' '));
        rhythm.and_then(|rest| rest.split(' ').next()).is_some_and(|first| {
            words!("everi daili weekli morn even night day lot time twice once week weekend month two three")
                .contains(first)
        })
    };
    let both = slot.kind == SlotKind::Habit && other.kind == SlotKind::Habit;
    let ends = finding.polarity == Polarity::Ended || finding.value == "no";
    both && (ends && known.value == "yes" && widens(slot, other)
        || !ends && known.value == "no" && widens(other, slot))
}

/// Returns true for an unnamed person who must not be matched with a named one: *I have a friend who lives in Goa*.
fn is_another(known: &str, told: &str) -> bool {
    let nameless = |subject: &str| split_subject(subject).is_some_and(|(_, name)| name.is_empty());
    nameless(told) && !nameless(known) && !FactSlot::of(SlotKind::Relative, told).is_single()
}

/// Returns true if a finding is less specific or less certain than a known fact and must not replace it: a country
/// beside a city in it, or an uncertain name.
fn is_vaguer(slot: &FactSlot, finding: &Finding, current: &[&KnownFact]) -> bool {
    let changes = finding.replaces.is_some() || finding.valid_from.is_some();
    match slot.kind {
        SlotKind::Home => {
            !changes
                && current.iter().any(|fact| {
                    !countries::is_country(&fact.value) && countries::may_hold(&finding.value, &fact.value)
                })
        }
        SlotKind::Name => finding.confidence < UNCERTAIN_BELOW && !current.is_empty(),
        _ => false,
    }
}

/// Returns the kind of origin. A person can be born in one place and grow up in another.
fn kind_of_origin(content: &str) -> &'static str {
    ["born in", "rew up in"].into_iter().find(|manner| content.contains(manner)).unwrap_or_default()
}

/// Returns the facts in a slot that the finding replaces.
fn replaced<'a>(slot: &FactSlot, finding: &Finding, current: &[&'a KnownFact]) -> Vec<&'a KnownFact> {
    let named = |name: &str| {
        current.iter().copied().filter(|fact| same_value(slot.kind, &fact.value, name)).collect::<Vec<_>>()
    };
    match slot.kind {
        SlotKind::Pet => {
            let unnamed: Vec<&KnownFact> =
                current.iter().copied().filter(|fact| fact.value == slot.of).collect();
            if !unnamed.is_empty() {
                return unnamed;
            }
            match finding.replaces.as_deref() {
                None => Vec::new(),
                Some(name) => {
                    let those = named(name);
                    if those.is_empty() && current.len() == 1 { current.to_vec() } else { those }
                }
            }
        }
        SlotKind::Plan => {
            let changed = finding.replaces.is_some() && current.len() == 1;
            if changed { current.to_vec() } else { Vec::new() }
        }
        SlotKind::Origin => {
            let same = |fact: &&KnownFact| kind_of_origin(&fact.content) == kind_of_origin(&finding.content);
            current.iter().copied().filter(same).collect()
        }
        _ if slot.is_single() => current.to_vec(),
        _ => match finding.replaces.as_deref() {
            Some(name) if !name.is_empty() => named(name),
            _ => Vec::new(),
        },
    }
}

/// Returns facts in other slots that contradict the finding.
fn contradicted(known: &[KnownFact], finding: &Finding, slot: &FactSlot, said_on: Date) -> Vec<FactId> {
    let idle =
        |value: &str| matches!(value, "retired" | "unemployed" | "between jobs" | "out of work" | "jobless");
    let alone = |value: &str| matches!(value, "single" | "divorced" | "separated" | "widowed");
    let clashes = |fact: &KnownFact, other: &FactSlot| match slot.kind {
        SlotKind::Employer => other.kind == SlotKind::Job && idle(&fact.value),
        SlotKind::Job if idle(&finding.value) => {
            other.kind == SlotKind::Employer || other.kind == SlotKind::Job
        }
        SlotKind::Bond if alone(&finding.value) => {
            // *I got divorced in 2015* is about an earlier marriage if the current one began later.
            let of_this = finding.valid_from.is_none_or(|from| from >= fact.since());
            other.kind == SlotKind::Relative
                && (matches!(other.of.as_str(), "partner" | "girlfriend" | "boyfriend" | "fiancé")
                    || finding.value == "divorced"
                        && of_this
                        && matches!(other.of.as_str(), "wife" | "husband"))
        }
        SlotKind::Property if finding.value == "none" => {
            other.kind == SlotKind::Relative && is_one_of(&slot.of, &other.of)
        }
        // Only permanent attributes of a dead person still hold.
        SlotKind::Property if slot.of == "death" => !matches!(
            other.kind,
            SlotKind::Name
                | SlotKind::Nickname
                | SlotKind::Birthday
                | SlotKind::Origin
                | SlotKind::Nationality
                | SlotKind::Relative
                | SlotKind::Property
        ),
        SlotKind::Relative if matches!(slot.of.as_str(), "partner" | "girlfriend" | "boyfriend") => {
            other.kind == SlotKind::Bond && alone(&fact.value)
        }
        SlotKind::Home => {
            other.kind == SlotKind::Plan
                && other.of == "move"
                && same_value(SlotKind::Home, &fact.value, &finding.value)
        }
        SlotKind::Taste if finding.value == "dislikes" => {
            other.kind == SlotKind::Favourite && same_value(SlotKind::Favourite, &fact.value, &slot.of)
        }
        _ => false,
    };
    let those = known.iter().filter(|fact| {
        fact.holds_on(said_on)
            && same_person(&fact.subject, &finding.subject)
            && !is_another(&fact.subject, &finding.subject)
    });
    those
        .filter(|fact| fact.slot.as_ref().is_some_and(|other| *other != *slot && clashes(fact, other)))
        .map(|fact| fact.id)
        .collect()
}

fn ended(
    known: &[KnownFact],
    finding: &Finding,
    slot: &FactSlot,
    current: &[&KnownFact],
    said_on: Date,
    on: Date,
) -> ReconcileOutcome {
    let mut old: Vec<FactId> = current
        .iter()
        // *We broke up* is not about a marriage.
        .filter(|fact| {
            let of = fact.slot.as_ref().map_or("", |slot| slot.of.as_str());
            !(finding.value.is_empty()
                && slot.kind == SlotKind::Relative
                && matches!(of, "wife" | "husband")
                && of != slot.of)
        })
        .filter(|fact| {
            finding.value.is_empty()
                || same_value(slot.kind, &fact.value, &finding.value)
                || matches!(slot.kind, SlotKind::Habit)
        })
        .map(|fact| fact.id)
        .collect();
    if slot.kind == SlotKind::Employer && (finding.value.is_empty() || !old.is_empty()) {
        // The job title ends with the job.
        let job = |fact: &&KnownFact| {
            fact.subject == finding.subject
                && fact.holds_on(said_on)
                && fact.slot.as_ref().is_some_and(|slot| slot.kind == SlotKind::Job)
        };
        old.extend(
            known
                .iter()
                .filter(job)
                .filter(|fact| !matches!(fact.value.as_str(), "retired" | "freelance" | "self-employed"))
                .map(|fact| fact.id),
        );
    }
    if slot.kind == SlotKind::Taste && !old.is_empty() {
        let favourite = |fact: &&KnownFact| {
            fact.holds_on(said_on)
                && fact.slot.as_ref().is_some_and(|other| {
                    other.kind == SlotKind::Favourite
                        && same_value(SlotKind::Favourite, &fact.value, &slot.of)
                })
        };
        old.extend(known.iter().filter(favourite).map(|fact| fact.id));
    }
    // An unknown fact cannot end, but having given up a habit such as smoking is worth storing.
    match (old.is_empty(), slot.kind) {
        (false, _) => ReconcileOutcome::End { old, on },
        (true, SlotKind::Habit) if finding.content.starts_with("Stopped") => ReconcileOutcome::New,
        _ => ReconcileOutcome::Ignore,
    }
}

fn past<'a>(
    finding: &Finding,
    filled: &[&'a KnownFact],
    current: &[&'a KnownFact],
    said_on: Date,
    same: impl Fn(&&&'a KnownFact) -> bool,
) -> ReconcileOutcome {
    if let Some(fact) = current.iter().find(|fact| same(fact)) {
        // *I used to live here* ends it; *in 2015 I lived here* does not.
        return if finding.valid_from.is_none() {
            ReconcileOutcome::End { old: vec![fact.id], on: said_on }
        } else {
            ReconcileOutcome::Ignore
        };
    }
    if filled.iter().any(|fact| same(&fact)) { ReconcileOutcome::Ignore } else { ReconcileOutcome::New }
}
