//! Changes that wait for the user's approval: all changes of a run form one proposal, of which all, some files or some
//! hunks can be applied, and which can be undone later.
//!
//! The state is kept only in the database and on disk, so it survives a crash at any moment: files are written through
//! the journal under a mark, and the mark is stored together with the proposal's status. A journal entry found later is
//! rolled back unless its mark is stored.

mod applying;
mod blaming;
mod error;
mod laying;
mod moving;
mod settling;
mod undoing;
mod view;

use std::time::Duration;

use jiff::Timestamp;
use protocol::{ConversationId, FileDecision, MessageId, ProposalId, ProposalStatus, TurnId, UserId};
use serde_json::Value;
use store::{CodeFile, CodeProposal, NewProposal, ProposalQuery, Pruned, Store};

pub use self::applying::{Applied, Choice, Rest, Taken, TakenFiles};
pub use self::error::{Later, ProposalError};
pub use self::undoing::{Rebased, Relanded};
pub use self::view::{ProposalView, ProposedFile};
use crate::diff::FileDiff;
use crate::journal::Journal;
use crate::landing::Stale;
use crate::overlay::{Change, Overlay};

/// The maximum size of a proposal in bytes, old and new contents together.
const MOST_BYTES: usize = 256 << 20;
/// The time during which a settled proposal can be undone.
const KEPT_FOR: Duration = Duration::from_hours(90 * 24);
/// The compressed size of settled proposals kept per user, in bytes.
const KEPT_BYTES: u64 = 256 << 20;

/// The origin and title of a proposal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProposalMeta {
    pub conversation: Option<ConversationId>,
    pub message: Option<MessageId>,
    pub turn: Option<TurnId>,
    pub title: String,
    pub summary: String,
}

/// The proposals of all users and workspaces. Cheap to clone.
#[derive(Clone)]
pub struct Proposals {
    store: Store,
    journal: Journal,
}

/// The first revision of a proposal. Rebasing it on changed files creates the next one.
pub const FIRST_REVISION: u32 = 1;

impl Proposals {
    pub fn new(store: Store, journal: Journal) -> Self {
        Self { store, journal }
    }

    /// Stores all changes of an overlay as one proposal. Nothing is written to the workspace.
    pub async fn propose(
        &self,
        user: UserId,
        overlay: &Overlay,
        meta: ProposalMeta,
    ) -> Result<ProposalId, ProposalError> {
        let changes = overlay.changes().clone();
        let sides =
            |change: &Change| [&change.before, &change.after].map(|side| side.as_ref().map_or(0, Vec::len));
        let bytes: usize = changes.values().flat_map(sides).sum();
        if changes.is_empty() {
            return Err(ProposalError::Nothing);
        } else if bytes > MOST_BYTES {
            return Err(ProposalError::TooLarge(bytes >> 20));
        }
        let root = overlay.root().path();
        let path =
            root.to_str().ok_or_else(|| ProposalError::root(root, &"its name is not text"))?.to_owned();
        let files = blocking(move || {
            let file = |(path, change): (_, Change)| proposed(String::from(path), change);
            Ok(changes.into_iter().map(file).collect())
        })
        .await?;
        let ProposalMeta { conversation, message, turn, title, summary } = meta;
        let new =
            NewProposal { root: path, conversation, message, turn, rest_of: None, title, summary, files };
        Ok(self.store.add_proposal(user, new).await?)
    }

    /// Returns proposals without their diffs, newest first.
    pub async fn list(&self, user: UserId, query: ProposalQuery) -> Result<Vec<CodeProposal>, ProposalError> {
        Ok(self.store.proposals(user, query).await?)
    }

    pub async fn reject(&self, user: UserId, id: ProposalId) -> Result<(), ProposalError> {
        self.alone(move |this| async move {
            let proposal = this.store.proposal(user, id).await?;
            expect(&proposal, ProposalStatus::Open)?;
            Ok(this.store.reject_proposal(user, id).await?)
        })
        .await
    }

    /// Stores the verify report for a revision of a proposal.
    pub async fn note_verified(
        &self,
        user: UserId,
        id: ProposalId,
        revision: u32,
        report: &Value,
    ) -> Result<(), ProposalError> {
        Ok(self.store.note_verified(user, id, revision, report).await?)
    }

    /// Deletes the contents of proposals that were settled long ago or exceed the size limit. They can still be listed,
    /// and undoing one fails with the reason.
    pub async fn prune(&self, now: Timestamp) -> Result<Pruned, ProposalError> {
        let before = now.checked_sub(KEPT_FOR).unwrap_or(Timestamp::MIN);
        Ok(self.store.prune_proposals(before, KEPT_BYTES).await?)
    }
}

/// Converts a change to its stored form.
fn proposed(path: String, change: Change) -> CodeFile {
    let Change { before, after, before_mode, after_mode } = change;
    let FileDiff { binary, added, removed, .. } = FileDiff::of(before.as_deref(), after.as_deref());
    let decision = FileDecision::Open;
    CodeFile {
        path,
        before,
        after,
        written: None,
        merged: None,
        before_mode,
        after_mode,
        added,
        removed,
        binary,
        decision,
    }
}

/// Returns the content that a proposal wrote, or would write, to a file.
fn written(file: &CodeFile) -> Option<&[u8]> {
    let is_taken = matches!(file.decision, FileDecision::All | FileDecision::Some);
    file.written.as_deref().filter(|_| is_taken).or(file.after.as_deref())
}

fn expect(proposal: &CodeProposal, status: ProposalStatus) -> Result<(), ProposalError> {
    if proposal.status != status {
        return Err(ProposalError::Settled { title: proposal.title.clone(), status: proposal.status });
    }
    if proposal.kept { Ok(()) } else { Err(ProposalError::Pruned { title: proposal.title.clone() }) }
}

/// Runs blocking work on a separate thread.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ProposalError> + Send + 'static,
) -> Result<T, ProposalError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(ProposalError::Broken(error.to_string())))
}

impl From<Stale> for ProposalError {
    fn from(stale: Stale) -> Self {
        Self::Stale(stale)
    }
}

#[cfg(test)]
mod tests;
