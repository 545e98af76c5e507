//! The index of a code workspace: a database of its own, beside the one with the users' data.
//!
//! All of it can be rebuilt from the files. It is therefore written without waiting for the disk, and one that is
//! damaged or has another format is deleted. All calls block and have to be made off the async threads.

mod batch;
mod error;
mod finding;
mod known;
mod opening;
mod vectors;

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use rusqlite::{Connection, TransactionBehavior};

pub use self::batch::{CodeBatch, CodeWords, NewIndexFile, NewIndexSymbol};
pub use self::error::CodeIndexError;
pub use self::finding::{IndexSymbol, WordWeights};
pub use self::known::{ContentHash, IndexFile, IndexFileKind, IndexOutlines};
pub use self::vectors::CodeVector;

/// The index of one folder. All methods can be called from several threads.
pub struct CodeIndex {
    path: PathBuf,
    connections: RwLock<Connections>,
}

type Result<T> = std::result::Result<T, CodeIndexError>;

#[derive(Default)]
struct Connections {
    /// The number of times the file was recreated, so that two threads that find the same damage repair it only once.
    renewed: u64,
    /// The format of the caller's data.
    form: Option<String>,
    /// Closed before the writer: the last connection to close moves the log into the file, which read-only ones cannot
    /// do.
    readers: Mutex<Vec<Connection>>,
    writer: Mutex<Option<Connection>>,
}

impl CodeIndex {
    /// Opens the index, or creates it if there is no usable one. A database of another program is an error and is not
    /// changed.
    pub fn open(path: &Path) -> Result<Self> {
        let writer = opening::open(path)?;
        let connections = Connections { writer: Mutex::new(Some(writer)), ..Connections::default() };
        Ok(Self { path: path.to_owned(), connections: RwLock::new(connections) })
    }

    /// Deletes the whole content.
    pub fn renew(&self) -> Result<()> {
        let mut connections = self.connections_mut();
        self.renew_now(&mut connections)
    }

    fn renew_now(&self, connections: &mut Connections) -> Result<()> {
        // All connections are closed first: none may keep the old file open.
        let (renewed, form) = (connections.renewed + 1, connections.form.take());
        *connections = Connections { renewed, form, ..Connections::default() };
        opening::remove(&self.path)?;
        // New content has the same format as the old.
        connections.write(&self.path, |connection| opening::set_form(connection, connections.form.as_deref()))
    }

    fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let connections = self.connections();
        let renewed = connections.renewed;
        let result = connections.read(&self.path, work);
        drop(connections);
        self.repaired(renewed, result)
    }

    /// Runs `work` in a transaction.
    fn write<T>(&self, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let connections = self.connections();
        let renewed = connections.renewed;
        let result = connections.write(&self.path, work);
        drop(connections);
        self.repaired(renewed, result)
    }

    fn repaired<T>(&self, renewed: u64, result: Result<T>) -> Result<T> {
        if let Err(CodeIndexError::Damaged(why)) = &result {
            tracing::warn!(why, path = %self.path.display(), "a code index was damaged and is being rebuilt");
            let mut connections = self.connections_mut();
            if connections.renewed == renewed {
                self.renew_now(&mut connections)?;
            }
        }
        result
    }

    fn connections(&self) -> RwLockReadGuard<'_, Connections> {
        self.connections.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn connections_mut(&self) -> RwLockWriteGuard<'_, Connections> {
        self.connections.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Connections {
    fn read<T>(&self, path: &Path, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let free = lock(&self.readers).pop();
        let mut connection = match free {
            Some(connection) => connection,
            None => opening::open_reader(path)?,
        };
        let snapshot = connection.transaction()?;
        let result = work(&snapshot);
        snapshot.finish()?;
        lock(&self.readers).push(connection);
        result
    }

    fn write<T>(&self, path: &Path, work: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let mut writer = lock(&self.writer);
        let connection = match &mut *writer {
            Some(connection) => connection,
            // The file could not be opened when it was recreated.
            none => none.insert(opening::open(path)?),
        };
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let done = work(&transaction)?;
        transaction.commit()?;
        Ok(done)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Converts a count to the signed integers of SQLite.
fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
