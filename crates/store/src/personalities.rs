use jiff::Timestamp;
use protocol::{ConversationId, Dimension, MessageId, UserId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::error::{Result, StoreError};
use crate::store::{Store, WriteContext};
use crate::stored::{Keyword, RowExt, timestamp};
use crate::writer::Durability;

/// The number of changes kept per dimension. The current values are in the state.
const KEPT_MOVES: u32 = 500;
/// The number of manual changes that can be undone.
const KEPT_UNDO: u32 = 50;

/// A change in one dimension of the companion's personality.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredTraitChange {
    pub at: Timestamp,
    pub dimension: Dimension,
    pub value: f32,
    pub why: String,
    pub conversation: Option<ConversationId>,
    pub message: Option<MessageId>,
}

/// The companion's personality towards a user, as text that is opaque to the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredPersonality {
    pub state: String,
    pub updated_at: Timestamp,
    pub can_undo: bool,
}

impl Store {
    pub async fn personality(&self, user: UserId) -> Result<Option<StoredPersonality>> {
        self.read(move |connection| find(connection, user)).await
    }

    /// Returns the changes of the personality, oldest first.
    pub async fn personality_moves(&self, user: UserId) -> Result<Vec<StoredTraitChange>> {
        self.read(move |connection| {
            let sql = "SELECT at, dimension, value, why, conversation, message FROM personality_moves
                       WHERE user = ?1 ORDER BY id";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([user.get()], |row| {
                Ok(StoredTraitChange {
                    at: timestamp(row.get("at")?),
                    dimension: row.keyword("dimension")?,
                    value: row.get("value")?,
                    why: row.get("why")?,
                    conversation: row.get::<_, Option<i64>>("conversation")?.map(ConversationId::new),
                    message: row.get::<_, Option<i64>>("message")?.map(MessageId::new),
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Stores the personality and the changes that led to it; for a manual change, also the state that undoes it.
    pub async fn keep_personality(
        &self,
        user: UserId,
        state: String,
        moves: Vec<StoredTraitChange>,
        undo: Option<String>,
    ) -> Result<()> {
        let context = self.context();
        self.write(Durability::Person, move |connection| {
            crate::accounts::user_exists(connection, user)?;
            if let Some(undo) = undo {
                let sql = "INSERT INTO personality_undo (id, user, state) VALUES (?1, ?2, ?3)";
                connection.prepare_cached(sql)?.execute(params![context.ids.next(), user.get(), undo])?;
                let sql = "DELETE FROM personality_undo WHERE user = ?1 AND id NOT IN
                           (SELECT id FROM personality_undo WHERE user = ?1 ORDER BY id DESC LIMIT ?2)";
                connection.prepare_cached(sql)?.execute(params![user.get(), KEPT_UNDO])?;
            }
            keep(connection, &context, user, &state, &moves)
        })
        .await
    }

    /// Returns the state that undoes the last manual change, and removes it from the undo list.
    pub async fn undone_personality(&self, user: UserId) -> Result<String> {
        self.write(Durability::Person, move |connection| {
            let sql = "DELETE FROM personality_undo
                       WHERE id = (SELECT max(id) FROM personality_undo WHERE user = ?1) RETURNING state";
            let found =
                connection.prepare_cached(sql)?.query_row([user.get()], |row| row.get(0)).optional()?;
            found.ok_or(StoreError::Conflict("there is nothing to undo"))
        })
        .await
    }
}

fn find(connection: &Connection, user: UserId) -> Result<Option<StoredPersonality>> {
    let sql = "SELECT p.state, p.updated_at, EXISTS (SELECT 1 FROM personality_undo u WHERE u.user = p.user) AS undo
               FROM personalities p WHERE p.user = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row([user.get()], |row| {
        Ok(StoredPersonality {
            state: row.get("state")?,
            updated_at: timestamp(row.get("updated_at")?),
            can_undo: row.get("undo")?,
        })
    });
    Ok(found.optional()?)
}

fn keep(
    connection: &Connection,
    context: &WriteContext,
    user: UserId,
    state: &str,
    moves: &[StoredTraitChange],
) -> Result<()> {
    let sql = "INSERT INTO personalities (user, updated_at, state) VALUES (?1, ?2, ?3)
               ON CONFLICT (user) DO UPDATE SET updated_at = ?2, state = ?3";
    connection.prepare_cached(sql)?.execute(params![user.get(), context.now, state])?;
    for one in moves {
        let sql = "INSERT INTO personality_moves (id, user, at, dimension, value, why, conversation, message)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        connection.prepare_cached(sql)?.execute(params![
            context.ids.next(),
            user.get(),
            one.at.as_millisecond(),
            one.dimension.keyword(),
            one.value,
            one.why,
            one.conversation.map(ConversationId::get),
            one.message.map(MessageId::get),
        ])?;
        let sql = "DELETE FROM personality_moves WHERE user = ?1 AND dimension = ?2 AND id NOT IN
                   (SELECT id FROM personality_moves WHERE user = ?1 AND dimension = ?2 ORDER BY id DESC LIMIT ?3)";
        connection.prepare_cached(sql)?.execute(params![user.get(), one.dimension.keyword(), KEPT_MOVES])?;
    }
    Ok(())
}
