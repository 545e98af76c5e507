use std::sync::Arc;

use async_trait::async_trait;
use config::Config;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// Returns the current settings.
pub type CurrentConfig = Arc<dyn Fn() -> Arc<Config> + Send + Sync>;

/// Generates text for tools that need it: a summary, or a description turned into shapes.
#[async_trait]
pub trait TextGenerator: Send + Sync {
    /// Generates a text. Returns `None` if there is no model or none capable of it.
    async fn generate(&self, request: TextRequest, cancel: &CancellationToken) -> Option<String>;
}

/// A text to generate.
#[derive(Debug, Clone, PartialEq)]
pub struct TextRequest {
    pub instructions: String,
    pub text: String,
    /// The schema that the text must match as JSON.
    pub schema: Option<Value>,
    pub max_tokens: u32,
}
