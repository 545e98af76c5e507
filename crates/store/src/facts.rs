mod rows;
mod stored_fact;

use jiff::Timestamp;
use protocol::{FactChangeKind, FactId, FactStatus, MessageId, UserId};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

pub(crate) use self::rows::read_fact;
use self::rows::{CHANGES, SELECT, find, insert, note, read_change, update};
pub use self::stored_fact::{Doubt, NewFact, StoredFact, StoredFactChange};
use crate::error::{Result, StoreError};
use crate::store::{Store, WriteContext};
use crate::stored::{Keyword, timestamp};
use crate::writer::Durability;

/// One change to the facts.
#[derive(Debug, Clone, PartialEq)]
pub enum FactUpdate {
    /// A fact is learned and replaces others.
    Learn { id: FactId, new: NewFact, replaces: Vec<FactId> },
    /// An unconfirmed fact is confirmed by a new statement and replaces others.
    Confirm { id: FactId, new: NewFact, replaces: Vec<FactId> },
    /// The fact was stated again.
    Repeat { id: FactId, confidence: f32 },
    /// The fact no longer holds, and nothing replaces it.
    End { id: FactId, at: Timestamp },
    /// A message mentions a change without stating clearly what changed.
    Doubt { id: FactId, by: MessageId },
    /// Another kind of change, with the new content of the row.
    Change { fact: StoredFact, kind: FactChangeKind },
    /// The other facts say the same as the first and are merged into it.
    Merge { into: StoredFact, others: Vec<FactId> },
}

/// The usage history of a fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FactUsage {
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    pub use_count: u32,
    pub said_count: u32,
}

