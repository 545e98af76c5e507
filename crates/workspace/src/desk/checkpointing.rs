//! States that one can go back to: the files, and what was said by then.

use jiff::Timestamp;
use protocol::{CheckpointId, ConversationId, MessageId, ProposalId, UserId};
use store::{Checkpoint, NewCheckpoint};

use super::{Bench, Desk, DeskError, digest};
use crate::checkpoints::Checkpoints;
use crate::proposals::{Choice, ProposalMeta};

/// So many are listed.
const MOST_LISTED: u32 = 50;

impl Bench {
    fn checkpoints(&self) -> Checkpoints {
        let name = format!("{}.git", digest(self.workspace().path()));
        Checkpoints::new(self.shared.parts.checkpoints.join(name))
    }

    /// Keeps the files as they are. `message` is the last that was said by then.
    pub async fn checkpoint(
        &self,
        user: UserId,
        conversation: ConversationId,
        message: Option<MessageId>,
        label: &str,
    ) -> Result<CheckpointId, DeskError> {
        host::private_dir(&self.shared.parts.checkpoints)
            .map_err(crate::checkpoints::CheckpointError::from)?;
        let (checkpoints, workspace) = (self.checkpoints(), self.workspace().clone());
        // Two at once would write the same list of what is known.
        let _alone = self.keeping.lock().await;
        let kept = tokio::task::spawn_blocking(move || checkpoints.keep(&workspace)).await;
        let commit = kept.map_err(|_| DeskError::Interrupted)??;
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

impl Desk {
    /// The checkpoints of the workspace in use, the newest first.
    pub(super) async fn checkpoints(
        &self,
        user: UserId,
        root: &str,
    ) -> Result<Vec<protocol::Checkpoint>, DeskError> {
        let kept = self.shared.parts.store.checkpoints(user, root, MOST_LISTED).await?;
        let shown = kept.into_iter().map(|kept| protocol::Checkpoint {
            id: kept.id,
            label: kept.label,
            created_at: kept.created_at.parse::<Timestamp>().map_or(0, Timestamp::as_millisecond),
            conversation_id: kept.conversation,
        });
        Ok(shown.collect())
    }

    pub async fn checkpoint(&self, user: UserId, id: CheckpointId) -> Result<Checkpoint, DeskError> {
        Ok(self.shared.parts.store.checkpoint_of(user, id).await?)
    }

    /// Goes back to the files of a state, as a proposal that is written at once: it can be undone like any other. `last`
    /// is the message to which the conversation returns then. Nothing where the files are as they were.
    pub async fn go_back(
        &self,
        user: UserId,
        checkpoint: &Checkpoint,
        last: Option<MessageId>,
    ) -> Result<Option<ProposalId>, DeskError> {
        let bench = self.bench(user, Some(&checkpoint.root)).await?;
        let (checkpoints, workspace, commit) =
            (bench.checkpoints(), bench.workspace().clone(), checkpoint.commit.clone());
        let way = tokio::task::spawn_blocking(move || checkpoints.way_back(&workspace, &commit)).await;
        let overlay = way.map_err(|_| DeskError::Interrupted)??;
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
        self.proposals().apply(user, proposal, Choice::default()).await?;
        Ok(Some(proposal))
    }

    /// Takes back what was written. Where that was a way back to a checkpoint, gives the conversation and the message
    /// that was its last.
    pub async fn undo(
        &self,
        user: UserId,
        id: ProposalId,
    ) -> Result<Option<(ConversationId, MessageId)>, DeskError> {
        let proposal = self.proposals().get(user, id).await?.proposal;
        self.proposals().undo(user, id).await?;
        // All others come from a turn.
        Ok(proposal.conversation.zip(proposal.message).filter(|_| proposal.turn.is_none()))
    }
}
