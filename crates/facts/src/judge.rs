//! Estimates whether words express what was extracted from them.
//!
//! A linear model over the vector of the words, its product with the vector of the claim, and the kind of the claim. It
//! is trained by `cargo xtask bench judge` on the wordings of `bench/wordings`, on everyday messages, and on comments
//! from GoEmotions (Demszky et al. 2020, Apache-2.0).

use super::finding::Finding;
use super::slot::SlotKind;

/// The embedding model for whose vectors the weights were trained.
pub const JUDGE: &str = "all-minilm-l6-v2";
const DIMENSIONS: usize = 384;
/// Scales the product of two vectors, whose elements are small.
const COMMON: f32 = 20.0;
/// The number of features: a bias, the similarity, one for each kind, and two for each dimension of a vector.
pub const FEATURES: usize = 2 + SlotKind::ALL.len() + 2 * DIMENSIONS;

static WEIGHTS: &[u8] = include_bytes!("judge.f32");
const _: () = assert!(WEIGHTS.len() == FEATURES * size_of::<f32>());

/// Returns the probability, between 0 and 1, that words with the vector `said` express the finding. Of the vectors in
/// `claims` the nearest counts.
pub fn likelihood(finding: &Finding, said: &[f32], claims: &[Vec<f32>]) -> f32 {
    let weights = WEIGHTS.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
    let score: f32 =
        features(finding, said, claims).iter().zip(weights).map(|(value, weight)| value * weight).sum();
    1.0 / (1.0 + (-score).exp())
}

/// Returns the direction of the vectors of words that express a finding, for a stand-in for the model.
pub fn meaning() -> Vec<f32> {
    let weights = WEIGHTS.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
    weights.skip(2 + SlotKind::ALL.len()).take(DIMENSIONS).collect()
}

/// Returns the features that the weights apply to.
pub fn features(finding: &Finding, said: &[f32], claims: &[Vec<f32>]) -> Vec<f32> {
    let likeness =
        |claim: &&Vec<f32>| -> f32 { claim.iter().zip(said).map(|(one, other)| one * other).sum() };
    let nearest = claims.iter().max_by(|one, other| likeness(one).total_cmp(&likeness(other)));
    let mut features = vec![1.0, nearest.as_ref().map_or(0.0, likeness)];
    let kind = finding.slot.as_ref().map(|slot| slot.kind);
    features.extend(SlotKind::ALL.map(|other| if Some(other) == kind { 1.0 } else { 0.0 }));
    features.extend(said.iter().take(DIMENSIONS));
    let common = |(one, other): (&f32, &f32)| COMMON * one * other;
    features
        .extend(nearest.into_iter().flat_map(|claim| claim.iter().zip(said).map(common)).take(DIMENSIONS));
    features.resize(FEATURES, 0.0);
    features
}
