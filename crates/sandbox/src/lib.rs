//! Programs that nobody vouches for, held by the operating system: shell commands and the tools that she writes.
//!
//! On Linux, bubblewrap gives a program namespaces and a file system of its own; inside, our own launcher takes away
//! what is left to take (capabilities, open files, paths by landlock, system calls by seccomp) and becomes the
//! program; from outside, control groups and a watch end the whole of it when it takes too much memory, too many
//! processes or too much disk. It reaches nobody, or a few hosts by a proxy of ours. Where parts are missing, [`Level`]
//! says so. Elsewhere than on Linux there is no sandbox, and it says that.
//!
//! It judges no source text and asks nobody: what may run at which level is decided by its callers.
//!
//! Start with [`Policy`], which says what a program may have, and [`Sandbox`], which runs it so.

// The launcher becomes another program, and the tests lay out files of their own.
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
