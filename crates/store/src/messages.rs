use jiff::Timestamp;
use protocol::{AttachmentInfo, ConversationId, MessageId, MessageStatus, Origin, Role, UserId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::attachments;
use crate::conversations::VisibleConversation;
use crate::error::{ObjectKind, OrNotFound, Result, StoreError};
use crate::rounds::{self, Round};
use crate::store::Store;
use crate::stored::{Keyword, RowExt, timestamp};
use crate::writer::Durability;

/// A message with the data that a prompt needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PathMessage {
    pub id: MessageId,
    pub parent: Option<MessageId>,
    pub role: Role,
    pub content: String,
    pub reasoning: Option<String>,
    /// The context that preceded it in the prompt, fixed when it was first sent.
    pub context: Option<String>,
    pub status: MessageStatus,
    pub created_at: Timestamp,
    pub attachments: Vec<AttachmentInfo>,
    /// The rounds of the reply, if tools were used. `content` is the visible part.
    pub rounds: Vec<Round>,
    /// Origins of its content, apart from the user and the companion.
    pub origins: Vec<Origin>,
}

impl Store {
    /// Returns the companion's replies to a message, on every branch.
    pub async fn answers_to(&self, user: UserId, message: MessageId) -> Result<Vec<MessageId>> {
        self.read(move |connection| {
            let sql = "SELECT id FROM messages WHERE parent = ?1 AND user = ?2 AND role = 'assistant'
                       AND conversation = (SELECT conversation FROM messages WHERE id = ?1)";
            let mut statement = connection.prepare_cached(sql)?;
            let rows =
                statement.query_map([message.get(), user.get()], |row| row.get(0).map(MessageId::new))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Returns the branch that ends at `leaf`, oldest first; if `after` is given, only the messages after it.
    pub async fn path(
        &self,
        user: UserId,
        conversation: ConversationId,
        leaf: MessageId,
        after: Option<MessageId>,
    ) -> Result<Vec<PathMessage>> {
        self.home(conversation.get())
            .read(move |connection| {
                VisibleConversation::find(connection, user, conversation)?;
                let mut path = Vec::new();
                let mut next = Some(leaf);
                while let Some(id) = next.filter(|&id| Some(id) != after) {
                    let message = path_message(connection, conversation, id)?;
                    next = message.parent;
                    path.push(message);
                }
                path.reverse();
                Ok(path)
            })
            .await
    }

    /// Stores the context that preceded a user message in its prompt, with its origins. The first value is kept: a
    /// second call changes nothing.
    pub async fn freeze_context(
        &self,
        user: UserId,
        message: MessageId,
        context: &str,
        origins: Vec<Origin>,
    ) -> Result<()> {
        let context = context.to_owned();
        self.home(message.get()).write(Durability::Log, move |connection| {
            let sql = "UPDATE messages SET origins = iif(context IS NULL, ?4, origins), context = ifnull(context, ?3)
                       WHERE id = ?1 AND user = ?2";
            let values = params![message.get(), user.get(), context, rounds::list(&origins)?];
            let changed = connection.prepare_cached(sql)?.execute(values)?;
            if changed == 0 { Err(StoreError::NotFound(ObjectKind::Message)) } else { Ok(()) }
        })
        .await
    }
}

fn path_message(connection: &Connection, conversation: ConversationId, id: MessageId) -> Result<PathMessage> {
    let sql = "SELECT parent, role, status, created_at, content, reasoning, context, origins FROM messages
               WHERE id = ?1 AND conversation = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row(params![id.get(), conversation.get()], |row| {
        Ok(PathMessage {
            id,
            parent: row.get::<_, Option<i64>>("parent")?.map(MessageId::new),
            role: row.keyword("role")?,
            content: row.get("content")?,
            reasoning: row.get("reasoning")?,
            context: row.get("context")?,
            status: row.keyword("status")?,
            created_at: timestamp(row.get("created_at")?),
            attachments: Vec::new(),
            rounds: Vec::new(),
            origins: row.json_or_default("origins")?,
        })
    });
    let message = found.or_not_found(ObjectKind::Message)?;
    let rounds = match message.role {
        Role::User => Vec::new(),
        Role::Assistant => rounds::of_message(connection, id)?,
    };
    Ok(PathMessage { attachments: attachments::of_message(connection, id)?, rounds, ..message })
}

/// A message with its position in the tree.
pub(crate) struct MessageNode {
    pub(crate) conversation: ConversationId,
    pub(crate) parent: Option<i64>,
    pub(crate) role: Role,
}

impl MessageNode {
    /// Finds a message of a conversation that its owner can see.
    pub(crate) fn find(connection: &Connection, user: UserId, id: MessageId) -> Result<Self> {
        let sql = "SELECT m.conversation, m.parent, m.role FROM messages m
                   JOIN conversations c ON c.id = m.conversation
                   WHERE m.id = ?1 AND m.user = ?2 AND c.deleted_at IS NULL";
        let mut statement = connection.prepare_cached(sql)?;
        let found = statement.query_row(params![id.get(), user.get()], |row| {
            Ok(Self {
                conversation: ConversationId::new(row.get("conversation")?),
                parent: row.get("parent")?,
                role: row.keyword("role")?,
            })
        });
        found.or_not_found(ObjectKind::Message)
    }
}

/// A row to insert. Columns not named here start empty.
pub(crate) struct NewMessage<'a> {
    pub(crate) id: MessageId,
    pub(crate) user: UserId,
    pub(crate) conversation: ConversationId,
    pub(crate) parent: Option<i64>,
    pub(crate) role: Role,
    pub(crate) status: MessageStatus,
    pub(crate) model: Option<&'a str>,
    pub(crate) created_at: i64,
    pub(crate) content: &'a str,
}

pub(crate) fn insert(connection: &Connection, new: &NewMessage<'_>) -> Result<()> {
    let sql =
        "INSERT INTO messages (id, seq, user, conversation, parent, role, status, model, created_at, content)
               VALUES (?1, (SELECT ifnull(max(seq), 0) + 1 FROM messages), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    connection.prepare_cached(sql)?.execute(params![
        new.id.get(),
        new.user.get(),
        new.conversation.get(),
        new.parent,
        new.role.keyword(),
        new.status.keyword(),
        new.model,
        new.created_at,
        new.content,
    ])?;
    Ok(())
}

/// Returns the sibling messages at one point of the tree, oldest first.
pub(crate) fn siblings(
    connection: &Connection,
    conversation: ConversationId,
    parent: Option<MessageId>,
) -> Result<Vec<MessageId>> {
    let sql = "SELECT id FROM messages WHERE conversation = ?1 AND parent IS ?2 ORDER BY id";
    let mut statement = connection.prepare_cached(sql)?;
    let rows =
        statement.query_map(params![conversation.get(), parent.map(MessageId::get)], |row| row.get(0))?;
    Ok(rows.map(|id| id.map(MessageId::new)).collect::<rusqlite::Result<_>>()?)
}

/// Returns the newest message in the subtree of this one, itself included. Children are newer than their parents, so it
/// is a leaf.
pub(crate) fn newest_below(
    connection: &Connection,
    conversation: ConversationId,
    id: MessageId,
) -> Result<MessageId> {
    let sql = "WITH RECURSIVE below (id) AS (
                   VALUES (?2)
                   UNION ALL
                   SELECT m.id FROM below JOIN messages m ON m.conversation = ?1 AND m.parent = below.id
               )
               SELECT max(id) FROM below";
    let mut statement = connection.prepare_cached(sql)?;
    let newest = statement.query_row(params![conversation.get(), id.get()], |row| row.get(0)).optional()?;
    Ok(newest.map_or(id, MessageId::new))
}
