//! The source of the embedding model.

use std::sync::Arc;

use async_trait::async_trait;
use model::EmbeddingModel;

/// A source of the embedding model in use.
#[async_trait]
pub trait EmbeddingSource: Send + Sync {
    /// Returns the model in use, if one is ready. Must not wait for a download.
    async fn current(&self) -> Option<Arc<dyn EmbeddingModel>>;
}

/// A source without a model: recall relies on words and dates alone.
pub struct NoEmbeddings;

#[async_trait]
impl EmbeddingSource for NoEmbeddings {
    async fn current(&self) -> Option<Arc<dyn EmbeddingModel>> {
        None
    }
}

/// Vectors and the name of the model that made them.
#[derive(Debug, Clone, PartialEq)]
pub struct EmbeddedTexts {
    pub model: String,
    pub vectors: Vec<Vec<f32>>,
}
