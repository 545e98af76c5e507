use jiff::Timestamp;
use protocol::{ChatPatch, ChatSummary, ConversationId, UserId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::accounts::user_exists;
use crate::error::{ObjectKind, OrNotFound, Result, StoreError};
use crate::store::{Store, WriteContext, is_incognito};
use crate::stored::{RowExt, count, to_json};
use crate::writer::Durability;

/// The maximum length of the preview of the last message, in characters.
const PREVIEW_CHARS: usize = 140;

/// An empty conversation. Without a title, one is generated later.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewConversation {
    pub title: Option<String>,
    pub folder: Option<String>,
    /// True to keep it in memory only; it is lost when it is deleted.
    pub incognito: bool,
}

impl Store {
    /// Creates an empty conversation and makes it the current one. An incognito conversation never becomes the current
    /// one, so that no message goes there by accident.
    pub async fn create_conversation(&self, user: UserId, new: NewConversation) -> Result<ChatSummary> {
        if new.incognito {
            let incognito = self.incognito(user).await?;
            let context = incognito.context();
            let insert = move |connection: &Connection| {
                let id = insert(connection, &context, user, &new)?;
                summary(connection, user, id)
            };
            return incognito.write(Durability::Log, insert).await;
        }
        let context = self.context();
        self.write(Durability::Person, move |connection| {
            let id = insert(connection, &context, user, &new)?;
            set_current(connection, user, Some(id))?;
            summary(connection, user, id)
        })
        .await
    }

    pub async fn summary(&self, user: UserId, id: ConversationId) -> Result<ChatSummary> {
        self.home(id.get()).read(move |connection| summary(connection, user, id)).await
    }

    /// Returns the conversation that receives messages without a target.
    pub async fn current(&self, user: UserId) -> Result<Option<ConversationId>> {
        self.read(move |connection| current(connection, user)).await
    }

    pub async fn set_current(&self, user: UserId, id: Option<ConversationId>) -> Result<()> {
        // No message may go to an incognito conversation by accident.
        if let Some(id) = id.filter(|&id| is_incognito(id)) {
            return self
                .home(id.get())
                .read(move |connection| VisibleConversation::find(connection, user, id).map(drop))
                .await;
        }
        self.write(Durability::Person, move |connection| {
            if let Some(id) = id {
                VisibleConversation::find(connection, user, id)?;
            }
            set_current(connection, user, id)
        })
        .await
    }

    /// Updates a conversation. Fields absent from the patch are kept. An empty title lets the program choose the title
    /// again, and an empty folder removes the conversation from its folder.
    pub async fn patch_conversation(
        &self,
        user: UserId,
        id: ConversationId,
        patch: ChatPatch,
    ) -> Result<ChatSummary> {
        self.home(id.get())
            .write(Durability::Person, move |connection| {
                VisibleConversation::find(connection, user, id)?;
                let row = id.get();
                if let Some(title) = &patch.title {
                    let title = title.trim();
                    let by = if title.is_empty() { "program" } else { "person" };
                    let sql = "UPDATE conversations SET title = ?2, titled_by = ?3 WHERE id = ?1";
                    connection.execute(sql, params![row, title, by])?;
                }
                if let Some(pinned) = patch.pinned {
                    connection.execute(
                        "UPDATE conversations SET pinned = ?2 WHERE id = ?1",
                        params![row, pinned],
                    )?;
                }
                if let Some(folder) = &patch.folder {
                    let sql = "UPDATE conversations SET folder = ?2 WHERE id = ?1";
                    connection.execute(sql, params![row, folder_name(folder)])?;
                }
                if let Some(tags) = &patch.tags {
                    set_tags(connection, id, tags)?;
                }
                summary(connection, user, id)
            })
            .await
    }

    /// Sets a generated title. Returns `None`, without a change, if the user chose the title or the conversation is
    /// deleted.
    pub async fn set_auto_title(
        &self,
        user: UserId,
        id: ConversationId,
        title: &str,
    ) -> Result<Option<ChatSummary>> {
        let title = title.trim().to_owned();
        self.home(id.get())
            .write(Durability::Log, move |connection| {
                let sql = "UPDATE conversations SET title = ?3
                       WHERE id = ?1 AND user = ?2 AND titled_by = 'program' AND deleted_at IS NULL";
                let changed = connection.execute(sql, params![id.get(), user.get(), title])?;
                if changed == 0 { Ok(None) } else { summary(connection, user, id).map(Some) }
            })
            .await
    }

