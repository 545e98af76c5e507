use protocol::{Act, ConversationId, MessageId, PinnedAct, TurnId, UserId};
use rusqlite::{Connection, Row, params};

use crate::conversations::VisibleConversation;
use crate::error::{ObjectKind, OrNotFound, Result, StoreError};
use crate::store::Store;
use crate::stored::{Keyword, RowExt, to_json};
use crate::turn_rows;
use crate::writer::Durability;

const COLUMNS: &str = "a.id, a.name, a.status, a.ms, a.at, a.pinned, a.args, a.result, a.command";

impl Store {
    /// Stores a tool call of a turn, before it is reported.
    pub async fn store_tool_call(&self, turn: TurnId, act: Act) -> Result<()> {
        self.home(turn.get())
            .write(Durability::Log, move |connection| {
                let (message, user) =
                    (turn_rows::message_of(connection, turn)?, turn_rows::user_of(connection, turn)?);
                insert(connection, user, message, &act)
            })
            .await
    }

    /// Returns a tool call of this user by id.
    pub async fn act(&self, user: UserId, id: &str) -> Result<Act> {
        match (self.act_of(user, id).await, self.opened_incognito()) {
            (Err(StoreError::NotFound(_)), Some(incognito)) => incognito.act_of(user, id).await,
            (found, _) => found,
        }
    }

    async fn act_of(&self, user: UserId, id: &str) -> Result<Act> {
        let id = id.to_owned();
        self.read(move |connection| {
            let sql = format!(
                "SELECT {COLUMNS} FROM acts a
                 JOIN messages m ON m.id = a.message JOIN conversations c ON c.id = m.conversation
                 WHERE a.id = ?1 AND a.user = ?2 AND c.deleted_at IS NULL"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            statement.query_row(params![id, user.get()], read).or_not_found(ObjectKind::Act)
        })
        .await
    }

    /// Pins or unpins a tool call.
    pub async fn pin(
        &self,
        user: UserId,
        conversation: ConversationId,
        message: MessageId,
        act: &str,
        pinned: bool,
    ) -> Result<()> {
        let act = act.to_owned();
        self.home(conversation.get())
            .write(Durability::Person, move |connection| {
                VisibleConversation::find(connection, user, conversation)?;
                let sql =
                    "UPDATE acts SET pinned = ?4 WHERE id = ?1 AND message = ?2 AND user = ?3 AND message IN
                       (SELECT id FROM messages WHERE conversation = ?5)";
                let values = params![act, message.get(), user.get(), pinned, conversation.get()];
                let changed = connection.prepare_cached(sql)?.execute(values)?;
                if changed == 0 { Err(StoreError::NotFound(ObjectKind::Act)) } else { Ok(()) }
            })
            .await
    }
}

pub(crate) fn insert(connection: &Connection, user: UserId, message: MessageId, act: &Act) -> Result<()> {
    let sql = "INSERT INTO acts (id, user, message, ord, name, status, ms, at, pinned, args, result, command)
               VALUES (?1, ?2, ?3, (SELECT ifnull(max(ord), 0) + 1 FROM acts WHERE message = ?3), ?4, ?5, ?6, ?7, ?8,
                       ?9, ?10, ?11)";
    connection.prepare_cached(sql)?.execute(params![
        act.id,
        user.get(),
        message.get(),
        act.name,
        act.status.keyword(),
        act.ms,
        act.at,
        act.pinned,
        to_json(&act.args)?,
        act.result.as_ref().map(to_json).transpose()?,
        act.command.as_ref().map(to_json).transpose()?,
    ])?;
    Ok(())
}

pub(crate) fn of_message(connection: &Connection, message: MessageId) -> Result<Vec<Act>> {
    let sql = format!("SELECT {COLUMNS} FROM acts a WHERE a.message = ?1 ORDER BY a.at, a.ord");
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([message.get()], read)?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Returns the pinned tool calls of a conversation in all its branches, oldest first.
pub(crate) fn pinned(connection: &Connection, conversation: ConversationId) -> Result<Vec<PinnedAct>> {
    let sql = format!(
        "SELECT {COLUMNS}, a.message FROM acts a JOIN messages m ON m.id = a.message
         WHERE m.conversation = ?1 AND a.pinned = 1 ORDER BY a.message, a.ord"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([conversation.get()], |row| {
        Ok(PinnedAct { message_id: MessageId::new(row.get("message")?), act: read(row)? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn read(row: &Row<'_>) -> rusqlite::Result<Act> {
    Ok(Act {
        id: row.get("id")?,
        name: row.get("name")?,
        args: row.json("args")?,
        status: row.keyword("status")?,
        result: row.json_or_default("result")?,
        ms: row.get("ms")?,
        command: row.json_or_default("command")?,
        at: row.get("at")?,
        pinned: row.get("pinned")?,
    })
}
