use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use protocol::{
    Act, ConversationId, ErrorCode, MessageId, MessageStatus, Origin, PlanStep, Role, StopReason, UserId,
};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};

use crate::acts;
use crate::conversations::{VisibleConversation, summary};
use crate::error::Result;
use crate::rounds::{self, Round};
use crate::store::Store;
use crate::stored::RowExt;

/// The format version of [`ExportedConversation`]. A higher number comes from a newer version of the program.
pub(crate) const FORMAT: u32 = 1;

/// A conversation with all its branches, as one self-contained JSON document. Times are RFC 3339.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedConversation {
    pub format: u32,
    pub id: ConversationId,
    pub title: String,
    /// False if the program generated the title and may replace it.
    #[serde(default)]
    pub titled_by_person: bool,
    pub created_at: String,
    pub updated_at: String,
    #[serde(default)]
    pub pinned: bool,
    #[serde(default)]
    pub folder: Option<String>,
    #[serde(default)]
    pub tags: Vec<String>,
    /// The last message of the active branch.
    #[serde(default)]
    pub leaf: Option<MessageId>,
    pub messages: Vec<ExportedMessage>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedMessage {
    pub id: MessageId,
    #[serde(default)]
    pub parent: Option<MessageId>,
    pub role: Role,
    pub content: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    pub created_at: String,
    pub status: MessageStatus,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_reason: Option<StopReason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error_code: Option<ErrorCode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attachments: Vec<ExportedAttachment>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub acts: Vec<Act>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rounds: Vec<Round>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub origins: Vec<Origin>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plan: Vec<PlanStep>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportedAttachment {
    pub name: String,
    pub mime: String,
    /// The data, encoded as Base64.
    pub data: String,
}

impl Store {
    /// Returns all conversations of a user that [`Store::export_conversation`] can export, oldest first.
    pub async fn conversation_ids(&self, user: UserId) -> Result<Vec<ConversationId>> {
        self.read(move |connection| {
            let sql = "SELECT id FROM conversations WHERE user = ?1 AND deleted_at IS NULL ORDER BY id";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([user.get()], |row| row.get(0).map(ConversationId::new))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    pub async fn export_conversation(
        &self,
        user: UserId,
        id: ConversationId,
    ) -> Result<ExportedConversation> {
        self.home(id.get())
            .read(move |connection| {
                let leaf = VisibleConversation::find(connection, user, id)?.leaf;
                let chat = summary(connection, user, id)?;
                let sql = "SELECT titled_by = 'person' FROM conversations WHERE id = ?1";
                Ok(ExportedConversation {
                    format: FORMAT,
                    id,
                    title: chat.title,
                    titled_by_person: connection
                        .prepare_cached(sql)?
                        .query_row([id.get()], |row| row.get(0))?,
                    created_at: chat.created_at,
                    updated_at: chat.updated_at,
                    pinned: chat.pinned,
                    folder: chat.folder,
                    tags: chat.tags,
                    leaf: leaf.map(MessageId::new),
                    messages: messages(connection, id)?,
                })
            })
            .await
    }
}

fn messages(connection: &Connection, conversation: ConversationId) -> Result<Vec<ExportedMessage>> {
    let sql = "SELECT id, parent, role, content, reasoning, context, created_at, status, stop_reason, error,
                      error_code, model, origins, plan
               FROM messages WHERE conversation = ?1 ORDER BY id";
    let mut statement = connection.prepare_cached(sql)?;
    let mut messages =
        statement.query_map([conversation.get()], read_message)?.collect::<rusqlite::Result<Vec<_>>>()?;
    let mut attached = connection
        .prepare_cached("SELECT name, mime, data FROM attachments WHERE message = ?1 ORDER BY id")?;
    for message in &mut messages {
        let rows = attached.query_map(params![message.id.get()], |row| {
            Ok(ExportedAttachment {
                name: row.get("name")?,
                mime: row.get("mime")?,
                data: STANDARD.encode(row.get_ref("data")?.as_blob()?),
            })
        })?;
        message.attachments = rows.collect::<rusqlite::Result<_>>()?;
        message.acts = acts::of_message(connection, message.id)?;
        message.rounds = rounds::of_message(connection, message.id)?;
    }
    Ok(messages)
}

fn read_message(row: &Row<'_>) -> rusqlite::Result<ExportedMessage> {
    Ok(ExportedMessage {
        id: MessageId::new(row.get("id")?),
        parent: row.get::<_, Option<i64>>("parent")?.map(MessageId::new),
        role: row.keyword("role")?,
        content: row.get("content")?,
        reasoning: row.get("reasoning")?,
        context: row.get("context")?,
        created_at: row.time("created_at")?,
        status: row.keyword("status")?,
        stop_reason: row.optional_keyword("stop_reason")?,
        error: row.get("error")?,
        error_code: row.optional_keyword("error_code")?,
        model: row.get("model")?,
        attachments: Vec::new(),
        acts: Vec::new(),
        rounds: Vec::new(),
        origins: row.json_or_default("origins")?,
        plan: row.json_or_default("plan")?,
    })
}
