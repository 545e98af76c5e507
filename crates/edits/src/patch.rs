//! Parses and applies patches in the two common formats: unified diffs and `*** Begin Patch`.
//!
//! Line numbers are only hints, since models count incorrectly. A hunk is applied where its old lines are found. If
//! they occur several times, the stated line decides. Otherwise the hunk is refused.

mod apply_hunks;
mod begin_patch;
mod file_change;
mod hunk;
mod unified;

use crate::lines::indent_of;

pub use apply_hunks::{apply_deletion, apply_hunks};
pub use file_change::{FileChange, FileLookup, PatchError};
pub use hunk::{HunkLineRole, PatchHunk};

/// Parses a patch without access to its files.
pub fn parse(patch: &str) -> Result<Vec<FileChange>, PatchError> {
    parse_for(patch, &|_| None)
}

/// Parses a patch for the given files. An indented heading looks like a line of the previous file, and only the content
/// of that file can tell them apart.
pub fn parse_for(patch: &str, files: FileLookup<'_>) -> Result<Vec<FileChange>, PatchError> {
    let patch = crate::lines::with_unix_endings(patch);
    let lines = moved_out(patch.lines().collect());
    let opening = lines.iter().position(|line| line.trim() == begin_patch::OPENING);
    // After a diff header, such a line belongs to a file.
    match opening.filter(|opening| !unified::has_head(&lines[..*opening])) {
        Some(_) => begin_patch::parse(&lines, files),
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

#[cfg(test)]
#[path = "patch_tests.rs"]
mod tests;
