use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use model::{EmbeddingModel, ModelError};

use crate::minilm::{self, MiniLm};
use crate::static_model::{self, StaticModel};
use crate::{EmbedderProblem, files};

/// Opens the best model whose files are all in the folder. The model is loaded on first use.
pub fn open(models: &Path) -> Result<Embedder, EmbedderProblem> {
    let best = minilm::MiniLmFiles::find(models).map(Files::MiniLm);
    let files = best.or_else(|| static_model::StaticModelFiles::find(models).map(Files::Static));
    let missing = if files::has_native_runtime() { minilm::ITEM } else { static_model::ITEM };
    let files = files.ok_or(EmbedderProblem::Missing(missing))?;
    Ok(Embedder {
        shared: Arc::new(Shared { files, loaded: Mutex::default() }),
        turn: tokio::sync::Mutex::default(),
    })
}

/// An embedding model in this process. Texts are embedded one after the other, outside the runtime's worker threads.
#[derive(Debug)]
pub struct Embedder {
    shared: Arc<Shared>,
    /// Callers wait for the model on this lock, which blocks no thread.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
struct Shared {
    files: Files,
    loaded: Mutex<Option<Loaded>>,
}

#[derive(Debug)]
enum Files {
    MiniLm(minilm::MiniLmFiles),
    Static(static_model::StaticModelFiles),
}

#[derive(Debug)]
enum Loaded {
    MiniLm(Box<MiniLm>),
    Static(StaticModel),
}

impl Embedder {
    /// Frees the model's memory; the next call loads the model again.
    pub async fn unload(&self) {
        let _turn = self.turn.lock().await;
        self.shared.loaded().take();
    }
}

impl Shared {
    fn loaded(&self) -> std::sync::MutexGuard<'_, Option<Loaded>> {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn embed(&self, text: &str) -> Result<Vec<f32>, EmbedderProblem> {
        let mut slot = self.loaded();
        let loaded = match &mut *slot {
            Some(loaded) => loaded,
            empty => empty.insert(match &self.files {
                Files::MiniLm(files) => Loaded::MiniLm(Box::new(files.load()?)),
                Files::Static(files) => Loaded::Static(files.load()?),
            }),
        };
        match loaded {
            Loaded::MiniLm(model) => model.embed(text),
            Loaded::Static(model) => Ok(model.embed(text)),
        }
    }
}

#[async_trait]
impl EmbeddingModel for Embedder {
    fn name(&self) -> String {
        match self.shared.files {
            Files::MiniLm(_) => minilm::ITEM,
            Files::Static(_) => static_model::ITEM,
        }
        .to_owned()
    }

    fn dimensions(&self) -> usize {
        match self.shared.files {
            Files::MiniLm(_) => minilm::DIMENSIONS,
            Files::Static(_) => static_model::DIMENSIONS,
        }
    }

    fn is_here(&self) -> bool {
        true
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for text in texts {
            // The lock is taken for each text, so that a query does not have to wait for a whole batch.
            let _turn = self.turn.lock().await;
            let (shared, text) = (Arc::clone(&self.shared), text.clone());
            let made = tokio::task::spawn_blocking(move || shared.embed(&text)).await;
            vectors.push(
                made.map_err(|_| ModelError::Failed("the embedding model stopped unexpectedly".to_owned()))??,
            );
        }
        Ok(vectors)
    }
}

#[cfg(test)]
#[path = "embedder_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "embedder_real.rs"]
pub(crate) mod real;
