//! The launcher's instructions, the only text that passes from outside to the process that becomes the program.

use std::os::fd::RawFd;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::policy::{SandboxLimits, SandboxProfile};

/// The first argument that selects the launcher; the second is the [`LaunchOrder`].
pub const LAUNCH: &str = "sandbox-launch";
/// The first argument that makes the executable check whether it is confined.
pub const CHECK: &str = "sandbox-check";

/// The work of the launcher before it becomes the program.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaunchOrder {
    pub profile: SandboxProfile,
    /// The descriptor on which to send the network's listener out. Without it, the program has no network.
    pub listener_socket: Option<RawFd>,
    pub limits: SandboxLimits,
    /// True if namespaces already confine the program.
    pub in_namespaces: bool,
    /// Paths that must be mounted onto themselves.
    pub guarded: Vec<PathBuf>,
    /// Paths that must be covered by a mount.
    pub covered: Vec<PathBuf>,
    /// Paths that may be read and executed.
    pub reads: Vec<PathBuf>,
    /// Paths that may also be written.
    pub writes: Vec<PathBuf>,
}
