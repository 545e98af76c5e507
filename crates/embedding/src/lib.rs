//! Turns texts into vectors by their meaning, in this process, behind [`model::EmbeddingModel`].
//!
//! all-MiniLM-L6-v2 runs in ONNX Runtime, whose library is looked up at run time among the downloaded models. Where the
//! library is missing or unavailable for the machine, a static model is used: it holds a vector for each word piece and
//! ignores grammar, but needs no native code. This crate downloads nothing and does not know about facts or messages.
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
pub use problem::EmbedderProblem;

/// Scales a vector to length one; a zero vector stays zero.
fn unit(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|number| number * number).sum::<f32>().sqrt();
    if length > 0.0 {
        for number in &mut vector {
            *number /= length;
        }
    }
    vector
}
