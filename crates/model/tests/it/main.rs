//! The clients, downloads and roster with real sockets, files and processes.

// Test helpers may panic as tests do, and write files directly.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods)]

mod detect;
mod download_setup;
mod downloads;
mod embeddings;
mod faults;
mod llama_server;
mod ollama;
mod openai;
mod packages;
mod roster;
mod talk;
