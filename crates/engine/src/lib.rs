//! The embedded model: llama.cpp in this process, behind [`model::ChatModel`].
//!
//! This crate has no notion of conversations, only of prompts and their cache keys. It downloads nothing, and no other
//! crate links llama.cpp: as a feature of `model` it would be linked into every test program, because Cargo joins the
//! features of a workspace build. Chat templates (`template`) and schemas (llguidance) are handled in Rust instead of
//! llama.cpp's `common` library.
//!
//! - **One thread owns the context** (`worker.rs`). Each batch has one token for every response in progress and a chunk
//!   of prompt tokens: few while other jobs wait, otherwise as many as take about a second. So cancellation, other
//!   responses and background work never wait long, and a single prompt is as fast as in llama.cpp itself.
//! - **Evaluated state is kept** in the context, in memory and on disk (`cells.rs`), so that the next turn of a
//!   conversation costs only its new tokens. Prompts are compared as text, and sampled tokens are kept: tokenizing a
//!   reply again may yield other tokens (`transcript.rs`). All conversations share the cells of the system prefix.
//! - **Tool calls are constrained** once they are opened (`calls.rs`): plain text is free, and after the mark that
//!   opens a call, a grammar of the offered tools applies until the call is complete.
//! - **The evaluation speed is measured** with every prompt and stored for the next start (`pace.rs`). It limits the
//!   length of prompts, so it changes only when a model is loaded, and only if it differs noticeably.
//!
//! Start with [`Engine`].

mod calls;
mod disk;
mod engine;
mod gguf;
mod job;
mod plan;
mod prompt_cache;
mod sampler;
mod slot;
mod speed_record;
mod state;
mod state_cache;
mod template;
mod transcript;
mod vocabulary;
mod worker;

pub use disk::forget;
pub use engine::{Engine, EngineOptions};
