use std::sync::Arc;

use async_trait::async_trait;
use dialect::Syntax;
use futures_util::stream::BoxStream;
use protocol::{ModelKind, StopReason};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use crate::ModelError;

/// A stream of deltas that ends with [`Delta::Stop`] or an error, and with nothing after either.
pub type ChatStream = BoxStream<'static, Result<Delta, ModelError>>;

/// A model that talks.
#[async_trait]
pub trait ChatModel: Send + Sync {
    fn info(&self) -> ModelInfo;

    /// How the model writes thoughts and calls among its words, where its template is known. A server that reads its
    /// template itself sends none of that.
    fn syntax(&self) -> Option<Arc<Syntax>> {
        None
    }

    /// Starts an answer. Dropping the stream, or cancelling the request's token, ends it within one token.
    async fn chat(&self, request: ChatRequest) -> Result<ChatStream, ModelError>;

    /// How many tokens a text has: exact where the tokenizer is at hand, estimated from above elsewhere.
    fn count_tokens(&self, text: &str) -> TokenCount;

    /// Evaluates the prompt ahead of time, where the model keeps what it evaluated.
    async fn prewarm(&self, _request: ChatRequest) -> Result<(), ModelError> {
        Ok(())
    }

    /// Drops what is kept of a conversation, in memory and on disk.
    async fn forget(&self, _key: &CacheKey) {}

    /// Writes what is worth keeping to disk. Called before the program ends.
    async fn save(&self) {}
}

/// A model that turns texts into vectors of the same length.
#[async_trait]
pub trait EmbeddingModel: Send + Sync {
    fn name(&self) -> String;

    /// How many numbers each vector has.
    fn dimensions(&self) -> usize;

    /// Whether the texts stay on this machine.
    fn is_here(&self) -> bool;

    /// One vector for each text, in the same order, or an error and none. Dropping the future ends the work.
    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelInfo {
    pub name: String,
    pub kind: ModelKind,
    /// Whether what it reads stays on this machine, as far as can be told.
    pub is_here: bool,
    /// Tokens that prompt and answer may have together.
    pub context: u32,
    /// Where it is known. The fewer, the less a prompt may hold.
    pub parameters: Option<u64>,
    pub vision: bool,
    /// Whether tools can be given in the request (else they are taught in words).
    pub native_tools: bool,
    /// Tokens of a prompt that it reads in a second on this machine, where that was measured. It stays the same for as
    /// long as the model is loaded.
    pub reading_pace: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TokenCount {
    pub tokens: u32,
    pub exact: bool,
}

#[derive(Debug, Clone, Default)]
pub struct ChatRequest {
    pub messages: Vec<Message>,
    /// How many of the first messages other conversations begin with, too. Zero where only the system message can be.
    pub opening: usize,
    pub tools: Vec<ToolSpec>,
    /// Tools that the messages themselves show, each by an example of its call.
    pub shown: Vec<ToolSpec>,
    pub tool_choice: ToolChoice,
    pub sampling: Sampling,
    pub constraint: Option<Constraint>,
    /// Which conversation this prompt continues, so that its evaluated prefix is found again.
    pub cache_key: Option<CacheKey>,
    pub priority: Priority,
    pub cancel: CancellationToken,
}

/// A person waits for a turn; background work steps back for it.
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
    /// The most tokens that the answer may have (`num_predict`).
    pub max_tokens: u32,
    pub temperature: f32,
    pub top_p: f32,
    pub top_k: u32,
    pub min_p: f32,
    pub repeat_penalty: f32,
    /// The same seed and prompt give the same answer, where the model can do that.
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

/// What the answer must look like, whatever the model would rather say.
#[derive(Debug, Clone, PartialEq)]
pub enum Constraint {
    JsonSchema(Value),
    /// GBNF, with a rule named `root`.
    Grammar(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    System,
    User,
    Assistant,
    Tool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    pub role: Role,
    pub content: Content,
    /// Calls that an assistant message made.
    pub tool_calls: Vec<ToolCall>,
    /// Which call a tool message answers.
    pub tool_call_id: Option<String>,
}

impl Message {
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self { role, content: Content::Text(text.into()), tool_calls: Vec::new(), tool_call_id: None }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    Text(String),
    Parts(Vec<Part>),
}

impl Content {
    /// The words alone; pictures leave nothing behind.
    pub fn as_text(&self) -> String {
        match self {
            Content::Text(text) => text.clone(),
            Content::Parts(parts) => {
                let texts = parts.iter().filter_map(|part| match part {
                    Part::Text(text) => Some(text.as_str()),
                    Part::Image { .. } => None,
                });
                texts.collect::<Vec<_>>().join("\n\n")
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum Part {
    Text(String),
    Image { mime: String, bytes: Arc<[u8]> },
}

#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// JSON schema of the arguments.
    pub parameters: Value,
}

/// Whether the answer may, must not or must call a tool. Models that are taught tools in words do as they please.
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
    /// JSON, as the model wrote it.
    pub arguments: String,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Delta {
    /// How far the prompt is evaluated, when that takes a while.
    Progress {
        done: u32,
        total: u32,
    },
    Text(String),
    Reasoning(String),
    ToolCall(ToolCallDelta),
    /// Sent once, before the stop.
    Usage {
        prompt: u32,
        cached: u32,
        completion: u32,
    },
    Stop(StopReason),
}

/// A piece of a tool call. The first of an `index` carries id and name; arguments are joined in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolCallDelta {
    pub index: u32,
    pub id: Option<String>,
    pub name: Option<String>,
    pub arguments: String,
}
