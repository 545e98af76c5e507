//! Writes many files at once, atomically.

use rusqlite::{Connection, params};

use super::known::{ContentHash, IndexFile, IndexFileKind};
use super::{CodeIndex, Result};

/// A set of changes. Each file is in one of the lists.
#[derive(Debug, Clone, Default)]
pub struct CodeBatch {
    pub files: Vec<NewIndexFile>,
    /// Files with a new timestamp but the same content: what is stored about them is kept.
    pub touched: Vec<IndexFile>,
    pub removed: Vec<String>,
}

impl CodeBatch {
    pub fn is_empty(&self) -> bool {
        self.files.is_empty() && self.touched.is_empty() && self.removed.is_empty()
    }
}

#[derive(Debug, Clone)]
pub struct NewIndexFile {
    pub file: IndexFile,
    /// The outline of its definitions, in a form that only the caller reads.
    pub outline: Option<Vec<u8>>,
    pub symbols: Vec<NewIndexSymbol>,
    pub words: CodeWords,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewIndexSymbol {
    /// The normalized name for lookups.
    pub key: String,
    pub name: String,
    pub kind: String,
    pub line: u32,
}

/// The words by which a file is found, in lower case and separated by spaces.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodeWords {
    pub path: String,
    /// The names of its definitions.
    pub names: String,
    /// The words of comments and plain text.
    pub prose: String,
    pub body: String,
}

impl CodeIndex {
    pub fn apply(&self, batch: &CodeBatch) -> Result<()> {
        if batch.is_empty() {
            return Ok(());
        }
        self.write(|connection| {
            for path in &batch.removed {
                remove(connection, path)?;
            }
            let sql = "UPDATE files SET bytes = ?2, stamp = ?3 WHERE path = ?1";
            let mut touch = connection.prepare_cached(sql)?;
            for file in &batch.touched {
                touch.execute(params![file.path, file.bytes.cast_signed(), file.stamp])?;
            }
            for file in &batch.files {
                put(connection, file)?;
            }
            if !batch.removed.is_empty() || !batch.files.is_empty() {
                connection.execute("UPDATE state SET generation = generation + 1", [])?;
            }
            Ok(())
        })
    }
}

fn remove(connection: &Connection, path: &str) -> Result<()> {
    let words = "DELETE FROM words WHERE rowid = (SELECT id FROM files WHERE path = ?1)";
    connection.prepare_cached(words)?.execute([path])?;
    // Its symbols and vectors are deleted with it.
    connection.prepare_cached("DELETE FROM files WHERE path = ?1")?.execute([path])?;
    Ok(())
}

fn put(connection: &Connection, new: &NewIndexFile) -> Result<()> {
    let NewIndexFile { file, outline, symbols, words } = new;
    remove(connection, &file.path)?;
    let sql = "INSERT INTO files (path, kind, bytes, stamp, hash, language, lines)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    connection.prepare_cached(sql)?.execute(params![
        file.path,
        file.kind.keyword(),
        file.bytes.cast_signed(),
        file.stamp,
        file.hash,
        file.language,
        file.lines,
    ])?;
    let id = connection.last_insert_rowid();
    if let Some(outline) = outline {
        let sql = "INSERT INTO outlines (file, outline) VALUES (?1, ?2)";
        connection.prepare_cached(sql)?.execute(params![id, outline])?;
    }
    let sql = "INSERT INTO symbols (file, key, name, kind, line) VALUES (?1, ?2, ?3, ?4, ?5)";
    let mut insert = connection.prepare_cached(sql)?;
    for NewIndexSymbol { key, name, kind, line } in symbols {
        insert.execute(params![id, key, name, kind, line])?;
    }
    let sql = "INSERT INTO words (rowid, path, names, prose, body) VALUES (?1, ?2, ?3, ?4, ?5)";
    let CodeWords { path, names, prose, body } = words;
    connection.prepare_cached(sql)?.execute(params![id, path, names, prose, body])?;
    Ok(())
}

impl IndexFile {
    /// Creates an entry for a file whose content is not known.
    pub fn unread(path: &str, kind: IndexFileKind, bytes: u64, stamp: Option<i64>) -> Self {
        let hash = ContentHash::default();
        Self { path: path.to_owned(), kind, bytes, stamp, hash, language: None, lines: 0 }
    }
}
