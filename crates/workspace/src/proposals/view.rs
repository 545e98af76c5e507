//! The view of a proposal for the user.

use protocol::{FileDecision, ProposalId, UserId};
use serde::Serialize;
use store::{CodeProposal, StoredCodeFile};

use super::renames::{base, sources};
use super::{ProposalError, Proposals, blocking, written_content};
use crate::diff::FileDiff;
use crate::path::WorkspacePath;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProposalView {
    pub proposal: CodeProposal,
    /// The diffs, sorted by path. Empty if the contents were pruned.
    pub diffs: Vec<ProposedFile>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProposedFile {
    pub path: WorkspacePath,
    pub diff: FileDiff,
    pub decision: FileDecision,
    /// The permissions as the nine Unix mode bits.
    pub before_mode: Option<u32>,
    pub after_mode: Option<u32>,
    /// The deleted file with the same or similar lines. The diff is relative to it.
    pub renamed_from: Option<WorkspacePath>,
}

impl Proposals {
    /// Returns a proposal with its diffs. For one applied in part, the diffs show what was written.
    pub async fn get(&self, user: UserId, id: ProposalId) -> Result<ProposalView, ProposalError> {
        let (proposal, files) = self.store.whole_proposal(user, id).await?;
        if !proposal.kept {
            return Ok(ProposalView { proposal, diffs: Vec::new() });
        }
        let diffs = blocking(move || shown(&files)).await?;
        Ok(ProposalView { proposal, diffs })
    }
}

fn shown(files: &[StoredCodeFile]) -> Result<Vec<ProposedFile>, ProposalError> {
    let sources = sources(files);
    let mut shown = Vec::with_capacity(files.len());
    for (at, file) in files.iter().enumerate() {
        let source = sources[at];
        shown.push(ProposedFile {
            path: WorkspacePath::parse(&file.path)?,
            diff: FileDiff::of(base(files, source, at), written_content(file)),
            decision: file.decision,
            before_mode: file.before_mode,
            after_mode: file.after_mode,
            renamed_from: source.map(|source| WorkspacePath::parse(&files[source].path)).transpose()?,
        });
    }
    Ok(shown)
}
