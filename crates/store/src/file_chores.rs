use jiff::Timestamp;
use protocol::UserId;
use rusqlite::params;

use crate::error::Result;
use crate::store::Store;
use crate::writer::Durability;

/// What is to be done to the history of memory files, once its time has come. The store does not read it.
impl Store {
    pub async fn add_file_chore(&self, user: UserId, due_at: Timestamp, changes: String) -> Result<()> {
        let desk = self.desk();
        self.write(Durability::Person, move |connection| {
            let sql = "INSERT INTO file_history_chores (id, user, due_at, changes) VALUES (?1, ?2, ?3, ?4)";
            let values = params![desk.ids.next(), user.get(), due_at.as_millisecond(), changes];
            connection.prepare_cached(sql)?.execute(values)?;
            Ok(())
        })
        .await
    }

    /// Those that are due: id, whose, and what.
    pub async fn due_file_chores(&self) -> Result<Vec<(i64, UserId, String)>> {
        let now = self.desk().now;
        self.read(move |connection| {
            let sql = "SELECT id, user, changes FROM file_history_chores WHERE due_at <= ?1 ORDER BY id";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([now], |row| {
                Ok((row.get("id")?, UserId::new(row.get("user")?), row.get("changes")?))
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
