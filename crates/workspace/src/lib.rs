//! The folder in which Luna writes code: the files that may be changed, and changes that are written completely or not
//! at all.
//!
//! This crate does not depend on models or conversations. Start with [`Overlay`]: changes are kept above the files and
//! written to disk only by [`Overlay::land`]. [`index::Index`] knows the contents of the files, and
//! [`relevance::find_relevant_files`] selects those that matter for a request.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod checkpoints;
mod desk;
mod diff;
mod folders;
mod history;
pub mod index;
mod journal;
mod landing;
mod layer;
mod listing;
mod overlay;
mod patching;
mod path;
mod proposals;
#[cfg(test)]
mod random;
mod reading;
pub mod relevance;
mod root;
mod search;
mod session;
mod steps;
mod tools;
pub mod verify;

pub use checkpoints::{CheckpointError, Checkpoints};
pub use desk::{Bench, Desk, DeskError, DeskParts, DeskSettings, News, Ran, Verified};
pub use diff::{DiffKind, FileDiff, Hunk, HunkId, Line, LineKind, relay, take};
pub use folders::folders;
pub use history::{History, HistoryError};
pub use journal::{Journal, Recovered};
pub use landing::{LandError, Stale};
pub use layer::{Ended, Errand, Gathered, Layer, LayerError, Stopped};
pub use listing::{Glob, GlobError, Listed};
pub use overlay::{Change, MOST_BYTES, Overlay, OverlayError};
pub use patching::{PatchedFile, PatchingError, patch};
pub use path::{PathError, WorkspacePath};
pub use proposals::{
    Applied, Choice, Later, ProposalError, ProposalMeta, ProposalView, Proposals, ProposedFile, Rebased,
    Relanded, Rest, Taken, TakenFiles,
};
pub use reading::{ReadError, Shown};
pub use root::{IGNORE_FILE, Workspace, WorkspaceError};
pub use search::{Grep, GrepError, Grepped, Hit};
pub use session::{Access, Action, EditError, Format, Session, Tries};
pub use tools::{LOOKING, tools};
