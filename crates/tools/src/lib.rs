//! What she can do: the tools, which of them there are, and the one gate that every act passes.
//!
//! A tag, a native call, a fast path and a button are all the same here: a name and arguments. This crate knows
//! no tool by name, asks nobody by itself, and decides by values alone: what a tool is, what the user permits,
//! and where the words in the prompt came from. Whoever runs a turn brings the calls and puts the questions.
//!
//! Start with [`Tool`]; [`decide`] is the gate.

// The tests lay out files of their own.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod audit;
pub mod blocking;
mod contact;
mod form;
mod gate;
mod origins;
mod output;
mod page;
mod permissions;
mod printed;
mod registry;
mod spec;
mod taint;
mod tool;
mod words;

pub use audit::{Audit, AuditQuery};
pub use contact::{Contact, Nobody, Question};
pub use form::filled_in;
pub use gate::{Act, Decision, Known, Ruling, decide};
pub use origins::ValueOrigins;
pub use output::Output;
pub use page::{Lines, page};
pub use permissions::{Permissions, PermissionsError};
pub use printed::Printed;
pub use protocol::Origin;
pub use registry::{Registry, RegistryError};
pub use spec::{Effect, Group, Spec, is_too_deep};
pub use taint::Taint;
pub use tool::{Ability, Foretold, Invocation, Tool, ToolError, run, tool};
pub use words::capital;
