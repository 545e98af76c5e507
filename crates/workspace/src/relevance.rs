//! Finds the files that matter for a request.
//!
//! Several signals are combined: the words of the request in paths, symbol names and texts; the files that others use;
//! the files changed in commits with similar messages, and those changed together; and the similarity of embeddings.
//! Each signal scores a file and gives a reason. The weights were measured (`cargo xtask bench relevance`).

mod query;
mod reason;
mod request;
mod scoring;

use self::query::ParsedRequest;
pub use self::reason::Reason;
pub use self::request::{RankedFile, RelevanceRequest, RelevanceSources, SimilaritySearch};
use self::scoring::Scorer;
use crate::index::{IndexError, WorkspaceIndex};

/// Returns the most relevant files, best first. There are fewer than `limit` if no more are relevant.
pub fn find_relevant_files(
    index: &WorkspaceIndex,
    request: RelevanceRequest<'_>,
    sources: &RelevanceSources<'_>,
    limit: usize,
) -> Result<Vec<RankedFile>, IndexError> {
    let parsed = ParsedRequest::new(request.text);
    let mut scorer = Scorer::new(index, &parsed, &request)?;
    scorer.add_words()?;
    scorer.add_history(sources.history);
    scorer.add_similarity(sources.similarity);
    scorer.add_neighbours(sources.history)?;
    scorer.ranked(sources.history, limit)
}

#[cfg(test)]
#[path = "relevance_tests.rs"]
mod tests;
