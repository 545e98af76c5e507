//! Models: one trait for chat, one for embeddings, and their clients for remote servers and commands.
//!
//! The in-process engine implements [`ChatModel`] in its own crate (`engine`), so that only the binary links llama.cpp.
//! This crate contains no HTTP server, no SQL, and no notion of stored conversations: it takes messages and streams
//! deltas.
//!
//! Start with [`ChatModel`], or with [`EmbeddingModel`] for vectors.

mod catalogue;
mod chat;
mod command;
mod connect;
mod detect;
mod downloads;
mod embedding;
mod error;
mod http;
mod ollama;
mod openai;
mod roster;
mod server;
mod text;

pub use catalogue::{Catalogue, CatalogueItem, CatalogueSource, Package, Purpose, recommend};
pub use chat::{
    CacheKey, ChatModel, ChatStream, Constraint, ContentPart, Delta, EmbeddingModel, MessageContent,
    ModelInfo, ModelMessage, ModelRequest, ModelRole, Priority, Sampling, TokenCount, ToolCall,
    ToolCallDelta, ToolChoice, ToolSpec,
};
pub use command::CommandModel;
pub use connect::connect_embeddings;
pub use detect::{ServerDetection, detect};
pub use downloads::{DownloadOptions, Downloads, PullError, RemoveError};
pub use embedding::{EmbeddingApi, EmbeddingOptions, RemoteEmbeddings};
pub use error::ModelError;
pub use http::{Http, Retry, Timeouts, install_crypto};
pub use ollama::Ollama;
pub use openai::OpenAi;
pub use roster::{EngineLoader, Roster, RosterOptions, SaveChoice, UseError};
pub use server::ServerOptions;
pub use text::{FilteredText, StopFilter, TokenEstimator, Utf8Joiner};
