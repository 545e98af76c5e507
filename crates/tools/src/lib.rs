//! The tools of the companion: their registry, and the gate that every tool call passes.
//!
//! A tag, a native call, a fast path and a button are treated alike: a name and arguments. This crate knows no tool by
//! name and asks no user: the code that runs a turn supplies the calls and asks the questions.
//!
//! - **The gate** ([`decide`]) is a function of values: the tool's specification, the user's permissions and rules, and
//!   the origin of the text in the prompt. It allows a call, requires confirmation, or refuses.
//! - **Taint** ([`Taint`]) is the set of origins of untrusted content in the prompt, such as web pages, files of others
//!   and descriptions of external tools. While there is any, calls that send or change something need confirmation,
//!   whatever was permitted before, unless they only visit an address that the user wrote or a search found.
//! - **Tools** implement [`Ability`] with typed arguments, from which [`tool()`] derives the schema, the checks and the
//!   parsing. [`run()`] runs one within its time limit, and a panic counts as a failure of that call only.
//! - **Two files** belong to this crate: `permissions.json` ([`Permissions`]) and `audit.log` ([`AuditLog`]).
//!
//! Start with [`Tool`].

// The tests create their own files.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod audit;
pub mod blocking;
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
mod user_channel;
mod words;

pub use audit::{AuditLog, AuditQuery};
pub use form::filled_in;
pub use gate::{GateDecision, KnownAddresses, PendingCall, Ruling, decide};
pub use origins::ValueOrigins;
pub use output::ToolOutput;
pub use page::{LineRange, page};
pub use permissions::{Permissions, PermissionsError};
pub use printed::CommandOutput;
pub use protocol::Origin;
pub use registry::{RegistryError, ToolRegistry};
pub use spec::{Effect, Group, ToolDefinition, is_too_deep};
pub use taint::Taint;
pub use tool::{Ability, CallPreview, Invocation, Tool, ToolError, run, tool};
pub use user_channel::{NoUser, UserChannel, UserQuestion};
pub use words::{capital, sentence};
