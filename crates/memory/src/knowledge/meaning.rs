//! What was only guessed has to mean what was said.

use jiff::civil::Date;
use model::EmbeddingModel;

use crate::facts::{self, Finding, Names, Polarity};
use crate::memory::Memory;

/// The model that the numbers below were found with, on wordings of a life and on everyday messages.
const JUDGE: &str = "all-minilm-l6-v2";
/// A reading that is surer than this rests on plain words.
const GUESSED: f32 = 0.77;
/// Guesses that are right are nearer than this to what was said, but for two in a hundred; of those that are wrong, half
/// are not.
const NEAR: f32 = 0.46;

impl Memory {
    /// What a message says about the user and the people around: read by patterns, and where that is a guess and there
    /// is a model that can tell, judged by its meaning.
    pub async fn read(&self, text: &str, said_on: Date, names: &Names) -> Vec<Finding> {
        let mut found = facts::extract(text, said_on, names);
        if !found.iter().any(is_guess) {
            return found;
        }
        let Some(judge) = self.embedding_model().await.filter(|model| model.name().ends_with(JUDGE)) else {
            return found;
        };
        let mut kept = Vec::with_capacity(found.len());
        for finding in found.drain(..) {
            if !is_guess(&finding) || is_meant(&finding, judge.as_ref()).await {
                kept.push(finding);
            }
        }
        kept
    }
}

/// Whoever names what something takes the place of means it.
fn is_guess(finding: &Finding) -> bool {
    let names_both = finding.replaces.as_ref().is_some_and(|before| !before.is_empty());
    finding.confidence < GUESSED && finding.polarity == Polarity::Holds && !names_both
}

async fn is_meant(finding: &Finding, judge: &dyn EmbeddingModel) -> bool {
    let mut texts = facts::claims(finding);
    texts.push(finding.quote.clone());
    let vectors = match judge.embed(&texts).await {
        Ok(vectors) => vectors,
        Err(error) => {
            tracing::warn!("a guess could not be judged: {error}");
            return true;
        }
    };
    let Some((said, claims)) = vectors.split_last() else { return true };
    claims.iter().any(|claim| cosine(claim, said) >= NEAR)
}

fn cosine(one: &[f32], other: &[f32]) -> f32 {
    let dot = |one: &[f32], other: &[f32]| one.iter().zip(other).map(|(one, other)| one * other).sum::<f32>();
    let length = (dot(one, one) * dot(other, other)).sqrt();
    if length > 0.0 { dot(one, other) / length } else { 0.0 }
}
