use jiff::Timestamp;
use protocol::{Origin, UserId, VectorEntry, VectorEntryList};
use rusqlite::{OptionalExtension, Row, params};
use serde_json::{Map, Value};

use crate::error::{ObjectKind, OrNotFound, Result, StoreError};
use crate::rounds::list;
use crate::store::Store;
use crate::stored::{RowExt, to_json};
use crate::writer::Durability;

/// An entry to save in the vector store.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct NewEntry {
    /// The name of the entry; one is generated if absent.
    pub name: Option<String>,
    pub content: String,
    /// The stored value is kept if absent.
    pub metadata: Option<Map<String, Value>>,
    /// The origins of its content. Those of the replaced entry are kept.
    pub origins: Vec<Origin>,
    /// The original creation time of a restored entry.
    pub created_at: Option<Timestamp>,
    /// The program that saves it. `None` for the user and the companion, who may replace any entry.
    pub author: Option<String>,
}

/// A stored entry.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedEntry {
    pub row: i64,
    pub entry: VectorEntry,
    /// The program that saved it last, as in [`NewEntry`].
    pub author: Option<String>,
}

const NOT_THEIRS: &str =
    "there is already an entry with this id, which another program or a person saved. Choose another id";

/// Checks that an author may change an entry. A program may not replace or delete what the user, the companion or
/// another program saved, since it could not be recovered.
fn may_change(author: Option<&str>, saved_by: Option<&str>) -> Result<()> {
    if author.is_none() || author == saved_by { Ok(()) } else { Err(StoreError::NotYours(NOT_THEIRS)) }
}

/// The vector store: entries that tools and users save under a name.
impl Store {
    /// Returns the entries of a user, newest first.
    pub async fn entries(&self, user: UserId) -> Result<Vec<SavedEntry>> {
        self.read(move |connection| {
            let sql = "SELECT * FROM vector_entries WHERE user = ?1 ORDER BY updated_at DESC, id DESC";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([user.get()], saved)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Returns the entry in a row, if it still exists.
    pub async fn entry_in_row(&self, user: UserId, row: i64) -> Result<Option<SavedEntry>> {
        self.read(move |connection| {
            let sql = "SELECT * FROM vector_entries WHERE id = ?1 AND user = ?2";
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement.query_row([row, user.get()], saved).optional()?)
        })
        .await
    }

    pub async fn entry_list(&self, user: UserId, limit: u32, offset: u32) -> Result<VectorEntryList> {
        self.read(move |connection| {
            let sql = "SELECT * FROM vector_entries WHERE user = ?1
                       ORDER BY updated_at DESC, id DESC LIMIT ?2 OFFSET ?3";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map(params![user.get(), limit, offset], read)?;
            let entries = rows.collect::<rusqlite::Result<_>>()?;
            let sql = "SELECT count(*) FROM vector_entries WHERE user = ?1";
            let total = connection.prepare_cached(sql)?.query_row([user.get()], |row| row.get(0))?;
            Ok(VectorEntryList { entries, total })
        })
        .await
    }

    pub async fn entry(&self, user: UserId, name: &str) -> Result<SavedEntry> {
        let name = name.to_owned();
        self.read(move |connection| {
            let sql = "SELECT * FROM vector_entries WHERE user = ?1 AND name = ?2";
            let mut statement = connection.prepare_cached(sql)?;
            statement.query_row(params![user.get(), name], saved).or_not_found(ObjectKind::Entry)
        })
        .await
    }

    /// Saves an entry, replacing one with the same name.
    pub async fn save_entry(&self, user: UserId, new: NewEntry) -> Result<VectorEntry> {
        let context = self.context();
        self.write(Durability::Person, move |connection| {
            crate::accounts::user_exists(connection, user)?;
            let id = context.ids.next();
            let name = match new.name.as_deref().map(str::trim) {
                Some("") => return Err(StoreError::Invalid("an entry needs an id that is not empty".into())),
                Some(name) => name.to_owned(),
                None => protocol::FactId::new(id).to_string(),
            };
            let metadata = new.metadata.as_ref().map(to_json).transpose()?;
            let sql = "SELECT * FROM vector_entries WHERE user = ?1 AND name = ?2";
            let before: Option<(Vec<Origin>, Option<String>)> = connection
                .prepare_cached(sql)?
                .query_row(params![user.get(), name], |row| Ok((read(row)?.origins, row.get("author")?)))
                .optional()?;
            if let Some((_, saved_by)) = &before {
                may_change(new.author.as_deref(), saved_by.as_deref())?;
            }
            let mut origins = before.map(|(origins, _)| origins).unwrap_or_default();
            origins.extend(new.origins);
            origins.sort_unstable();
            origins.dedup();
            let created = new.created_at.map_or(context.now, |at| at.as_millisecond().min(context.now));
            let sql = "INSERT INTO vector_entries (id, user, name, created_at, updated_at, origins, metadata, content, author)
                       VALUES (?1, ?2, ?3, ?8, ?4, ?5, ifnull(?6, '{}'), ?7, ?9)
                       ON CONFLICT (user, name) DO UPDATE SET updated_at = ?4, origins = ?5,
                           metadata = ifnull(?6, metadata), content = ?7, author = ?9";
            let origins = list(&origins)?;
            let values =
                params![id, user.get(), name, context.now, origins, metadata, new.content, created, new.author];
            connection.prepare_cached(sql)?.execute(values)?;
            let sql = "SELECT * FROM vector_entries WHERE user = ?1 AND name = ?2";
            Ok(connection.prepare_cached(sql)?.query_row(params![user.get(), name], read)?)
        })
        .await
    }

    /// Deletes an entry on behalf of this author, as in [`NewEntry`], and returns its content.
    pub async fn delete_entry(
        &self,
        user: UserId,
        author: Option<String>,
        name: &str,
    ) -> Result<VectorEntry> {
        let name = name.to_owned();
        self.write(Durability::Person, move |connection| {
            let sql = "SELECT author FROM vector_entries WHERE user = ?1 AND name = ?2";
            let mut statement = connection.prepare_cached(sql)?;
            let saved_by = statement.query_row(params![user.get(), name], |row| row.get(0));
            let saved_by: Option<String> = saved_by.or_not_found(ObjectKind::Entry)?;
            may_change(author.as_deref(), saved_by.as_deref())?;
            let sql = "DELETE FROM vector_entries WHERE user = ?1 AND name = ?2 RETURNING *";
            let mut statement = connection.prepare_cached(sql)?;
            statement.query_row(params![user.get(), name], read).or_not_found(ObjectKind::Entry)
        })
        .await
    }
}

fn saved(row: &Row<'_>) -> rusqlite::Result<SavedEntry> {
    Ok(SavedEntry { row: row.get("id")?, entry: read(row)?, author: row.get("author")? })
}

fn read(row: &Row<'_>) -> rusqlite::Result<VectorEntry> {
    Ok(VectorEntry {
        id: row.get("name")?,
        content: row.get("content")?,
        metadata: row.json("metadata")?,
        created_at: row.time("created_at")?,
        updated_at: row.time("updated_at")?,
        origins: row.json_or_default("origins")?,
    })
}
