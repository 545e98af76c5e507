//! The folder in which she writes code: which files are hers to change, and changes that are all made or not at all.
//!
//! It knows nothing of models and conversations. Start with [`Overlay`]: what was changed lies over the files, and reaches
//! the disk only by [`Overlay::land`]. What is in the files is known by [`index::Index`], and which of them matter for a
//! request by [`relevance::find_relevant_files`].

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod history;
pub mod index;
mod journal;
mod listing;
mod overlay;
mod patching;
mod path;
mod reading;
pub mod relevance;
mod root;
mod search;

pub use history::{History, HistoryError};
pub use journal::{Journal, Recovered};
pub use listing::{Glob, GlobError, Listed};
pub use overlay::{Change, LandError, Overlay, OverlayError, Stale};
pub use patching::{PatchedFile, PatchingError, patch};
pub use path::{PathError, WorkspacePath};
pub use reading::{ReadError, Shown};
pub use root::{IGNORE_FILE, Workspace, WorkspaceError};
pub use search::{Grep, GrepError, Grepped, Hit};
