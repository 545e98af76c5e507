//! A client of Perigee's own HTTP API, shared by the commands, the conversations in the terminal and the bridge to
//! editors.
//!
//! It finds the server that holds the data folder, or has one started in this process for as long as it is needed
//! ([`ServerStarter`]). It sends requests, follows a turn across lost connections, and writes downloads to files. It
//! shows nothing and decides nothing: what a response means is up to the caller.
//!
//! Start with [`Client`]; [`TurnStream`] follows a turn to its end.

#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod client;
mod connection;
mod download;
mod mcp_relay;
mod sse;
mod turn;
mod url;

pub use client::{Client, ErrorResponse};
pub use connection::{OwnServer, ServerStarter};
pub use sse::{EventStream, TurnEvent};
pub use turn::TurnStream;
pub use url::{in_url, with_query};
