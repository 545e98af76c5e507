//! The request for which files are looked for, and the files found.

use super::reason::Reason;
use crate::history::GitHistory;
use crate::path::WorkspacePath;

/// A request of the user with its context.
#[derive(Debug, Clone, Copy, Default)]
pub struct RelevanceRequest<'a> {
    pub text: &'a str,
    pub open_file: Option<&'a WorkspacePath>,
    /// The files that were read or changed recently. Earlier entries count more.
    pub recent: &'a [WorkspacePath],
    /// The files with errors from a check.
    pub failed: &'a [WorkspacePath],
}

/// The optional sources of further signals.
#[derive(Clone, Copy, Default)]
pub struct RelevanceSources<'a> {
    pub similarity: Option<&'a dyn SimilaritySearch>,
    pub history: Option<&'a GitHistory>,
}

/// Finds files with similar meaning.
pub trait SimilaritySearch {
    /// Returns files with their similarity from 0 to 1. Files that are not listed are not similar.
    fn similar(&self, text: &str) -> Vec<(WorkspacePath, f32)>;
}

/// A relevant file.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedFile {
    pub path: WorkspacePath,
    /// The score, which is comparable within one result only.
    pub score: f64,
    /// The reasons, most important first.
    pub reasons: Vec<Reason>,
}
