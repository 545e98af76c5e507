//! The clients, downloads and roster against real sockets, files and processes.

// Helpers of tests fail as tests do, and lay out files of their own.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::disallowed_methods)]

mod detect;
mod downloads;
mod embeddings;
mod faults;
mod llama_server;
mod ollama;
mod openai;
mod packages;
mod roster;
mod talk;
