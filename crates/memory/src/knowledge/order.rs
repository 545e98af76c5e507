//! Facts are kept in order, and what took the place of something else is told once.

use protocol::{FactChangeKind, FactId, FactStatus, UserId};
use store::{FactStep, NewFact, StoredFact};

use crate::facts;
use crate::memory::{Memory, Result};

/// What was done to keep the facts in order.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tidied {
    pub expired: usize,
    pub faded: usize,
    pub merged: usize,
    pub promoted: usize,
}

/// Something that took the place of something else, and was not spoken of yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    pub id: FactId,
    pub now: String,
    pub before: String,
}

impl Memory {
    /// Keeps a user's facts in order: what is past its day expires, what nobody speaks of fades, what says the same is
    /// merged, and what was sure for long is kept.
    pub async fn tidy(&self, user: UserId) -> Result<Tidied> {
        let today = self.today();
        let known = self.known(user).await?;
        let mut tidied = Tidied::default();
        let mut steps = Vec::new();
        let mut kept: Vec<&StoredFact> = Vec::new();
        for (fact, known) in &known {
            if !matches!(fact.said.status, FactStatus::Current | FactStatus::Unconfirmed) {
                continue;
            }
            let change = |status, kind| {
                let said = NewFact { status, ..fact.said.clone() };
                FactStep::Change { fact: StoredFact { said, ..fact.clone() }, kind }
            };
            if !known.holds_on(today) {
                tidied.expired += 1;
                steps.push(change(FactStatus::Expired, FactChangeKind::Expired));
                continue;
            }
            if known.confidence < facts::PRUNE_BELOW {
                tidied.faded += 1;
                steps.push(change(FactStatus::Faded, FactChangeKind::Faded));
                continue;
            }
            let same = |other: &&&StoredFact| {
                other.said.subject == fact.said.subject
                    && other.said.slot == fact.said.slot
                    && facts::same(&other.said.content, &fact.said.content)
            };
            if let Some(&into) = kept.iter().find(same) {
                tidied.merged += 1;
                let said = NewFact { confidence: facts::repeated(into.said.confidence), ..into.said.clone() };
                let into = StoredFact { said, said_count: into.said_count + fact.said_count, ..into.clone() };
                steps.push(FactStep::Merge { into, others: vec![fact.id] });
                continue;
            }
            let days = self.days_since(fact.created_at);
            if !fact.said.lasting && facts::is_promoted(fact.said.confidence, fact.said_count, days) {
                tidied.promoted += 1;
                let said = NewFact { lasting: true, ..fact.said.clone() };
                steps.push(FactStep::Change {
                    fact: StoredFact { said, ..fact.clone() },
                    kind: FactChangeKind::Promoted,
                });
            }
            kept.push(fact);
        }
        // Each by itself: a fact may be merged into more than once.
        for step in steps {
            self.store().settle_facts(user, vec![step], Vec::new()).await?;
        }
        Ok(tidied)
    }

    /// What took the place of something else and was not spoken of yet.
    pub async fn untold(&self, user: UserId) -> Result<Vec<Replaced>> {
        let known = self.known(user).await?;
        let mut replaced = Vec::new();
        for (fact, _) in
            known.iter().filter(|(fact, _)| fact.untold && fact.said.status == FactStatus::Current)
        {
            let before = known.iter().rfind(|(old, _)| old.superseded_by == Some(fact.id));
            if let Some((before, _)) = before {
                replaced.push(Replaced {
                    id: fact.id,
                    now: fact.said.content.clone(),
                    before: before.said.content.clone(),
                });
            }
        }
        Ok(replaced)
    }

    pub async fn told(&self, user: UserId, ids: Vec<FactId>) -> Result<()> {
        Ok(self.store().told_facts(user, ids).await?)
    }

    /// Counts that facts were recalled.
    pub async fn used(&self, user: UserId, ids: Vec<FactId>) -> Result<()> {
        if ids.is_empty() {
            return Ok(());
        }
        Ok(self.store().use_facts(user, ids).await?)
    }
}
