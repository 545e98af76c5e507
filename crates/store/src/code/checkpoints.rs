use protocol::{CheckpointId, ConversationId, MessageId, UserId};
use rusqlite::{Row, params};
use serde::Serialize;

use super::{check_conversation, root_of};
use crate::error::{ObjectKind, OrNotFound, Result, StoreError};
use crate::store::Store;
use crate::stored::{RowExt, newest_first};
use crate::writer::Durability;

/// A state of a workspace that can be restored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredCheckpoint {
    pub id: CheckpointId,
    /// The path of the workspace.
    pub root: String,
    pub conversation: Option<ConversationId>,
    pub message: Option<MessageId>,
    pub label: String,
    /// The commit in the git repository that holds the states of workspaces.
    pub commit: String,
    pub created_at: String,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewCheckpoint {
    pub root: String,
    pub conversation: Option<ConversationId>,
    pub message: Option<MessageId>,
    pub label: String,
    pub commit: String,
}

const SELECT: &str =
    "SELECT c.*, r.path AS root_path FROM code_checkpoints c JOIN code_roots r ON r.id = c.root";

impl Store {
    pub async fn add_checkpoint(&self, user: UserId, new: NewCheckpoint) -> Result<CheckpointId> {
        let home = self.code_home(new.conversation);
        let context = home.context();
        home.write(Durability::Person, move |connection| {
            check_conversation(connection, user, new.conversation)?;
            let root = root_of(connection, &context, user, &new.root)?;
            let id = context.ids.next();
            let sql = "INSERT INTO code_checkpoints (id, user, root, conversation, message, commit_id, created_at, label)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
            let (conversation, message) =
                (new.conversation.map(ConversationId::get), new.message.map(MessageId::get));
            let values =
                params![id, user.get(), root, conversation, message, new.commit, context.now, new.label];
            connection.prepare_cached(sql)?.execute(values)?;
            Ok(CheckpointId::new(id))
        })
        .await
    }

    pub async fn checkpoint_of(&self, user: UserId, id: CheckpointId) -> Result<StoredCheckpoint> {
        self.home(id.get())
            .read(move |connection| {
                let mut statement =
                    connection.prepare_cached(&format!("{SELECT} WHERE c.id = ?1 AND c.user = ?2"))?;
                statement.query_row(params![id.get(), user.get()], read).or_not_found(ObjectKind::Checkpoint)
            })
            .await
    }

    /// Returns the checkpoints of a workspace, newest first, including those of incognito conversations while these
    /// exist.
    pub async fn checkpoints(&self, user: UserId, root: &str, limit: u32) -> Result<Vec<StoredCheckpoint>> {
        let mut found = Vec::new();
        for home in std::iter::once(self).chain(self.opened_incognito()) {
            let root = root.to_owned();
            let some = home.read(move |connection| {
                let sql = format!("{SELECT} WHERE r.user = ?1 AND r.path = ?2 ORDER BY c.id DESC LIMIT ?3");
                let mut statement = connection.prepare_cached(&sql)?;
                let rows = statement.query_map(params![user.get(), root, limit], read)?;
                Ok(rows.collect::<rusqlite::Result<Vec<_>>>()?)
            });
            found.extend(some.await?);
        }
        found.sort_by(|one, other| {
            newest_first(&one.created_at, &other.created_at).then(other.id.cmp(&one.id))
        });
        found.truncate(limit as usize);
        Ok(found)
    }

    pub async fn delete_checkpoint(&self, user: UserId, id: CheckpointId) -> Result<()> {
        self.home(id.get())
            .write(Durability::Person, move |connection| {
                let sql = "DELETE FROM code_checkpoints WHERE id = ?1 AND user = ?2";
                let gone = connection.prepare_cached(sql)?.execute(params![id.get(), user.get()])?;
                if gone == 0 { Err(StoreError::NotFound(ObjectKind::Checkpoint)) } else { Ok(()) }
            })
            .await
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<StoredCheckpoint> {
    Ok(StoredCheckpoint {
        id: CheckpointId::new(row.get("id")?),
        root: row.get("root_path")?,
        conversation: row.get::<_, Option<i64>>("conversation")?.map(ConversationId::new),
        message: row.get::<_, Option<i64>>("message")?.map(MessageId::new),
        label: row.get("label")?,
        commit: row.get("commit_id")?,
        created_at: row.time("created_at")?,
    })
}
