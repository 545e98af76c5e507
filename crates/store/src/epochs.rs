use jiff::Timestamp;
use protocol::{ConversationId, MessageId, Origin, UserId};
use rusqlite::{Connection, OptionalExtension, params};

use crate::conversations::VisibleConversation;
use crate::error::{ObjectKind, OrNotFound, Result};
use crate::fragments::keep;
use crate::rounds::list;
use crate::store::Store;
use crate::stored::{RowExt, timestamp};
use crate::writer::Durability;

/// The fixed beginning of a conversation's prompt, until the next epoch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptEpoch {
    pub system: String,
    pub summary: Option<EpochSummary>,
    pub created_at: Timestamp,
}

/// The summary that replaces the messages up to and including `up_to`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EpochSummary {
    pub text: String,
    pub up_to: MessageId,
    /// Origins of its content, apart from the user and the companion.
    pub origins: Vec<Origin>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPromptEpoch {
    pub system: String,
    pub summary: Option<EpochSummary>,
}

impl Store {
    pub async fn begin_epoch(
        &self,
        user: UserId,
        conversation: ConversationId,
        new: NewPromptEpoch,
    ) -> Result<PromptEpoch> {
        let now = self.home(conversation.get()).context().now;
        self.home(conversation.get())
            .write(Durability::Log, move |connection| {
                VisibleConversation::find(connection, user, conversation)?;
                let system = keep(connection, &new.system)?;
                let (summary, up_to) = match &new.summary {
                    Some(EpochSummary { text, up_to, .. }) => {
                        let sql = "SELECT 1 FROM messages WHERE id = ?1 AND conversation = ?2";
                        let known =
                            connection.query_row(sql, params![up_to.get(), conversation.get()], |_| Ok(()));
                        known.or_not_found(ObjectKind::Message)?;
                        (Some(keep(connection, text)?), Some(up_to.get()))
                    }
                    None => (None, None),
                };
                let origins = new.summary.as_ref().map_or(Ok(None), |summary| list(&summary.origins))?;
                let sql = "INSERT INTO epochs (conversation, system, summary, up_to, created_at, origins)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
                connection.execute(sql, params![conversation.get(), system, summary, up_to, now, origins])?;
                Ok(PromptEpoch { system: new.system, summary: new.summary, created_at: timestamp(now) })
            })
            .await
    }

    /// Returns the newest epoch that fits the branch ending at `leaf`: one without a summary, or one whose summary ends
    /// on that branch.
    pub async fn epoch(
        &self,
        user: UserId,
        conversation: ConversationId,
        leaf: MessageId,
    ) -> Result<Option<PromptEpoch>> {
        self.home(conversation.get())
            .read(move |connection| {
                VisibleConversation::find(connection, user, conversation)?;
                newest(connection, conversation, Some(leaf))
            })
            .await
    }
}

pub(crate) fn newest(
    connection: &Connection,
    conversation: ConversationId,
    leaf: Option<MessageId>,
) -> Result<Option<PromptEpoch>> {
    // Parents are older than their children, so the walk ends at the oldest message that ends a summary.
    let sql = "WITH RECURSIVE
               oldest (id) AS (SELECT min(up_to) FROM epochs WHERE conversation = ?1),
               path (id, parent) AS (
                   SELECT id, parent FROM messages WHERE id = ?2 AND conversation = ?1
                   UNION ALL
                   SELECT m.id, m.parent FROM path JOIN messages m ON m.id = path.parent
                   WHERE m.id >= (SELECT id FROM oldest)
               )
               SELECT s.text AS system, y.text AS summary, e.up_to, e.created_at, e.origins FROM epochs e
               JOIN fragments s ON s.id = e.system LEFT JOIN fragments y ON y.id = e.summary
               WHERE e.conversation = ?1
                 AND (e.up_to IS NULL OR e.up_to IN (SELECT id FROM path))
               ORDER BY e.id DESC LIMIT 1";
    let mut statement = connection.prepare_cached(sql)?;
    let values = params![conversation.get(), leaf.map(MessageId::get)];
    let found = statement.query_row(values, |row| {
        let text: Option<String> = row.get("summary")?;
        let up_to: Option<i64> = row.get("up_to")?;
        let origins: Vec<Origin> = row.json_or_default("origins")?;
        let summary = |(text, up_to)| EpochSummary { text, up_to: MessageId::new(up_to), origins };
        Ok(PromptEpoch {
            system: row.get("system")?,
            summary: text.zip(up_to).map(summary),
            created_at: timestamp(row.get("created_at")?),
        })
    });
    Ok(found.optional()?)
}
