use protocol::{MemoryKind, UserId};
use rusqlite::{OptionalExtension as _, params};

use crate::error::Result;
use crate::store::Store;
use crate::stored::{Keyword, RowExt, count};
use crate::writer::Durability;

/// A stored vector of an item that can be recalled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredVector {
    pub kind: MemoryKind,
    pub item: i64,
    pub vector: Vec<u8>,
    pub region: Option<u32>,
}

impl Store {
    /// Returns the number under which vectors of a model are stored.
    pub async fn embedder(&self, name: &str, dimensions: usize) -> Result<i64> {
        let (name, dimensions) = (name.to_owned(), count(dimensions));
        self.write(Durability::Log, move |connection| {
            let sql = "INSERT INTO embedders (name, dimensions) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            connection.prepare_cached(sql)?.execute(params![name, dimensions])?;
            let sql = "SELECT id FROM embedders WHERE name = ?1 AND dimensions = ?2";
            Ok(connection.prepare_cached(sql)?.query_row(params![name, dimensions], |row| row.get(0))?)
        })
        .await
    }

    /// Stores vectors, except those of items that were deleted or changed after change number `seq`.
    pub async fn keep_vectors(
        &self,
        embedder: i64,
        seq: i64,
        vectors: Vec<(MemoryKind, i64, Vec<u8>)>,
    ) -> Result<()> {
        self.write(Durability::Log, move |connection| {
            let sql = "INSERT OR REPLACE INTO vectors (kind, item, embedder, vector)
                       SELECT ?1, ?2, ?3, ?4
                       WHERE NOT EXISTS (SELECT 1 FROM memory_changes WHERE seq > ?5 AND kind = ?1 AND item = ?2)";
            let mut statement = connection.prepare_cached(sql)?;
            for (kind, item, vector) in &vectors {
                statement.execute(params![kind.keyword(), item, embedder, vector, seq])?;
            }
            Ok(())
        })
        .await
    }

    /// Returns all vectors of this model for a user's items. Vectors of files are identified by their text only.
    pub async fn vectors(&self, user: UserId, embedder: i64) -> Result<Vec<StoredVector>> {
        self.read(move |connection| {
            // With a single user, the owner of each vector need not be looked up.
            let sql = "SELECT kind, item, vector, region FROM vectors v WHERE embedder = ?1
                       AND ((SELECT count(*) FROM users) = 1 OR ?2 = CASE kind
                           WHEN 'message' THEN (SELECT user FROM messages WHERE id = v.item)
                           WHEN 'fact' THEN (SELECT user FROM facts WHERE id = v.item)
                           WHEN 'entry' THEN (SELECT user FROM vector_entries WHERE id = v.item)
                           WHEN 'summary' THEN (SELECT user FROM conversations WHERE id = v.item)
                           ELSE ?2 END)";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([embedder, user.get()], |row| {
                Ok(StoredVector {
                    kind: row.keyword("kind")?,
                    item: row.get("item")?,
                    vector: row.get("vector")?,
                    region: row.get("region")?,
                })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    /// Stores the centres of regions, replacing earlier ones.
    pub async fn keep_regions(&self, user: UserId, embedder: i64, centres: Vec<u8>) -> Result<()> {
        self.write(Durability::Log, move |connection| {
            let sql = "INSERT OR REPLACE INTO regions (user, embedder, centres) VALUES (?1, ?2, ?3)";
            connection.prepare_cached(sql)?.execute(params![user.get(), embedder, centres])?;
            Ok(())
        })
        .await
    }

    pub async fn regions(&self, user: UserId, embedder: i64) -> Result<Option<Vec<u8>>> {
        self.read(move |connection| {
            let sql = "SELECT centres FROM regions WHERE user = ?1 AND embedder = ?2";
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement.query_row(params![user.get(), embedder], |row| row.get(0)).optional()?)
        })
        .await
    }

    /// Records the regions of vectors. Vectors that no longer exist are skipped.
    pub async fn place_vectors(&self, embedder: i64, places: Vec<(MemoryKind, i64, u32)>) -> Result<()> {
        if places.is_empty() {
            return Ok(());
        }
        self.write(Durability::Log, move |connection| {
            let sql = "UPDATE vectors SET region = ?4 WHERE kind = ?1 AND item = ?2 AND embedder = ?3";
            let mut statement = connection.prepare_cached(sql)?;
            for (kind, item, region) in &places {
                statement.execute(params![kind.keyword(), item, embedder, region])?;
            }
            Ok(())
        })
        .await
    }

    /// Removes the vectors of text that is not in any file.
    pub async fn drop_file_vectors_but(&self, standing: Vec<i64>) -> Result<usize> {
        self.write(Durability::Log, move |connection| {
            let standing = crate::stored::to_json(&standing)?;
            let sql =
                "DELETE FROM vectors WHERE kind = 'file' AND item NOT IN (SELECT value FROM json_each(?1))";
            Ok(connection.prepare_cached(sql)?.execute([standing])?)
        })
        .await
    }
}
