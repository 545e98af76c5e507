//! The Model Context Protocol: external servers whose tools Luna uses, and servers that Luna writes.
//!
//! A server is a separate program. A user allows it, a [`Keeper`](keeper::Keeper) keeps it running, and its tools pass
//! the same gate as all others. Its output is not trusted: messages are bounded, tool descriptions are compared with
//! the approved ones, and answers are marked as untrusted content.
//!
//! A server written by Luna is one Python file in the style of `FastMCP`. It runs in the sandbox, on a stand-in for the
//! official package (`python/`, standard library only).
//!
//! Start with [`Servers`].

// The tests create their own files.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod calls;
mod handler;
mod http_client;
mod incoming;
mod journal;
mod keeper;
mod launch;
pub mod made;
mod meanwhile;
mod name;
mod offered;
mod pipe;
mod python;
mod remote;
mod review;
mod served;
mod servers;
mod session;
mod sign_in;
mod stand_in;
mod told;

pub use handler::{Answering, Speaker};
pub use meanwhile::{Meanwhile, Telling, Threshold};
pub use name::short;
pub use python::{Python, PythonError};
pub use served::{Hostess, Hosts, Served, Service, serve, serve_handler};
pub use servers::{Parts, Publish, Servers, ServersError};
pub use stand_in::StandIn;
