use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize, Serializer};
use thiserror::Error;

use crate::{FileError, Secret, atomic_write_private};

const LOCK: &str = "home.lock";
const RUN: &str = "run.json";

/// The exclusive lock on a data folder. The kernel releases it when the process ends, even after a crash.
#[derive(Debug)]
pub struct HomeLock {
    _file: File,
}

#[derive(Debug, Error)]
pub enum LockError {
    #[error("{} is in use by another Perigee{}. Stop that one, or choose another folder with --home",
        home.display(), pid.map(|pid| format!(" (process {pid})")).unwrap_or_default())]
    Held { home: PathBuf, pid: Option<u32> },
    #[error(transparent)]
    File(#[from] FileError),
}

impl HomeLock {
    /// Locks `home.lock` in the data folder, which must exist.
    pub fn acquire(home: &Path) -> Result<Self, LockError> {
        let path = home.join(LOCK);
        let failed = |error: io::Error| FileError::new("lock", &path, error);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path).map_err(failed)?;
        if !try_for_a_moment(&file).map_err(failed)? {
            return Err(LockError::Held { home: home.to_path_buf(), pid: holder(&mut file) });
        }
        let note = || -> io::Result<()> {
            file.set_len(0)?;
            file.rewind()?;
            writeln!(file, "{}", std::process::id())
        };
        // The lock is held in any case; the process id is only for error messages.
        if let Err(error) = { note }() {
            tracing::warn!(%error, "could not note the process in home.lock");
        }
        Ok(Self { _file: file })
    }

    /// Returns true if a process uses this data folder.
    pub fn is_held(home: &Path) -> bool {
        File::open(home.join(LOCK))
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

/// Tries to take the lock for 200 ms. [`HomeLock::is_held`] takes it for an instant, and a process that starts in that
/// instant must not fail.
fn try_for_a_moment(file: &File) -> io::Result<bool> {
    for _ in 0..20 {
        match file.try_lock() {
            Ok(()) => return Ok(true),
            Err(TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(10)),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Ok(false)
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.take(32).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// The contents of `run.json`, which tells other commands about the running server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunInfo {
    /// The address, such as `http://127.0.0.1:8899`.
    pub address: String,
    pub pid: u32,
    pub started: Timestamp,
    /// The token for the command line, which may read the file because it runs as the same user.
    #[serde(serialize_with = "expose")]
    pub token: Secret,
}

fn expose<S: Serializer>(token: &Secret, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(token.expose())
}

impl RunInfo {
    /// Returns the server that uses this data folder. A file left by a killed server is ignored.
    pub fn running(home: &Path) -> Option<Self> {
        let text = std::fs::read(home.join(RUN)).ok()?;
        let info = serde_json::from_slice(&text).ok()?;
        HomeLock::is_held(home).then_some(info)
    }
}

/// The file `run.json` of a running server. Dropping it removes the file.
#[derive(Debug)]
pub struct RunFile {
    path: PathBuf,
}

impl RunFile {
    /// Writes the file. Only the holder of the lock may do this.
    pub fn write(_lock: &HomeLock, home: &Path, info: &RunInfo) -> Result<Self, FileError> {
        let path = home.join(RUN);
        let text = serde_json::to_vec_pretty(info).map_err(|error| FileError::new("write", &path, error))?;
        if let Err(error) = atomic_write_private(&path, &text) {
            // A file left by an earlier server would point to none.
            let _ = std::fs::remove_file(&path);
            return Err(error);
        }
        Ok(Self { path })
    }
}

impl Drop for RunFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

#[cfg(test)]
#[path = "home_tests.rs"]
mod tests;
