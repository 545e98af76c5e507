//! Finds the later proposals that prevent undoing or redoing a proposal.

use protocol::{FileDecision, ProposalId, ProposalStatus, UserId};
use store::CodeFile;

use super::undoing::{Laid, laid, sides};
use super::{Later, ProposalError, Proposals};
use crate::landing::Found;
use crate::path::WorkspacePath;

impl Proposals {
    /// Returns the proposals that were applied to these files since and made the change inapplicable, newest first.
    pub(super) async fn blamed(
        &self,
        user: UserId,
        id: ProposalId,
        files: &[CodeFile],
        doubtful: &[WorkspacePath],
        to: ProposalStatus,
    ) -> Result<Vec<Later>, ProposalError> {
        let ours: Vec<&CodeFile> =
            files.iter().filter(|file| doubtful.iter().any(|path| path.as_str() == file.path)).collect();
        if ours.is_empty() {
            return Ok(Vec::new());
        }
        let paths: Vec<String> = ours.iter().map(|file| file.path.clone()).collect();
        let mut blamed = Vec::new();
        for (id, title, status) in self.store.landed_since(user, id, &paths).await? {
            // A proposal that was undone does not prevent undoing another one.
            if to == ProposalStatus::Undone && status != ProposalStatus::Applied {
                continue;
            }
            let (later, theirs) = self.store.whole_proposal(user, id).await?;
            let is_in_the_way = theirs.iter().any(|theirs| {
                let ours = ours.iter().find(|ours| ours.path == theirs.path);
                ours.is_some_and(|ours| spoils(theirs, status, ours, to))
            });
            // If the contents were pruned, this cannot be checked, so the proposal is listed.
            if is_in_the_way || !later.kept {
                blamed.push(Later { id, title, status });
            }
        }
        Ok(blamed)
    }
}

/// Returns true if our change was applicable before theirs but not after it, or was made by theirs.
fn spoils(theirs: &CodeFile, status: ProposalStatus, ours: &CodeFile, to: ProposalStatus) -> bool {
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
        let found = bytes.map(|bytes| Found { bytes: bytes.to_vec(), mode: None });
        !matches!(laid(Ok(found), base, target), Laid::Unclear)
    };
    let is_done_by_it = into == target && from != target;
    is_done_by_it || (fits(from) && !fits(into))
}
