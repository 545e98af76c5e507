//! What other programs say of a person: written down, and waiting for their yes.

use protocol::{Fact, FactCategory, FactId, FactPatch, FactStatus, NewFactRequest, Origin, UserId};
use store::{FactStep, NewFact, StoreError, Thing};

use super::USUAL_IMPORTANCE;
use super::desk::{checked, filled, named, share};
use crate::memory::{Memory, MemoryError, Result};
use crate::reader::Author;

/// What another program says may be so.
const BY_PROGRAM: f32 = 0.6;

impl Memory {
    /// Writes down what another program says of a person. It is not taken for true before they say so, and takes no
    /// place of anything until then.
    pub(super) async fn add_note(
        &self,
        user: UserId,
        program: &str,
        request: NewFactRequest,
    ) -> Result<Fact> {
        let content = checked(&request.content)?;
        let subject = named(request.subject.as_deref().unwrap_or_default())?;
        let _hold = self.hold(user).await?;
        let today = self.today();
        let beliefs = self.beliefs(user).await?;
        let read = facts::read_note(&content, &subject, today, &self.names_of(user, beliefs.iter()).await?);
        let (slot, value) = filled(read.as_ref());
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
            confidence: request.confidence.map_or(BY_PROGRAM, share).min(BY_PROGRAM),
            importance: request.importance.map_or(USUAL_IMPORTANCE, share).min(USUAL_IMPORTANCE),
            valid_from: self.moment(request.valid_from.as_deref())?,
            valid_to: None,
            expires_at: self.moment(request.expires_at.as_deref())?,
            lasting: false,
            conversation: None,
            message: None,
            imported_from: None,
            origins: vec![Origin::Mcp(program.to_owned())],
        };
        let id = self.store().fact_id();
        let steps = vec![FactStep::Learn { id, new, replaces: Vec::new() }];
        self.store().settle_facts(user, steps, Vec::new()).await?;
        self.own_fact(user, id).await
    }

    /// Whether this author may change a fact, or forget it: a program only what it wrote itself and nobody has said yes
    /// to. What a person knows is theirs, and what another program wrote would stand there under that one's name.
    pub async fn may_change(&self, user: UserId, author: &Author, id: FactId) -> Result<()> {
        let Some(own) = author.origin() else { return Ok(()) };
        let fact = self.store().fact(user, id).await?;
        if !self.sight(user, &author.reader()).await?.has(&fact) {
            return Err(StoreError::NotFound(Thing::Fact).into());
        }
        let is_note = fact.said.origins == [own] && fact.said.message.is_none();
        if is_note && fact.said.status == FactStatus::Unconfirmed {
            return Ok(());
        }
        Err(MemoryError::NotYours(
            "a program may change what it wrote itself and still waits for a yes. This is for the person to change"
                .into(),
        ))
    }
}

/// What a program may say of a note: never that it is so, nor that it is sure.
pub(super) fn of_program(patch: FactPatch) -> Result<FactPatch> {
    if patch.confirmed.is_some() {
        return Err(MemoryError::NotYours("only the person says whether something is so".into()));
    }
    let sure = patch.confidence.map_or(BY_PROGRAM, share).min(BY_PROGRAM);
    // What the person keeps to themself is not opened.
    let private = patch.private.filter(|private| *private);
    Ok(FactPatch { confidence: Some(sure), private, ..patch })
}
