//! The folders in which Luna writes code: the files that may be changed, and changes that are written completely or not
//! at all.
//!
//! Changes are kept above the files in an [`Overlay`] and stored as a proposal, which the user accepts, in whole or in
//! part, and can undo ([`Proposals`]). Nothing else writes a file of a workspace. [`OpenWorkspaces`] holds a
//! [`WorkspaceSession`] for each folder in use, with the [`index::WorkspaceIndex`] of its files, the [`Layer`] in which
//! commands write, and its checkpoints; the changes of one run are in an [`EditSession`]. [`tools`] are what a model
//! edits with, and [`relevance::find_relevant_files`] selects the files that matter for a request.
//!
//! The crate does not know models, conversations or HTTP. It applies edits with the crate `edits`, reads source texts
//! with `symbols`, runs commands with `sandbox`, and builds and tests with `verify`. Start with [`Overlay`].

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod change;
mod checkpoints;
mod crash_points;
mod diff;
mod disk;
mod edit_session;
mod folders;
mod history;
pub mod index;
mod journal;
mod layer;
mod listing;
mod numbered_lines;
mod open_workspaces;
mod overlay;
mod patching;
mod path;
mod proposals;
#[cfg(test)]
mod random;
pub mod relevance;
mod search;
mod tools;
mod workspace;
mod write_batch;

pub use change::{MOST_BYTES, OverlayError, PendingChange};
pub use checkpoints::{CheckpointError, Checkpoints};
pub use diff::{DiffKind, FileDiff, Hunk, HunkId, HunkLine, HunkLineKind, accept_hunks, merge_change};
pub use edit_session::{EditAccess, EditFormat, EditSession, EditSessionError, FormatTries, RecordedEdit};
pub use folders::folders;
pub use history::{GitHistory, GitHistoryError};
pub use journal::{RecoveredWrite, WriteJournal};
pub use layer::{CommandStopped, Layer, LayerCommand, LayerCommandResult, LayerError, LayerWrites};
pub use listing::{Glob, GlobError, ListedFile};
pub use numbered_lines::{NumberedLines, ReadLinesError};
pub use open_workspaces::{
    CodingSettings, CommandOutcome, OpenWorkspaces, Verification, WorkspaceEvent, WorkspaceParts,
    WorkspaceSession, WorkspaceSessionError,
};
pub use overlay::Overlay;
pub use patching::{PatchedFile, PatchingError, apply_patch};
pub use path::{PathError, WorkspacePath};
pub use proposals::{
    AcceptedFiles, AcceptedPart, AppliedProposal, LaterProposal, ProposalChoice, ProposalError, ProposalMeta,
    ProposalView, Proposals, ProposedFile, RebasedProposal, RestHandling, UndoResult,
};
pub use search::{GrepError, GrepHit, GrepQuery, GrepResult};
pub use tools::{READ_ONLY_TOOLS, tools};
pub use workspace::{IGNORE_FILE, Workspace, WorkspaceError};
pub use write_batch::{Stale, WriteBatchError};
