use std::collections::HashMap;

use jiff::Timestamp;
use protocol::{ConversationId, MemoryItem, MemoryKind, MessageId, Origin, Role, TurnId, UserId};
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::Deserialize;

use crate::error::Result;
use crate::rounds::list;
use crate::store::Store;
use crate::stored::{RowExt, count, timestamp};
use crate::turn_rows;
use crate::writer::Durability;

/// The number of changes kept for followers. A follower that is further behind reads everything again.
const KEPT_CHANGES: i64 = 20_000;

/// A message that can be recalled.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallableMessage {
    pub id: MessageId,
    pub user: UserId,
    pub conversation: ConversationId,
    pub role: Role,
    pub at: Timestamp,
    pub content: String,
    pub origins: Vec<Origin>,
    pub title: String,
    /// True if it has been searched for facts.
    pub is_read: bool,
    /// True if it was imported: the user wrote it in another program. Such a message has origins but no stored prompt
    /// context.
    pub is_foreign: bool,
    /// The memories that were recalled for it, if it is a reply.
    pub drawn: Vec<RecalledMemory>,
}

/// A memory that was in the model's context when it answered.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RecalledMemory {
    pub kind: MemoryKind,
    pub id: String,
}

/// The summary of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct RecallableSummary {
    pub conversation: ConversationId,
    pub up_to: MessageId,
    pub at: Timestamp,
    pub text: String,
    pub origins: Vec<Origin>,
    pub title: String,
}

/// An object that has changed: its kind, and the id of the fact, message, entry or conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MemoryChange {
    Fact(i64),
    Message(MessageId),
    Entry(i64),
    /// The summary of the conversation.
    Summary(ConversationId),
    /// The conversation was deleted or restored.
    Conversation(ConversationId),
}

/// The changes since a follower's position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemoryChanges {
    Changes {
        changes: Vec<MemoryChange>,
        seq: i64,
    },
    /// The follower is too far behind: it has to read everything, and continues from here.
    Lost {
        seq: i64,
    },
}

impl Store {
    /// Returns, in order, what changed after change number `seq`, except objects of other users.
    pub async fn memory_changes(&self, user: UserId, seq: i64) -> Result<MemoryChanges> {
        self.read(move |connection| {
            // As one query over both, SQLite would scan all rows.
            let bounds = "SELECT ifnull((SELECT min(seq) FROM memory_changes), 0),
                                 ifnull((SELECT max(seq) FROM memory_changes), 0)";
            let (oldest, newest): (i64, i64) =
                connection.prepare_cached(bounds)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            if seq + 1 < oldest || newest < seq {
                return Ok(MemoryChanges::Lost { seq: newest });
            }
            // The owner of a deleted object is not known, so every user gets the change.
            let sql = "SELECT kind, item FROM memory_changes c WHERE seq > ?1 AND ?2 = CASE kind
                           WHEN 'fact' THEN ifnull((SELECT user FROM facts WHERE id = c.item), ?2)
                           WHEN 'message' THEN ifnull((SELECT user FROM messages WHERE id = c.item), ?2)
                           WHEN 'entry' THEN ifnull((SELECT user FROM vector_entries WHERE id = c.item), ?2)
                           ELSE ifnull((SELECT user FROM conversations WHERE id = c.item), ?2) END
                       ORDER BY seq";
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query([seq, user.get()])?;
            let mut changes = Vec::new();
            while let Some(row) = rows.next()? {
                let item = row.get("item")?;
                let kind: String = row.get("kind")?;
                changes.push(match kind.as_str() {
                    "fact" => MemoryChange::Fact(item),
                    "entry" => MemoryChange::Entry(item),
                    "summary" => MemoryChange::Summary(ConversationId::new(item)),
                    "conversation" => MemoryChange::Conversation(ConversationId::new(item)),
                    _ => MemoryChange::Message(MessageId::new(item)),
                });
            }
            Ok(MemoryChanges::Changes { changes, seq: newest })
        })
        .await
    }

    /// Returns the number of the last change.
    pub async fn memory_seq(&self) -> Result<i64> {
        self.read(|connection| {
            let sql = "SELECT ifnull(max(seq), 0) FROM memory_changes";
            Ok(connection.prepare_cached(sql)?.query_row([], |row| row.get(0))?)
        })
        .await
    }

    /// Deletes changes that no follower is likely to ask for.
    pub async fn trim_memory_changes(&self) -> Result<()> {
        self.write(Durability::Log, |connection| {
            let sql = "DELETE FROM memory_changes WHERE seq <= (SELECT max(seq) FROM memory_changes) - ?1";
            connection.prepare_cached(sql)?.execute([KEPT_CHANGES])?;
            Ok(())
        })
        .await
    }

