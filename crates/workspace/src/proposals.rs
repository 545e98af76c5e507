//! Changes that wait for the user's approval: all changes of a run form one proposal, of which all, some files or some
//! hunks can be applied, and which can be undone later.
//!
//! The changes of a run lie above the files in an [`Overlay`] and are stored as one proposal: each file as it was and as
//! it is to be. [`crate::FileDiff`] splits the change of a file into hunks. It is a function of the bytes alone, so a hunk
//! can be named by its number and accepted later. A hunk that the user rewrote takes the place of the proposed one, and
//! hunks that were not accepted can stay open as a proposal of their own ([`RestHandling`]).
//!
//! Applying writes all accepted changes or none of them:
//!
//! 1. The journal stores the files as they are, under a mark.
//! 2. The files are written.
//! 3. The database stores the new status of the proposal together with the mark, in one transaction.
//! 4. The journal entry is removed.
//!
//! If the process dies in between, the database decides: a journal entry that is found later is rolled back unless its
//! mark is stored. All of this happens under one lock, which the kernel releases when a process dies. The state is kept
//! only in the database and on disk, so there is nothing else to repair.
//!
//! Undoing looks at the files as they are now. A file that still has what the proposal wrote becomes what it was, to the
//! byte. In a file that was changed elsewhere since, the change is reversed around that ([`crate::merge_change`]). If
//! the same or adjacent lines were changed, nothing is done, and the proposals that changed them are named.

mod applying;
mod as_overlay;
mod conflicts;
mod error;
mod renames;
mod undoing;
mod view;
mod writing;

use std::time::Duration;

use jiff::Timestamp;
use protocol::{ConversationId, FileDecision, MessageId, ProposalId, ProposalStatus, TurnId, UserId};
use serde_json::Value;
use store::{CodeProposal, NewProposal, ProposalQuery, PruneResult, Store, StoredCodeFile};

pub use self::applying::{AcceptedFiles, AcceptedPart, AppliedProposal, ProposalChoice, RestHandling};
pub use self::error::{LaterProposal, ProposalError};
pub use self::undoing::{RebasedProposal, UndoResult};
pub use self::view::{ProposalView, ProposedFile};
use crate::change::PendingChange;
use crate::diff::FileDiff;
use crate::journal::WriteJournal;
use crate::overlay::Overlay;
use crate::write_batch::Stale;

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
    journal: WriteJournal,
}

/// The first revision of a proposal. Rebasing it on changed files creates the next one.
pub const FIRST_REVISION: u32 = 1;

impl Proposals {
    pub fn new(store: Store, journal: WriteJournal) -> Self {
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
        let sides = |change: &PendingChange| {
            [&change.before, &change.after].map(|side| side.as_ref().map_or(0, Vec::len))
        };
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
            let file = |(path, change): (_, PendingChange)| stored_file(String::from(path), change);
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
        self.exclusively(move |this| async move {
            let proposal = this.store.proposal(user, id).await?;
            require_status(&proposal, ProposalStatus::Open)?;
            Ok(this.store.reject_proposal(user, id).await?)
        })
        .await
    }

    /// Stores the verify report for a revision of a proposal.
    pub async fn record_verification(
        &self,
        user: UserId,
        id: ProposalId,
        revision: u32,
        report: &Value,
    ) -> Result<(), ProposalError> {
        Ok(self.store.record_verification(user, id, revision, report).await?)
    }

    /// Deletes the contents of proposals that were settled long ago or exceed the size limit. They can still be listed,
    /// and undoing one fails with the reason.
    pub async fn prune(&self, now: Timestamp) -> Result<PruneResult, ProposalError> {
        let before = now.checked_sub(KEPT_FOR).unwrap_or(Timestamp::MIN);
        Ok(self.store.prune_proposals(before, KEPT_BYTES).await?)
    }
}

/// Converts a change to its stored form.
fn stored_file(path: String, change: PendingChange) -> StoredCodeFile {
    let PendingChange { before, after, before_mode, after_mode } = change;
    let FileDiff { binary, added, removed, .. } = FileDiff::of(before.as_deref(), after.as_deref());
    let decision = FileDecision::Open;
    StoredCodeFile {
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
fn written_content(file: &StoredCodeFile) -> Option<&[u8]> {
    let is_taken = matches!(file.decision, FileDecision::All | FileDecision::Some);
    file.written.as_deref().filter(|_| is_taken).or(file.after.as_deref())
}

fn require_status(proposal: &CodeProposal, status: ProposalStatus) -> Result<(), ProposalError> {
    if proposal.status != status {
        return Err(ProposalError::AlreadyDecided { title: proposal.title.clone(), status: proposal.status });
    }
    if proposal.kept { Ok(()) } else { Err(ProposalError::Pruned { title: proposal.title.clone() }) }
}

/// Runs blocking work on a separate thread.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ProposalError> + Send + 'static,
) -> Result<T, ProposalError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(ProposalError::Interrupted(error.to_string())))
}

impl From<Stale> for ProposalError {
    fn from(stale: Stale) -> Self {
        Self::Stale(stale)
    }
}

#[cfg(test)]
mod tests;
