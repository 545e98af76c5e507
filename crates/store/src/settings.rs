use protocol::UserId;
use rusqlite::{OptionalExtension, params};
use serde_json::{Map, Value};

use crate::accounts::user_exists;
use crate::error::Result;
use crate::store::Store;
use crate::stored::{RowExt, to_json};
use crate::writer::Durability;

/// Small things that a person chose, by name.
impl Store {
    pub async fn setting(&self, user: UserId, key: &str) -> Result<Option<Value>> {
        let key = key.to_owned();
        self.read(move |connection| {
            let sql = "SELECT value FROM settings WHERE user = ?1 AND key = ?2";
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement.query_row(params![user.get(), key], |row| row.json("value")).optional()?)
        })
        .await
    }

    pub async fn settings(&self, user: UserId) -> Result<Map<String, Value>> {
        self.read(move |connection| {
            let sql = "SELECT key, value FROM settings WHERE user = ?1 ORDER BY key";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([user.get()], |row| Ok((row.get("key")?, row.json("value")?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Keeps a setting, or forgets it when there is no value.
    pub async fn set_setting(&self, user: UserId, key: &str, value: Option<Value>) -> Result<()> {
        let key = key.to_owned();
        self.write(Durability::Person, move |connection| {
            user_exists(connection, user)?;
            if let Some(value) = value {
                let sql = "INSERT INTO settings (user, key, value) VALUES (?1, ?2, ?3)
                           ON CONFLICT (user, key) DO UPDATE SET value = excluded.value";
                connection.execute(sql, params![user.get(), key, to_json(&value)?])?;
            } else {
                let sql = "DELETE FROM settings WHERE user = ?1 AND key = ?2";
                connection.execute(sql, params![user.get(), key])?;
            }
            Ok(())
        })
        .await
    }
}
