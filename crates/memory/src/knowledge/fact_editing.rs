//! Facts as the user writes, corrects and merges them.

use std::collections::BTreeSet;

use facts::{Finding, KnownFact, ReconcileOutcome};
use protocol::{
    Fact, FactCategory, FactChangeKind, FactId, FactPatch, FactStatus, MergeFactsRequest, NewFactRequest,
    UserId,
};
use store::{FactUpdate, NewFact};
use text::terms;

use super::fact_maintenance::merged;
use super::fact_text::{HAND_WRITTEN_CONFIDENCE, checked_content, checked_subject, clamped, slot_and_value};
use super::{DEFAULT_IMPORTANCE, program_notes};
use crate::access::Author;
use crate::memory::{Memory, MemoryError, Result};

impl Memory {
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
        let content = checked_content(&request.content)?;
        let _lock = self.lock_facts(user).await?;
        let beliefs = self.beliefs(user).await?;
        let today = self.today();
        let subject = checked_subject(request.subject.as_deref().unwrap_or_default())?;
        let read =
            facts::read_note(&content, &subject, today, &self.known_names(user, beliefs.iter()).await?);
        let read = read.map(|finding| Finding { confidence: HAND_WRITTEN_CONFIDENCE, ..finding });
        let (mut replaces, mut steps) = (Vec::new(), Vec::new());
        let settled = read.as_ref().map(|finding| facts::reconcile(&beliefs, finding, today));
        if let Some(id) = find_same(&beliefs, &subject, &content, settled.as_ref()) {
            return self.reinforce(user, id, &request).await;
        }
        match settled {
            Some(ReconcileOutcome::Supersede { old, .. }) => replaces = old,
            Some(ReconcileOutcome::End { old, on }) => {
                let at = self.start_of_day(on).unwrap_or(self.now());
                steps.extend(old.into_iter().map(|id| FactUpdate::End { id, at }));
            }
            _ => {}
        }
        let (slot, value) = slot_and_value(read.as_ref());
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
            confidence: request.confidence.map_or(HAND_WRITTEN_CONFIDENCE, clamped),
            importance: request.importance.map_or(DEFAULT_IMPORTANCE, clamped),
            valid_from: self.parse_time(request.valid_from.as_deref())?,
            valid_to: None,
            expires_at: self.parse_time(request.expires_at.as_deref())?,
            private,
            lasting: true,
            conversation: None,
            message: None,
            imported_from,
            origins: Vec::new(),
        };
        let id = self.store().fact_id();
        let is_news = new.imported_from.is_none();
        steps.push(FactUpdate::Learn { id, new, replaces });
        self.store().apply_fact_updates(user, steps, Vec::new()).await?;
        if !is_news {
            self.store().mark_facts_mentioned(user, vec![id]).await?;
        }
        self.own_fact(user, id).await
    }

    /// Raises a known fact to certain instead of storing it twice.
    async fn reinforce(&self, user: UserId, id: FactId, request: &NewFactRequest) -> Result<Fact> {
        let patch = FactPatch {
            category: request.category,
            importance: request.importance,
            private: request.private.then_some(true),
            expires_at: request.expires_at.clone(),
            confidence: Some(request.confidence.unwrap_or(HAND_WRITTEN_CONFIDENCE)),
            ..FactPatch::default()
        };
        self.apply_patch(user, &Author::Person, id, patch, FactChangeKind::Repeated).await
    }

    pub async fn patch_fact(
        &self,
        user: UserId,
        author: &Author,
        id: FactId,
        patch: FactPatch,
    ) -> Result<Fact> {
        let _lock = self.lock_facts(user).await?;
        self.may_change(user, author, id).await?;
        let patch = match author {
            Author::Person => patch,
            Author::Program(_) => program_notes::limited_patch(patch)?,
        };
        self.apply_patch(user, author, id, patch, FactChangeKind::Edited).await
    }

    async fn apply_patch(
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
            fact.said.content = checked_content(content)?;
            fact.said.confidence = fact.said.confidence.max(HAND_WRITTEN_CONFIDENCE);
            fact.doubted_by = None;
        }
        if let Some(subject) = &patch.subject {
            fact.said.subject = checked_subject(subject)?;
        }
        if (&fact.said.content, &fact.said.subject) != (&before.said.content, &before.said.subject) {
            let names = self.known_names(user, self.beliefs(user).await?.iter()).await?;
            let read = facts::read_note(&fact.said.content, &fact.said.subject, self.today(), &names);
            (fact.said.slot, fact.said.value) = slot_and_value(read.as_ref());
            // A user who rewords a fact vouches for it, so the program it came from no longer gets to read it as its
            // own.
            if *author == Author::Person {
                fact.said.origins.clear();
            }
        }
        fact.said.category = patch.category.unwrap_or(fact.said.category);
        fact.said.importance = patch.importance.map_or(fact.said.importance, clamped);
        fact.said.confidence = patch.confidence.map_or(fact.said.confidence, clamped);
        fact.said.private = patch.private.unwrap_or(fact.said.private);
        if let Some(expires) = &patch.expires_at {
            fact.said.expires_at = self.parse_time(Some(expires))?;
        }
        if let Some(confirmed) = patch.confirmed {
            (fact.said.status, kind) = match (confirmed, &before.doubt) {
                (true, _) => (FactStatus::Current, FactChangeKind::Confirmed),
                (false, Some(_)) => (FactStatus::Expired, FactChangeKind::Expired),
                (false, None) => (FactStatus::Faded, FactChangeKind::Faded),
            };
            if confirmed {
                fact.said.confidence = fact.said.confidence.max(HAND_WRITTEN_CONFIDENCE);
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
            let step = FactUpdate::Change { fact, kind };
            self.store().apply_fact_updates(user, vec![step], Vec::new()).await?;
        }
        self.own_fact(user, id).await
    }

    pub async fn merge_facts(&self, user: UserId, request: MergeFactsRequest) -> Result<Fact> {
        let [first, others @ ..] = request.ids.as_slice() else {
            return Err(MemoryError::Invalid("name the facts to merge".into()));
        };
        if others.is_empty() || others.contains(first) {
            return Err(MemoryError::Invalid("merging needs at least two different facts".into()));
        }
        let _lock = self.lock_facts(user).await?;
        let mut into = self.store().fact(user, *first).await?;
        for &other in others {
            let other = self.store().fact(user, other).await?;
            into.said.confidence = into.said.confidence.max(other.said.confidence);
            into = merged(into, &other);
            if other.said.status == FactStatus::Current {
                into.said.status = FactStatus::Current;
            }
        }
        if let Some(content) = &request.content {
            into.said.content = checked_content(content)?;
            into.said.origins.clear();
        }
        into.updated_at = self.now();
        let step = FactUpdate::Merge { into, others: others.to_vec() };
        self.store().apply_fact_updates(user, vec![step], Vec::new()).await?;
        self.own_fact(user, *first).await
    }

    pub async fn undo_fact(&self, user: UserId, id: FactId) -> Result<Fact> {
        let _lock = self.lock_facts(user).await?;
        self.store().undo_fact(user, id).await?;
        self.own_fact(user, id).await
    }
}

/// Returns the current fact that says the same, if there is one. A text that says more is not the same.
fn find_same(
    beliefs: &[KnownFact],
    subject: &str,
    content: &str,
    settled: Option<&ReconcileOutcome>,
) -> Option<FactId> {
    let words = |content: &str| terms(content).into_iter().collect::<BTreeSet<_>>();
    if let Some(ReconcileOutcome::Repeat(id)) = settled {
        let same = |fact: &&KnownFact| fact.id == *id && words(content).is_subset(&words(&fact.content));
        return beliefs.iter().find(same).map(|fact| fact.id);
    }
    let plain = |content: &str| content.trim_end_matches('.').to_lowercase();
    let same = |fact: &&KnownFact| {
        fact.status == FactStatus::Current
            && fact.subject == subject
            && plain(&fact.content) == plain(content)
    };
    beliefs.iter().find(same).map(|fact| fact.id)
}
