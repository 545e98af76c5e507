//! Facts as the user views, writes, corrects and merges them.

use std::collections::BTreeSet;

use facts::{Finding, Known, Outcome, Polarity};
use jiff::Timestamp;
use protocol::{
    CategoryCount, Fact, FactCategory, FactChange, FactChangeKind, FactDifference, FactHistory, FactId,
    FactList, FactPatch, FactStatus, MergeFactsRequest, NewFactRequest, Timeline, TimelineEntry, UserId,
};
use store::{FactStep, NewFact, StoreError, StoredFact, StoredFactChange, Thing};
use text::terms;

use super::notes;
use super::order::with;
use super::{LONGEST, USUAL_IMPORTANCE};
use crate::memory::{Memory, MemoryError, Result};
use crate::reader::{Author, Reader};

/// The confidence of what a user writes down.
const BY_HAND: f32 = 0.95;
const PAGE: usize = 100;
const MOST: usize = 500;
const LONGEST_SUBJECT: usize = 100;

/// The facts to show.
#[derive(Debug, Clone, Default)]
pub struct FactQuery {
    pub words: Option<String>,
    pub category: Option<FactCategory>,
    /// Current facts if absent.
    pub status: Option<StatusFilter>,
    pub cursor: Option<String>,
    pub limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusFilter {
    Current,
    Unconfirmed,
    /// Replaced, expired, faded or merged.
    Past,
    All,
}

impl Memory {
    pub async fn facts(&self, user: UserId, reader: Reader, query: FactQuery) -> Result<FactList> {
        let known = self.known(user).await?;
        let sight = self.sight(user, &reader).await?;
        let seen = known.iter().filter(|(fact, _)| sight.has(fact));
        let facts: Vec<Fact> = seen.map(|(fact, known)| sight.cleaned(self.shown(fact, known))).collect();
        let current = |fact: &&Fact| fact.status == FactStatus::Current;
        let mut categories: Vec<CategoryCount> = Vec::new();
        for fact in facts.iter().filter(current) {
            match categories.iter_mut().find(|count| count.category == fact.category) {
                Some(count) => count.facts += 1,
                None => categories.push(CategoryCount { category: fact.category, facts: 1 }),
            }
        }
        categories.sort_by_key(|count| count.category);
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let unconfirmed = count(facts.iter().filter(|fact| fact.status == FactStatus::Unconfirmed).count());
        let wanted = |fact: &Fact| {
            let status = match query.status.unwrap_or(StatusFilter::Current) {
                StatusFilter::Current => fact.status == FactStatus::Current,
                StatusFilter::Unconfirmed => fact.status == FactStatus::Unconfirmed,
                StatusFilter::Past => !matches!(fact.status, FactStatus::Current | FactStatus::Unconfirmed),
                StatusFilter::All => true,
            };
            status && query.category.is_none_or(|category| category == fact.category)
        };
        let mut chosen: Vec<Fact> = facts.into_iter().filter(wanted).collect();
        chosen.reverse();
        if let Some(words) = query.words.as_deref().map(str::trim).filter(|words| !words.is_empty()) {
            chosen = matching(chosen, words);
        }
        let total = count(chosen.len());
        let from = query.cursor.as_deref().and_then(|cursor| cursor.parse::<usize>().ok()).unwrap_or(0);
        let limit = query.limit.unwrap_or(PAGE).clamp(1, MOST);
        let next = (chosen.len() > from + limit).then(|| (from + limit).to_string());
        let facts = chosen.into_iter().skip(from).take(limit).collect();
        Ok(FactList { facts, next, categories, unconfirmed, total })
    }

    /// Returns a fact that this reader may see. For readers other than the user, a private fact is treated as
    /// nonexistent.
    pub async fn fact(&self, user: UserId, reader: Reader, id: FactId) -> Result<Fact> {
        let fact = self.store().fact(user, id).await?;
        let sight = self.sight(user, &reader).await?;
        if !sight.has(&fact) {
            return Err(StoreError::NotFound(Thing::Fact).into());
        }
        Ok(sight.cleaned(self.shown(&fact, &self.believed(&fact))))
    }

    /// Returns a fact in its new state to the caller that has just changed it.
    pub(super) async fn own_fact(&self, user: UserId, id: FactId) -> Result<Fact> {
        self.fact(user, Reader::Person, id).await
    }

    /// Adds a fact. A statement by the user is certain and does not fade; one by a program waits for the user's
    /// confirmation.
    pub async fn add_fact(&self, user: UserId, author: &Author, request: NewFactRequest) -> Result<Fact> {
        match author {
            Author::Person => self.add_fact_from(user, request, None).await,
            Author::Program(name) => self.add_note(user, name, request).await,
        }
    }

