//! The bundled tools, which work without anything else being installed.
//!
//! Each is an ability of its own with typed arguments. None decides whether it may run; the gate does.
//!
//! Start with [`web`], through which tools reach the web.

// The tests create their own files.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod local;
mod mind;
pub mod online;
pub mod screen;
pub mod skills;
pub mod stage;
pub mod web;

pub use local::calculate::{Answer, CalculationError, calculate};
pub use mind::{Mind, Settings, Task};
