//! Facts as they are shown: in a list, one by one, with their history, and in a timeline.

use jiff::Timestamp;
use protocol::{
    CategoryCount, Fact, FactCategory, FactChange, FactChangeKind, FactDifference, FactHistory, FactId,
    FactList, FactStatus, Timeline, TimelineEntry, UserId,
};
use store::{ObjectKind, StoreError, StoredFact, StoredFactChange};
use text::terms;

use crate::access::Recipient;
use crate::memory::{Memory, Result};

const PAGE: usize = 100;
const MOST: usize = 500;

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
    pub async fn facts(&self, user: UserId, recipient: Recipient, query: FactQuery) -> Result<FactList> {
        let known = self.known_facts(user).await?;
        let privacy = self.privacy_filter(user, &recipient).await?;
        let seen = known.iter().filter(|(fact, _)| privacy.allows(fact));
        let facts: Vec<Fact> =
            seen.map(|(fact, known)| privacy.redacted_fact(self.wire_fact(fact, known))).collect();
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

    /// Returns a fact that this recipient may see. For recipients other than the user, a private fact is treated as
    /// nonexistent.
    pub async fn fact(&self, user: UserId, recipient: Recipient, id: FactId) -> Result<Fact> {
        let fact = self.store().fact(user, id).await?;
        let privacy = self.privacy_filter(user, &recipient).await?;
        if !privacy.allows(&fact) {
            return Err(StoreError::NotFound(ObjectKind::Fact).into());
        }
        Ok(privacy.redacted_fact(self.wire_fact(&fact, &self.as_known(&fact))))
    }

    /// Returns a fact in its new state to the caller that has just changed it.
    pub(super) async fn own_fact(&self, user: UserId, id: FactId) -> Result<Fact> {
        self.fact(user, Recipient::Person, id).await
    }

    pub async fn fact_history(&self, user: UserId, recipient: Recipient, id: FactId) -> Result<FactHistory> {
        let privacy = self.privacy_filter(user, &recipient).await?;
        self.fact(user, recipient, id).await?;
        let changes = self.store().fact_changes(user, id).await?;
        let can_undo =
            changes.last().is_some_and(|last| last.before.is_some() || last.kind == FactChangeKind::Replaced);
        // The state after a change is the state before the next one.
        let mut after = self.store().fact(user, id).await?;
        let mut told = Vec::with_capacity(changes.len());
        for change in changes.into_iter().rev() {
            let StoredFactChange { at, kind, before, other, other_content, .. } = change;
            let was_open = before.as_ref().is_none_or(|before| privacy.allows(before));
            let other_is_open = match other {
                Some(other) => self.store().fact(user, other).await.is_ok_and(|other| privacy.allows(&other)),
                None => true,
            };
            let otherwise = before.as_ref().map(|before| differences(before, &after)).unwrap_or_default();
            if let Some(before) = &before {
                after = before.clone();
            }
            let before = before.filter(|before| privacy.allows_text_of(before)).map(|fact| fact.said.content);
            let change =
                FactChange { at: at.to_string(), kind, before, changed: otherwise, other, other_content };
            told.push(privacy.redacted_change(change, was_open, other_is_open));
        }
        told.reverse();
        Ok(FactHistory { changes: told, can_undo })
    }

    /// Returns what was learned, replaced and forgotten, grouped by day, newest first.
    pub async fn timeline(
        &self,
        user: UserId,
        recipient: Recipient,
        before: Option<&str>,
    ) -> Result<Timeline> {
        let privacy = self.privacy_filter(user, &recipient).await?;
        let before = before.and_then(|cursor| cursor.parse().ok());
        let changes =
            self.store().latest_fact_changes(user, before, u32::try_from(PAGE).unwrap_or(u32::MAX)).await?;
        let next =
            (changes.len() == PAGE).then(|| changes.last().map(|(number, _)| number.to_string())).flatten();
        let mut days: Vec<protocol::MemoryDay> = Vec::new();
        for (_, change) in changes {
            let known = self.store().fact(user, change.fact).await?;
            if !privacy.allows(&known) {
                continue;
            }
            let fact = privacy.redacted_fact(self.wire_fact(&known, &self.as_known(&known)));
            let entry = TimelineEntry {
                at: change.at.to_string(),
                kind: change.kind,
                before: change
                    .before
                    .filter(|before| privacy.allows(before))
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