    /// Adds a fact that the user states, by hand or in a file. If its text can be parsed, it replaces the facts that it
    /// contradicts.
    pub(crate) async fn add_fact_from(
        &self,
        user: UserId,
        request: NewFactRequest,
        imported_from: Option<String>,
    ) -> Result<Fact> {
        let content = checked(&request.content)?;
        let _hold = self.hold(user).await?;
        let beliefs = self.beliefs(user).await?;
        let today = self.today();
        let subject = named(request.subject.as_deref().unwrap_or_default())?;
        let read = facts::read_note(&content, &subject, today, &self.names_of(user, beliefs.iter()).await?);
        let read = read.map(|finding| Finding { confidence: BY_HAND, ..finding });
        let (mut replaces, mut steps) = (Vec::new(), Vec::new());
        let settled = read.as_ref().map(|finding| facts::settle(&beliefs, finding, today));
        if let Some(id) = said_before(&beliefs, &subject, &content, settled.as_ref()) {
            return self.said_again(user, id, &request).await;
        }
        match settled {
            Some(Outcome::Supersede { old, .. }) => replaces = old,
            Some(Outcome::End { old, on }) => {
                let at = self.at(on).unwrap_or(self.now());
                steps.extend(old.into_iter().map(|id| FactStep::End { id, at }));
            }
            _ => {}
        }
        let (slot, value) = filled(read.as_ref());
        let private = request.private || facts::is_secret(&content);
        let category = request.category.or_else(|| read.as_ref().map(|finding| finding.category));
        let new = NewFact {
            category: category.unwrap_or(FactCategory::Personal),
            status: FactStatus::Current,
            subject: read.as_ref().map_or(subject, |finding| finding.subject.clone()),
            slot,
            value,
            content,
            quote: None,
            confidence: request.confidence.map_or(BY_HAND, share),
            importance: request.importance.map_or(USUAL_IMPORTANCE, share),
            valid_from: self.moment(request.valid_from.as_deref())?,
            valid_to: None,
            expires_at: self.moment(request.expires_at.as_deref())?,
            private,
            lasting: true,
            conversation: None,
            message: None,
            imported_from,
            origins: Vec::new(),
        };
        let id = self.store().fact_id();
        let is_news = new.imported_from.is_none();
        steps.push(FactStep::Learn { id, new, replaces });
        self.store().settle_facts(user, steps, Vec::new()).await?;
        if !is_news {
            self.store().told_facts(user, vec![id]).await?;
        }
        self.own_fact(user, id).await
    }

    /// Raises a known fact to certain instead of storing it twice.
    async fn said_again(&self, user: UserId, id: FactId, request: &NewFactRequest) -> Result<Fact> {
        let patch = FactPatch {
            category: request.category,
            importance: request.importance,
            private: request.private.then_some(true),
            expires_at: request.expires_at.clone(),
            confidence: Some(request.confidence.unwrap_or(BY_HAND)),
            ..FactPatch::default()
        };
        self.patched(user, &Author::Person, id, patch, FactChangeKind::Repeated).await
    }

    pub async fn patch_fact(
        &self,
        user: UserId,
        author: &Author,
        id: FactId,
        patch: FactPatch,
    ) -> Result<Fact> {
        let _hold = self.hold(user).await?;
        self.may_change(user, author, id).await?;
        let patch = match author {
            Author::Person => patch,
            Author::Program(_) => notes::of_program(patch)?,
        };
        self.patched(user, author, id, patch, FactChangeKind::Edited).await
    }

    async fn patched(
        &self,
        user: UserId,
        author: &Author,
        id: FactId,
        patch: FactPatch,
        mut kind: FactChangeKind,
    ) -> Result<Fact> {
        let before = self.store().fact(user, id).await?;
        let mut fact = before.clone();
        if let Some(content) = &patch.content {
            fact.said.content = checked(content)?;
            fact.said.confidence = fact.said.confidence.max(BY_HAND);
            fact.doubted_by = None;
        }
        if let Some(subject) = &patch.subject {
            fact.said.subject = named(subject)?;
        }
        if (&fact.said.content, &fact.said.subject) != (&before.said.content, &before.said.subject) {
            let names = self.names_of(user, self.beliefs(user).await?.iter()).await?;
            let read = facts::read_note(&fact.said.content, &fact.said.subject, self.today(), &names);
            (fact.said.slot, fact.said.value) = filled(read.as_ref());
            // A user who rewords a fact vouches for it, so the program it came from no longer gets to read it as its
            // own.
            if *author == Author::Person {
                fact.said.origins.clear();
            }
        }
        fact.said.category = patch.category.unwrap_or(fact.said.category);
        fact.said.importance = patch.importance.map_or(fact.said.importance, share);
        fact.said.confidence = patch.confidence.map_or(fact.said.confidence, share);
        fact.said.private = patch.private.unwrap_or(fact.said.private);
        if let Some(expires) = &patch.expires_at {
            fact.said.expires_at = self.moment(Some(expires))?;
        }
        if let Some(confirmed) = patch.confirmed {
            (fact.said.status, kind) = match (confirmed, &before.doubt) {
                (true, _) => (FactStatus::Current, FactChangeKind::Confirmed),
                (false, Some(_)) => (FactStatus::Expired, FactChangeKind::Expired),
                (false, None) => (FactStatus::Faded, FactChangeKind::Faded),
            };
            if confirmed {
                fact.said.confidence = fact.said.confidence.max(BY_HAND);
                fact.superseded_by = None;
                fact.said.valid_to = None;
            } else if let Some(doubt) = &before.doubt {
                // It stopped being true when the message was sent that put it in doubt.
                fact.said.valid_to = Some(doubt.at);
            }
            fact.doubted_by = None;
        }
        if fact != before {
            fact.updated_at = self.now();
            let step = FactStep::Change { fact, kind };
            self.store().settle_facts(user, vec![step], Vec::new()).await?;
        }
        self.own_fact(user, id).await
    }

