//! Embeds what can be recalled, in small batches.

use std::sync::Arc;
use std::time::Duration;

use model::{EmbeddingModel, ModelError};
use protocol::{MemoryKind, MessageId, UserId};
use vectors::encode;

use super::{Memory, MemoryError, Result, UserState, read, run_blocking, write};
use crate::embedding_source::EmbeddedTexts;
use crate::recall::ParsedQuestion;
use crate::user_memory::ItemKey;

/// The maximum delay of a message while a server makes vectors.
pub(super) const PATIENCE: Duration = Duration::from_millis(400);
/// The number of texts that are embedded before the results are stored: about a second of work.
const BATCH: usize = 64;

impl Memory {
    /// Returns the embedding model in use, if one is ready.
    pub(crate) async fn embedding_model(&self) -> Option<Arc<dyn EmbeddingModel>> {
        self.inner.embeddings.current().await
    }

    /// Returns the vector of a text, with the name of the model that made it. Only a model on this machine is used, so
    /// that the text does not leave it. `None` if there is no such model or it takes too long.
    pub async fn vector_of(&self, text: &str) -> Option<(String, Vec<f32>)> {
        let (this, texts) = (self.clone(), [text.to_owned()]);
        let embedding = async move {
            let model = this.embedding_model().await.filter(|model| model.is_here())?;
            let vector = model.embed(&texts).await.ok()?.into_iter().next()?;
            Some((model.name(), vector))
        };
        in_time(embedding).await?
    }

    /// Returns the vector of a question. `None` if there is no model or it takes too long; recall then relies on words.
    pub(super) async fn embed_question(
        &self,
        state: &UserState,
        question: &ParsedQuestion,
    ) -> Option<Vec<f32>> {
        let known = state.sync.lock().await.embedder.clone()?;
        let (this, said) = (self.clone(), question.first_person.clone());
        let embedding = async move {
            let model = this.inner.embeddings.current().await.filter(|model| model.name() == known.name)?;
            Some(model.embed(&[said]).await)
        };
        match in_time(embedding).await?? {
            Ok(vectors) => vectors.into_iter().next(),
            Err(error) => {
                tracing::warn!("the question could not be embedded: {error}");
                None
            }
        }
    }

    /// Embeds a batch of items without a vector. Returns the number of items embedded; zero means that all have one.
    pub async fn embed_batch(&self, user: UserId) -> Result<usize> {
        self.embed_batch_of(user, |_| true).await
    }

    /// Like [`Memory::embed_batch`], limited to some kinds, so that a search for one kind does not wait for all.
    pub(super) async fn embed_batch_of(&self, user: UserId, wanted: fn(MemoryKind) -> bool) -> Result<usize> {
        let state = self.user_state(user).await?;
        self.catch_up(&state).await?;
        let (embedder, seq) = {
            let sync = state.sync.lock().await;
            match (&sync.embedder, sync.seq) {
                (Some(embedder), Some(seq)) => (embedder.clone(), seq),
                _ => return Ok(0),
            }
        };
        let Some(model) = self.inner.embeddings.current().await.filter(|model| model.name() == embedder.name)
        else {
            return Ok(0);
        };
        let bare = read(&state.memory).without_vectors(BATCH, wanted, model.is_here());
        let messages =
            bare.iter().filter(|(_, text)| text.is_none()).map(|(key, _)| MessageId::new(key.item));
        let mut said = self.inner.store.said(user, messages).await?;
        let (mut keys, mut texts) = (Vec::new(), Vec::new());
        for (key, text) in bare {
            let said = || said.remove(&MessageId::new(key.item)).map(|said| said.content);
            let Some(text) = text.or_else(said) else { continue };
            texts.push(read(&state.memory).embeddable_text(&text));
            keys.push(key);
        }
        if keys.is_empty() {
            return Ok(0);
        }
        let vectors = model.embed(&texts).await.map_err(|error| MemoryError::Invalid(error.to_string()))?;
        let mut packed: Vec<(ItemKey, Vec<u8>)> = Vec::with_capacity(keys.len());
        for (key, vector) in keys.into_iter().zip(vectors) {
            let code = encode(&vector).map_err(|error| MemoryError::Invalid(error.to_string()))?;
            packed.push((key, code));
        }
        let rows = packed.iter().map(|(key, code)| (key.kind, key.item, code.clone())).collect();
        self.inner.store.keep_vectors(embedder.id, seq, rows).await?;
        let count = packed.len();
        run_blocking(move || {
            let mut memory = write(&state.memory);
            for (key, vector) in &packed {
                memory.set_vector(*key, vector);
            }
        })
        .await;
        Ok(count)
    }

    /// Returns the vectors of texts by the model in use, or `None` if there is no model.
    pub async fn embed(&self, texts: &[String]) -> Option<std::result::Result<EmbeddedTexts, ModelError>> {
        let model = self.inner.embeddings.current().await?;
        Some(model.embed(texts).await.map(|vectors| EmbeddedTexts { model: model.name(), vectors }))
    }

    /// Removes the vectors of pieces that are in no user's files any more. They are identified by their text, and the
    /// database does not record when a piece disappears.
    pub async fn drop_stray_vectors(&self) -> Result<()> {
        let mut standing = Vec::new();
        for user in self.inner.store.users().await? {
            let state = self.user_state(user.id).await?;
            self.catch_up(&state).await?;
            standing.extend(read(&state.memory).file_items());
        }
        self.inner.store.drop_file_vectors_but(standing).await?;
        Ok(())
    }

    /// Returns true if an embedding model runs on this machine, so that texts need not leave it.
    pub async fn embeds_locally(&self) -> bool {
        self.inner.embeddings.current().await.is_some_and(|model| model.is_here())
    }

    /// Returns the name of the embedding model in use.
    pub async fn embedding_model_name(&self) -> Option<String> {
        Some(self.inner.embeddings.current().await?.name())
    }
}

/// Returns the result of `work` if it is ready soon. Otherwise the work continues in the background: by the next call a
/// server may be connected or a model loaded.
pub(super) async fn in_time<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Option<T> {
    let working = tokio::spawn(work);
    tokio::time::timeout(PATIENCE, working).await.ok()?.ok()
}
