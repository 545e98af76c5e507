use std::sync::Arc;

use async_trait::async_trait;
use config::Config;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// Returns the current settings.
pub type Settings = Arc<dyn Fn() -> Arc<Config> + Send + Sync>;

/// The model, for tools that need generated text: a summary, or a description turned into shapes.
#[async_trait]
pub trait Mind: Send + Sync {
    /// Generates a text. Returns `None` if there is no model or none capable of it.
    async fn write(&self, task: Task, cancel: &CancellationToken) -> Option<String>;
}

/// A text to generate.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    pub instructions: String,
    pub text: String,
    /// The schema that the answer must match as JSON.
    pub schema: Option<Value>,
    pub max_tokens: u32,
}
