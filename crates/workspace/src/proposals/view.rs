//! A proposal as it is looked at.

use protocol::{FileDecision, ProposalId, UserId};
use serde::Serialize;
use store::{CodeFile, CodeProposal};

use super::{ProposalError, Proposals, blocking, written};
use crate::diff::{DiffKind, FileDiff};
use crate::path::WorkspacePath;

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProposalView {
    pub proposal: CodeProposal,
    /// What it does to each file, by name. None where its bytes are not kept any more.
    pub diffs: Vec<ProposedFile>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProposedFile {
    pub path: WorkspacePath,
    pub diff: FileDiff,
    pub decision: FileDecision,
    /// Who may read, write and run it: the nine bits of Unix.
    pub before_mode: Option<u32>,
    pub after_mode: Option<u32>,
    /// A file that goes, and has the same bytes.
    pub renamed_from: Option<WorkspacePath>,
}

impl Proposals {
    /// A proposal with the differences in its files. Of one that was taken in part, they are those that were written.
    pub async fn get(&self, user: UserId, id: ProposalId) -> Result<ProposalView, ProposalError> {
        let (proposal, files) = self.store.whole_proposal(user, id).await?;
        if !proposal.kept {
            return Ok(ProposalView { proposal, diffs: Vec::new() });
        }
        let diffs = blocking(move || shown(&files)).await?;
        Ok(ProposalView { proposal, diffs })
    }
}

fn shown(files: &[CodeFile]) -> Result<Vec<ProposedFile>, ProposalError> {
    let mut shown = Vec::with_capacity(files.len());
    for file in files {
        shown.push(ProposedFile {
            path: WorkspacePath::parse(&file.path)?,
            diff: FileDiff::of(file.before.as_deref(), written(file)),
            decision: file.decision,
            before_mode: file.before_mode,
            after_mode: file.after_mode,
            renamed_from: None,
        });
    }
    // Each that goes is the source of one that comes.
    let mut sources: Vec<usize> =
        (0..files.len()).filter(|&at| shown[at].diff.kind == DiffKind::Deleted).collect();
    for at in 0..files.len() {
        if shown[at].diff.kind != DiffKind::Added || files[at].after.as_ref().is_none_or(Vec::is_empty) {
            continue;
        }
        let source = sources.iter().position(|&source| files[source].before == files[at].after);
        if let Some(source) = source.map(|source| sources.remove(source)) {
            shown[at].renamed_from = Some(shown[source].path.clone());
        }
    }
    Ok(shown)
}
