//! Creates checkpoints of the files together with the position in the conversation, and restores them.

use jiff::Timestamp;
use protocol::{CheckpointId, ConversationId, MessageId, ProposalId, UserId};
use store::{NewCheckpoint, StoredCheckpoint};

use super::workspace_session::folder_name;
use super::{OpenWorkspaces, WorkspaceSession, WorkspaceSessionError};
use crate::checkpoints::Checkpoints;
use crate::proposals::{ProposalChoice, ProposalMeta};

/// The maximum number of listed checkpoints.
const MOST_LISTED: u32 = 50;

impl WorkspaceSession {
    fn checkpoints(&self) -> Checkpoints {
        let name = format!("{}.git", folder_name(self.workspace().path()));
        Checkpoints::new(self.shared.parts.checkpoints.join(name))
    }

    /// Stores the current files as a checkpoint. `message` is the last message of the conversation at that time.
    pub async fn checkpoint(
        &self,
        user: UserId,
        conversation: ConversationId,
        message: Option<MessageId>,
        label: &str,
    ) -> Result<CheckpointId, WorkspaceSessionError> {
        host::private_dir(&self.shared.parts.checkpoints)
            .map_err(crate::checkpoints::CheckpointError::from)?;
        let (checkpoints, workspace) = (self.checkpoints(), self.workspace().clone());
        // Two concurrent runs would write the same index file.
        let _alone = self.storing.lock().await;
        let kept = tokio::task::spawn_blocking(move || checkpoints.store(&workspace)).await;
        let commit = kept.map_err(|_| WorkspaceSessionError::Interrupted)??;
        let new = NewCheckpoint {
            root: self.root(),
            conversation: Some(conversation),
            message,
            label: label.to_owned(),
            commit,
        };
        Ok(self.shared.parts.store.add_checkpoint(user, new).await?)
    }
}

impl OpenWorkspaces {
    /// Returns the checkpoints of a workspace, newest first.
    pub(super) async fn checkpoints(
        &self,
        user: UserId,
        root: &str,
    ) -> Result<Vec<protocol::Checkpoint>, WorkspaceSessionError> {
        let kept = self.shared.parts.store.checkpoints(user, root, MOST_LISTED).await?;
        let shown = kept.into_iter().map(|kept| protocol::Checkpoint {
            id: kept.id,
            label: kept.label,
            created_at: kept.created_at.parse::<Timestamp>().map_or(0, Timestamp::as_millisecond),
            conversation_id: kept.conversation,
        });
        Ok(shown.collect())
    }

    pub async fn checkpoint(
        &self,
        user: UserId,
        id: CheckpointId,
    ) -> Result<StoredCheckpoint, WorkspaceSessionError> {
        Ok(self.shared.parts.store.checkpoint_of(user, id).await?)
    }

    /// Restores the files of a checkpoint with a proposal that is applied at once and can be undone like any other.
    /// `last` is the message to which the conversation returns if this is undone. Returns `None` if the files already
    /// match.
    pub async fn restore_checkpoint(
        &self,
        user: UserId,
        checkpoint: &StoredCheckpoint,
        last: Option<MessageId>,
    ) -> Result<Option<ProposalId>, WorkspaceSessionError> {
        let session = self.open(user, Some(&checkpoint.root)).await?;
        let (checkpoints, workspace, commit) =
            (session.checkpoints(), session.workspace().clone(), checkpoint.commit.clone());
        let changes =
            tokio::task::spawn_blocking(move || checkpoints.changes_back_to(&workspace, &commit)).await;
        let overlay = changes.map_err(|_| WorkspaceSessionError::Interrupted)??;
        if overlay.changes().is_empty() {
            return Ok(None);
        }
        let meta = ProposalMeta {
            conversation: checkpoint.conversation,
            message: last,
            turn: None,
            title: format!("Back to before: {}", checkpoint.label),
            summary: String::new(),
        };
        let proposal = self.proposals().propose(user, &overlay, meta).await?;
        self.proposals().apply(user, proposal, ProposalChoice::default()).await?;
        Ok(Some(proposal))
    }

    /// Undoes an applied proposal. If it restored a checkpoint, returns the conversation and the message that was its
    /// last before the restore.
    pub async fn undo_proposal(
        &self,
        user: UserId,
        id: ProposalId,
    ) -> Result<Option<(ConversationId, MessageId)>, WorkspaceSessionError> {
        let proposal = self.proposals().get(user, id).await?.proposal;
        self.proposals().undo(user, id).await?;
        // All other proposals have a turn.
        Ok(proposal.conversation.zip(proposal.message).filter(|_| proposal.turn.is_none()))
    }
}
