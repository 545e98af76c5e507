//! What the launcher is told: the one text that passes from outside to the process that becomes the program.

use std::os::fd::RawFd;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::policy::{Limits, Profile};

/// The first argument of our own program where it is to be the launcher; the second is the order.
pub const LAUNCH: &str = "sandbox-launch";
/// The first argument where it is to look whether it is held.
pub const CHECK: &str = "sandbox-check";

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Order {
    pub profile: Profile,
    /// Where it hands over the listener of its network. Without that, it reaches nobody.
    pub line: Option<RawFd>,
    pub limits: Limits,
    /// Whether namespaces hold it already.
    pub walled: bool,
    /// What must be mounted onto itself by now.
    pub guarded: Vec<PathBuf>,
    /// What must be covered by something.
    pub covered: Vec<PathBuf>,
    /// What it may read, and start.
    pub reads: Vec<PathBuf>,
    /// What it may write as well.
    pub writes: Vec<PathBuf>,
}
