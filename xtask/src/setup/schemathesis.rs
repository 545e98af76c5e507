//! Installs Schemathesis, which tests the API against its description, once into the cache.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::failure::{ErrorContext, TaskResult};
use crate::process;
use crate::repo::Repo;
use crate::terminal::Terminal;

const REQUIREMENT: &str = "schemathesis==4.32.5";
/// The file with the versions of all required packages, relative to the root of the repository.
const VERSIONS: &str = "xtask/src/setup/schemathesis.txt";
/// A marker file that is written last, so an interrupted installation does not count.
const COMPLETE: &str = ".complete";

/// Returns the folder of Schemathesis, which may not exist yet. `crates/perigee/tests/program/description.rs` uses the
/// same path. The name contains the Python version, because packages installed for one are useless to another.
pub fn folder(repo: &Repo) -> PathBuf {
    let mut python = process::command("python3", &repo.root);
    python.args(["-c", "import sys; print(sys.implementation.cache_tag)"]);
    // Without Python nothing is found here, and the installation reports why.
    let tag = process::output(&mut python).unwrap_or_default();
    repo.cached(&format!("{}-{}", REQUIREMENT.replace("==", "-"), tag.trim()))
}

pub fn is_here(repo: &Repo) -> bool {
    folder(repo).join(COMPLETE).is_file()
}

/// Installs it unless it is present.
pub fn install(repo: &Repo, terminal: &Terminal) -> TaskResult {
    if is_here(repo) {
        return Ok(());
    }
    terminal.say("Downloading Schemathesis, which tests the API");
    let folder = folder(repo);
    if folder.exists() {
        fs::remove_dir_all(&folder).named(folder.display())?;
    }
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--no-cache-dir", "--only-binary=:all:"]);
    pip.args(["--disable-pip-version-check", "--root-user-action=ignore", "--target"]).arg(&folder);
    pip.arg("--constraint").arg(repo.root.join(VERSIONS)).arg(REQUIREMENT);
    process::run(&mut pip).named("Schemathesis could not be downloaded")?;
    fs::write(folder.join(COMPLETE), "").named(folder.display())
}
