//! A finding under construction.

use jiff::ToSpan;
use jiff::civil::Date;
use protocol::FactCategory;

use super::sentence_text::sentence;
use crate::clause::{Clause, Tense};
use crate::finding::{Finding, Polarity};
use crate::mentions::ClauseSubject;
use crate::slot::{FactSlot, SlotKind};
use crate::time::TimeKind;

/// A finding under construction.
#[derive(Debug, Clone)]
pub struct FactDraft {
    pub category: FactCategory,
    pub slot: Option<FactSlot>,
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

impl FactDraft {
    pub fn new(
        category: FactCategory,
        slot: impl Into<Option<FactSlot>>,
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

/// Turns a draft into a finding.
pub fn finish(draft: FactDraft, clause: &Clause<'_>) -> Finding {
    let subject = draft.subject.clone().unwrap_or_else(|| match &clause.subject {
        ClauseSubject::Person(label) => label.clone(),
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
    let at = clause.when(&[TimeKind::At, TimeKind::Since, TimeKind::Throughout]);
    let until = clause.when(&[TimeKind::Until]);
    let mut valid_from = at
        .filter(|when| when.from <= today && (draft.begins || when.kind == TimeKind::Since))
        .map(|when| when.from);
    if draft.slot.as_ref().is_some_and(|slot| slot.kind == SlotKind::Whereabouts) {
        valid_from = None;
    }
    let mut valid_to = None;
    let mut expires = draft.expires;
    if draft.gave_way {
        valid_to = Some(at.filter(|when| when.from <= today).map_or(today, |when| when.from));
        valid_from = None;
    } else if draft.past {
        valid_from = clause.when(&[TimeKind::At, TimeKind::Throughout]).map(|when| when.from);
        let end = clause.when(&[TimeKind::At, TimeKind::Throughout]).map(|when| when.to.min(today));
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
            && at.kind == TimeKind::At
            && at.from <= today
            && at.to > today
            && draft
                .slot
                .as_ref()
                .is_some_and(|slot| matches!(slot.kind, SlotKind::Diet | SlotKind::Habit | SlotKind::Taste))
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
        Some(when) if when.kind == TimeKind::At && when.to < long_ago && replaces.as_deref() == Some("") => {
            replaces = None;
        }
        Some(when) if when.kind == TimeKind::Since && replaces.is_none() && !draft.past => {
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
