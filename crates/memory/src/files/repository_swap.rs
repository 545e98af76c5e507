//! Exchanges the repository of the history for a new one, in steps that can be completed after a crash.

use std::io;
use std::path::{Path, PathBuf};

const NEW: &str = ".git.new";
const OLD: &str = ".git.old";

/// Returns the path at which the new repository is to be made, after removing what an interrupted attempt left there.
pub(super) fn new_repository_path(folder: &Path) -> io::Result<PathBuf> {
    let making = folder.join(NEW);
    remove(&making)?;
    Ok(making)
}

/// Puts the new repository in the place of the current one, of which nothing remains.
#[allow(clippy::disallowed_methods, reason = "whole folders of ours change places")]
pub(super) fn swap(folder: &Path) -> io::Result<()> {
    let (current, making, aside) = (folder.join(".git"), folder.join(NEW), folder.join(OLD));
    remove(&aside)?;
    std::fs::rename(&current, &aside)?;
    std::fs::rename(&making, &current)?;
    remove(&aside)
}

/// Completes a swap that a crash interrupted. The new repository is complete before the old one is moved aside.
#[allow(clippy::disallowed_methods, reason = "whole folders of ours change places")]
pub(super) fn complete_swap(folder: &Path) -> io::Result<()> {
    let (current, making, aside) = (folder.join(".git"), folder.join(NEW), folder.join(OLD));
    if !aside.exists() {
        return Ok(());
    }
    if !current.exists() && making.exists() {
        std::fs::rename(&making, &current)?;
    }
    if current.exists() { remove(&aside) } else { Ok(()) }
}

#[allow(clippy::disallowed_methods, reason = "whole folders of ours go")]
fn remove(folder: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
