//! Complete texts of a model, for callers that do not stream them.

use std::sync::Arc;

use abilities::{TextGenerator, TextRequest};
use async_trait::async_trait;
use dialect::{ReplyParser, ReplyPart, ReplySyntax, ReplyVocabulary};
use futures_util::StreamExt;
use mcp::{SamplingModel, SamplingRole};
use model::{ChatModel, Constraint, Delta, ModelMessage, ModelRequest, ModelRole, Sampling};
use tokio_util::sync::CancellationToken;

use crate::model_size::ModelSize;
use crate::model_source::ModelSource;

/// Returns the text of a model's answer without its reasoning. `None` if the model fails.
pub(crate) async fn complete(model: &dyn ChatModel, request: ModelRequest) -> Option<String> {
    let mut deltas = model.chat(request).await.ok()?;
    let mut raw = String::new();
    while let Some(delta) = deltas.next().await {
        if let Delta::Text(text) = delta.ok()? {
            raw.push_str(&text);
        }
    }
    Some(without_reasoning(&raw, model.syntax().as_deref()))
}

/// Removes the reasoning from a model's text.
pub(crate) fn without_reasoning(raw: &str, syntax: Option<&ReplySyntax>) -> String {
    let vocabulary =
        syntax.map_or_else(ReplyVocabulary::default, |syntax| ReplyVocabulary::default().with_syntax(syntax));
    let mut parser = ReplyParser::new(Arc::new(vocabulary));
    let mut pieces = parser.push(raw);
    pieces.extend(parser.finish());
    let text = pieces
        .into_iter()
        .filter_map(|piece| if let ReplyPart::Text(text) = piece { Some(text) } else { None });
    text.collect()
}

/// Gives tools and MCP servers access to the active model.
pub struct ModelAccess {
    pub models: Arc<dyn ModelSource>,
}

#[async_trait]
impl TextGenerator for ModelAccess {
    async fn generate(&self, request: TextRequest, cancel: &CancellationToken) -> Option<String> {
        let model = self.models.current().await.ok()?;
        // The output of a small model is worse than what the tool does without one.
        if ModelSize::of(model.info().parameters).is_small() {
            return None;
        }
        let chat = ModelRequest {
            messages: vec![
                ModelMessage::text(ModelRole::System, request.instructions),
                ModelMessage::text(ModelRole::User, request.text),
            ],
            sampling: Sampling { max_tokens: request.max_tokens, temperature: 0.2, ..Sampling::default() },
            constraint: request.schema.map(Constraint::JsonSchema),
            cancel: cancel.clone(),
            ..ModelRequest::default()
        };
        let words = complete(model.as_ref(), chat).await?;
        let words = words.trim();
        (!words.is_empty()).then(|| words.to_owned())
    }
}

/// Answers for an MCP server that the user allowed to use the model once.
#[async_trait]
impl SamplingModel for ModelAccess {
    async fn answer(
        &self,
        instructions: String,
        said: Vec<(SamplingRole, String)>,
        max_tokens: u32,
    ) -> Option<(String, String)> {
        let model = self.models.current().await.ok()?;
        let system = (!instructions.is_empty()).then(|| ModelMessage::text(ModelRole::System, instructions));
        let said = said.into_iter().map(|(speaker, text)| match speaker {
            SamplingRole::User => ModelMessage::text(ModelRole::User, text),
            SamplingRole::Assistant => ModelMessage::text(ModelRole::Assistant, text),
        });
        let request = ModelRequest {
            messages: system.into_iter().chain(said).collect(),
            sampling: Sampling { max_tokens, ..Sampling::default() },
            ..ModelRequest::default()
        };
        let words = complete(model.as_ref(), request).await?;
        Some((words, model.info().name))
    }
}
