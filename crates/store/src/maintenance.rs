use std::time::Duration;

use rusqlite::Connection;

use crate::connection::BUSY;
use crate::error::Result;
use crate::store::Store;
use crate::writer::Durability;

/// The number of pages of the search index that one step rewrites: some milliseconds of work.
const MERGE_PAGES: i32 = 100;
/// The number of steps per call of [`Store::optimize`]. The next call continues.
const MERGE_STEPS: usize = 50;
/// The chore that rebuilds the index: until then, deleted words remain in it, marked as deleted.
const DELETED_WORDS: &str = "deleted words";

/// Maintenance tasks.
impl Store {
    /// Refreshes the query planner's statistics and merges the search index step by step; other writes can run in
    /// between.
    pub async fn optimize(&self) -> Result<()> {
        self.writer()
            .alone(|connection| {
                connection.execute_batch("PRAGMA analysis_limit = 400; PRAGMA optimize")?;
                Ok(())
            })
            .await?;
        self.forget_deleted_words().await?;
        for _ in 0..MERGE_STEPS {
            if !self.write(Durability::Log, |connection| merge(connection, MERGE_PAGES)).await? {
                break;
            }
        }
        Ok(())
    }

    /// Moves the write-ahead log into the database and truncates it, as far as readers allow. It does not wait for
    /// readers, since writers would have to wait as well.
    pub async fn checkpoint(&self) -> Result<()> {
        self.writer()
            .alone(|connection| {
                connection.busy_timeout(Duration::ZERO)?;
                let moved = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
                connection.busy_timeout(BUSY)?;
                Ok(moved?)
            })
            .await
    }

    /// Truncates the write-ahead log, waiting for readers: nothing that was deleted may remain in it.
    pub(crate) async fn empty_log(&self) -> Result<()> {
        for _ in 0..50 {
            let emptied = self.writer().alone(|connection| {
                let busy: i64 =
                    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
                Ok(busy == 0)
            });
            if emptied.await? {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        Err(crate::StoreError::Busy)
    }

    /// Rebuilds the search index if something was deleted since the last time. Merging its segments is not enough: FTS5
    /// keeps deleted words for as long as an older segment might contain them, even if none does. Each word could be
    /// erased at once (`secure-delete`), but that is a hundred times slower.
    pub(crate) async fn forget_deleted_words(&self) -> Result<()> {
        self.write(Durability::Log, |connection| {
            if connection.execute("DELETE FROM chores WHERE name = ?1", [DELETED_WORDS])? == 0 {
                return Ok(());
            }
            connection.execute("INSERT INTO message_search (message_search) VALUES ('rebuild')", [])?;
            connection.execute("INSERT INTO title_search (title_search) VALUES ('rebuild')", [])?;
            Ok(())
        })
        .await
    }
}

pub(crate) fn note_deleted_words(connection: &Connection) -> Result<()> {
    let sql = "INSERT OR IGNORE INTO chores (name) VALUES (?1)";
    connection.prepare_cached(sql)?.execute([DELETED_WORDS])?;
    Ok(())
}

/// Runs one merge step. Returns true if there is more to do.
fn merge(connection: &Connection, pages: i32) -> Result<bool> {
    let before = connection.total_changes();
    let sql = "INSERT INTO message_search (message_search, rank) VALUES ('merge', ?1)";
    connection.prepare_cached(sql)?.execute([pages])?;
    // The command itself counts as one change.
    Ok(connection.total_changes() - before >= 2)
}
