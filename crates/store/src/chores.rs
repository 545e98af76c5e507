use jiff::Timestamp;
use protocol::UserId;
use rusqlite::params;

use crate::error::Result;
use crate::store::Store;
use crate::writer::Durability;

/// A change to be made to the history of memory files when it is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingHistoryChange {
    pub id: i64,
    pub user: UserId,
    pub is_due: bool,
    /// Opaque to the store.
    pub changes: String,
}

impl Store {
    pub async fn add_file_chore(&self, user: UserId, due_at: Timestamp, changes: String) -> Result<()> {
        let context = self.context();
        self.write(Durability::Person, move |connection| {
            let sql = "INSERT INTO file_history_chores (id, user, due_at, changes) VALUES (?1, ?2, ?3, ?4)";
            let values = params![context.ids.next(), user.get(), due_at.as_millisecond(), changes];
            connection.prepare_cached(sql)?.execute(values)?;
            Ok(())
        })
        .await
    }

    /// Returns all pending changes, oldest first.
    pub async fn file_chores(&self) -> Result<Vec<PendingHistoryChange>> {
        let now = self.context().now;
        self.read(move |connection| {
            let sql = "SELECT id, user, due_at <= ?1 AS is_due, changes FROM file_history_chores ORDER BY id";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([now], |row| {
                Ok(PendingHistoryChange {
                    id: row.get("id")?,
                    user: UserId::new(row.get("user")?),
                    is_due: row.get("is_due")?,
                    changes: row.get("changes")?,
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    pub async fn end_file_chore(&self, id: i64) -> Result<()> {
        self.write(Durability::Person, move |connection| {
            connection.prepare_cached("DELETE FROM file_history_chores WHERE id = ?1")?.execute([id])?;
            Ok(())
        })
        .await
    }
}

/// Records of what is being forgotten, so that it can be resumed after a crash. Their content is opaque to the store.
impl Store {
    pub async fn begin_forgetting(&self, user: UserId, what: String) -> Result<i64> {
        let context = self.context();
        self.write(Durability::Person, move |connection| {
            let id = context.ids.next();
            let sql = "INSERT INTO forgetting (id, user, what) VALUES (?1, ?2, ?3)";
            connection.prepare_cached(sql)?.execute(params![id, user.get(), what])?;
            Ok(id)
        })
        .await
    }

    /// Returns what was begun and not ended: the id, the user and the content.
    pub async fn unfinished_forgetting(&self) -> Result<Vec<(i64, UserId, String)>> {
        self.read(move |connection| {
            let mut statement =
                connection.prepare_cached("SELECT id, user, what FROM forgetting ORDER BY id")?;
            let rows = statement
                .query_map([], |row| Ok((row.get("id")?, UserId::new(row.get("user")?), row.get("what")?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    pub async fn end_forgetting(&self, id: i64) -> Result<()> {
        self.write(Durability::Person, move |connection| {
            connection.prepare_cached("DELETE FROM forgetting WHERE id = ?1")?.execute([id])?;
            Ok(())
        })
        .await
    }
}

/// Records of backups. Backups are never changed, so the user is told about them when something is forgotten.
impl Store {
    pub async fn note_backup(&self, file: String, made_at: Timestamp) -> Result<()> {
        self.write(Durability::Person, move |connection| {
            let sql = "INSERT OR REPLACE INTO backups (file, made_at) VALUES (?1, ?2)";
            connection.prepare_cached(sql)?.execute(params![file, made_at.as_millisecond()])?;
            Ok(())
        })
        .await
    }

    /// Returns the recorded backups: the file and the time.
    pub async fn noted_backups(&self) -> Result<Vec<(String, Timestamp)>> {
        self.read(move |connection| {
            let mut statement =
                connection.prepare_cached("SELECT file, made_at FROM backups ORDER BY made_at")?;
            let rows = statement.query_map([], |row| {
                let made_at =
                    Timestamp::from_millisecond(row.get("made_at")?).unwrap_or(Timestamp::UNIX_EPOCH);
                Ok((row.get("file")?, made_at))
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }
}
