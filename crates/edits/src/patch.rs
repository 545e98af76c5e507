//! Parses and applies patches in the two common formats: unified diffs and `*** Begin Patch`.
//!
//! Line numbers are only hints, since models count incorrectly. A hunk is applied where its old lines are found. If
//! they occur several times, the stated line decides. Otherwise the hunk is refused.

mod begin;
mod hunks;
mod unified;

use thiserror::Error;

use crate::lines::indent_of;

pub use hunks::{apply_deletion, apply_hunks};

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
        hunks: Vec<Hunk>,
    },
    /// Changes the file, moves it, or both.
    Update {
        path: String,
        to: Option<String>,
        hunks: Vec<Hunk>,
    },
}

impl FileChange {
    pub fn path(&self) -> &str {
        match self {
            Self::Add { path, .. } | Self::Delete { path, .. } | Self::Update { path, .. } => path,
        }
    }
}

/// Some lines and their replacement.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hunk {
    /// The number of the first old line, counted from one, if the patch gives it.
    pub line: Option<usize>,
    /// A line above the hunk that distinguishes it from other matches.
    pub below: Option<String>,
    pub old: Vec<String>,
    pub new: Vec<String>,
    /// The kind of each line of the hunk, in order.
    pub signs: Vec<Sign>,
    /// The number of empty lines without a sign at the end. They may belong to the patch format rather than to the
    /// file.
    pub unsigned: usize,
    /// True if the hunk ends at the end of the file.
    pub is_last: bool,
    /// True if the patch says that the last line of the old file has no line ending; `new_is_open` is the same for the
    /// new file.
    pub old_is_open: bool,
    pub new_is_open: bool,
}

/// The kind of a hunk line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    Stays,
    Goes,
    Comes,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PatchError {
    #[error("this is not a valid patch: it has neither `*** Begin Patch` nor `---`, `+++` and `@@` lines")]
    NotOne,
    #[error("line {line} of the patch: {why}")]
    Malformed { line: usize, why: String },
}

/// A lookup of the content of a file by path. `None` if there is no such file.
pub type Files<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Parses a patch without access to its files.
pub fn parse(patch: &str) -> Result<Vec<FileChange>, PatchError> {
    parse_for(patch, &|_| None)
}

/// Parses a patch for the given files. An indented heading looks like a line of the previous file, and only the content
/// of that file can tell them apart.
pub fn parse_for(patch: &str, files: Files<'_>) -> Result<Vec<FileChange>, PatchError> {
    let patch = crate::lines::with_unix_endings(patch);
    let lines = moved_out(patch.lines().collect());
    let opening = lines.iter().position(|line| line.trim() == begin::OPENING);
    // After a diff header, such a line belongs to a file.
    match opening.filter(|opening| !unified::has_head(&lines[..*opening])) {
        Some(_) => begin::parse(&lines, files),
        None => unified::parse(&lines),
    }
}

/// Removes the indentation that all lines share if the first line begins a patch.
fn moved_out(lines: Vec<&str>) -> Vec<&str> {
    let mut words = lines.iter().filter(|line| !line.trim().is_empty());
    let begins = |line: &&&str| {
        ["*** ", "--- ", "diff --git "].iter().any(|begin| line.trim_start().starts_with(begin))
    };
    let Some(indent) = words.clone().next().filter(begins).map(|line| indent_of(line)) else { return lines };
    if indent.is_empty() || !words.all(|line| line.starts_with(indent)) {
        return lines;
    }
    lines.iter().map(|line| line.strip_prefix(indent).unwrap_or_default()).collect()
}

fn malformed(at: usize, why: impl Into<String>) -> PatchError {
    PatchError::Malformed { line: at + 1, why: why.into() }
}

#[cfg(test)]
#[path = "patch_tests.rs"]
mod tests;
