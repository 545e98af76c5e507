use protocol::UserId;
use rusqlite::{Row, params};
use serde::Serialize;
use serde_json::Value;

use super::root_of;
use crate::error::{ObjectKind, OrNotFound, Result, StoreError};
use crate::store::Store;
use crate::stored::{RowExt, to_json};
use crate::writer::Durability;

/// A workspace: a folder in which a user allows the companion to write code.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredCodeRoot {
    pub path: String,
    /// The files and folders that may be changed; empty means all.
    pub include: Vec<String>,
    /// The way in which changes are checked. The content is opaque to the store.
    pub verify: Option<Value>,
    pub last_used_at: String,
}

impl Store {
    /// Returns all workspaces of a user, the most recently used first.
    pub async fn code_roots(&self, user: UserId) -> Result<Vec<StoredCodeRoot>> {
        self.read(move |connection| {
            let sql = "SELECT * FROM code_roots WHERE user = ?1 ORDER BY last_used_at DESC, id DESC";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([user.get()], read)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    pub async fn code_root(&self, user: UserId, path: &str) -> Result<StoredCodeRoot> {
        let path = path.to_owned();
        self.read(move |connection| {
            let sql = "SELECT * FROM code_roots WHERE user = ?1 AND path = ?2";
            let mut statement = connection.prepare_cached(sql)?;
            statement.query_row(params![user.get(), path], read).or_not_found(ObjectKind::CodeRoot)
        })
        .await
    }

    /// Records that a workspace is used. Its settings are kept.
    pub async fn use_code_root(&self, user: UserId, path: &str) -> Result<StoredCodeRoot> {
        self.change_code_root(user, path, None).await
    }

    /// Sets the included parts of a workspace.
    pub async fn set_code_include(
        &self,
        user: UserId,
        path: &str,
        include: &[String],
    ) -> Result<StoredCodeRoot> {
        let sql = "UPDATE code_roots SET include = ?2 WHERE id = ?1";
        self.change_code_root(user, path, Some((sql, Some(to_json(include)?)))).await
    }

    /// Sets how changes in a workspace are checked; `None` removes the setting.
    pub async fn set_code_verify(
        &self,
        user: UserId,
        path: &str,
        verify: Option<&Value>,
    ) -> Result<StoredCodeRoot> {
        let sql = "UPDATE code_roots SET verify = ?2 WHERE id = ?1";
        self.change_code_root(user, path, Some((sql, verify.map(to_json).transpose()?))).await
    }

    async fn change_code_root(
        &self,
        user: UserId,
        path: &str,
        set: Option<(&'static str, Option<String>)>,
    ) -> Result<StoredCodeRoot> {
        let (path, context) = (path.to_owned(), self.context());
        self.write(Durability::Person, move |connection| {
            let id = root_of(connection, &context, user, &path)?;
            let sql = "UPDATE code_roots SET last_used_at = max(last_used_at, ?2) WHERE id = ?1";
            connection.prepare_cached(sql)?.execute(params![id, context.now])?;
            if let Some((sql, value)) = set {
                connection.prepare_cached(sql)?.execute(params![id, value])?;
            }
            let sql = "SELECT * FROM code_roots WHERE id = ?1";
            Ok(connection.prepare_cached(sql)?.query_row([id], read)?)
        })
        .await
    }

    /// Removes a workspace with everything stored about it: proposals, notes and checkpoints. The folder itself
    /// remains.
    pub async fn drop_code_root(&self, user: UserId, path: &str) -> Result<()> {
        let path = path.to_owned();
        self.write(Durability::Person, move |connection| {
            let sql = "DELETE FROM code_roots WHERE user = ?1 AND path = ?2";
            let gone = connection.prepare_cached(sql)?.execute(params![user.get(), path])?;
            if gone == 0 { Err(StoreError::NotFound(ObjectKind::CodeRoot)) } else { Ok(()) }
        })
        .await
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<StoredCodeRoot> {
    Ok(StoredCodeRoot {
        path: row.get("path")?,
        include: row.json("include")?,
        verify: row.json_or_default("verify")?,
        last_used_at: row.time("last_used_at")?,
    })
}
