//! Checks that what was extracted is what was meant.
//!
//! A finding is said again in plain words, and a linear model over the vectors of both estimates how likely it is that
//! the message says so. A guess has to be likely; what is stated explicitly must only not be absurd. The weights are
//! trained by `cargo xtask bench judge`.

use facts::judge::{JUDGE, likelihood};
use facts::{Finding, KnownNames};
use jiff::civil::Date;
use model::EmbeddingModel;

use crate::memory::Memory;

/// A finding with a higher confidence than this rests on explicit wording.
const EXPLICIT_ABOVE: f32 = 0.77;
/// The minimum probability for keeping a guess: a wrong guess is worse than a missed one.
const MIN_GUESS_LIKELIHOOD: f32 = 0.7;
/// The minimum probability for a finding that reports a change. It is lower, because a missed change leaves an outdated
/// fact believed. `cargo xtask bench judge` shows what this keeps and drops.
const MIN_CHANGE_LIKELIHOOD: f32 = 0.5;
/// Below this probability, even explicit wording means something else.
const MIN_EXPLICIT_LIKELIHOOD: f32 = 0.02;

/// The findings in a message.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MessageFindings {
    /// Findings that were stated explicitly.
    pub stated: Vec<Finding>,
    /// Findings that may have been meant. They are not stored as facts, but facts that they contradict become doubtful.
    pub guessed: Vec<Finding>,
}

impl Memory {
    /// Extracts what a message says about the user and people around them: by patterns and, if a model is available,
    /// judged by meaning.
    pub async fn extract_findings(&self, text: &str, said_on: Date, names: &KnownNames) -> MessageFindings {
        let mut found = facts::extract(text, said_on, names);
        found.retain(|finding| !finding.is_misread());
        let judge = if found.iter().any(needs_judging) { self.embedding_model().await } else { None };
        if let Some(judge) = judge.filter(|model| model.name().ends_with(JUDGE)) {
            let mut kept = Vec::with_capacity(found.len());
            for finding in found {
                if !needs_judging(&finding) || is_likely_meant(&finding, judge.as_ref()).await {
                    kept.push(finding);
                }
            }
            found = kept;
        }
        let (stated, guessed) = found.into_iter().partition(Finding::is_plain);
        MessageFindings { stated, guessed }
    }
}

/// Returns true if the finding has to be judged: one that names what it replaces, or that the user asked to be kept, is
/// not.
fn needs_judging(finding: &Finding) -> bool {
    let names_both = finding.replaces.as_ref().is_some_and(|before| !before.is_empty());
    !names_both && finding.slot.is_some()
}

async fn is_likely_meant(finding: &Finding, judge: &dyn EmbeddingModel) -> bool {
    let mut texts = vec![finding.quote.clone()];
    texts.extend(facts::claims(finding));
    match judge.embed(&texts).await {
        Ok(vectors) => {
            let least = match finding.confidence < EXPLICIT_ABOVE {
                true if finding.replaces.is_some() => MIN_CHANGE_LIKELIHOOD,
                true => MIN_GUESS_LIKELIHOOD,
                false => MIN_EXPLICIT_LIKELIHOOD,
            };
            vectors.split_first().is_none_or(|(said, claims)| likelihood(finding, said, claims) >= least)
        }
        Err(error) => {
            tracing::warn!("the findings of a message could not be judged: {error}");
            true
        }
    }
}
