//! The services and settings of the open workspaces, and the events and errors that they report.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use protocol::IndexState;
use sandbox::Sandbox;
use store::{Store, StoreError};
use thiserror::Error;
use tools::Ruling;
use verify::ConfiguredCommands;

use crate::checkpoints::CheckpointError;
use crate::edit_session::EditSessionError;
use crate::index::IndexError;
use crate::path::WorkspacePath;
use crate::proposals::{ProposalError, Proposals};
use crate::workspace::WorkspaceError;

/// The settings for coding.
#[derive(Debug, Clone)]
pub struct CodingSettings {
    /// True if commands may run.
    pub terminal: bool,
    /// The time limit of a command; `stage` is that of a build or test stage.
    pub command: Duration,
    pub stage: Duration,
    /// The commands that the user set for building and testing.
    pub commands: ConfiguredCommands,
}

/// A change that subscribers are notified of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkspaceEvent {
    Index { root: String, state: IndexState },
    Changed { root: String },
}

/// Looks up the user's rules for a command in a workspace.
pub type RulingLookup = dyn Fn(&str, &Path) -> Ruling + Send + Sync;

/// The services and folders that the open workspaces are built from.
pub struct WorkspaceParts {
    pub store: Arc<Store>,
    pub sandbox: Arc<Sandbox>,
    /// The directory of Perigee's own data. No workspace may contain it or lie in it.
    pub home: PathBuf,
    /// The directory for cached workspace data, which can be rebuilt.
    pub cache: PathBuf,
    /// The directory for the previous contents of files while a proposal is being applied.
    pub journal: PathBuf,
    /// The directory of the workspace checkpoints.
    pub checkpoints: PathBuf,
    pub settings: Box<dyn Fn() -> CodingSettings + Send + Sync>,
    pub rulings: Box<RulingLookup>,
    pub notify: Box<dyn Fn(WorkspaceEvent) + Send + Sync>,
}

/// The parts that all workspaces share.
pub(super) struct SharedParts {
    pub parts: WorkspaceParts,
    pub proposals: Proposals,
}

#[derive(Debug, Error)]
pub enum WorkspaceSessionError {
    #[error("no workspace is open. Choose a folder first")]
    NoRoot,
    #[error(transparent)]
    Workspace(#[from] WorkspaceError),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error(transparent)]
    Proposal(#[from] ProposalError),
    #[error(transparent)]
    Edit(#[from] EditSessionError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("the files are already as they were at that time")]
    AlreadyThere,
    #[error("{0} has changed on disk since it was opened. Nothing was written")]
    Changed(WorkspacePath),
    #[error("the operation was interrupted")]
    Interrupted,
}
