//! The errors of proposals.

use std::path::{Path, PathBuf};

use protocol::{ProposalId, ProposalStatus};
use serde::Serialize;
use store::StoreError;
use thiserror::Error;

use crate::diff::HunkId;
use crate::path::{PathError, WorkspacePath};
use crate::write_batch::{Stale, WriteBatchError, names};

/// A later proposal for the same files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LaterProposal {
    pub id: ProposalId,
    pub title: String,
    pub status: ProposalStatus,
}

#[derive(Debug, Error)]
pub enum ProposalError {
    #[error("no file would change, so there is nothing to propose")]
    Nothing,
    #[error(
        "the changes amount to {0} MB, which is too much for one proposal. Propose them in several steps"
    )]
    TooLarge(usize),
    #[error("“{title}” is already {}", word(*status))]
    AlreadyDecided { title: String, status: ProposalStatus },
    /// The contents were pruned, in part or completely.
    #[error("the contents of “{title}” are no longer stored, so it can be neither applied nor undone")]
    Pruned { title: String },
    #[error("the proposal has changed since you looked at it. Nothing was written. Look at it again")]
    Revised,
    #[error("the proposal has no file {0}")]
    NoSuchFile(WorkspacePath),
    #[error("the change to {path} has no piece {}", hunk.0)]
    NoSuchHunk { path: WorkspacePath, hunk: HunkId },
    #[error("nothing was chosen. Choose something, or reject the proposal")]
    NothingChosen,
    #[error("{0}. Rebase the proposal on the current files, and look at it again")]
    Stale(Stale),
    #[error("{} changed in the same lines as the proposal. Nothing was changed", names(.0))]
    Unclear(Vec<WorkspacePath>),
    #[error("the files already contain everything that it proposes. Reject it")]
    AlreadyThere,
    #[error("{} changed in the same place since{}. Nothing was changed", names(paths), conflicting(by))]
    InTheWay { paths: Vec<WorkspacePath>, by: Vec<LaterProposal> },
    #[error("the workspace {} cannot be used: {why}", path.display())]
    Root { path: PathBuf, why: String },
    #[error(
        "the files were written, but that could not be recorded ({0}). It is sorted out at the next start"
    )]
    NotRecorded(String),
    #[error("{0} is not UTF-8, so its pieces can be accepted or rejected, but not edited here")]
    NotEditable(WorkspacePath),
    #[error("it was interrupted ({0}). It is sorted out at the next start")]
    Interrupted(String),
    #[error(transparent)]
    Write(WriteBatchError),
    #[error(transparent)]
    Path(#[from] PathError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ProposalError {
    pub(super) fn root(path: &Path, why: &dyn std::fmt::Display) -> Self {
        Self::Root { path: path.to_owned(), why: why.to_string() }
    }
}

impl From<WriteBatchError> for ProposalError {
    fn from(error: WriteBatchError) -> Self {
        match error {
            WriteBatchError::Stale(stale) => Self::Stale(stale),
            other => Self::Write(other),
        }
    }
}

fn word(status: ProposalStatus) -> &'static str {
    match status {
        ProposalStatus::Open => "open",
        ProposalStatus::Applied => "applied",
        ProposalStatus::Rejected => "rejected",
        ProposalStatus::Undone => "undone",
    }
}

/// Lists the proposals in the way: those that were applied and those that were undone.
fn conflicting(by: &[LaterProposal]) -> String {
    let titles = |undone: bool| -> Vec<String> {
        let those = by.iter().filter(|later| (later.status == ProposalStatus::Undone) == undone);
        those.map(|later| format!("“{}”", later.title)).collect()
    };
    let (applied, undone) = (titles(false), titles(true));
    let by = if applied.is_empty() { String::new() } else { format!(", by {}", applied.join(", ")) };
    let without = if undone.is_empty() {
        String::new()
    } else {
        format!(", when {} was undone. Redo that first", undone.join(", "))
    };
    format!("{by}{without}")
}
