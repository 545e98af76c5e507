//! Patches, in the two forms that are in use: unified diffs, and `*** Begin Patch`.
//!
//! Whoever writes one by hand counts wrongly: numbers of lines are hints. A hunk lands where its old lines stand, at
//! the line that it names where they stand in several places, or nowhere.

mod begin;
mod hunks;
mod unified;

use thiserror::Error;

use crate::lines::indent_of;

pub use hunks::{apply_deletion, apply_hunks};

/// What a patch does with one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChange {
    Add {
        path: String,
        content: String,
    },
    /// With its lines, where the patch says which they are.
    Delete {
        path: String,
        hunks: Vec<Hunk>,
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
            Self::Add { path, .. } | Self::Delete { path, .. } | Self::Update { path, .. } => path,
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
    /// Which of them each line of the patch is, in order.
    pub signs: Vec<Sign>,
    /// So many of the last lines are empty and have no sign: they may belong to the patch rather than to the file.
    pub unsigned: usize,
    /// They are the last of the file.
    pub is_last: bool,
    /// Whether the file's last line is ended, before and after, where the patch says that it is not.
    pub old_is_open: bool,
    pub new_is_open: bool,
}

/// What becomes of a line.
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

/// What stands in the file of a path, where there is one.
pub type Files<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Reads a patch without a look at the files that it is for.
pub fn parse(patch: &str) -> Result<Vec<FileChange>, PatchError> {
    parse_for(patch, &|_| None)
}

/// Reads a patch for these files. Headings with blanks before them look like lines of the file above, and only that
/// file tells them apart.
pub fn parse_for(patch: &str, files: Files<'_>) -> Result<Vec<FileChange>, PatchError> {
    let patch = crate::lines::with_unix_endings(patch);
    let lines = moved_out(patch.lines().collect());
    let opening = lines.iter().position(|line| line.trim() == begin::OPENING);
    // Behind the head of a diff, that is a line of its file.
    match opening.filter(|opening| !unified::has_head(&lines[..*opening])) {
        Some(_) => begin::parse(&lines, files),
        None => unified::parse(&lines),
    }
}

/// The lines without the blanks that stand before all of them, where those begin a patch.
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
