//! Opens or creates the file of an index.

use std::path::Path;

use host::RootDir;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension as _};

use super::error::CodeIndexError;
use crate::connection::BUSY;
use crate::error::StoreError;

type Result<T> = std::result::Result<T, CodeIndexError>;

/// Marks the file as an index of this program: "peri" reversed.
const APPLICATION_ID: i64 = 0x6972_6570;
/// The format version. It has to change with `format.sql`, with the way words are split, and with the format of an
/// outline.
const FORMAT: i64 = 1;
/// The size in bytes to which the log is truncated after the first fill has made it grow.
const LOG_BYTES: i64 = 16 << 20;
const STATEMENTS: usize = 32;
/// The number of attempts, for the case that two programs create the same file at once: one of them finishes within a
/// moment.
const TRIES: usize = 3;

/// The state of a file.
enum Found {
    Ours,
    Empty,
    /// Another format, or damaged.
    Useless,
}

pub(super) fn open(path: &Path) -> Result<Connection> {
    // An existing folder keeps its permissions, since the program did not create it.
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
    if let Found::Useless = inspect(&connection)? {
        return Err(CodeIndexError::Damaged("it has another format".to_owned()));
    }
    connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
    connection.pragma_update_and_check(None, "journal_size_limit", LOG_BYTES, |_| Ok(()))?;
    // A power failure may lose recent writes, which are read from the files again, but does not corrupt the file.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    if let Found::Empty = inspect(&transaction)? {
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

fn inspect(connection: &Connection) -> Result<Found> {
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

/// Deletes the file and the files that SQLite keeps beside it. The log is deleted first: SQLite would apply a remaining
/// one to the next database.
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

/// Stores the format of the caller's data.
pub(super) fn set_form(connection: &Connection, form: Option<&str>) -> Result<()> {
    connection.execute("UPDATE state SET form = ?1", [form])?;
    Ok(())
}