    /// Returns the messages after a given one, oldest first.
    pub async fn said_after(
        &self,
        user: UserId,
        after: MessageId,
        limit: u32,
    ) -> Result<Vec<RecallableMessage>> {
        self.read(move |connection| {
            let sql = format!("{SELECT} AND m.user = ?1 AND m.id > ?2 ORDER BY m.id LIMIT ?3");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params![user.get(), after.get(), limit], read_said)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Returns those of these messages that can be recalled.
    pub async fn said(
        &self,
        user: UserId,
        ids: impl IntoIterator<Item = MessageId>,
    ) -> Result<HashMap<MessageId, RecallableMessage>> {
        let ids: Vec<MessageId> = ids.into_iter().collect();
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        self.read(move |connection| said(connection, user, ids)).await
    }

    /// Returns those of these messages that can be recalled and are in the active branches, without text that the user
    /// has replaced by an edit. Messages more than [`MAX_BRANCH`] messages back count as active.
    pub async fn shown(
        &self,
        user: UserId,
        ids: Vec<MessageId>,
    ) -> Result<HashMap<MessageId, RecallableMessage>> {
        self.read(move |connection| {
            let mut found = said(connection, user, ids)?;
            let mut conversations: HashMap<ConversationId, Vec<MessageId>> = HashMap::new();
            for said in found.values() {
                conversations.entry(said.conversation).or_default().push(said.id);
            }
            for (conversation, ids) in conversations {
                if !has_branches(connection, conversation)? {
                    continue;
                }
                let oldest = ids.iter().min().copied().unwrap_or(MessageId::new(0));
                let branch = branch(connection, conversation, oldest)?;
                let end = branch.last().copied().unwrap_or(MessageId::new(i64::MAX));
                let is_far = |id: MessageId| branch.len() >= MAX_BRANCH && id < end;
                for id in ids.into_iter().filter(|&id| !branch.contains(&id) && !is_far(id)) {
                    found.remove(&id);
                }
            }
            Ok(found)
        })
        .await
    }

    /// Returns all messages of a conversation that can be recalled, oldest first.
    pub async fn said_in(
        &self,
        user: UserId,
        conversation: ConversationId,
    ) -> Result<Vec<RecallableMessage>> {
        self.read(move |connection| {
            let sql = format!("{SELECT} AND m.user = ?1 AND m.conversation = ?2 ORDER BY m.id");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params![user.get(), conversation.get()], read_said)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Returns user messages that have not been searched for facts yet, oldest first. Messages whose reply is still
    /// being written are left out.
    pub async fn unread(&self, limit: u32) -> Result<Vec<RecallableMessage>> {
        self.read(move |connection| {
            let sql = format!(
                "{SELECT} AND m.reflected = 0 AND m.role = 'user'
                 AND NOT EXISTS (SELECT 1 FROM turns t WHERE t.user_message = m.id AND t.ended_at IS NULL)
                 ORDER BY m.id LIMIT ?1"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([limit], read_said)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Returns recent user messages that have been searched for facts by patterns but not by the model. Imported messages
    /// are left out.
    pub async fn unread_by_model(&self, limit: u32) -> Result<Vec<RecallableMessage>> {
        self.read(move |connection| {
            let sql = format!(
                "{SELECT} AND m.reflected = 1 AND m.role = 'user'
                 AND NOT (m.context IS NULL AND m.origins IS NOT NULL)
                 AND m.id IN (SELECT id FROM messages ORDER BY id DESC LIMIT {RECENT}) ORDER BY m.id LIMIT ?1"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([limit], read_said)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Records that the model has searched a message for facts.
    pub async fn read_by_model(&self, id: MessageId) -> Result<()> {
        self.write(Durability::Log, move |connection| {
            let sql = "UPDATE messages SET reflected = 2 WHERE id = ?1";
            connection.prepare_cached(sql)?.execute([id.get()])?;
            Ok(())
        })
        .await
    }

    /// Returns the newest summary of each conversation, or of one.
    pub async fn summaries(
        &self,
        user: UserId,
        conversation: Option<ConversationId>,
    ) -> Result<Vec<RecallableSummary>> {
        self.read(move |connection| {
            let sql = "SELECT e.conversation, e.up_to, e.created_at, f.text, e.origins, c.title FROM epochs e
                       JOIN fragments f ON f.id = e.summary JOIN conversations c ON c.id = e.conversation
                       WHERE c.user = ?1 AND c.deleted_at IS NULL AND (?2 IS NULL OR c.id = ?2)
                         AND e.id = (SELECT max(id) FROM epochs n
                                     WHERE n.conversation = e.conversation AND n.summary IS NOT NULL)";
            let mut statement = connection.prepare_cached(sql)?;
            let values = params![user.get(), conversation.map(ConversationId::get)];
            let rows = statement.query_map(values, |row| {
                Ok(RecallableSummary {
                    conversation: ConversationId::new(row.get("conversation")?),
                    up_to: MessageId::new(row.get("up_to")?),
                    at: timestamp(row.get("created_at")?),
                    text: row.get("text")?,
                    origins: row.json_or_default("origins")?,
                    title: row.get("title")?,
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Stores the memories that were recalled for a reply.
    pub async fn keep_memory(&self, turn: TurnId, items: Vec<MemoryItem>) -> Result<()> {
        self.home(turn.get())
            .write(Durability::Log, move |connection| {
                let message = turn_rows::message_of(connection, turn)?;
                let sql = "UPDATE messages SET memory = ?2 WHERE id = ?1";
                connection.prepare_cached(sql)?.execute(params![message.get(), list(&items)?])?;
                Ok(())
            })
            .await
    }

    pub async fn file_origins(&self, user: UserId) -> Result<Vec<(String, Vec<Origin>)>> {
        self.read(move |connection| {
            let sql = "SELECT name, origins FROM memory_files WHERE user = ?1";
            let mut statement = connection.prepare_cached(sql)?;
            let rows =
                statement.query_map([user.get()], |row| Ok((row.get("name")?, row.json("origins")?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Sets the origins of a memory file. Without any, it counts as written by the user.
    pub async fn set_file_origins(&self, user: UserId, name: &str, origins: Vec<Origin>) -> Result<()> {
        let name = name.to_owned();
        self.write(Durability::Person, move |connection| {
            let sql = "DELETE FROM memory_files WHERE user = ?1 AND name = ?2";
            connection.prepare_cached(sql)?.execute(params![user.get(), name])?;
            if let Some(origins) = list(&origins)? {
                let sql = "INSERT INTO memory_files (user, name, origins) VALUES (?1, ?2, ?3)";
                connection.prepare_cached(sql)?.execute(params![user.get(), name, origins])?;
            }
            Ok(())
        })
        .await
    }
}

/// The number of messages that are followed back from the end of a branch, which takes a millisecond.
const MAX_BRANCH: usize = 1_000;

/// Returns true if a conversation has messages outside its active branch. Most have none, and their branch need not be
/// followed.
fn has_branches(connection: &Connection, conversation: ConversationId) -> Result<bool> {
    let sql = "SELECT EXISTS (SELECT 1 FROM messages WHERE conversation = ?1 GROUP BY parent HAVING count(*) > 1)
                   OR EXISTS (SELECT 1 FROM conversations c LEFT JOIN messages m ON m.conversation = c.id AND m.parent = c.leaf
                              WHERE c.id = ?1 AND (c.leaf IS NULL OR m.id IS NOT NULL))";
    Ok(connection.prepare_cached(sql)?.query_row([conversation.get()], |row| row.get(0))?)
}

/// Returns the messages of a conversation's active branch, newest first, no further back than `oldest`.
fn branch(
    connection: &Connection,
    conversation: ConversationId,
    oldest: MessageId,
) -> Result<Vec<MessageId>> {
    let sql = "WITH RECURSIVE branch (id, parent) AS (
                   SELECT m.id, m.parent FROM conversations c JOIN messages m ON m.id = c.leaf WHERE c.id = ?1
                   UNION ALL
                   SELECT m.id, m.parent FROM branch b JOIN messages m ON m.id = b.parent
                   WHERE m.id >= ?2 LIMIT ?3)
               SELECT id FROM branch ORDER BY id DESC";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(params![conversation.get(), oldest.get(), count(MAX_BRANCH)], |row| {
        row.get(0).map(MessageId::new)
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

fn said(
    connection: &Connection,
    user: UserId,
    ids: Vec<MessageId>,
) -> Result<HashMap<MessageId, RecallableMessage>> {
    let sql = format!("{SELECT} AND m.user = ?1 AND m.id = ?2");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut found = HashMap::with_capacity(ids.len());
    for id in ids {
        let said = statement.query_row(params![user.get(), id.get()], read_said).optional()?;
        found.extend(said.map(|said| (id, said)));
    }
    Ok(found)
}

/// The number of most recent messages that the model searches for facts.
const RECENT: u32 = 200;

const SELECT: &str = "SELECT m.id, m.user, m.conversation, m.role, m.created_at, m.content, m.origins, m.memory, c.title,
        m.reflected > 0 AS is_read, m.role = 'user' AND m.context IS NULL AND m.origins IS NOT NULL AS is_foreign
    FROM messages m JOIN conversations c ON c.id = m.conversation
    WHERE c.deleted_at IS NULL AND m.content <> '' AND m.status <> 'streaming'";

fn read_said(row: &rusqlite::Row<'_>) -> rusqlite::Result<RecallableMessage> {
    Ok(RecallableMessage {
        id: MessageId::new(row.get("id")?),
        user: UserId::new(row.get("user")?),
        conversation: ConversationId::new(row.get("conversation")?),
        role: row.keyword("role")?,
        at: timestamp(row.get("created_at")?),
        content: row.get("content")?,
        origins: row.json_or_default("origins")?,
        title: row.get("title")?,
        is_read: row.get("is_read")?,
        is_foreign: row.get("is_foreign")?,
        drawn: row.json_or_default("memory")?,
    })
}
