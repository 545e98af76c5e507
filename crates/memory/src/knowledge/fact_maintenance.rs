//! Keeps facts in order, and reports each replacement once.

use std::collections::HashMap;

use facts::Wording;
use protocol::{FactChangeKind, FactId, FactStatus, Origin, UserId};
use store::{FactUpdate, NewFact, StoredFact};

use crate::access::Recipient;
use crate::memory::{Memory, Result};

/// Counts of the maintenance steps taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FactMaintenance {
    pub expired: usize,
    pub faded: usize,
    pub merged: usize,
    pub promoted: usize,
}

/// A fact that replaced another one or has ended, and has not been mentioned to the user yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplacedFact {
    pub id: FactId,
    /// The subject; empty for the user.
    pub who: String,
    /// The fact that holds instead, if there is one.
    pub now: Option<String>,
    pub before: String,
}

impl Memory {
    /// Maintains a user's facts: expired ones end, unused ones fade, duplicates are merged, and facts that have been
    /// certain for long are made lasting.
    pub async fn maintain_facts(&self, user: UserId) -> Result<FactMaintenance> {
        let _lock = self.lock_facts(user).await?;
        let today = self.today();
        let known = self.known_facts(user).await?;
        let mut counts = FactMaintenance::default();
        let mut steps = Vec::new();
        let mut kept: Vec<StoredFact> = Vec::new();
        let mut alike: HashMap<MergeKey, Vec<(Wording, usize)>> = HashMap::new();
        for (fact, known) in &known {
            if !matches!(fact.said.status, FactStatus::Current | FactStatus::Unconfirmed) {
                continue;
            }
            let change = |status, kind| {
                let said = NewFact { status, ..fact.said.clone() };
                FactUpdate::Change { fact: StoredFact { said, ..fact.clone() }, kind }
            };
            if !known.lasts_on(today) {
                counts.expired += 1;
                steps.push(change(FactStatus::Expired, FactChangeKind::Expired));
                continue;
            }
            if known.confidence < facts::MIN_CONFIDENCE {
                counts.faded += 1;
                steps.push(change(FactStatus::Faded, FactChangeKind::Faded));
                continue;
            }
            let wording = Wording::of(&fact.said.content);
            let others = alike.entry(MergeKey::of(fact)).or_default();
            let same =
                others.iter().find(|(other, _)| other.says_the_same(&wording)).map(|(_, place)| *place);
            if let Some(into) = same.and_then(|place| kept.get_mut(place)) {
                counts.merged += 1;
                into.said.confidence = facts::confidence_after_repetition(into.said.confidence);
                *into = merged(into.clone(), fact);
                steps.push(FactUpdate::Merge { into: into.clone(), others: vec![fact.id] });
                continue;
            }
            others.push((wording, kept.len()));
            let days = self.days_since(fact.created_at);
            if !fact.said.lasting && facts::is_promoted(fact.said.confidence, fact.said_count, days) {
                counts.promoted += 1;
                let said = NewFact { lasting: true, ..fact.said.clone() };
                let fact = StoredFact { said, ..fact.clone() };
                steps.push(FactUpdate::Change { fact: fact.clone(), kind: FactChangeKind::Promoted });
                kept.push(fact);
                continue;
            }
            kept.push(fact.clone());
        }
        // Each step is stored separately, since a fact may be merged into more than once.
        for step in steps {
            self.store().apply_fact_updates(user, vec![step], Vec::new()).await?;
        }
        Ok(counts)
    }

    /// Returns facts that replaced another one or were said to be over, and have not been mentioned yet.
    pub async fn untold_replacements(&self, user: UserId, recipient: Recipient) -> Result<Vec<ReplacedFact>> {
        let known = self.store().facts(user).await?;
        let mut replaced = Vec::new();
        let is_told = |fact: &StoredFact| recipient.is_person() || !fact.said.private;
        for fact in known.iter().filter(|fact| fact.untold).filter(|fact| is_told(fact)) {
            let who = fact.said.subject.clone();
            if fact.said.status == FactStatus::Expired {
                replaced.push(ReplacedFact {
                    id: fact.id,
                    who,
                    now: None,
                    before: fact.said.content.clone(),
                });
                continue;
            }
            if fact.said.status != FactStatus::Current {
                continue;
            }
            let before = known.iter().rfind(|old| old.superseded_by == Some(fact.id));
            if let Some(before) = before.filter(|before| is_told(before)) {
                replaced.push(ReplacedFact {
                    id: fact.id,
                    who,
                    now: Some(fact.said.content.clone()),
                    before: before.said.content.clone(),
                });
            }
        }
        Ok(replaced)
    }

    pub async fn mark_told(&self, user: UserId, ids: Vec<FactId>) -> Result<()> {
        Ok(self.store().mark_facts_mentioned(user, ids).await?)
    }

    /// Records that facts were recalled.
    pub async fn record_use(&self, user: UserId, ids: Vec<FactId>) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        Ok(self.store().use_facts(user, ids).await?)
    }
}

/// The properties that facts must share to be merged if they say the same. Unconfirmed facts are not merged with
/// confirmed ones, nor private with public ones.
#[derive(PartialEq, Eq, Hash)]
struct MergeKey {
    subject: String,
    slot: Option<String>,
    is_current: bool,
    private: bool,
}

impl MergeKey {
    fn of(fact: &StoredFact) -> Self {
        let said = &fact.said;
        Self {
            subject: said.subject.clone(),
            slot: said.slot.clone(),
            is_current: said.status == FactStatus::Current,
            private: said.private,
        }
    }
}

/// Merges another fact into one. The result is private if either was, and has the origins of both.
pub(super) fn merged(mut into: StoredFact, other: &StoredFact) -> StoredFact {
    into.said_count = into.said_count.saturating_add(other.said_count);
    into.said.importance = into.said.importance.max(other.said.importance);
    into.said.private |= other.said.private;
    let theirs = other.said.origins.iter().filter(|origin| !into.said.origins.contains(origin));
    let theirs: Vec<Origin> = theirs.cloned().collect();
    into.said.origins.extend(theirs);
    into
}
