//! The step before bubblewrap: this executable, in its own namespaces, mounts an overlay over the workspace and then
//! executes bubblewrap. All later steps, including the guards, see the merged folder under the workspace's path, and no
//! path leads to either part. The mount disappears with the last process of the namespace.

use std::convert::Infallible;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat2};
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::process::{getegid, geteuid};
use serde::{Deserialize, Serialize};

use super::deletion::proc_path;
use crate::launch_order::LaunchOrder;
use crate::launcher::{LaunchError, system};
use crate::view::guards;

/// The first argument that selects this step; the second is the [`OverlayStep`], the rest is the bubblewrap command.
pub const LAYER: &str = "sandbox-layer";

/// The instructions for this step.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverlayStep {
    /// The workspace, as a path without links.
    pub lower: PathBuf,
    pub upper: PathBuf,
    pub work: PathBuf,
    /// The index in bubblewrap's arguments at which the repository guards are inserted.
    pub guards_index: usize,
    /// The index of the launcher's order.
    pub order_index: usize,
}

/// Mounts the overlay and executes the remaining arguments. Without any it was only a trial, and exits.
pub fn run_overlay_step(
    step: &str,
    words: impl Iterator<Item = OsString>,
) -> Result<Infallible, LaunchError> {
    let step: OverlayStep = serde_json::from_str(step)?;
    mount_overlay(&step)?;
    let mut words: Vec<OsString> = words.collect();
    if words.is_empty() {
        std::process::exit(0);
    }
    guard(&step, &mut words)?;
    let program = words.remove(0);
    let source = Command::new(&program).args(words).exec();
    Err(LaunchError::Start { program: program.to_string_lossy().into_owned(), source })
}

fn mount_overlay(step: &OverlayStep) -> Result<(), LaunchError> {
    own_namespaces().map_err(system("namespaces for the layer"))?;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)
        .map_err(system("private mounts"))?;
    let open = |path: &Path| folder(path).map_err(system("the folders of the layer"));
    let (lower, upper, work) = (open(&step.lower)?, open(&step.upper)?, open(&step.work)?);
    // Referenced by descriptor: paths may contain commas and colons, and the mount options are visible to every process
    // inside.
    let [below, above, beside] = [&lower, &upper, &work].map(proc_path);
    let words = format!("userxattr,lowerdir={below},upperdir={above},workdir={beside}");
    let words =
        std::ffi::CString::new(words).map_err(|error| system("the layer")(io::Error::other(error)))?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV;
    mount("overlay", below.as_str(), "overlay", flags, words.as_c_str()).map_err(system("the layer"))
}

/// Opens a folder and rejects links in its path. The descriptor is closed on exec.
fn folder(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    Ok(openat2(CWD, path, flags, Mode::empty(), ResolveFlags::NO_SYMLINKS)?)
}

/// Enters a new user and mount namespace that maps only the current user to itself. The right to mount therefore
/// extends only to what the user owns. Root, too, loses access to everything else this way.
#[allow(unsafe_code)]
fn own_namespaces() -> io::Result<()> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    // SAFETY: the call changes only the view of this process, which has one thread and is about to be replaced.
    if unsafe { libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS) } != 0 {
        return Err(io::Error::last_os_error());
    }
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

/// Inserts the guards for the merged folder into the arguments.
fn guard(step: &OverlayStep, words: &mut Vec<OsString>) -> Result<(), LaunchError> {
    let guards = guards(&step.lower).map_err(system("the repositories"))?;
    let order = words.get_mut(step.order_index).ok_or(LaunchError::Nothing)?;
    let mut launch_order: LaunchOrder = serde_json::from_str(&order.to_string_lossy())?;
    launch_order.guarded.extend(guards.guarded);
    launch_order.covered.extend(guards.covered);
    *order = serde_json::to_string(&launch_order)?.into();
    let at = step.guards_index.min(words.len());
    words.splice(at..at, guards.words);
    Ok(())
}
