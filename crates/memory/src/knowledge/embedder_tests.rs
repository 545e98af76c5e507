use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use model::{EmbeddingModel, ModelError};
use protocol::{FactPatch, FactStatus};

use super::knowledge_tests::{MemoryFixture, texts};
use crate::{Author, EmbeddingSource};

/// A model that never answers.
struct Silent;

#[async_trait]
impl EmbeddingModel for Silent {
    fn name(&self) -> String {
        "silent".into()
    }

    fn dimensions(&self) -> usize {
        4
    }

    fn is_here(&self) -> bool {
        true
    }

    async fn embed(&self, _: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        std::future::pending().await
    }
}

#[async_trait]
impl EmbeddingSource for Silent {
    async fn current(&self) -> Option<Arc<dyn EmbeddingModel>> {
        Some(Arc::new(Silent))
    }
}

/// A model on this machine or on another, with the texts that it was given.
pub(super) struct ScriptedEmbedder {
    is_here: bool,
    read: Mutex<Vec<String>>,
}

impl ScriptedEmbedder {
    pub(super) fn new(is_here: bool) -> Arc<Self> {
        Arc::new(Self { is_here, read: Mutex::default() })
    }

    fn has_read(&self) -> String {
        self.read.lock().unwrap().join("\n")
    }
}

#[async_trait]
impl EmbeddingModel for ScriptedEmbedder {
    fn name(&self) -> String {
        "reader".into()
    }

    fn dimensions(&self) -> usize {
        4
    }

    fn is_here(&self) -> bool {
        self.is_here
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.read.lock().unwrap().extend(texts.iter().cloned());
        Ok(texts.iter().map(|_| vec![1.0, 0.0, 0.0, 0.0]).collect())
    }
}

pub(super) struct ScriptedSource(pub(super) Arc<ScriptedEmbedder>);

#[async_trait]
impl EmbeddingSource for ScriptedSource {
    async fn current(&self) -> Option<Arc<dyn EmbeddingModel>> {
        Some(Arc::clone(&self.0) as Arc<dyn EmbeddingModel>)
    }
}

#[tokio::test]
async fn a_model_elsewhere_does_not_read_what_is_private() {
    let model = ScriptedEmbedder::new(false);
    let fixture = MemoryFixture::with(Arc::new(ScriptedSource(Arc::clone(&model)))).await;
    fixture.tell("I'm allergic to peanuts.").await;
    fixture.tell("I live in Lyon.").await;
    let allergy = fixture.facts(FactStatus::Current).await.remove(0);
    let patch = FactPatch { private: Some(true), ..FactPatch::default() };
    fixture.memory.patch_fact(fixture.owner, &Author::Person, allergy.id, patch).await.unwrap();
    fixture
        .memory
        .write_file(fixture.owner, &Author::Person, "food.md", "Allergic: peanuts".into())
        .await
        .unwrap();
    while fixture.memory.embed_batch(fixture.owner).await.unwrap() > 0 {}
    let read = model.has_read();
    assert!(read.contains("Lyon") && !read.contains("peanut"), "{read}");
}

/// A server that cannot be reached and does not report it.
struct Unreachable;

#[async_trait]
impl EmbeddingSource for Unreachable {
    async fn current(&self) -> Option<Arc<dyn EmbeddingModel>> {
        std::future::pending().await
    }
}

#[tokio::test]
async fn recall_goes_on_without_an_embedding_model_that_is_silent() {
    let sources: [Arc<dyn EmbeddingSource>; 2] = [Arc::new(Silent), Arc::new(Unreachable)];
    for source in sources {
        let fixture = MemoryFixture::with(source).await;
        fixture.say("The boat lies in the harbour.").await;
        let asked = Instant::now();
        let recalling = fixture.recall("Where does the boat lie?", true);
        let found = tokio::time::timeout(Duration::from_secs(5), recalling).await.expect("it goes on");
        assert_eq!(texts(&found), ["The boat lies in the harbour."]);
        assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
    }
}

#[tokio::test]
async fn the_model_is_loaded_when_somebody_comes_and_one_elsewhere_is_not_asked() {
    for is_here in [true, false] {
        let model = ScriptedEmbedder::new(is_here);
        let fixture = MemoryFixture::with(Arc::new(ScriptedSource(Arc::clone(&model)))).await;
        fixture.memory.warm_up(fixture.owner).await.unwrap();
        assert_eq!(model.has_read().is_empty(), !is_here);
    }
}
