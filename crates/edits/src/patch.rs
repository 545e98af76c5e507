//! Patches, in the two forms that are in use: unified diffs, and `*** Begin Patch`.
//!
//! Whoever writes one by hand counts wrongly: numbers of lines are hints. A hunk lands where its old lines stand, at
//! the line that it names where they stand in several places, or nowhere.

mod begin;
mod hunks;
mod unified;

use thiserror::Error;

pub use hunks::apply_hunks;

/// What a patch does with one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChange {
    Add {
        path: String,
        content: String,
    },
    Delete {
        path: String,
    },
    /// Changes it, moves it, or both.
    Update {
        path: String,
        to: Option<String>,
        hunks: Vec<Hunk>,
    },
}

impl FileChange {
    pub fn path(&self) -> &str {
        match self {
            Self::Add { path, .. } | Self::Delete { path } | Self::Update { path, .. } => path,
        }
    }
}

/// Some lines, and those that shall stand in their place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hunk {
    /// The line at which the old ones begin, counted from one, where the patch says so.
    pub line: Option<usize>,
    /// A line above them, by which they can be told from others.
    pub below: Option<String>,
    pub old: Vec<String>,
    pub new: Vec<String>,
    /// They are the last of the file.
    pub is_last: bool,
    /// Whether the file's last line is ended, before and after, where the patch says that it is not.
    pub old_is_open: bool,
    pub new_is_open: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PatchError {
    #[error("this is no patch: it has neither `*** Begin Patch` nor `---`, `+++` and `@@` lines")]
    NotOne,
    #[error("line {line} of the patch: {why}")]
    Malformed { line: usize, why: String },
}

pub fn parse(patch: &str) -> Result<Vec<FileChange>, PatchError> {
    let patch = crate::lines::with_unix_endings(patch);
    let lines: Vec<&str> = patch.lines().collect();
    if lines.iter().any(|line| line.trim_end() == begin::OPENING) {
        begin::parse(&lines)
    } else {
        unified::parse(&lines)
    }
}

fn malformed(at: usize, why: impl Into<String>) -> PatchError {
    PatchError::Malformed { line: at + 1, why: why.into() }
}

#[cfg(test)]
#[path = "patch_tests.rs"]
mod tests;
