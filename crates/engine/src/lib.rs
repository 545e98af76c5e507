//! The embedded model: llama.cpp in this process, behind [`model::ChatModel`].
//!
//! A thread of its own owns the context and decides, batch by batch, whose tokens are evaluated next. What
//! was evaluated is kept: in the context, in memory, and on disk, so that a conversation's next turn costs
//! only what is new. This crate knows no conversations, only prompts and the keys that they come with; and no
//! other crate links llama.cpp.
//!
//! Start with [`Engine`]; the scheduler is `worker.rs`, what it keeps of earlier prompts is `cells.rs`.

mod calls;
mod cells;
mod disk;
mod engine;
mod gguf;
mod job;
mod pace;
mod plan;
mod sampler;
mod shelf;
mod slot;
mod state;
mod template;
mod transcript;
mod vocabulary;
mod worker;

pub use disk::forget;
pub use engine::{Engine, EngineOptions};
