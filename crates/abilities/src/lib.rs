//! The tools that ship: what she can do without anything else being installed.
//!
//! Each is an ability of its own, with its arguments as a type. None decides whether it may run; the gate does.
//!
//! Start with [`web`], which is the only way from a tool to the network.

// The tests lay out files of their own.
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
