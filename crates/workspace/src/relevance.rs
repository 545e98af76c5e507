//! Which files matter for a request.
//!
//! Several witnesses are heard: the words of the request in paths, in names and in texts; the files that others use; what
//! was changed for similar words, and together; and whoever compares meanings. Each says how much a file matters to
//! it, and why. What each word of theirs counts was measured (`cargo xtask bench relevance`).

mod asking;
mod reason;
mod witnesses;

use self::asking::Asked;
pub use self::reason::Reason;
use self::witnesses::Hearing;
use crate::history::History;
use crate::index::{Index, IndexError};
use crate::path::WorkspacePath;

/// What somebody wants, and what is before them.
#[derive(Debug, Clone, Copy, Default)]
pub struct Request<'a> {
    pub text: &'a str,
    pub open_file: Option<&'a WorkspacePath>,
    /// Files that were read or changed lately.
    pub recent: &'a [WorkspacePath],
    /// Files of which a check complained.
    pub failed: &'a [WorkspacePath],
}

/// Whoever else can be asked.
#[derive(Clone, Copy, Default)]
pub struct Hints<'a> {
    pub vectors: Option<&'a dyn Meaning>,
    pub history: Option<&'a History>,
}

/// Tells which files mean something similar.
pub trait Meaning {
    /// Files with how near they are, from 0 to 1. Those that are not named are far.
    fn similar(&self, text: &str) -> Vec<(WorkspacePath, f32)>;
}

/// A file that matters.
#[derive(Debug, Clone, PartialEq)]
pub struct Relevant {
    pub path: WorkspacePath,
    /// Comparable within one answer only.
    pub score: f64,
    /// The weightiest first.
    pub reasons: Vec<Reason>,
}

/// The files that matter most, the first above all. Fewer than `limit` where nothing speaks for more.
pub fn find_relevant_files(
    index: &Index,
    request: Request<'_>,
    hints: &Hints<'_>,
    limit: usize,
) -> Result<Vec<Relevant>, IndexError> {
    let asked = Asked::new(request.text);
    let mut hearing = Hearing::new(index, &asked, &request)?;
    hearing.hear_words()?;
    hearing.hear_history(hints.history);
    hearing.hear_meaning(hints.vectors);
    hearing.hear_neighbours(hints.history)?;
    hearing.verdict(hints.history, limit)
}

#[cfg(test)]
#[path = "relevance_tests.rs"]
mod tests;
