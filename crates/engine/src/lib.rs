//! The embedded model: llama.cpp in this process, behind [`model::ChatModel`].
//!
//! A dedicated thread owns the context and decides, batch by batch, whose tokens are evaluated next. Evaluated state is
//! kept in the context, in memory and on disk, so that a conversation's next turn costs only its new tokens. This crate
//! has no notion of conversations, only of prompts and their cache keys; and no other crate links llama.cpp.
//!
//! Start with [`Engine`]; the scheduler is `worker.rs`, the cache of earlier prompts is `cells.rs`.

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
