//! The change of a file that is not written yet, and the errors of reading and changing files.

use host::RootError;
use thiserror::Error;

use crate::path::WorkspacePath;

/// The maximum size of an editable file in bytes.
pub const MOST_BYTES: u64 = 16 << 20;

/// The old and new content of a file; `None` means that the file does not exist.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PendingChange {
    pub before: Option<Vec<u8>>,
    pub after: Option<Vec<u8>>,
    /// The permissions as the nine Unix mode bits. `None` if the file does not exist, gets the default mode of new
    /// files, or the system has no modes.
    pub before_mode: Option<u32>,
    pub after_mode: Option<u32>,
}

impl PendingChange {
    /// Returns true if nothing changes.
    pub fn is_empty(&self) -> bool {
        self.before == self.after && self.before_mode == self.after_mode
    }
}

#[derive(Debug, Error)]
pub enum OverlayError {
    #[error("there is no file {0}")]
    Missing(WorkspacePath),
    #[error("{0} is there already")]
    Taken(WorkspacePath),
    #[error("{0} is not a file")]
    NotAFile(WorkspacePath),
    #[error("{0} is a link. Name the file that it leads to")]
    Link(WorkspacePath),
    #[error("{0} would have more than 16 MB. Write less into it")]
    TooLarge(WorkspacePath),
    #[error("{0} has more than 16 MB, so it is left alone")]
    Huge(WorkspacePath),
    #[error(transparent)]
    Root(#[from] RootError),
}
