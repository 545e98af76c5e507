//! What waits for the disk, beside the others.

use std::collections::HashMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::ToolError;

/// Does what waits for the disk beside the others. Once begun it goes to its end, also when nobody waits for it
/// any more, so that nothing is left half.
pub async fn in_background<T, E>(work: impl FnOnce() -> Result<T, E> + Send + 'static) -> Result<T, E>
where
    T: Send + 'static,
    E: From<Interrupted> + Send + 'static,
{
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Interrupted.into()))
}

/// It broke down, or the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it was interrupted")]
pub struct Interrupted;

impl From<Interrupted> for ToolError {
    fn from(error: Interrupted) -> Self {
        failed(error)
    }
}

pub fn failed(error: impl Display) -> ToolError {
    ToolError::Failed(format!("It did not work: {error}."))
}

/// One lock per folder, so that of two changes at once neither is lost.
#[derive(Debug, Default)]
pub struct FolderLocks(Mutex<HashMap<PathBuf, Arc<Mutex<()>>>>);

impl FolderLocks {
    pub fn with<T>(&self, folder: &Path, work: impl FnOnce() -> T) -> T {
        let lock = Arc::clone(locked(&self.0).entry(folder.to_path_buf()).or_default());
        let _held = locked(&lock);
        work()
    }
}

/// A thread that panicked left nothing half behind: what is guarded is on the disk, written whole.
fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}