    pub async fn merge_facts(&self, user: UserId, request: MergeFactsRequest) -> Result<Fact> {
        let [first, others @ ..] = request.ids.as_slice() else {
            return Err(MemoryError::Invalid("name the facts that are to become one".into()));
        };
        if others.is_empty() || others.contains(first) {
            return Err(MemoryError::Invalid("two different facts at least are needed to merge".into()));
        }
        let _hold = self.hold(user).await?;
        let mut into = self.store().fact(user, *first).await?;
        for &other in others {
            let other = self.store().fact(user, other).await?;
            into.said.confidence = into.said.confidence.max(other.said.confidence);
            into = with(into, &other);
            if other.said.status == FactStatus::Current {
                into.said.status = FactStatus::Current;
            }
        }
        if let Some(content) = &request.content {
            into.said.content = checked(content)?;
            into.said.origins.clear();
        }
        into.updated_at = self.now();
        let step = FactStep::Merge { into, others: others.to_vec() };
        self.store().settle_facts(user, vec![step], Vec::new()).await?;
        self.own_fact(user, *first).await
    }

    pub async fn fact_history(&self, user: UserId, reader: Reader, id: FactId) -> Result<FactHistory> {
        let sight = self.sight(user, &reader).await?;
        self.fact(user, reader, id).await?;
        let changes = self.store().fact_changes(user, id).await?;
        let can_undo =
            changes.last().is_some_and(|last| last.before.is_some() || last.kind == FactChangeKind::Replaced);
        // The state after a change is the state before the next one.
        let mut after = self.store().fact(user, id).await?;
        let mut told = Vec::with_capacity(changes.len());
        for change in changes.into_iter().rev() {
            let StoredFactChange { at, kind, before, other, other_content, .. } = change;
            let was_open = before.as_ref().is_none_or(|before| sight.has(before));
            let other_is_open = match other {
                Some(other) => self.store().fact(user, other).await.is_ok_and(|other| sight.has(&other)),
                None => true,
            };
            let otherwise = before.as_ref().map(|before| differences(before, &after)).unwrap_or_default();
            if let Some(before) = &before {
                after = before.clone();
            }
            let before = before.filter(|before| sight.tells(before)).map(|fact| fact.said.content);
            let change =
                FactChange { at: at.to_string(), kind, before, changed: otherwise, other, other_content };
            told.push(sight.cleaned_change(change, was_open, other_is_open));
        }
        told.reverse();
        Ok(FactHistory { changes: told, can_undo })
    }

    pub async fn undo_fact(&self, user: UserId, id: FactId) -> Result<Fact> {
        let _hold = self.hold(user).await?;
        self.store().undo_fact(user, id).await?;
        self.own_fact(user, id).await
    }

