//! What tests stand on: a scripted model, a file hub, a temporary home, an SSE reader, a kit of tools and a
//! running `perigee`.
//!
//! Everything here is real towards the program under test (a socket, a folder, a process) and obeys the
//! test: faults are scripted, pauses end when the test says so, and what was received can be read back.
//! Only ever a dev-dependency. It knows the wire formats from the other side, so it shares no code with
//! `model`: a mistake there cannot hide here.
//!
//! Start with [`ScriptedModel`].

// A helper that cannot do its work is a failed test: panicking there says so at the right place.
#![allow(clippy::unwrap_used, clippy::expect_used)]
// Tests start programs and write files as a user would, from outside the program's own doors.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

mod embeddings;
mod gate;
mod home;
mod hub;
mod kit;
mod perigee;
mod play;
mod script;
mod scripted_model;
mod sse;
mod wire;

pub use embeddings::scripted_vector;
pub use gate::Gate;
pub use home::TempHome;
pub use hub::{Hub, HubFault};
pub use kit::{KeptOrigins, Kit};
pub use perigee::{PerigeeProcess, interrupt, isolate, kill, perigee_command};
pub use play::Recorded;
pub use script::Reply;
pub use scripted_model::{Flavour, SCRIPT_IS_EMPTY, ScriptedModel};
pub use sse::{SseEvent, SseParser, SseStream};
