use protocol::{ChatView, ConversationId, Message, MessageId, SummaryMark, TurnId, TurnInfo, UserId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::acts;
use crate::attachments;
use crate::conversations::{VisibleConversation, summary};
use crate::epochs;
use crate::error::{ObjectKind, OrNotFound, Result, StoreError};
use crate::messages::{newest_below, siblings};
use crate::store::Store;
use crate::stored::RowExt;
use crate::turns::{TURN_COLUMNS, read_turn};
use crate::writer::Durability;

impl Store {
    /// Returns the newest messages of the active branch, at most `limit`; with `before`, those that precede that
    /// message.
    pub async fn open_conversation(
        &self,
        user: UserId,
        id: ConversationId,
        before: Option<MessageId>,
        limit: u32,
    ) -> Result<ChatView> {
        self.home(id.get())
            .read(move |connection| {
                let live = VisibleConversation::find(connection, user, id)?;
                let leaf = live.leaf.map(MessageId::new);
                let last = match before {
                    Some(before) => message(connection, id, before)?.parent,
                    None => leaf,
                };
                let messages = page(connection, id, last, limit)?;
                let earlier = messages.first().filter(|first| first.parent.is_some()).map(|first| first.id);
                let epoch = epochs::newest(connection, id, leaf)?;
                Ok(ChatView {
                    chat: summary(connection, user, id)?,
                    messages,
                    before: earlier,
                    live: live_turn(connection, id)?,
                    summary: epoch
                        .and_then(|epoch| epoch.summary)
                        .map(|summary| SummaryMark { up_to: summary.up_to, text: summary.text }),
                    pinned: acts::pinned(connection, id)?,
                })
            })
            .await
    }

    /// Switches to the branch that contains this message, down to its newest leaf. Returns that leaf.
    pub async fn switch_branch(
        &self,
        user: UserId,
        conversation: ConversationId,
        message: MessageId,
    ) -> Result<MessageId> {
        self.home(conversation.get())
            .write(Durability::Person, move |connection| {
                VisibleConversation::find(connection, user, conversation)?;
                let sql = "SELECT 1 FROM messages WHERE id = ?1 AND conversation = ?2";
                let known =
                    connection.prepare_cached(sql)?.exists(params![message.get(), conversation.get()])?;
                if !known {
                    return Err(StoreError::NotFound(ObjectKind::Message));
                }
                let leaf = newest_below(connection, conversation, message)?;
                let sql = "UPDATE conversations SET leaf = ?2 WHERE id = ?1";
                connection.prepare_cached(sql)?.execute(params![conversation.get(), leaf.get()])?;
                Ok(leaf)
            })
            .await
    }

    /// Resets the active branch to end with this message, or to be empty. Later messages remain as another branch.
    /// Returns the previous last message.
    pub async fn rewind(
        &self,
        user: UserId,
        conversation: ConversationId,
        message: Option<MessageId>,
    ) -> Result<Option<MessageId>> {
        self.home(conversation.get())
            .write(Durability::Person, move |connection| {
                VisibleConversation::find(connection, user, conversation)?;
                let sql = "SELECT leaf FROM conversations WHERE id = ?1";
                let before: Option<i64> =
                    connection.prepare_cached(sql)?.query_row([conversation.get()], |row| row.get(0))?;
                let leaf = message.map(MessageId::get);
                let sql = "UPDATE conversations SET leaf = ?2 WHERE id = ?1
                           AND (?2 IS NULL OR EXISTS (SELECT 1 FROM messages WHERE id = ?2 AND conversation = ?1))";
                match connection.prepare_cached(sql)?.execute(params![conversation.get(), leaf])? {
                    0 => Err(StoreError::NotFound(ObjectKind::Message)),
                    _ => Ok(before.map(MessageId::new)),
                }
            })
            .await
    }

    /// Returns one message of a conversation.
    pub async fn message(
        &self,
        user: UserId,
        conversation: ConversationId,
        id: MessageId,
    ) -> Result<Message> {
        self.home(conversation.get())
            .read(move |connection| {
                VisibleConversation::find(connection, user, conversation)?;
                message(connection, conversation, id)
            })
            .await
    }
}

fn page(
    connection: &Connection,
    conversation: ConversationId,
    last: Option<MessageId>,
    limit: u32,
) -> Result<Vec<Message>> {
    let mut messages = Vec::new();
    let mut next = last;
    while let Some(id) = next.filter(|_| messages.len() < limit.max(1) as usize) {
        let message = message(connection, conversation, id)?;
        next = message.parent;
        messages.push(message);
    }
    messages.reverse();
    Ok(messages)
}

/// Returns one message in its wire format.
fn message(connection: &Connection, conversation: ConversationId, id: MessageId) -> Result<Message> {
    let sql =
        "SELECT m.parent, m.role, m.content, m.reasoning, m.created_at, m.status, m.stop_reason, m.error,
                      m.error_code, m.model, m.plan, m.memory, m.work, t.id AS turn,
                      iif(t.ended_at IS NULL, NULL, t.usage) AS usage
               FROM messages m LEFT JOIN turns t ON t.message = m.id WHERE m.id = ?1 AND m.conversation = ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row(params![id.get(), conversation.get()], |row| {
        Ok(Message {
            id,
            parent: row.get::<_, Option<i64>>("parent")?.map(MessageId::new),
            role: row.keyword("role")?,
            content: row.get("content")?,
            reasoning: row.get("reasoning")?,
            created_at: row.time("created_at")?,
            status: row.keyword("status")?,
            stop_reason: row.optional_keyword("stop_reason")?,
            error: row.get("error")?,
            error_code: row.optional_keyword("error_code")?,
            model: row.get("model")?,
            turn_id: row.get::<_, Option<i64>>("turn")?.map(TurnId::new),
            // An unreadable cost must not prevent the conversation from being opened.
            usage: row.get_ref("usage")?.as_str_or_null()?.and_then(|text| serde_json::from_str(text).ok()),
            attachments: Vec::new(),
            siblings: Vec::new(),
            acts: Vec::new(),
            plan: row.json_or_default("plan")?,
            memory: row.json_or_default("memory")?,
            // Data of a later version must not prevent the conversation from being opened.
            work: row.json_or_default("work").unwrap_or_default(),
        })
    });
    let message = found.or_not_found(ObjectKind::Message)?;
    Ok(Message {
        attachments: attachments::of_message(connection, id)?,
        siblings: siblings(connection, conversation, message.parent)?,
        acts: acts::of_message(connection, id)?,
        ..message
    })
}

/// Returns the first turn of the conversation that has not ended.
fn live_turn(connection: &Connection, conversation: ConversationId) -> Result<Option<TurnInfo>> {
    let sql = format!(
        "SELECT {TURN_COLUMNS} FROM turns WHERE conversation = ?1 AND ended_at IS NULL ORDER BY id LIMIT 1"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let turn = statement.query_row([conversation.get()], read_turn).optional()?;
    Ok(turn.map(|turn| turn.info()))
}
