//! The bundled tools, which work without anything else being installed, and the skills.
//!
//! - [`local`]: tools that need no network, such as the calculator, granted files, the desktop and shell commands.
//! - [`online`]: tools that use the network. They reach pages only through [`web`], and never this machine's own network.
//! - [`screen`]: tools that show widgets, maps and scenes in the web app.
//! - [`appearance`]: tools that control the avatar. Its files are in the `avatar` crate.
//! - [`skills`]: instructions that the model reads when a request calls for them.
//!
//! Each tool is an [`Ability`](tools::Ability) with typed arguments, from which its schema is derived. It is given what
//! it needs: clock, settings, a [`TextGenerator`]. No tool decides whether it may run; the gate in `tools` does.
//!
//! Start with [`local::tools`], which lists the local tools.

// The tests create their own files.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod appearance;
pub mod local;
pub mod online;
pub mod screen;
pub mod skills;
#[cfg(test)]
mod test_support;
mod text_generator;
pub mod web;

pub use local::calculate::{Calculation, CalculationError, calculate};
pub use text_generator::{CurrentConfig, TextGenerator, TextRequest};
