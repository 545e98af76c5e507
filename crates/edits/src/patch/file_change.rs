//! The changes that a patch makes, file by file, and the errors of reading it.

use thiserror::Error;

use super::hunk::PatchHunk;

/// The change of one file by a patch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChange {
    Add {
        path: String,
        content: String,
    },
    /// Deletes the file. The hunks contain its lines, if the patch has them.
    Delete {
        path: String,
        hunks: Vec<PatchHunk>,
    },
    /// Changes the file, moves it, or both.
    Update {
        path: String,
        to: Option<String>,
        hunks: Vec<PatchHunk>,
    },
}

impl FileChange {
    pub fn path(&self) -> &str {
        match self {
            Self::Add { path, .. } | Self::Delete { path, .. } | Self::Update { path, .. } => path,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PatchError {
    #[error("this is not a valid patch: it has neither `*** Begin Patch` nor `---`, `+++` and `@@` lines")]
    NotOne,
    #[error("line {line} of the patch: {why}")]
    Malformed { line: usize, why: String },
}

/// A lookup of the content of a file by path. `None` if there is no such file.
pub type FileLookup<'a> = &'a dyn Fn(&str) -> Option<String>;

pub fn malformed(at: usize, why: impl Into<String>) -> PatchError {
    PatchError::Malformed { line: at + 1, why: why.into() }
}
