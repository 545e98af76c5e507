use rusqlite::{Connection, OptionalExtension, TransactionBehavior};

use crate::error::{Result, StoreError};

/// Marks the file as a database of this program: "peri".
const APPLICATION_ID: i64 = 0x7065_7269;

/// The migrations: step `n` leads from format `n` to `n + 1`. A released step never changes.
const MIGRATIONS: &[&str] = &[
    include_str!("../migrations/001.sql"),
    include_str!("../migrations/002.sql"),
    include_str!("../migrations/003.sql"),
    include_str!("../migrations/004.sql"),
    include_str!("../migrations/005.sql"),
    include_str!("../migrations/006.sql"),
    include_str!("../migrations/007.sql"),
    include_str!("../migrations/008.sql"),
    include_str!("../migrations/009.sql"),
    include_str!("../migrations/010.sql"),
    include_str!("../migrations/011.sql"),
    include_str!("../migrations/012.sql"),
    include_str!("../migrations/013.sql"),
];

pub(crate) fn known_version() -> i64 {
    i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX)
}

/// Migrates a database to the format of this program. An empty file becomes a database.
pub(crate) fn migrate(connection: &mut Connection) -> Result<()> {
    let from = version(connection)?;
    for (step, sql) in (0..).zip(MIGRATIONS).filter(|&(step, _)| step >= from) {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have migrated it already.
        if version(&transaction)? != step {
            continue;
        }
        transaction.execute_batch(sql)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", step + 1)?;
        transaction.commit()?;
    }
    // A database that was just created has nothing to report.
    if from > 0 && from < known_version() {
        tracing::info!(from, to = known_version(), "migrated the database");
    }
    Ok(())
}

/// Returns the format of a database of this program, or 0 for an empty file.
pub(crate) fn version(connection: &Connection) -> Result<i64> {
    // One snapshot for all three queries, since another program may be creating the database meanwhile.
    let _snapshot = connection.is_autocommit().then(|| connection.unchecked_transaction()).transpose()?;
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let application: i64 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let used =
        connection.query_row("SELECT 1 FROM sqlite_schema LIMIT 1", [], |_| Ok(())).optional()?.is_some();
    if application == APPLICATION_ID {
        if found > known_version() {
            return Err(StoreError::Newer { found, known: known_version() });
        }
        return Ok(found);
    }
    if used || found != 0 || application != 0 { Err(StoreError::Foreign) } else { Ok(0) }
}