    /// Hides a conversation. Until it is purged it can be restored.
    pub async fn delete_conversation(&self, user: UserId, id: ConversationId) -> Result<()> {
        if is_incognito(id) {
            return self.home(id.get()).drop_conversation(user, id).await;
        }
        let now = self.context().now;
        self.write(Durability::Person, move |connection| {
            VisibleConversation::find(connection, user, id)?;
            connection
                .execute("UPDATE conversations SET deleted_at = ?2 WHERE id = ?1", params![id.get(), now])?;
            connection.execute("UPDATE users SET current = NULL WHERE current = ?1", [id.get()])?;
            Ok(())
        })
        .await
    }

    /// Deletes an incognito conversation at once, without the possibility to restore it.
    async fn drop_conversation(&self, user: UserId, id: ConversationId) -> Result<()> {
        self.write(Durability::Log, move |connection| {
            VisibleConversation::find(connection, user, id)?;
            connection.execute("UPDATE conversations SET deleted_at = 0 WHERE id = ?1", [id.get()])?;
            while !matches!(purge_some(connection, 1)?, Purged::Nothing) {}
            Ok(())
        })
        .await
    }

    pub async fn restore_conversation(&self, user: UserId, id: ConversationId) -> Result<ChatSummary> {
        self.write(Durability::Person, move |connection| {
            let sql =
                "UPDATE conversations SET deleted_at = NULL WHERE id = ?1 AND user = ?2 AND deleted_at > 0";
            if connection.execute(sql, params![id.get(), user.get()])? == 0 {
                return Err(StoreError::NotFound(ObjectKind::Conversation));
            }
            summary(connection, user, id)
        })
        .await
    }

    /// Permanently removes conversations that were deleted before that time: rows, search index, and prompt fragments
    /// that are not used elsewhere. Other writes can run in between. Returns the number of conversations removed.
    pub async fn purge_deleted_before(&self, before: Timestamp) -> Result<usize> {
        let before = before.as_millisecond();
        let mut conversations = 0;
        loop {
            match self.write(Durability::Log, move |connection| purge_some(connection, before)).await? {
                Purged::Nothing => break,
                Purged::Messages => {}
                Purged::Conversation => conversations += 1,
            }
        }
        if conversations > 0 {
            self.forget_deleted_words().await?;
            self.checkpoint().await?;
        }
        Ok(conversations)
    }
}

/// A conversation that its owner can see.
pub(crate) struct VisibleConversation {
    pub(crate) leaf: Option<i64>,
}

impl VisibleConversation {
    pub(crate) fn find(connection: &Connection, user: UserId, id: ConversationId) -> Result<Self> {
        let sql = "SELECT leaf FROM conversations WHERE id = ?1 AND user = ?2 AND deleted_at IS NULL";
        let mut statement = connection.prepare_cached(sql)?;
        let found =
            statement.query_row(params![id.get(), user.get()], |row| Ok(Self { leaf: row.get("leaf")? }));
        found.or_not_found(ObjectKind::Conversation)
    }
}

pub(crate) fn insert(
    connection: &Connection,
    context: &WriteContext,
    user: UserId,
    new: &NewConversation,
) -> Result<ConversationId> {
    user_exists(connection, user)?;
    let title = new.title.as_deref().map(str::trim).unwrap_or_default();
    let by = if title.is_empty() { "program" } else { "person" };
    let folder = new.folder.as_deref().and_then(folder_name);
    let id = context.ids.next();
    let sql = "INSERT INTO conversations (id, user, title, titled_by, created_at, updated_at, folder)
               VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6)";
    connection.prepare_cached(sql)?.execute(params![id, user.get(), title, by, context.now, folder])?;
    Ok(ConversationId::new(id))
}

pub(crate) fn current(connection: &Connection, user: UserId) -> Result<Option<ConversationId>> {
    let sql = "SELECT c.id FROM users u JOIN conversations c ON c.id = u.current
               WHERE u.id = ?1 AND c.deleted_at IS NULL";
    let found = connection.prepare_cached(sql)?.query_row([user.get()], |row| row.get(0)).optional()?;
    Ok(found.map(ConversationId::new))
}

pub(crate) fn set_current(connection: &Connection, user: UserId, id: Option<ConversationId>) -> Result<()> {
    let sql = "UPDATE users SET current = ?2 WHERE id = ?1";
    let changed =
        connection.prepare_cached(sql)?.execute(params![user.get(), id.map(ConversationId::get)])?;
    if changed == 0 { Err(StoreError::NotFound(ObjectKind::User)) } else { Ok(()) }
}

