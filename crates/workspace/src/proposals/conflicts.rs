//! Finds the later proposals that prevent undoing or redoing a proposal.

use protocol::{FileDecision, ProposalId, ProposalStatus, UserId};
use store::StoredCodeFile;

use super::undoing::{ChangeFit, fit, sides};
use super::{LaterProposal, ProposalError, Proposals};
use crate::disk::FileOnDisk;
use crate::path::WorkspacePath;

impl Proposals {
    /// Returns the proposals that were applied to these files since and made the change inapplicable, newest first.
    pub(super) async fn conflicting_proposals(
        &self,
        user: UserId,
        id: ProposalId,
        files: &[StoredCodeFile],
        doubtful: &[WorkspacePath],
        to: ProposalStatus,
    ) -> Result<Vec<LaterProposal>, ProposalError> {
        let ours: Vec<&StoredCodeFile> =
            files.iter().filter(|file| doubtful.iter().any(|path| path.as_str() == file.path)).collect();
        if ours.is_empty() {
            return Ok(Vec::new());
        }
        let paths: Vec<String> = ours.iter().map(|file| file.path.clone()).collect();
        let mut conflicting = Vec::new();
        for (id, title, status) in self.store.applied_since(user, id, &paths).await? {
            // A proposal that was undone does not prevent undoing another one.
            if to == ProposalStatus::Undone && status != ProposalStatus::Applied {
                continue;
            }
            let (later, theirs) = self.store.whole_proposal(user, id).await?;
            let is_in_the_way = theirs.iter().any(|theirs| {
                let ours = ours.iter().find(|ours| ours.path == theirs.path);
                ours.is_some_and(|ours| conflicts(theirs, status, ours, to))
            });
            // If the contents were pruned, this cannot be checked, so the proposal is listed.
            if is_in_the_way || !later.kept {
                conflicting.push(LaterProposal { id, title, status });
            }
        }
        Ok(conflicting)
    }
}

/// Returns true if our change was applicable before theirs but not after it, or was made by theirs.
fn conflicts(
    theirs: &StoredCodeFile,
    status: ProposalStatus,
    ours: &StoredCodeFile,
    to: ProposalStatus,
) -> bool {
    if !matches!(theirs.decision, FileDecision::All | FileDecision::Some) {
        return false;
    }
    let [(base, _), (target, _)] = sides(ours, to);
    let [(from, _), (into, _)] = sides(theirs, status);
    let [from, into] = match &theirs.merged {
        Some((found, made)) => [Some(found.as_slice()), Some(made.as_slice())],
        None => [from, into],
    };
    let fits = |bytes: Option<&[u8]>| {
        let found = bytes.map(|bytes| FileOnDisk { bytes: bytes.to_vec(), mode: None });
        !matches!(fit(Ok(found), base, target), ChangeFit::Conflict)
    };
    let is_done_by_it = into == target && from != target;
    is_done_by_it || (fits(from) && !fits(into))
}
