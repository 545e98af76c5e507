use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;

use crate::connection::open_reader;
use crate::error::{Result, StoreError};

/// The number of concurrent reads. More would only wait for the processor.
const CONNECTIONS: usize = 4;

/// A few read-only connections, opened on demand.
pub(crate) struct ReaderPool {
    path: PathBuf,
    free: Mutex<Vec<Connection>>,
    permits: Arc<Semaphore>,
}

impl ReaderPool {
    pub(crate) fn new(path: PathBuf) -> Self {
        Self { path, free: Mutex::default(), permits: Arc::new(Semaphore::new(CONNECTIONS)) }
    }

    /// Runs `work` on one snapshot of the database, off the async threads.
    pub(crate) async fn read<T: Send + 'static>(
        self: &Arc<Self>,
        work: impl FnOnce(&Connection) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let permit = self.permits.clone().acquire_owned().await.map_err(|_| StoreError::Closed)?;
        let readers = self.clone();
        let reading = tokio::task::spawn_blocking(move || {
            // The work holds the permit, since the caller may be dropped in the middle of it.
            let _permit = permit;
            readers.read_now(work)
        });
        reading.await.unwrap_or_else(|error| Err(StoreError::Internal(error.to_string())))
    }

    fn read_now<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut connection = match free {
            Some(connection) => connection,
            None => open_reader(&self.path)?,
        };
        let snapshot = connection.transaction()?;
        let result = work(&snapshot);
        snapshot.finish()?;
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        result
    }
}
