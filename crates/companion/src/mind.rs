use std::sync::Arc;

use abilities::{Mind, Task};
use async_trait::async_trait;
use model::{ChatRequest, Constraint, Message, Role, Sampling};
use tokio_util::sync::CancellationToken;

use crate::companion::ModelSource;
use crate::prompt::is_small;
use crate::reply;

/// The model that answers, for tools that need words of their own.
pub struct OwnWords {
    pub models: Arc<dyn ModelSource>,
}

#[async_trait]
impl Mind for OwnWords {
    async fn write(&self, task: Task, cancel: &CancellationToken) -> Option<String> {
        let model = self.models.current().await.ok()?;
        // What such a model makes of it is worse than what the tool does without.
        if is_small(model.info().parameters) {
            return None;
        }
        let request = ChatRequest {
            messages: vec![
                Message::text(Role::System, task.instructions),
                Message::text(Role::User, task.text),
            ],
            sampling: Sampling { max_tokens: task.max_tokens, temperature: 0.2, ..Sampling::default() },
            constraint: task.schema.map(Constraint::JsonSchema),
            cancel: cancel.clone(),
            ..ChatRequest::default()
        };
        let words = reply::words(model.as_ref(), request).await?;
        let words = words.trim();
        (!words.is_empty()).then(|| words.to_owned())
    }
}
