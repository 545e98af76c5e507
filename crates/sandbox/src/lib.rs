//! Untrusted programs, confined by the operating system: shell commands and the tools that the companion writes.
//!
//! On Linux, bubblewrap gives a program namespaces and its own file system; inside, a launcher removes the remaining
//! privileges (capabilities, open files, paths with Landlock, system calls with seccomp) and executes the program; from
//! outside, control groups and a watch kill all of it if it takes too much memory, too many processes or too much disk.
//! It has no network, or reaches a few hosts through a proxy. [`Level`] tells whether mechanisms are missing. On other
//! systems there is no sandbox, and [`Level`] reports that.
//!
//! This crate does not inspect source code or ask for permission: its callers decide what may run at which level.
//!
//! Start with [`Policy`], which describes what a program may access, and [`Sandbox`], which runs it.

// The launcher executes other programs, and the tests create files directly.
#![allow(clippy::disallowed_methods)]

mod cell;
mod error;
#[cfg(target_os = "linux")]
mod first;
#[cfg(target_os = "linux")]
mod groups;
#[cfg(target_os = "linux")]
mod handover;
#[cfg(target_os = "linux")]
mod launcher;
#[cfg(target_os = "linux")]
mod layer;
mod level;
#[cfg(target_os = "linux")]
mod order;
mod policy;
#[cfg(target_os = "linux")]
mod probe;
#[cfg(target_os = "linux")]
mod proxy;
mod sandbox;
#[cfg(target_os = "linux")]
mod start;
#[cfg(target_os = "linux")]
mod view;
#[cfg(target_os = "linux")]
mod watch;

pub use cell::{Cell, Remains};
pub use error::{Excess, SandboxError};
#[cfg(target_os = "linux")]
pub use layer::{Found, Ground, Kind, Stamp};
pub use level::Level;
pub use policy::{Instead, Limits, Network, Policy, Profile};
pub use sandbox::{Sandbox, launch_if_asked};
