use protocol::{Grant, GrantId, UserId};
use rusqlite::params;
use serde_json::{Map, Value};

use crate::error::{ObjectKind, Result, StoreError};
use crate::store::Store;
use crate::stored::{RowExt, to_json};
use crate::writer::Durability;

impl Store {
    /// Allows a tool to run with exactly these arguments from now on.
    pub async fn grant(&self, user: UserId, tool: &str, args: &Map<String, Value>) -> Result<()> {
        let (tool, args, context) = (tool.to_owned(), in_order(args)?, self.context());
        self.write(Durability::Person, move |connection| {
            let sql = "INSERT INTO grants (id, user, tool, args, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
                       ON CONFLICT DO NOTHING";
            connection.execute(sql, params![context.ids.next(), user.get(), tool, args, context.now])?;
            Ok(())
        })
        .await
    }

    pub async fn is_granted(&self, user: UserId, tool: &str, args: &Map<String, Value>) -> Result<bool> {
        let (tool, args) = (tool.to_owned(), in_order(args)?);
        self.read(move |connection| {
            let sql = "SELECT 1 FROM grants WHERE user = ?1 AND tool = ?2 AND args = ?3";
            Ok(connection.prepare_cached(sql)?.exists(params![user.get(), tool, args])?)
        })
        .await
    }

    pub async fn grants(&self, user: UserId) -> Result<Vec<Grant>> {
        self.read(move |connection| {
            let sql = "SELECT id, tool, args, created_at FROM grants WHERE user = ?1 ORDER BY tool, id";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([user.get()], |row| {
                Ok(Grant {
                    id: GrantId::new(row.get("id")?),
                    tool: row.get("tool")?,
                    args: row.json("args")?,
                    created_at: row.time("created_at")?,
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    pub async fn revoke(&self, user: UserId, id: GrantId) -> Result<()> {
        self.write(Durability::Person, move |connection| {
            let sql = "DELETE FROM grants WHERE id = ?1 AND user = ?2";
            let gone = connection.execute(sql, params![id.get(), user.get()])?;
            if gone == 0 { Err(StoreError::NotFound(ObjectKind::Grant)) } else { Ok(()) }
        })
        .await
    }
}

/// Serializes arguments in a canonical order, so that the same arguments yield the same text.
fn in_order(args: &Map<String, Value>) -> Result<String> {
    let mut args = Value::Object(args.clone());
    args.sort_all_objects();
    to_json(&args)
}