    /// Returns what was learned, replaced and forgotten, grouped by day, newest first.
    pub async fn timeline(&self, user: UserId, reader: Reader, before: Option<&str>) -> Result<Timeline> {
        let sight = self.sight(user, &reader).await?;
        let before = before.and_then(|cursor| cursor.parse().ok());
        let changes =
            self.store().latest_fact_changes(user, before, u32::try_from(PAGE).unwrap_or(u32::MAX)).await?;
        let next =
            (changes.len() == PAGE).then(|| changes.last().map(|(number, _)| number.to_string())).flatten();
        let mut days: Vec<protocol::MemoryDay> = Vec::new();
        for (_, change) in changes {
            let known = self.store().fact(user, change.fact).await?;
            if !sight.has(&known) {
                continue;
            }
            let fact = sight.cleaned(self.shown(&known, &self.believed(&known)));
            let entry = TimelineEntry {
                at: change.at.to_string(),
                kind: change.kind,
                before: change
                    .before
                    .filter(|before| sight.has(before))
                    .map(|before| before.said.content)
                    .filter(|before| *before != fact.content),
                fact,
            };
            let day = self.day(change.at).to_string();
            match days.last_mut().filter(|last| last.day == day) {
                Some(last) => last.entries.push(entry),
                None => days.push(protocol::MemoryDay { day, entries: vec![entry] }),
            }
        }
        Ok(Timeline { days, next })
    }
}

/// Returns the slot and the value that a parsed finding fills today. A past finding fills none.
pub(super) fn filled(read: Option<&Finding>) -> (Option<String>, String) {
    let holds = |finding: &&Finding| finding.polarity == Polarity::Holds && !finding.is_past();
    let filled = read.filter(holds).and_then(|finding| Some((finding.slot.as_ref()?, &finding.value)));
    filled.map_or_else(Default::default, |(slot, value)| (Some(slot.to_string()), value.clone()))
}

/// Returns the current fact that says the same, if there is one. A text that says more is not the same.
fn said_before(beliefs: &[Known], subject: &str, content: &str, settled: Option<&Outcome>) -> Option<FactId> {
    let words = |content: &str| terms(content).into_iter().collect::<BTreeSet<_>>();
    if let Some(Outcome::Repeat(id)) = settled {
        let same = |fact: &&Known| fact.id == *id && words(content).is_subset(&words(&fact.content));
        return beliefs.iter().find(same).map(|fact| fact.id);
    }
    let plain = |content: &str| content.trim_end_matches('.').to_lowercase();
    let same = |fact: &&Known| {
        fact.status == FactStatus::Current
            && fact.subject == subject
            && plain(&fact.content) == plain(content)
    };
    beliefs.iter().find(same).map(|fact| fact.id)
}

/// Returns the differences other than the wording.
fn differences(before: &StoredFact, after: &StoredFact) -> Vec<FactDifference> {
    let (before, after) = (&before.said, &after.said);
    let time = |at: Option<Timestamp>| at.map(|at| at.to_string());
    let mut found = Vec::new();
    if before.subject != after.subject {
        found.push(FactDifference::Subject { from: before.subject.clone(), to: after.subject.clone() });
    }
    if before.category != after.category {
        found.push(FactDifference::Category { from: before.category, to: after.category });
    }
    if before.private != after.private {
        found.push(FactDifference::Private { to: after.private });
    }
    if before.expires_at != after.expires_at {
        found.push(FactDifference::Expiry { from: time(before.expires_at), to: time(after.expires_at) });
    }
    found
}

/// Clamps a number to the range 0 to 1; NaN becomes `BY_HAND`.
pub(super) fn share(number: f32) -> f32 {
    if number.is_nan() { BY_HAND } else { number.clamp(0.0, 1.0) }
}

/// Normalizes the subject of a fact: a few words, or empty for the user.
pub(super) fn named(subject: &str) -> Result<String> {
    let subject = in_one_line(subject);
    if subject.chars().count() > LONGEST_SUBJECT {
        return Err(MemoryError::Invalid(format!("a subject has at most {LONGEST_SUBJECT} characters")));
    }
    Ok(subject)
}

fn in_one_line(text: &str) -> String {
    let is_apart = |letter: char| letter.is_whitespace() || letter.is_control();
    text.split(is_apart).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

pub(crate) fn checked(content: &str) -> Result<String> {
    let content = in_one_line(content);
    if content.is_empty() {
        return Err(MemoryError::Invalid("a fact needs words".into()));
    }
    if content.len() > LONGEST {
        return Err(MemoryError::Invalid(format!(
            "a fact has at most {LONGEST} characters: write a memory file"
        )));
    }
    Ok(content)
}

/// Returns facts that contain all the words, or else those that contain most of them, best first.
fn matching(facts: Vec<Fact>, words: &str) -> Vec<Fact> {
    let wanted = terms(words);
    let small = words.to_lowercase();
    let mut scored: Vec<(usize, Fact)> = facts
        .into_iter()
        .filter_map(|fact| {
            let text =
                format!("{} {} {}", fact.subject, fact.content, fact.quote.as_deref().unwrap_or_default());
            let has = terms(&text);
            let hits = wanted.iter().filter(|term| has.contains(term)).count();
            let whole = usize::from(text.to_lowercase().contains(&small)) * (wanted.len() + 1);
            Some((hits + whole, fact)).filter(|(score, _)| *score > 0)
        })
        .collect();
    scored.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    scored.into_iter().map(|(_, fact)| fact).collect()
}
