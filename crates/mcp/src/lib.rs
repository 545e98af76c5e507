//! The Model Context Protocol: what servers that she writes herself run on.
//!
//! Such a server is one Python file in the style of `FastMCP`. It runs on a stand-in of ours for the official package
//! (`python/`, the standard library alone), in the sandbox. This crate brings the two together; it decides nothing
//! about whether a server may run.
//!
//! Start with [`Python`].

// The tests lay out files of their own.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod python;
mod stand_in;

pub use python::{Python, PythonError};
pub use stand_in::StandIn;
