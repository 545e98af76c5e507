//! The Model Context Protocol: the servers whose tools she uses, and those that she writes herself.
//!
//! A server is another program. It is let in by a person, kept running by a [`Keeper`](keeper::Keeper), and what it
//! brings are tools like any others, behind the same gate. What it sends is not trusted: its messages are bounded, what
//! it says of its tools is held against what was said yes to, and its answers are marked as another's words.
//!
//! A server of her own is one Python file in the style of `FastMCP`. It runs on a stand-in of ours for the official
//! package (`python/`, the standard library alone), in the sandbox.
//!
//! Start with [`Servers`].

// The tests lay out files of their own.
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
