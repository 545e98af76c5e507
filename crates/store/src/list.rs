use protocol::{ChatList, FolderCount, TagCount, UserId};
use rusqlite::{Connection, named_params};

use crate::conversations::{SUMMARY_COLUMNS, current, folder_name, read_summary};
use crate::error::{Result, StoreError};
use crate::store::Store;
use crate::stored::count;

/// The page of the list to return.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListQuery {
    /// The value of [`ChatList::next`].
    pub cursor: Option<String>,
    pub limit: u32,
    pub folder: Option<String>,
    pub tag: Option<String>,
}

impl Store {
    /// Lists pinned conversations first, then the most recently changed.
    pub async fn list(&self, user: UserId, query: ListQuery) -> Result<ChatList> {
        let after = Cursor::parse(query.cursor.as_deref())?;
        self.read(move |connection| {
            let limit = query.limit.max(1) as usize;
            let (chats, next) = page(connection, user, &query, after, limit)?;
            let current = current(connection, user)?;
            let (folders, tags) = (folders(connection, user)?, tags(connection, user)?);
            Ok(ChatList { chats, next, current, folders, tags })
        })
        .await
    }
}

/// The start of a page: after this row of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cursor {
    pinned: i64,
    updated_at: i64,
    id: i64,
}

impl Cursor {
    const START: Self = Self { pinned: 2, updated_at: i64::MAX, id: i64::MAX };

    fn parse(cursor: Option<&str>) -> Result<Self> {
        let Some(cursor) = cursor else { return Ok(Self::START) };
        let mut parts = cursor.split('.').map(str::parse);
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(Ok(pinned)), Some(Ok(updated_at)), Some(Ok(id)), None) => {
                Ok(Self { pinned, updated_at, id })
            }
            _ => Err(StoreError::Invalid("this is not a cursor of the list. Start again without one".into())),
        }
    }

    fn cursor(self) -> String {
        format!("{}.{}.{}", self.pinned, self.updated_at, self.id)
    }
}

fn page(
    connection: &Connection,
    user: UserId,
    query: &ListQuery,
    after: Cursor,
    limit: usize,
) -> Result<(Vec<protocol::ChatSummary>, Option<String>)> {
    let folder = query.folder.as_deref().and_then(folder_name);
    let in_folder = if folder.is_some() { "AND c.folder = :folder" } else { "AND :folder IS NULL" };
    let tagged = if query.tag.is_some() {
        "AND EXISTS (SELECT 1 FROM tags t WHERE t.conversation = c.id AND t.tag = :tag)"
    } else {
        "AND :tag IS NULL"
    };
    let sql = format!(
        "SELECT {SUMMARY_COLUMNS}, c.updated_at AS position FROM conversations c
         WHERE c.user = :user AND c.deleted_at IS NULL {in_folder} {tagged}
           AND (c.pinned, c.updated_at, c.id) < (:pinned, :updated_at, :id)
         ORDER BY c.pinned DESC, c.updated_at DESC, c.id DESC LIMIT :limit"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let values = named_params! {
        ":user": user.get(), ":folder": folder, ":tag": query.tag, ":limit": count(limit).saturating_add(1),
        ":pinned": after.pinned, ":updated_at": after.updated_at, ":id": after.id,
    };
    let rows = statement.query_map(values, |row| {
        let chat = read_summary(row)?;
        let position =
            Cursor { pinned: row.get("pinned")?, updated_at: row.get("position")?, id: chat.id.get() };
        Ok((chat, position))
    })?;
    let mut rows = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|(_, position)| position.cursor());
    Ok((rows.into_iter().map(|(chat, _)| chat).collect(), next))
}

fn folders(connection: &Connection, user: UserId) -> Result<Vec<FolderCount>> {
    let sql = "SELECT folder, count(*) AS chats FROM conversations
               WHERE user = ?1 AND deleted_at IS NULL AND folder IS NOT NULL GROUP BY folder ORDER BY folder";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([user.get()], |row| {
        Ok(FolderCount { name: row.get("folder")?, chats: row.get("chats")? })
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Counts the tags in use. Tags are few compared to conversations, so they form the outer loop and determine the cost.
fn tags(connection: &Connection, user: UserId) -> Result<Vec<TagCount>> {
    let sql =
        "SELECT t.tag, count(*) AS chats FROM tags t CROSS JOIN conversations c ON c.id = t.conversation
               WHERE c.user = ?1 AND c.deleted_at IS NULL GROUP BY t.tag ORDER BY chats DESC, t.tag";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement
        .query_map([user.get()], |row| Ok(TagCount { name: row.get("tag")?, chats: row.get("chats")? }))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
