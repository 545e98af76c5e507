//! Test support: a scripted model, a file hub, a temporary data folder, an SSE reader, a tester for tools and a running
//! `perigee`.
//!
//! Everything is real from the program's point of view (a socket, a folder, a process) but controlled by the test:
//! faults are scripted, pauses end on command, and received data can be read back. For use as a dev-dependency only. It
//! implements the wire formats independently of `model`, so that a mistake there cannot be hidden by the same mistake
//! here.
//!
//! Start with [`ScriptedModel`].

// A helper that fails means a failed test; a panic reports it at the right place.
#![allow(clippy::unwrap_used, clippy::expect_used)]
// Tests start programs and write files from outside the program, as a user would.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod embeddings;
mod gate;
mod home;
mod hub;
mod perigee;
mod playback;
mod script;
mod scripted_model;
mod sse;
mod tool_tester;
mod wire;

pub use embeddings::scripted_vector;
pub use gate::Gate;
pub use home::TempHome;
pub use hub::{Hub, HubFault};
pub use perigee::{PerigeeProcess, interrupt, isolate, kill, perigee_command};
pub use playback::RecordedRequest;
pub use script::ScriptedReply;
pub use scripted_model::{Flavour, SCRIPT_IS_EMPTY, ScriptedModel};
pub use sse::{SseEvent, SseParser, SseStream};
pub use tool_tester::{KeptOrigins, ToolTester};
