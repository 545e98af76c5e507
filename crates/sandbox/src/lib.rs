//! Untrusted programs, confined by the operating system: shell commands and the tools that the companion writes.
//!
//! A program runs under a [`Policy`]: what it may read and write, what is hidden from it, which hosts it may reach, and
//! how much of everything it may use. [`SandboxLevel`] tells how much of that the machine can enforce. The crate does
//! not inspect source code and asks nobody for permission: its callers decide what may run at which level. It works on
//! Linux; elsewhere the level is [`SandboxLevel::None`].
//!
//! Read [`Policy`] first, then [`Sandbox`], which starts a program and returns a [`SandboxedProgram`].
//!
//! # How a program is confined
//!
//! 1. From the policy follows a *view* (`view.rs`), a list of mounts. Both bubblewrap's arguments and Landlock's rules
//!    are derived from it, so that the two agree.
//! 2. Bubblewrap gives the program namespaces and a file system of its own. Inside, this executable is started again as
//!    the *launcher* (`launcher/`), because Landlock may only begin when all mounting is over. The launcher verifies in
//!    the kernel's own list that everything was mounted in the right place, sets limits, gives up capabilities, closes
//!    files, restricts paths (Landlock) and system calls (seccomp), and becomes the program. Without bubblewrap the
//!    launcher runs alone, and the level is [`SandboxLevel::Partial`].
//! 3. From outside, `watch.rs` adds up memory, processes and disk space of the whole process tree and ends it when a
//!    limit is exceeded. Where control groups can be created (`control_groups.rs`), the program joins one before it
//!    runs, and the kernel enforces the limits on memory and processes by itself.
//!
//! Mounts inside a workspace lie where an earlier command may have left links, and other programs may move things at the
//! same time. So `view/link_free_folder.rs` follows no link, and the launcher looks again.
//!
//! # Network
//!
//! A program never gets the machine's network. For [`NetworkAccess::Proxied`] the launcher creates the only listener in
//! the program's network namespace and sends it out over an inherited socket (`handover.rs`) before it gives everything
//! up; whoever accepts is outside, and the program can only connect. Behind the listener is `proxy/`: `request.rs`
//! parses a head strictly and writes it anew, `connector.rs` asks the list of hosts, resolves the name and connects to
//! the address that it checked. A tool may open plain streams to that one port and no other sockets. The proxy ends
//! with its [`SandboxedProgram`].
//!
//! # Overlays
//!
//! A command that writes code must see changes that are not on the disk yet, and must not change the disk. For such a
//! policy ([`Policy::with_overlay`]) one more step comes before bubblewrap, since not every version of bubblewrap can
//! mount an overlay: this executable enters a user namespace of its own, mounts an overlayfs *at the workspace's own
//! path*, looks for the repositories to guard in the merged folder, and becomes bubblewrap (`layer/overlay.rs`). So
//! every rule about the workspace holds without knowing of overlays, and the mount disappears with its last process.
//! Code that reads the files a command left waits for that process ([`ExitHandle`]) and reads through
//! [`UntrustedFolder`], which follows no link. Where no overlay can be mounted, a copy takes its place ([`Policy::with_copy`]).

// The launcher executes other programs, and the tests create files directly.
#![allow(clippy::disallowed_methods)]

#[cfg(target_os = "linux")]
mod awaited_process;
#[cfg(target_os = "linux")]
mod control_groups;
mod error;
#[cfg(target_os = "linux")]
mod handover;
#[cfg(target_os = "linux")]
mod launch_order;
#[cfg(target_os = "linux")]
mod launcher;
#[cfg(target_os = "linux")]
mod layer;
mod policy;
#[cfg(target_os = "linux")]
mod probe;
#[cfg(target_os = "linux")]
mod proxy;
mod sandbox;
mod sandbox_level;
mod sandboxed_program;
#[cfg(target_os = "linux")]
mod start;
#[cfg(target_os = "linux")]
mod view;
#[cfg(target_os = "linux")]
mod watch;

pub use error::{ExceededLimit, SandboxError};
#[cfg(target_os = "linux")]
pub use layer::{FileStamp, UntrustedEntry, UntrustedEntryKind, UntrustedFolder};
pub use policy::{NetworkAccess, Policy, SandboxLimits, SandboxProfile, WriteTarget};
pub use sandbox::{Sandbox, launch_if_asked};
pub use sandbox_level::SandboxLevel;
pub use sandboxed_program::{ExitHandle, SandboxedProgram};
