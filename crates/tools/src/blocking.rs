//! Runs blocking disk work off the async threads.

use std::collections::HashMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::ToolError;

/// Runs blocking work on a separate thread. Once started it runs to completion even if the caller is dropped, so that
/// nothing is left half written.
pub async fn in_background<T, E>(work: impl FnOnce() -> Result<T, E> + Send + 'static) -> Result<T, E>
where
    T: Send + 'static,
    E: From<Interrupted> + Send + 'static,
{
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Interrupted.into()))
}

/// The error of work that panicked, or that the shutdown of the program interrupted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it was interrupted")]
pub struct Interrupted;

impl From<Interrupted> for ToolError {
    fn from(error: Interrupted) -> Self {
        failed(error)
    }
}

/// Turns an error into the failure of a tool.
pub fn failed(error: impl Display) -> ToolError {
    ToolError::Failed(format!("It did not work: {error}."))
}

/// One lock per folder, so that concurrent changes do not overwrite each other.
#[derive(Debug, Default)]
pub struct FolderLocks(Mutex<HashMap<PathBuf, Arc<Mutex<()>>>>);

impl FolderLocks {
    pub fn with<T>(&self, folder: &Path, work: impl FnOnce() -> T) -> T {
        let lock = Arc::clone(locked(&self.0).entry(folder.to_path_buf()).or_default());
        let _held = locked(&lock);
        work()
    }
}

/// Locks a mutex. Poisoning is ignored: the guarded data is on disk and always written as a whole, so a panicking thread
/// leaves nothing inconsistent.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
