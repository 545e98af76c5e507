//! The Model Context Protocol (MCP): servers that give the companion tools, servers that it writes itself, and the service
//! by which other agents ask it.
//!
//! A server is a program, or an address on the web, whose tools the companion uses. There are two kinds:
//!
//! - [`ConfiguredServers`] follows the settings. These servers are written by others, and run with the user's rights.
//! - [`GeneratedServers`](generated::GeneratedServers) follows the folder of the servers that the companion wrote. Each is
//!   one Python file that runs in the sandbox.
//!
//! Both work alike. A person approves a server once; the database keeps what they approved. A
//! [`ServerSupervisor`](supervisor::ServerSupervisor) starts it, notices its end and starts it again, waiting longer each
//! time. A [`ServerSession`](server_session::ServerSession) is one connection to it, over the pipes of a program, over HTTP,
//! or to the runner of generated servers. An [`OfferReview`](offer_review::OfferReview) compares what its tools say of
//! themselves with what was approved. What is left is published as tools ([`server_tool`]), in one exchange of all tools of a
//! server, so that a turn sees one state or the next. They pass the same gate as all other tools.
//!
//! Nothing that a server sends is trusted: messages have a largest size, requests a highest number, and its answers are
//! marked as words of others.
//!
//! The other way round, [`serve`] offers the companion's memory and answers to agents, at `/mcp` (see [`McpHandler`]).
//!
//! This crate does not decide what a tool may do, does not ask the user itself, and knows no turn and no prompt. Nothing else
//! in the workspace knows the protocol's library, `rmcp`, but the conformance server.
//!
//! Start with [`ConfiguredServers`].

// The tests create their own files.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod call_events;
mod configured_servers;
pub mod generated;
mod limited_http;
mod limited_transport;
mod mcp_service;
mod offer_review;
mod offered_tool;
mod python;
mod result_text;
mod runner;
mod runner_files;
mod server_calls;
mod server_launch;
mod server_log;
mod server_process;
mod server_requests;
mod server_session;
mod server_tool;
mod sign_in;
mod supervisor;
mod tool_names;

pub use call_events::{CallEvent, CallEventSender, LogThreshold};
pub use configured_servers::{
    ConfiguredServerError, ConfiguredServers, ConfiguredServersParts, PublishTools,
};
pub use mcp_service::{AgentTool, HostCheck, McpHandler, McpService, serve, serve_handler};
pub use python::{Python, PythonError};
pub use runner::connect_runner;
pub use runner_files::RunnerFiles;
pub use server_requests::{SamplingModel, SamplingRole};
pub use tool_names::server_prefix;
