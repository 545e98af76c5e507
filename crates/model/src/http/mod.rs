//! The HTTP side of remote models: clients, retries, time-outs, bounded lines, and user-facing errors.

mod address;
mod client;
mod endpoint;
mod lines;
mod response;
mod retry;
mod server_errors;

pub(crate) use address::{is_loopback, ollama_root, openai_base, same_server, shown};
pub use client::{Http, install_crypto};
pub use endpoint::Timeouts;
pub(crate) use endpoint::{Endpoint, RequestOutcome, read_json};
#[cfg(test)]
pub(crate) use response::ResponsePart;
pub(crate) use response::{
    Framing, ParsedResponse, ResponseReader, StreamProgress, TokenUsage, WireFormat, stopped,
};
pub use retry::Retry;
pub(crate) use retry::retry_after;
pub(crate) use server_errors::{CHAT, EMBEDDINGS, ServerErrors, looks_like_a_page};
