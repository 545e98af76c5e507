use std::sync::Arc;

use async_trait::async_trait;
use dialect::ReplySyntax;
use futures_util::stream::BoxStream;
use protocol::{ModelKind, StopReason};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::ModelError;

/// A stream of deltas that ends with [`Delta::Stop`] or with an error; nothing follows either.
pub type ChatStream = BoxStream<'static, Result<Delta, ModelError>>;

/// A chat model.
#[async_trait]
pub trait ChatModel: Send + Sync {
    fn info(&self) -> ModelInfo;

    /// Returns the syntax in which the model writes thoughts and tool calls within its text, if its template is known.
    /// Servers that parse the model's output themselves return `None`.
    fn syntax(&self) -> Option<Arc<ReplySyntax>> {
        None
    }

    /// Starts a response. Dropping the stream, or cancelling the request's token, stops generation within one token.
    async fn chat(&self, request: ModelRequest) -> Result<ChatStream, ModelError>;

    /// Counts the tokens of a text: exactly if the tokenizer is available, otherwise as an upper estimate.
    fn count_tokens(&self, text: &str) -> TokenCount;

    /// Evaluates the prompt ahead of time, if the model has a prompt cache.
    async fn prewarm(&self, _request: ModelRequest) -> Result<(), ModelError> {
        Ok(())
    }

    /// Drops everything cached for a conversation, in memory and on disk.
    async fn forget(&self, _key: &CacheKey) {}

    /// Writes the cache entries worth keeping to disk. Called before the program exits.
    async fn save(&self) {}
}

/// A model that turns texts into vectors of equal length.
#[async_trait]
pub trait EmbeddingModel: Send + Sync {
    fn name(&self) -> String;

    /// Returns the number of components of each vector.
    fn dimensions(&self) -> usize;

    /// Returns true if the texts stay on this machine.
    fn is_here(&self) -> bool;

    /// Returns one vector for each text, in the same order. On error there are no vectors at all. Dropping the future
    /// stops the work.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelInfo {
    pub name: String,
    pub kind: ModelKind,
    /// True if the prompt stays on this machine, as far as can be determined.
    pub is_here: bool,
    /// The context length in tokens, shared by prompt and response.
    pub context: u32,
    /// The number of parameters, if known. Prompts for smaller models are kept shorter.
    pub parameters: Option<u64>,
    pub vision: bool,
    /// True if tools can be passed in the request; otherwise the prompt has to describe them in words.
    pub native_tools: bool,
    /// Measured prompt evaluation speed on this machine in tokens per second, if there is a measurement. It does not
    /// change while the model stays loaded. Unknown for servers, since some count tokens in their cache as evaluated.
    pub reading_pace: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenCount {
    pub tokens: u32,
    pub exact: bool,
}

#[derive(Debug, Clone, Default)]
pub struct ModelRequest {
    pub messages: Vec<ModelMessage>,
    /// The number of leading messages that other conversations share. Zero if that is the system message at most.
    pub opening: usize,
    pub tools: Vec<ToolSpec>,
    /// Tools that the messages themselves demonstrate, each with an example call.
    pub shown: Vec<ToolSpec>,
    pub tool_choice: ToolChoice,
    pub sampling: Sampling,
    pub constraint: Option<Constraint>,
    /// The conversation that this prompt continues, used to find its evaluated prefix in the cache.
    pub cache_key: Option<CacheKey>,
    pub priority: Priority,
    pub cancel: CancellationToken,
}

/// The priority of a request. Background work yields to turns, because a user waits for those.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    Background,
    #[default]
    Turn,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CacheKey(pub Arc<str>);

impl CacheKey {
    pub fn new(key: impl Into<Arc<str>>) -> Self {
        Self(key.into())
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Sampling {
    /// The maximum number of tokens in the response (`num_predict`).
    pub max_tokens: u32,
    pub temperature: f32,
    pub top_p: f32,
    pub top_k: u32,
    pub min_p: f32,
    pub repeat_penalty: f32,
    /// The random seed. The same seed and prompt give the same response, if the model supports that.
    pub seed: Option<u32>,
    pub stop: Vec<String>,
}

impl Default for Sampling {
    fn default() -> Self {
        Self {
            max_tokens: 1024,
            temperature: 0.7,
            top_p: 0.95,
            top_k: 40,
            min_p: 0.05,
            repeat_penalty: 1.1,
            seed: None,
            stop: Vec::new(),
        }
    }
}

impl From<&config::Llm> for Sampling {
    fn from(llm: &config::Llm) -> Self {
        Self {
            max_tokens: llm.num_predict,
            temperature: llm.temperature,
            top_p: llm.top_p,
            top_k: llm.top_k,
            min_p: llm.min_p,
            repeat_penalty: llm.repeat_penalty,
            seed: llm.seed,
            stop: llm.stop.clone(),
        }
    }
}

/// A form that the response is forced to have.
#[derive(Debug, Clone, PartialEq)]
pub enum Constraint {
    JsonSchema(Value),
    /// A GBNF grammar with a rule named `root`.
    Grammar(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelRole {
    System,
    User,
    Assistant,
    Tool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ModelMessage {
    pub role: ModelRole,
    pub content: MessageContent,
    /// Tool calls made in an assistant message.
    pub tool_calls: Vec<ToolCall>,
    /// The ID of the call that a tool message answers.
    pub tool_call_id: Option<String>,
}

impl ModelMessage {
    pub fn text(role: ModelRole, text: impl Into<String>) -> Self {
        Self { role, content: MessageContent::Text(text.into()), tool_calls: Vec::new(), tool_call_id: None }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum MessageContent {
    Text(String),
    Parts(Vec<ContentPart>),
}

impl MessageContent {
    /// Returns the text without any images.
    pub fn as_text(&self) -> String {
        match self {
            MessageContent::Text(text) => text.clone(),
            MessageContent::Parts(parts) => {
                let texts = parts.iter().filter_map(|part| match part {
                    ContentPart::Text(text) => Some(text.as_str()),
                    ContentPart::Image { .. } => None,
                });
                texts.collect::<Vec<_>>().join("\n\n")
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum ContentPart {
    Text(String),
    Image { mime: String, bytes: Arc<[u8]> },
}

#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// The JSON schema of the arguments.
    pub parameters: Value,
}

/// Permits, forbids or requires a tool call in the response. It does not bind models that get their tools described in
/// words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ToolChoice {
    #[default]
    Auto,
    None,
    Required,
    Named(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    pub id: String,
    pub name: String,
    /// The arguments as JSON, exactly as the model wrote them.
    pub arguments: String,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Delta {
    /// Progress of a long prompt evaluation.
    Progress {
        done: u32,
        total: u32,
    },
    Text(String),
    Reasoning(String),
    ToolCall(ToolCallDelta),
    /// Token usage, sent once, just before the stop.
    Usage {
        prompt: u32,
        cached: u32,
        completion: u32,
    },
    Stop(StopReason),
}

/// A fragment of a tool call. The first fragment of an `index` carries ID and name; the arguments are concatenated in
/// order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolCallDelta {
    pub index: u32,
    pub id: Option<String>,
    pub name: Option<String>,
    pub arguments: String,
}
