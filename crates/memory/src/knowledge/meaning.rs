//! Checks that what was extracted is what was meant.

use facts::judge::{JUDGE, likelihood};
use facts::{Finding, Names};
use jiff::civil::Date;
use model::EmbeddingModel;

use crate::memory::Memory;

/// A finding with a higher confidence than this rests on explicit wording.
const GUESSED: f32 = 0.77;
/// The minimum probability for keeping a guess: a wrong guess is worse than a missed one.
const LIKELY: f32 = 0.7;
/// The minimum probability for a finding that reports a change. It is lower, because a missed change leaves an outdated
/// fact believed. `cargo xtask bench judge` shows what this keeps and drops.
const LIKELY_CHANGED: f32 = 0.5;
/// Below this probability, even explicit wording means something else.
const HARDLY: f32 = 0.02;

/// The findings in a message.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// Findings that were stated explicitly.
    pub stated: Vec<Finding>,
    /// Findings that may have been meant. They are not stored as facts, but facts that they contradict become doubtful.
    pub guessed: Vec<Finding>,
}

impl Memory {
    /// Extracts what a message says about the user and people around them: by patterns and, if a model is available,
    /// judged by meaning.
    pub async fn read(&self, text: &str, said_on: Date, names: &Names) -> Findings {
        let mut found = facts::extract(text, said_on, names);
        found.retain(|finding| !finding.is_misread());
        let judge = if found.iter().any(is_judged) { self.embedding_model().await } else { None };
        if let Some(judge) = judge.filter(|model| model.name().ends_with(JUDGE)) {
            let mut kept = Vec::with_capacity(found.len());
            for finding in found {
                if !is_judged(&finding) || is_meant(&finding, judge.as_ref()).await {
                    kept.push(finding);
                }
            }
            found = kept;
        }
        let (stated, guessed) = found.into_iter().partition(Finding::is_plain);
        Findings { stated, guessed }
    }
}

/// Returns true if the finding has to be judged: one that names what it replaces, or that the user asked to be kept, is
/// not.
fn is_judged(finding: &Finding) -> bool {
    let names_both = finding.replaces.as_ref().is_some_and(|before| !before.is_empty());
    !names_both && finding.slot.is_some()
}

async fn is_meant(finding: &Finding, judge: &dyn EmbeddingModel) -> bool {
    let mut texts = vec![finding.quote.clone()];
    texts.extend(facts::claims(finding));
    match judge.embed(&texts).await {
        Ok(vectors) => {
            let least = match finding.confidence < GUESSED {
                true if finding.replaces.is_some() => LIKELY_CHANGED,
                true => LIKELY,
                false => HARDLY,
            };
            vectors.split_first().is_none_or(|(said, claims)| likelihood(finding, said, claims) >= least)
        }
        Err(error) => {
            tracing::warn!("what was read could not be judged: {error}");
            true
        }
    }
}
