//! The folder in which she writes code: which files are hers to change, and changes that are all made or not at all.
//!
//! It knows nothing of models and conversations. Start with [`Overlay`]: what was changed lies over the files, and reaches
//! the disk only by [`Overlay::land`]. What is in the files is known by [`index::Index`], and which of them matter for a
//! request by [`relevance::find_relevant_files`].

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
