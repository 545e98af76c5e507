use std::sync::Arc;

use abilities::{Mind, Task};
use async_trait::async_trait;
use mcp::{Answering, Speaker};
use model::{ChatRequest, Constraint, Message, Role, Sampling};
use tokio_util::sync::CancellationToken;

use crate::companion::ModelSource;
use crate::reply;
use crate::scale::Scale;

/// Gives tools and MCP servers access to the active model.
pub struct OwnWords {
    pub models: Arc<dyn ModelSource>,
}

#[async_trait]
impl Mind for OwnWords {
    async fn write(&self, task: Task, cancel: &CancellationToken) -> Option<String> {
        let model = self.models.current().await.ok()?;
        // The output of a small model is worse than what the tool does without one.
        if Scale::of(model.info().parameters).is_small() {
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

/// Answers for an MCP server that the user allowed to use the model once.
#[async_trait]
impl Answering for OwnWords {
    async fn answer(
        &self,
        instructions: String,
        said: Vec<(Speaker, String)>,
        max_tokens: u32,
    ) -> Option<(String, String)> {
        let model = self.models.current().await.ok()?;
        let system = (!instructions.is_empty()).then(|| Message::text(Role::System, instructions));
        let said = said.into_iter().map(|(speaker, text)| match speaker {
            Speaker::User => Message::text(Role::User, text),
            Speaker::Assistant => Message::text(Role::Assistant, text),
        });
        let request = ChatRequest {
            messages: system.into_iter().chain(said).collect(),
            sampling: Sampling { max_tokens, ..Sampling::default() },
            ..ChatRequest::default()
        };
        let words = reply::words(model.as_ref(), request).await?;
        Some((words, model.info().name))
    }
}
