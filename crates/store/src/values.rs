use protocol::{Origin, UserId};
use rusqlite::params;

use crate::error::Result;
use crate::rounds::list;
use crate::store::Store;
use crate::stored::RowExt;
use crate::writer::Durability;

/// Origins of the values that are saved under a name.
impl Store {
    pub async fn value_origins(&self, user: UserId) -> Result<Vec<(String, Vec<Origin>)>> {
        self.read(move |connection| {
            let sql = "SELECT name, origins FROM kept_values WHERE user = ?1";
            let mut statement = connection.prepare_cached(sql)?;
            let rows =
                statement.query_map([user.get()], |row| Ok((row.get("name")?, row.json("origins")?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Sets the origins of a value. Without any, it counts as written by the user.
    pub async fn set_value_origins(&self, user: UserId, name: &str, origins: Vec<Origin>) -> Result<()> {
        let name = name.to_owned();
        self.write(Durability::Person, move |connection| {
            let sql = "DELETE FROM kept_values WHERE user = ?1 AND name = ?2";
            connection.prepare_cached(sql)?.execute(params![user.get(), name])?;
            if let Some(origins) = list(&origins)? {
                let sql = "INSERT INTO kept_values (user, name, origins) VALUES (?1, ?2, ?3)";
                connection.prepare_cached(sql)?.execute(params![user.get(), name, origins])?;
            }
            Ok(())
        })
        .await
    }
}
