//! A small reader of Rust source: its tokens, the modules of a crate, and the files in which names are defined.
//!
//! It knows as much of the language as the rules about names and circles need. It reads every module that the root of a
//! crate declares, except tests. Start with [`modules::Crate`].

pub mod modules;
pub mod parser;
pub mod resolve;
pub mod tokens;
