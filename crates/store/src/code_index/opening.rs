//! Opening the file of an index, or making it.

use std::path::Path;

use host::RootDir;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _};

use super::{CodeIndexError, Result};
use crate::connection::BUSY;
use crate::error::StoreError;

/// Marks the file as an index of ours: "peri" turned about.
const APPLICATION_ID: i64 = 0x6972_6570;
/// Any change of `format.sql`, of how words are split, or of what an outline looks like, is another one.
const FORMAT: i64 = 1;
/// The log shrinks back to this after the first filling made it grow.
const LOG_BYTES: i64 = 16 << 20;
const STATEMENTS: usize = 32;
/// Two programs that make the same file at once: one of them is done within a moment.
const TRIES: usize = 3;

/// What a file turned out to be.
enum Found {
    Ours,
    Empty,
    /// Of another form, or damaged.
    Useless,
}

pub(super) fn open(path: &Path) -> Result<Connection> {
    // One that is there belongs to whoever made it, and stays as it is.
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    if let Some(folder) = path.parent().filter(is_missing) {
        host::private_dir(folder).map_err(|error| StoreError::Unreachable(error.to_string()))?;
    }
    let mut result = try_open(path);
    for _ in 1..TRIES {
        if !matches!(result, Err(CodeIndexError::Damaged(_))) {
            break;
        }
        remove(path)?;
        result = try_open(path);
    }
    result
}

fn try_open(path: &Path) -> Result<Connection> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    prepare(&connection)?;
    if let Found::Useless = look(&connection)? {
        return Err(CodeIndexError::Damaged("it has another form".to_owned()));
    }
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update_and_check(None, "journal_size_limit", LOG_BYTES, |_| Ok(()))?;
    // What a power cut takes is read from the files again. The file itself stays whole.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    if let Found::Empty = look(&transaction)? {
        transaction.execute_batch(include_str!("format.sql"))?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", FORMAT)?;
    }
    transaction.commit()?;
    Ok(connection)
}

pub(super) fn open_reader(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    prepare(&connection)?;
    Ok(connection)
}

fn prepare(connection: &Connection) -> Result<()> {
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.pragma_update(None, "foreign_keys", "ON")?;
    connection.pragma_update(None, "cell_size_check", "ON")?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    Ok(())
}

fn look(connection: &Connection) -> Result<Found> {
    let format: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let used = connection.query_row("SELECT 1 FROM sqlite_schema LIMIT 1", [], |_| Ok(())).optional()?;
    match (application, used) {
        (APPLICATION_ID, _) if format == FORMAT => Ok(Found::Ours),
        (APPLICATION_ID, _) => Ok(Found::Useless),
        (0, None) => Ok(Found::Empty),
        _ => Err(StoreError::Foreign.into()),
    }
}

/// Takes the file away, and what SQLite keeps beside it. The log goes first: one that is left would be taken for that
/// of the next database.
pub(super) fn remove(path: &Path) -> Result<()> {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Ok(()) };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let unreachable = |error: &dyn std::fmt::Display| StoreError::Unreachable(error.to_string());
    let folder = RootDir::open(folder).map_err(|error| unreachable(&error))?;
    for ending in ["-wal", "-shm", ""] {
        let mut name = name.to_owned();
        name.push(ending);
        match folder.remove(&name) {
            Err(error) if !error.is_not_found() => return Err(unreachable(&error).into()),
            _ => {}
        }
    }
    Ok(())
}
