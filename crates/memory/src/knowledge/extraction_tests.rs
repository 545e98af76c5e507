use std::sync::Arc;

use async_trait::async_trait;
use facts::judge;
use model::{EmbeddingModel, ModelError};
use protocol::FactStatus;

use super::knowledge_tests::MemoryFixture;
use crate::EmbeddingSource;

/// A model that confirms every finding, or every one except those about a waiter.
struct Judge {
    tells: bool,
}

#[async_trait]
impl EmbeddingModel for Judge {
    fn name(&self) -> String {
        "memories/all-minilm-l6-v2".into()
    }

    fn dimensions(&self) -> usize {
        judge::meaning().len()
    }

    fn is_here(&self) -> bool {
        true
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        let strength = |text: &String| match text.as_str() {
            "I live in Lyon" => 3.0,
            other if !other.starts_with("Lunch") => 0.0,
            _ if self.tells => -3.0,
            _ => 3.0,
        };
        let vector = |text| judge::meaning().into_iter().map(|value| value * strength(text)).collect();
        Ok(texts.iter().map(vector).collect())
    }
}

#[async_trait]
impl EmbeddingSource for Judge {
    async fn current(&self) -> Option<Arc<dyn EmbeddingModel>> {
        Some(Arc::new(Judge { tells: self.tells }))
    }
}

#[tokio::test]
async fn what_is_only_guessed_has_to_mean_what_was_said() {
    let message = "Lunch is always a delight of me quizzing a waiter about soy sauce. I live in Lyon.";
    for (tells, guesses) in [(false, 1), (true, 0)] {
        let fixture = MemoryFixture::with(Arc::new(Judge { tells })).await;
        let read = fixture
            .memory
            .extract_findings(message, jiff::civil::date(2026, 11, 15), &facts::KnownNames::new("Luna"))
            .await;
        assert_eq!(read.guessed.len(), guesses, "{read:?}");
        assert_eq!(read.stated.len(), 1, "what is plain is not judged: {read:?}");
        fixture.tell(message).await;
        let known = fixture.facts(FactStatus::Current).await;
        let known: Vec<&str> = known.iter().map(|fact| fact.said.content.as_str()).collect();
        assert_eq!(known, ["Lives in Lyon."], "and a guess is not stated, however likely");
    }
}
