use std::path::{Path, PathBuf};

use protocol::{ProposalId, ProposalStatus};
use serde::Serialize;
use store::StoreError;
use thiserror::Error;

use crate::diff::HunkId;
use crate::landing::{LandError, Stale, names};
use crate::path::{PathError, WorkspacePath};

/// A later proposal for the same files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Later {
    pub id: ProposalId,
    pub title: String,
    pub status: ProposalStatus,
}

#[derive(Debug, Error)]
pub enum ProposalError {
    #[error("no file would change, so there is nothing to propose")]
    Nothing,
    #[error("the changes hold {0} MB in all. Propose them in several steps")]
    TooLarge(usize),
    #[error("“{title}” is {} already", word(*status))]
    Settled { title: String, status: ProposalStatus },
    /// The contents were pruned, in part or completely.
    #[error("what “{title}” changed is not kept any more, so it can be neither applied nor undone")]
    Pruned { title: String },
    #[error("the proposal has become another since it was looked at. Nothing was written. Look at it again")]
    Revised,
    #[error("the proposal has no file {0}")]
    NoSuchFile(WorkspacePath),
    #[error("the change of {path} has no piece {}", hunk.0)]
    NoSuchHunk { path: WorkspacePath, hunk: HunkId },
    #[error("nothing of it was chosen. Choose something, or reject it")]
    NothingTaken,
    #[error("{0}. Lay the proposal onto the files as they are, and look at it again")]
    Stale(Stale),
    #[error("{} changed in the same lines as the proposal. Nothing was changed", names(.0))]
    Unclear(Vec<WorkspacePath>),
    #[error("all that it proposes is in the files already. Reject it")]
    AlreadyThere,
    #[error("{} changed in the same place since{}. Nothing was changed", names(paths), told(by))]
    InTheWay { paths: Vec<WorkspacePath>, by: Vec<Later> },
    #[error("the workspace {} cannot be used: {why}", path.display())]
    Root { path: PathBuf, why: String },
    #[error(
        "the files are written, but it could not be stored that they are ({0}). It is settled at the next start"
    )]
    Unsettled(String),
    #[error("{0} is not written in UTF-8, so its pieces can be taken or left, but not edited here")]
    NotEditable(WorkspacePath),
    #[error("it was given up halfway ({0}). It is settled at the next start")]
    Broken(String),
    #[error(transparent)]
    Land(LandError),
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

impl From<LandError> for ProposalError {
    fn from(error: LandError) -> Self {
        match error {
            LandError::Stale(stale) => Self::Stale(stale),
            other => Self::Land(other),
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
fn told(by: &[Later]) -> String {
    let titles = |undone: bool| -> Vec<String> {
        let those = by.iter().filter(|later| (later.status == ProposalStatus::Undone) == undone);
        those.map(|later| format!("“{}”", later.title)).collect()
    };
    let (landed, undone) = (titles(false), titles(true));
    let by = if landed.is_empty() { String::new() } else { format!(", by {}", landed.join(", ")) };
    let without = if undone.is_empty() {
        String::new()
    } else {
        format!(", when {} was taken back. Redo that first", undone.join(", "))
    };
    format!("{by}{without}")
}