impl Store {
    /// Returns all facts about this user that were ever learned and not forgotten, oldest first.
    pub async fn facts(&self, user: UserId) -> Result<Vec<StoredFact>> {
        self.read(move |connection| {
            let sql = format!("{SELECT} WHERE f.user = ?1 ORDER BY f.id");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([user.get()], read_fact)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    pub async fn fact(&self, user: UserId, id: FactId) -> Result<StoredFact> {
        self.read(move |connection| find(connection, user, id)).await
    }

    /// Returns an id for a new fact.
    pub fn fact_id(&self) -> FactId {
        FactId::new(self.context().ids.next())
    }

    /// Applies changes to the facts in one transaction. `read` are messages that need not be examined again. Returns
    /// the facts that were learned, in order.
    pub async fn apply_fact_updates(
        &self,
        user: UserId,
        steps: Vec<FactUpdate>,
        read: Vec<MessageId>,
    ) -> Result<Vec<FactId>> {
        let context = self.context();
        self.write(Durability::Person, move |connection| {
            let mut learned = Vec::new();
            for step in &steps {
                learned.extend(settle(connection, &context, user, step)?);
            }
            let sql = "UPDATE messages SET reflected = 1 WHERE id = ?1 AND user = ?2";
            for message in &read {
                connection.prepare_cached(sql)?.execute(params![message.get(), user.get()])?;
            }
            Ok(learned)
        })
        .await
    }

    /// Sets the replacement of each fact.
    pub async fn link_facts(&self, user: UserId, links: Vec<(FactId, FactId)>) -> Result<()> {
        self.write(Durability::Person, move |connection| {
            let sql = "UPDATE facts SET superseded_by = ?3 WHERE id = ?1 AND user = ?2 AND id <> ?3";
            for (id, newer) in &links {
                connection.prepare_cached(sql)?.execute(params![id.get(), user.get(), newer.get()])?;
            }
            Ok(())
        })
        .await
    }

    /// Applies the usage history of imported facts.
    pub async fn restore_fact_usage(&self, user: UserId, carried: Vec<(FactId, FactUsage)>) -> Result<()> {
        let now = self.context().now;
        self.write(Durability::Person, move |connection| {
            let sql = "UPDATE facts SET created_at = ?3, updated_at = ?4, last_used_at = ?5, use_count = ?6, said_count = ?7
                       WHERE id = ?1 AND user = ?2";
            for (id, past) in &carried {
                let millis = |at: Timestamp| at.as_millisecond().min(now);
                let FactUsage { created_at, updated_at, last_used_at, use_count, said_count } = past;
                let values = params![
                    id.get(),
                    user.get(),
                    millis(*created_at),
                    millis(*updated_at),
                    last_used_at.map(millis),
                    use_count,
                    said_count
                ];
                connection.prepare_cached(sql)?.execute(values)?;
            }
            Ok(())
        })
        .await
    }

    /// Records that these facts were recalled.
    pub async fn use_facts(&self, user: UserId, ids: Vec<FactId>) -> Result<()> {
        let now = self.context().now;
        self.write(Durability::Log, move |connection| {
            let sql =
                "UPDATE facts SET use_count = use_count + 1, last_used_at = ?3 WHERE id = ?1 AND user = ?2";
            for id in &ids {
                connection.prepare_cached(sql)?.execute(params![id.get(), user.get(), now])?;
            }
            Ok(())
        })
        .await
    }

    /// Marks replacements as mentioned to the user.
    pub async fn mark_facts_mentioned(&self, user: UserId, ids: Vec<FactId>) -> Result<()> {
        self.write(Durability::Log, move |connection| {
            let sql = "UPDATE facts SET untold = 0 WHERE id = ?1 AND user = ?2";
            for id in &ids {
                connection.prepare_cached(sql)?.execute(params![id.get(), user.get()])?;
            }
            Ok(())
        })
        .await
    }

    /// Returns the changes of a fact, oldest first.
    pub async fn fact_changes(&self, user: UserId, id: FactId) -> Result<Vec<StoredFactChange>> {
        self.read(move |connection| {
            find(connection, user, id)?;
            let sql = format!("{CHANGES} WHERE c.fact = ?1 ORDER BY c.id");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([id.get()], read_change)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Returns the changes of all facts, newest first, before a given change number, each with its number.
    pub async fn latest_fact_changes(
        &self,
        user: UserId,
        before: Option<i64>,
        limit: u32,
    ) -> Result<Vec<(i64, StoredFactChange)>> {
        self.read(move |connection| {
            let sql = format!(
                "{CHANGES} JOIN facts f ON f.id = c.fact WHERE f.user = ?1 AND c.id < ?2 ORDER BY c.id DESC LIMIT ?3"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let values = params![user.get(), before.unwrap_or(i64::MAX), limit];
            let rows = statement.query_map(values, |row| Ok((row.get("id")?, read_change(row)?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Undoes the last change of a fact. If it had replaced another fact, that one is current again.
    pub async fn undo_fact(&self, user: UserId, id: FactId) -> Result<StoredFact> {
        let context = self.context();
        self.write(Durability::Person, move |connection| {
            undo(connection, &context, user, id)?;
            find(connection, user, id)
        })
        .await
    }
}

fn settle(
    connection: &Connection,
    context: &WriteContext,
    user: UserId,
    step: &FactUpdate,
) -> Result<Option<FactId>> {
    let now = timestamp(context.now);
    match step {
        FactUpdate::Learn { id, new, replaces } => {
            let id = *id;
            insert(connection, context, user, id, new, !replaces.is_empty())?;
            note(connection, context, id, FactChangeKind::Learned, None, None)?;
            replace(connection, context, user, replaces, (id, new))?;
            return Ok(Some(id));
        }
        FactUpdate::Confirm { id, new, replaces } => {
            let before = find(connection, user, *id)?;
            let after = StoredFact {
                said: NewFact { private: before.said.private || new.private, ..new.clone() },
                updated_at: now,
                untold: !replaces.is_empty(),
                doubted_by: None,
                ..before.clone()
            };
            update(connection, &after)?;
            note(connection, context, *id, FactChangeKind::Confirmed, Some(&before), None)?;
            replace(connection, context, user, replaces, (*id, new))?;
            return Ok(Some(*id));
        }
        FactUpdate::Repeat { id, confidence } => {
            let before = find(connection, user, *id)?;
            let after = StoredFact {
                said: NewFact { confidence: *confidence, ..before.said.clone() },
                updated_at: now,
                said_count: before.said_count.saturating_add(1),
                doubted_by: None,
                ..before.clone()
            };
            update(connection, &after)?;
            note(connection, context, *id, FactChangeKind::Repeated, Some(&before), None)?;
        }
        FactUpdate::End { id, at } => {
            let before = find(connection, user, *id)?;
            let said = NewFact { status: FactStatus::Expired, valid_to: Some(*at), ..before.said.clone() };
            update(connection, &StoredFact { said, untold: true, ..before.clone() })?;
            note(connection, context, *id, FactChangeKind::Expired, Some(&before), None)?;
        }
        FactUpdate::Doubt { id, by } => {
            let before = find(connection, user, *id)?;
            update(connection, &StoredFact { doubted_by: Some(*by), ..before.clone() })?;
            note(connection, context, *id, FactChangeKind::Doubted, Some(&before), None)?;
        }
        FactUpdate::Change { fact, kind } => {
            let before = find(connection, user, fact.id)?;
            update(connection, &used_like(fact, &before))?;
            note(connection, context, fact.id, *kind, Some(&before), None)?;
        }
        FactUpdate::Merge { into, others } => {
            let before = find(connection, user, into.id)?;
            update(connection, &used_like(into, &before))?;
            note(
                connection,
                context,
                into.id,
                FactChangeKind::Merged,
                Some(&before),
                others.first().copied(),
            )?;
            for &other in others {
                let before = find(connection, user, other)?;
                let said = NewFact { status: FactStatus::Merged, ..before.said.clone() };
                update(connection, &StoredFact { said, superseded_by: Some(into.id), ..before.clone() })?;
                note(connection, context, other, FactChangeKind::Merged, Some(&before), Some(into.id))?;
            }
        }
    }
    Ok(None)
}

/// Marks other facts as replaced by this one.
fn replace(
    connection: &Connection,
    context: &WriteContext,
    user: UserId,
    others: &[FactId],
    (id, new): (FactId, &NewFact),
) -> Result<()> {
    for &old in others {
        let before = find(connection, user, old)?;
        let ended = before.said.valid_to.or(new.valid_from).or(Some(timestamp(context.now)));
        let said = NewFact { status: FactStatus::Superseded, valid_to: ended, ..before.said.clone() };
        update(connection, &StoredFact { said, superseded_by: Some(id), ..before.clone() })?;
        note(connection, context, old, FactChangeKind::Superseded, Some(&before), Some(id))?;
        note(connection, context, id, FactChangeKind::Replaced, None, Some(old))?;
    }
    Ok(())
}

/// Keeps the usage fields of the current row, which may have changed since the caller read the fact.
fn used_like(fact: &StoredFact, now: &StoredFact) -> StoredFact {
    StoredFact {
        last_used_at: now.last_used_at,
        use_count: now.use_count,
        untold: now.untold,
        ..fact.clone()
    }
}

fn undo(connection: &Connection, context: &WriteContext, user: UserId, id: FactId) -> Result<()> {
    let sql = format!("{CHANGES} WHERE c.fact = ?1 ORDER BY c.id DESC LIMIT 1");
    let last = connection
        .prepare_cached(&sql)?
        .query_row([id.get()], |row| Ok((row.get::<_, i64>("id")?, read_change(row)?)))
        .optional()?;
    let nothing = StoreError::Conflict("there is nothing to undo");
    let (number, change) = last.ok_or(nothing.clone())?;
    let drop_change = |number: i64| connection.execute("DELETE FROM fact_changes WHERE id = ?1", [number]);
    match (change.kind, &change.before, change.other) {
        // The fact that was replaced becomes current again.
        (FactChangeKind::Replaced, _, Some(other)) => {
            undo(connection, context, user, other)?;
        }
        (FactChangeKind::Superseded, Some(before), newer) => {
            update(connection, before)?;
            drop_change(number)?;
            if let Some(newer) = newer {
                let sql = "DELETE FROM fact_changes WHERE fact = ?1 AND kind = ?2 AND other = ?3";
                connection
                    .execute(sql, params![newer.get(), FactChangeKind::Replaced.keyword(), id.get()])?;
                let was = find(connection, user, newer)?;
                let said = NewFact { status: FactStatus::Superseded, ..was.said.clone() };
                update(
                    connection,
                    &StoredFact { said, superseded_by: Some(id), untold: false, ..was.clone() },
                )?;
                note(connection, context, newer, FactChangeKind::Superseded, Some(&was), Some(id))?;
                note(connection, context, id, FactChangeKind::Replaced, None, Some(newer))?;
            }
        }
        // The fact that others were merged into remains; only the merged ones are restored.
        (FactChangeKind::Merged, Some(before), other) => {
            update(connection, before)?;
            drop_change(number)?;
            let sql = "SELECT id FROM facts WHERE superseded_by = ?1 AND status = ?2";
            let mut statement = connection.prepare_cached(sql)?;
            let rows =
                statement.query_map(params![id.get(), FactStatus::Merged.keyword()], |row| row.get(0))?;
            let merged: Vec<i64> = rows.collect::<rusqlite::Result<_>>()?;
            if before.said.status != FactStatus::Merged && other.is_some() {
                for other in merged {
                    undo(connection, context, user, FactId::new(other))?;
                }
            }
        }
        (_, Some(before), _) => {
            update(connection, before)?;
            drop_change(number)?;
        }
        _ => return Err(nothing),
    }
    Ok(())
}
