//! The vectors of what can be recalled, made little by little.

use std::sync::Arc;
use std::time::Duration;

use model::{EmbeddingModel, ModelError};
use protocol::{MemoryKind, MessageId, UserId};

use super::{Embedded, Memory, MemoryError, Person, Result, on_the_side, read, write};
use crate::library::Key;
use crate::recall::Question;
use crate::vectors::encode;

/// Whoever speaks waits no longer for a server that makes vectors.
pub(super) const PATIENCE: Duration = Duration::from_millis(400);
/// Texts that are embedded before the results are kept: a second or so of work.
const BATCH: usize = 64;

impl Memory {
    /// The embedding model in use, if one is ready.
    pub(crate) async fn embedding_model(&self) -> Option<Arc<dyn EmbeddingModel>> {
        self.inner.embeddings.current().await
    }

    /// The vector of any text with the name of the model that made it, by a model that runs here: for this alone,
    /// nothing leaves the machine. None where there is no such model, or it takes long.
    pub async fn vector_of(&self, text: &str) -> Option<(String, Vec<f32>)> {
        let (this, texts) = (self.clone(), [text.to_owned()]);
        let embedding = async move {
            let model = this.embedding_model().await.filter(|model| model.is_here())?;
            let vector = model.embed(&texts).await.ok()?.into_iter().next()?;
            Some((model.name(), vector))
        };
        in_time(embedding).await?
    }

    /// The vector of a question. Without one, or when it takes long, words must do.
    pub(super) async fn embed_question(&self, person: &Person, question: &Question) -> Option<Vec<f32>> {
        let known = person.following.lock().await.embedder.clone()?;
        let (this, said) = (self.clone(), question.said.clone());
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

    /// Embeds what has no vector yet, a batch of it. Returns how many were embedded: none means that all are.
    pub async fn embed_some(&self, user: UserId) -> Result<usize> {
        self.embed_some_of(user, |_| true).await
    }

    /// The same for some kinds alone: who looks for one kind does not wait for all.
    pub(super) async fn embed_some_of(&self, user: UserId, wanted: fn(MemoryKind) -> bool) -> Result<usize> {
        let person = self.person(user).await?;
        self.catch_up(&person).await?;
        let (embedder, seq) = {
            let following = person.following.lock().await;
            match (&following.embedder, following.seq) {
                (Some(embedder), Some(seq)) => (embedder.clone(), seq),
                _ => return Ok(0),
            }
        };
        let Some(model) = self.inner.embeddings.current().await.filter(|model| model.name() == embedder.name)
        else {
            return Ok(0);
        };
        let bare = read(&person.library).without_vectors(BATCH, wanted, model.is_here());
        let messages =
            bare.iter().filter(|(_, text)| text.is_none()).map(|(key, _)| MessageId::new(key.item));
        let mut said = self.inner.store.said(user, messages).await?;
        let (mut keys, mut texts) = (Vec::new(), Vec::new());
        for (key, text) in bare {
            let said = || said.remove(&MessageId::new(key.item)).map(|said| said.content);
            let Some(text) = text.or_else(said) else { continue };
            texts.push(read(&person.library).embeddable(&text));
            keys.push(key);
        }
        if keys.is_empty() {
            return Ok(0);
        }
        let vectors = model.embed(&texts).await.map_err(|error| MemoryError::Invalid(error.to_string()))?;
        let mut packed: Vec<(Key, Vec<u8>)> = Vec::with_capacity(keys.len());
        for (key, vector) in keys.into_iter().zip(vectors) {
            let code = encode(&vector).map_err(|error| MemoryError::Invalid(error.to_string()))?;
            packed.push((key, code));
        }
        let rows = packed.iter().map(|(key, code)| (key.kind, key.item, code.clone())).collect();
        self.inner.store.keep_vectors(embedder.id, seq, rows).await?;
        let count = packed.len();
        on_the_side(move || {
            let mut library = write(&person.library);
            for (key, vector) in &packed {
                library.set_vector(*key, vector);
            }
        })
        .await;
        Ok(count)
    }

    /// The vectors of texts, by the model in use. Nothing where there is none.
    pub async fn embed(&self, texts: &[String]) -> Option<std::result::Result<Embedded, ModelError>> {
        let model = self.inner.embeddings.current().await?;
        Some(model.embed(texts).await.map(|vectors| Embedded { model: model.name(), vectors }))
    }

    /// Removes the vectors of what stands in nobody's files any more: they are known by their words, and nothing in the
    /// database tells when those go.
    pub async fn drop_stray_vectors(&self) -> Result<()> {
        let mut standing = Vec::new();
        for user in self.inner.store.users().await? {
            let person = self.person(user.id).await?;
            self.catch_up(&person).await?;
            standing.extend(read(&person.library).file_items());
        }
        self.inner.store.drop_file_vectors_but(standing).await?;
        Ok(())
    }

    /// Whether there is a model for it on this machine, so that texts need not leave it.
    pub async fn embeds_here(&self) -> bool {
        self.inner.embeddings.current().await.is_some_and(|model| model.is_here())
    }

    /// The name of the embedding model in use.
    pub async fn embedder(&self) -> Option<String> {
        Some(self.inner.embeddings.current().await?.name())
    }
}

/// What comes of something that may take long, if it comes soon. It goes on by itself: the next one may find that a
/// server is connected, or a model loaded.
pub(super) async fn in_time<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> Option<T> {
    let working = tokio::spawn(work);
    tokio::time::timeout(PATIENCE, working).await.ok()?.ok()
}
