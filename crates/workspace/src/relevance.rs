//! Finds the files that matter for a request.
//!
//! Several signals are combined: the words of the request in paths, symbol names and texts; the files that others use;
//! the files changed in commits with similar messages, and those changed together; and the similarity of embeddings.
//! Each signal scores a file and gives a reason. The weights were measured (`cargo xtask bench relevance`).

mod asking;
mod reason;
mod witnesses;

use self::asking::Asked;
pub use self::reason::Reason;
use self::witnesses::Hearing;
use crate::history::History;
use crate::index::{Index, IndexError};
use crate::path::WorkspacePath;

/// A request of the user with its context.
#[derive(Debug, Clone, Copy, Default)]
pub struct Request<'a> {
    pub text: &'a str,
    pub open_file: Option<&'a WorkspacePath>,
    /// The files that were read or changed recently. Earlier entries count more.
    pub recent: &'a [WorkspacePath],
    /// The files with errors from a check.
    pub failed: &'a [WorkspacePath],
}

/// Optional sources of further signals.
#[derive(Clone, Copy, Default)]
pub struct Hints<'a> {
    pub vectors: Option<&'a dyn Meaning>,
    pub history: Option<&'a History>,
}

/// Finds files with similar meaning.
pub trait Meaning {
    /// Returns files with their similarity from 0 to 1. Files that are not listed are not similar.
    fn similar(&self, text: &str) -> Vec<(WorkspacePath, f32)>;
}

/// A relevant file.
#[derive(Debug, Clone, PartialEq)]
pub struct Relevant {
    pub path: WorkspacePath,
    /// The score, which is comparable within one result only.
    pub score: f64,
    /// The reasons, most important first.
    pub reasons: Vec<Reason>,
}

/// Returns the most relevant files, best first. There are fewer than `limit` if no more are relevant.
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
