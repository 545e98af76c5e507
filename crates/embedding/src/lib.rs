//! Sentence embeddings in this process, behind [`model::EmbeddingModel`].
//!
//! all-MiniLM-L6-v2 runs in ONNX Runtime, whose library is found at run time among the downloaded models. Where it is
//! not, or cannot be, a static model does: it knows a vector for each piece of a word and no grammar, but needs no
//! native part. This crate downloads nothing and knows neither facts nor messages.
//!
//! Start with [`open`].

mod bpe;
mod embedder;
mod files;
mod minilm;
mod problem;
mod runtime;
mod static_model;
mod wordpiece;

pub use embedder::{Embedder, open};
pub use problem::Problem;

/// A vector of length one in the same direction; zeros stay zeros.
fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    if length > 0.0 {
        for number in &mut vector {
            *number /= length;
        }
    }
    vector
}
