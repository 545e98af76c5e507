//! Statements by other programs about the user: stored, and waiting for the user's confirmation.

use protocol::{Fact, FactCategory, FactId, FactPatch, FactStatus, NewFactRequest, Origin, UserId};
use store::{FactUpdate, NewFact, ObjectKind, StoreError};

use super::DEFAULT_IMPORTANCE;
use super::fact_text::{checked_content, checked_subject, clamped, slot_and_value};
use crate::access::Author;
use crate::memory::{Memory, MemoryError, Result};

/// The confidence of a statement by another program.
const PROGRAM_CONFIDENCE: f32 = 0.6;

impl Memory {
    /// Stores a statement by another program about the user. Until the user confirms it, it is not taken as true and
    /// replaces nothing.
    pub(super) async fn add_note(
        &self,
        user: UserId,
        program: &str,
        request: NewFactRequest,
    ) -> Result<Fact> {
        let content = checked_content(&request.content)?;
        let subject = checked_subject(request.subject.as_deref().unwrap_or_default())?;
        let _lock = self.lock_facts(user).await?;
        let today = self.today();
        let beliefs = self.beliefs(user).await?;
        let read =
            facts::read_note(&content, &subject, today, &self.known_names(user, beliefs.iter()).await?);
        let (slot, value) = slot_and_value(read.as_ref());
        let category = request.category.or_else(|| read.as_ref().map(|finding| finding.category));
        let new = NewFact {
            category: category.unwrap_or(FactCategory::Personal),
            status: FactStatus::Unconfirmed,
            subject: read.as_ref().map_or(subject, |finding| finding.subject.clone()),
            slot,
            value,
            private: request.private || facts::is_secret(&content),
            content,
            quote: None,
            confidence: request.confidence.map_or(PROGRAM_CONFIDENCE, clamped).min(PROGRAM_CONFIDENCE),
            importance: request.importance.map_or(DEFAULT_IMPORTANCE, clamped).min(DEFAULT_IMPORTANCE),
            valid_from: self.parse_time(request.valid_from.as_deref())?,
            valid_to: None,
            expires_at: self.parse_time(request.expires_at.as_deref())?,
            lasting: false,
            conversation: None,
            message: None,
            imported_from: None,
            origins: vec![Origin::Mcp(program.to_owned())],
        };
        let id = self.store().fact_id();
        let steps = vec![FactUpdate::Learn { id, new, replaces: Vec::new() }];
        self.store().apply_fact_updates(user, steps, Vec::new()).await?;
        self.own_fact(user, id).await
    }

    /// Checks that this author may change or forget a fact. A program may do so only with an unconfirmed fact that it
    /// wrote itself: what the user knows is the user's, and what another program wrote would appear under that
    /// program's name.
    pub async fn may_change(&self, user: UserId, author: &Author, id: FactId) -> Result<()> {
        let Some(own) = author.origin() else { return Ok(()) };
        let fact = self.store().fact(user, id).await?;
        if !self.privacy_filter(user, &author.recipient()).await?.allows(&fact) {
            return Err(StoreError::NotFound(ObjectKind::Fact).into());
        }
        let is_note = fact.said.origins == [own] && fact.said.message.is_none();
        if is_note && fact.said.status == FactStatus::Unconfirmed {
            return Ok(());
        }
        Err(MemoryError::NotYours(
            "a program can change only what it wrote itself, until the user confirms it. Only the user can change this"
                .into(),
        ))
    }
}

/// Restricts what a program may change in a note: it can neither confirm it nor claim certainty.
pub(super) fn limited_patch(patch: FactPatch) -> Result<FactPatch> {
    if patch.confirmed.is_some() {
        return Err(MemoryError::NotYours("only the user can confirm a fact".into()));
    }
    let sure = patch.confidence.map_or(PROGRAM_CONFIDENCE, clamped).min(PROGRAM_CONFIDENCE);
    // A program cannot make a private fact public.
    let private = patch.private.filter(|private| *private);
    Ok(FactPatch { confidence: Some(sure), private, ..patch })
}
