use jiff::Timestamp;
use protocol::{Event, TurnId, UserId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::{ObjectKind, OrNotFound, Result, StoreError};
use crate::store::Store;
use crate::stored::{RowExt, count, to_json};
use crate::writer::Durability;

/// One row of a turn's log: the events with the numbers `first_seq` to `last_seq`.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredEvents {
    pub first_seq: u32,
    pub last_seq: u32,
    pub events: Vec<Event>,
}

impl Store {
    /// Appends to a running turn's log. An existing row is left unchanged.
    pub async fn append_turn_events(&self, turn: TurnId, events: StoredEvents) -> Result<()> {
        self.home(turn.get())
            .write(Durability::Log, move |connection| insert_events(connection, turn, &events))
            .await
    }

    /// Returns the rows with events after number `after`, or all rows. The first row may begin before it.
    pub async fn turn_events(
        &self,
        user: UserId,
        turn: TurnId,
        after: Option<u32>,
    ) -> Result<Vec<StoredEvents>> {
        self.home(turn.get())
            .read(move |connection| {
                let sql = "SELECT 1 FROM turns WHERE id = ?1 AND user = ?2";
                let known =
                    connection.prepare_cached(sql)?.query_row(params![turn.get(), user.get()], |_| Ok(()));
                known.or_not_found(ObjectKind::Turn)?;
                rows_after(connection, turn, after)
            })
            .await
    }

    /// Deletes the logs of turns that ended before that time. Their replies are kept. Returns the number of turns.
    pub async fn purge_events_before(&self, before: Timestamp) -> Result<usize> {
        let before = before.as_millisecond();
        let mut purged = 0;
        loop {
            let some = self.write(Durability::Log, move |connection| purge_some(connection, before)).await?;
            if some == 0 {
                return Ok(purged);
            }
            purged += some;
        }
    }
}

pub(crate) fn insert_events(connection: &Connection, turn: TurnId, row: &StoredEvents) -> Result<()> {
    if row.last_seq < row.first_seq {
        return Err(StoreError::Invalid("the last event number is less than the first".into()));
    }
    let sql = "INSERT INTO turn_events (turn, first_seq, last_seq, events)
               SELECT id, ?2, ?3, ?4 FROM turns WHERE id = ?1 ON CONFLICT (turn, first_seq) DO NOTHING";
    let values = params![turn.get(), row.first_seq, row.last_seq, to_json(&row.events)?];
    if connection.prepare_cached(sql)?.execute(values)? == 0 {
        let known = connection.prepare_cached("SELECT 1 FROM turns WHERE id = ?1")?.exists([turn.get()])?;
        return if known { Ok(()) } else { Err(StoreError::NotFound(ObjectKind::Turn)) };
    }
    Ok(())
}

pub(crate) fn rows_after(
    connection: &Connection,
    turn: TurnId,
    after: Option<u32>,
) -> Result<Vec<StoredEvents>> {
    let after = after.map_or(-1, i64::from);
    let sql = "SELECT first_seq, last_seq, events FROM turn_events WHERE turn = ?1 AND last_seq > ?2 ORDER BY first_seq";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![turn.get(), after], |row| {
        Ok(StoredEvents {
            first_seq: row.get("first_seq")?,
            last_seq: row.get("last_seq")?,
            events: row.json("events")?,
        })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// The number of turns whose logs are deleted per transaction.
const PURGE_TURNS: usize = 50;

fn purge_some(connection: &Connection, before: i64) -> Result<usize> {
    let sql = "SELECT json_group_array(id) AS ids FROM
               (SELECT id FROM turns WHERE logged = 1 AND ended_at < ?1 ORDER BY ended_at LIMIT ?2)";
    let mut statement = connection.prepare_cached(sql)?;
    let ids: Option<Vec<i64>> =
        statement.query_row(params![before, count(PURGE_TURNS)], |row| row.json("ids")).optional()?;
    let ids = ids.unwrap_or_default();
    let list = to_json(&ids)?;
    let sql = "DELETE FROM turn_events WHERE turn IN (SELECT value FROM json_each(?1))";
    connection.prepare_cached(sql)?.execute([&list])?;
    let sql = "UPDATE turns SET logged = 0 WHERE id IN (SELECT value FROM json_each(?1))";
    connection.prepare_cached(sql)?.execute([&list])?;
    Ok(ids.len())
}
