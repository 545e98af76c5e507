use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, OpenFlags};

use crate::error::Result;
use crate::search::index_text;

/// The number of prepared statements that a connection caches. There are fewer queries than that.
const STATEMENTS: usize = 128;
/// The size in bytes to which the write-ahead log is truncated after a long read has made it grow.
const LOG_BYTES: i64 = 64 << 20;
/// The time to wait for a lock by another process. A backup tool or a database browser holds the file only briefly.
pub(crate) const BUSY: Duration = Duration::from_secs(5);

pub(crate) fn open_writer(path: &Path) -> Result<Connection> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX
            | OpenFlags::SQLITE_OPEN_URI,
    )?;
    prepare(&connection)?;
    connection.pragma_update_and_check(None, "journal_size_limit", LOG_BYTES, |_| Ok(()))?;
    // Deleted text is overwritten, not just unlinked.
    connection.pragma_update(None, "secure_delete", "ON")?;
    Ok(connection)
}

pub(crate) fn open_reader(path: &Path) -> Result<Connection> {
    let connection = Connection::open_with_flags(
        path,
        OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI,
    )?;
    prepare(&connection)?;
    Ok(connection)
}

/// Opens an empty database in memory, for comparing schemas.
pub(crate) fn open_in_memory() -> Result<Connection> {
    let connection = Connection::open_in_memory()?;
    prepare(&connection)?;
    Ok(connection)
}

fn prepare(connection: &Connection) -> Result<()> {
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.pragma_update(None, "foreign_keys", "ON")?;
    connection.pragma_update(None, "cell_size_check", "ON")?;
    // A restored file is untrusted: its schema must not call functions with side effects or modify the tables behind
    // the search index.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_scalar_function("index_text", 1, flags, |context| {
        // Damaged text must not prevent its own row from being deleted.
        let text = String::from_utf8_lossy(context.get_raw(0).as_bytes()?);
        Ok(index_text(&text).into_owned())
    })?;
    Ok(())
}
