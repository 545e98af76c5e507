use std::sync::Arc;

use async_trait::async_trait;
use config::Config;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// The settings as they are at this moment.
pub type Settings = Arc<dyn Fn() -> Arc<Config> + Send + Sync>;

/// The model, for a tool that needs words of its own: a summary, or a description turned into shapes.
#[async_trait]
pub trait Mind: Send + Sync {
    /// What the model makes of it. Nothing where there is no model, or none that is able.
    async fn write(&self, task: Task, cancel: &CancellationToken) -> Option<String>;
}

/// Something to be written.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    pub instructions: String,
    pub text: String,
    /// The answer is JSON that fits this schema.
    pub schema: Option<Value>,
    pub max_tokens: u32,
}
