//! The HTTP side of remote models: clients, retries, time-outs, bounded lines, and user-facing errors.

mod address;
mod answer;
mod blame;
mod client;
mod endpoint;
mod lines;
mod retry;

pub(crate) use address::{is_loopback, ollama_root, openai_base, same_server, shown};
#[cfg(test)]
pub(crate) use answer::Spoken;
pub(crate) use answer::{Answer, Flow, Framing, Heard, Usage, Wire, stopped};
pub(crate) use blame::{Blame, CHAT, EMBEDDINGS, looks_like_a_page};
pub use client::{Http, install_crypto};
pub use endpoint::Timeouts;
pub(crate) use endpoint::{Endpoint, Sent, read_json};
pub use retry::Retry;
pub(crate) use retry::retry_after;