pub(crate) fn set_tags(connection: &Connection, id: ConversationId, tags: &[String]) -> Result<()> {
    connection.prepare_cached("DELETE FROM tags WHERE conversation = ?1")?.execute([id.get()])?;
    let mut insert =
        connection.prepare_cached("INSERT OR IGNORE INTO tags (conversation, tag) VALUES (?1, ?2)")?;
    for tag in tags.iter().map(|tag| tag.trim()).filter(|tag| !tag.is_empty()) {
        insert.execute(params![id.get(), tag])?;
    }
    Ok(())
}

pub(crate) fn folder_name(folder: &str) -> Option<&str> {
    Some(folder.trim()).filter(|folder| !folder.is_empty())
}

/// Returns the beginning of a message on one line.
pub(crate) fn preview(content: &str) -> String {
    let mut preview = String::new();
    let mut chars = 0;
    for word in content.split_whitespace() {
        if chars > 0 {
            preview.push(' ');
            chars += 1;
        }
        for character in word.chars() {
            if chars >= PREVIEW_CHARS {
                preview.push('…');
                return preview;
            }
            preview.push(character);
            chars += 1;
        }
    }
    preview
}

/// The columns for [`read_summary`], from a table named `c`.
pub(crate) const SUMMARY_COLUMNS: &str = "c.id, c.title, c.created_at, c.updated_at, c.pinned, c.folder,
    c.message_count, c.preview,
    (SELECT json_group_array(tag) FROM (SELECT tag FROM tags WHERE conversation = c.id ORDER BY tag)) AS tags";

pub(crate) fn read_summary(row: &Row<'_>) -> rusqlite::Result<ChatSummary> {
    Ok(ChatSummary {
        id: ConversationId::new(row.get("id")?),
        title: row.get("title")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        pinned: row.get("pinned")?,
        folder: row.get("folder")?,
        tags: row.json("tags")?,
        message_count: row.get("message_count")?,
        preview: row.get("preview")?,
        incognito: is_incognito(ConversationId::new(row.get("id")?)),
    })
}

pub(crate) fn summary(connection: &Connection, user: UserId, id: ConversationId) -> Result<ChatSummary> {
    let sql = format!(
        "SELECT {SUMMARY_COLUMNS} FROM conversations c WHERE c.id = ?1 AND c.user = ?2 AND c.deleted_at IS NULL"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_row(params![id.get(), user.get()], read_summary).or_not_found(ObjectKind::Conversation)
}

enum Purged {
    Nothing,
    Messages,
    Conversation,
}

/// The number of messages that are removed per transaction.
const PURGE_MESSAGES: usize = 200;

fn purge_some(connection: &Connection, before: i64) -> Result<Purged> {
    let sql = "SELECT id FROM conversations WHERE deleted_at < ?1 ORDER BY deleted_at LIMIT 1";
    let found: Option<i64> =
        connection.prepare_cached(sql)?.query_row([before], |row| row.get(0)).optional()?;
    let Some(conversation) = found else { return Ok(Purged::Nothing) };
    // From here on it cannot be restored, and an interrupted purge resumes with it.
    connection.execute("UPDATE conversations SET deleted_at = 0 WHERE id = ?1", [conversation])?;

    // Newest first, since every message is newer than its parent.
    let sql = "SELECT json_group_array(id) AS ids FROM
               (SELECT id FROM messages WHERE conversation = ?1 ORDER BY id DESC LIMIT ?2)";
    let ids: Vec<i64> = connection
        .prepare_cached(sql)?
        .query_row(params![conversation, count(PURGE_MESSAGES)], |row| row.json("ids"))?;
    let last = ids.len() < PURGE_MESSAGES;
    let pieces = crate::fragments::of_messages(connection, &to_json(&ids)?, last.then_some(conversation))?;
    let sql = "DELETE FROM messages WHERE id IN (SELECT value FROM json_each(?1))";
    connection.prepare_cached(sql)?.execute([to_json(&ids)?])?;
    if last {
        connection.execute("DELETE FROM conversations WHERE id = ?1", [conversation])?;
    }
    crate::maintenance::note_deleted_words(connection)?;
    crate::fragments::drop_unused(connection, &pieces)?;
    Ok(if last { Purged::Conversation } else { Purged::Messages })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_preview_is_one_short_line() {
        assert_eq!(preview("  Hello,\n\n\tworld  "), "Hello, world");
        assert_eq!(preview(""), "");
        let long = preview(&"ü".repeat(500));
        assert_eq!(long.chars().count(), PREVIEW_CHARS + 1);
        assert!(long.ends_with('…'));
    }
}
