//! The tools that ship: what she can do without anything else being installed.
//!
//! Each is an ability of its own, with its arguments as a type. None decides whether it may run; the gate does.
//!
//! Start with [`web`], which is the only way from a tool to the network.

mod mind;
pub mod online;
pub mod screen;
pub mod skills;
pub mod web;

pub use mind::{Mind, Settings, Task};
