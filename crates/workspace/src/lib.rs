//! The folder in which she writes code: which files are hers to change, and changes that are all made or not at all.
//!
//! It knows nothing of models and conversations. Start with [`Overlay`]: what was changed lies over the files, and reaches
//! the disk only by [`Overlay::land`].

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod journal;
#[cfg(target_os = "linux")]
mod layer;
mod listing;
mod overlay;
mod patching;
mod path;
mod reading;
mod root;
mod search;

pub use journal::{Journal, Recovered};
#[cfg(target_os = "linux")]
pub use layer::{Ended, Errand, Gathered, Layer, LayerError, Stopped};
pub use listing::{Glob, GlobError, Listed};
pub use overlay::{Change, LandError, Overlay, OverlayError, Stale};
pub use patching::{PatchedFile, PatchingError, patch};
pub use path::{PathError, WorkspacePath};
pub use reading::{ReadError, Shown};
pub use root::{IGNORE_FILE, Workspace, WorkspaceError};
pub use search::{Grep, GrepError, Grepped, Hit};
