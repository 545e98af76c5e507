//! Vectors of file chunks, for search by meaning.

use rusqlite::{OptionalExtension as _, params};

use super::known::ContentHash;
use super::{CodeIndex, Result, count};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeVector {
    pub path: String,
    pub chunk: u32,
    /// In the caller's encoding.
    pub vector: Vec<u8>,
}

impl CodeIndex {
    /// Stores the vectors of a file, chunk by chunk, replacing earlier ones. They are deleted when the file changes,
    /// and are not stored if its content is no longer the one with this hash.
    pub fn put_vectors(
        &self,
        model: &str,
        path: &str,
        hash: &ContentHash,
        chunks: &[Vec<u8>],
    ) -> Result<bool> {
        self.write(|connection| {
            let sql = "SELECT id FROM files WHERE path = ?1 AND hash = ?2";
            let mut statement = connection.prepare_cached(sql)?;
            let id: Option<i64> = statement.query_row(params![path, hash], |row| row.get(0)).optional()?;
            let Some(id) = id else { return Ok(false) };
            let sql = "DELETE FROM vectors WHERE file = ?1 AND model = ?2";
            connection.prepare_cached(sql)?.execute(params![id, model])?;
            let sql = "INSERT INTO vectors (file, model, chunk, vector) VALUES (?1, ?2, ?3, ?4)";
            let mut insert = connection.prepare_cached(sql)?;
            for (number, vector) in chunks.iter().enumerate() {
                insert.execute(params![id, model, count(number), vector])?;
            }
            Ok(true)
        })
    }

    /// Returns all vectors of a model, by file and chunk.
    pub fn vectors(&self, model: &str) -> Result<Vec<CodeVector>> {
        self.read(|connection| {
            let sql = "SELECT path, chunk, vector FROM vectors JOIN files ON id = file WHERE model = ?1
                       ORDER BY path, chunk";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([model], |row| {
                Ok(CodeVector { path: row.get(0)?, chunk: row.get(1)?, vector: row.get(2)? })
            })?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns text files without vectors of this model, ordered by name.
    pub fn without_vectors(&self, model: &str, limit: usize) -> Result<Vec<(String, ContentHash)>> {
        self.read(|connection| {
            let sql = "SELECT path, hash FROM files WHERE kind = 'text' AND bytes > 0
                       AND NOT EXISTS (SELECT 1 FROM vectors WHERE file = id AND model = ?1)
                       ORDER BY path LIMIT ?2";
            let mut statement = connection.prepare_cached(sql)?;
            let rows =
                statement.query_map(params![model, count(limit)], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }
}
