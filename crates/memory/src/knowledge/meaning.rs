//! What was read has to mean what was said.

use facts::judge::{JUDGE, likelihood};
use facts::{Finding, Names};
use jiff::civil::Date;
use model::EmbeddingModel;

use crate::memory::Memory;

/// A reading that is surer than this rests on plain words.
const GUESSED: f32 = 0.77;
/// A guess is kept when it is likelier than this: one that is wrong is worse than one that is missed.
const LIKELY: f32 = 0.7;
/// What tells of a change has less to prove, for without it something is believed that is no longer so. What this keeps
/// and leaves out: `cargo xtask bench judge`.
const LIKELY_CHANGED: f32 = 0.5;
/// Plain words say something else altogether below this.
const HARDLY: f32 = 0.02;

/// What was read in a message.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Findings {
    /// What was said plainly.
    pub stated: Vec<Finding>,
    /// What may have been meant. Nobody states it, but what it speaks against is no longer sure.
    pub guessed: Vec<Finding>,
}

impl Memory {
    /// What a message says about the user and the people around: read by patterns, and where there is a model that can
    /// tell, judged by its meaning.
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

/// Whoever names what something takes the place of means it, and what was asked to be kept is kept.
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
