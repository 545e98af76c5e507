//! Stored information about files.

use rusqlite::types::Type;
use rusqlite::{OptionalExtension as _, Row};

use super::opening::set_form;
use super::{CodeIndex, Result};

/// The first bytes of the SHA-256 of a file's content; zero if it was not read.
pub type ContentHash = [u8; 16];

/// The kind of a file, which determines whether it has an outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IndexFileKind {
    Text,
    Binary,
    /// Too large to be written by hand; it was not read.
    Huge,
    Unreadable,
}

impl IndexFileKind {
    const KEYWORDS: [(Self, &'static str); 4] = [
        (Self::Text, "text"),
        (Self::Binary, "binary"),
        (Self::Huge, "huge"),
        (Self::Unreadable, "unreadable"),
    ];

    pub(super) fn keyword(self) -> &'static str {
        Self::KEYWORDS.iter().find(|(kind, _)| *kind == self).map_or("unreadable", |(_, word)| word)
    }

    fn from_keyword(word: &str) -> Option<Self> {
        Self::KEYWORDS.iter().find(|(_, known)| *known == word).map(|(kind, _)| *kind)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexFile {
    pub path: String,
    pub kind: IndexFileKind,
    pub bytes: u64,
    /// The modification time in nanoseconds; `None` if the file has to be read again in any case.
    pub stamp: Option<i64>,
    pub hash: ContentHash,
    pub language: Option<String>,
    pub lines: u32,
}

/// The outlines of all files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexOutlines {
    /// The index generation that they belong to.
    pub generation: i64,
    /// The outlines, each with the name of its file.
    pub outlines: Vec<(String, Vec<u8>)>,
}

const COLUMNS: &str = "path, kind, bytes, stamp, hash, language, lines";

impl CodeIndex {
    /// Sets the format in which the caller stores its data. Data in another format is deleted.
    pub fn keep_form(&self, form: &str) -> Result<()> {
        self.connections_mut().form = Some(form.to_owned());
        let kept: Option<String> = self
            .read(|connection| Ok(connection.query_row("SELECT form FROM state", [], |row| row.get(0))?))?;
        match kept {
            Some(kept) if kept == form => Ok(()),
            Some(_) => self.renew(),
            None => self.write(|connection| set_form(connection, Some(form))),
        }
    }

    /// Returns a number that increases with every change.
    pub fn generation(&self) -> Result<i64> {
        self.read(|connection| {
            let mut statement = connection.prepare_cached("SELECT generation FROM state")?;
            Ok(statement.query_row([], |row| row.get(0))?)
        })
    }

    /// Returns all files, ordered by name.
    pub fn files(&self) -> Result<Vec<IndexFile>> {
        self.read(|connection| {
            let sql = format!("SELECT {COLUMNS} FROM files ORDER BY path");
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([], file)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    /// Returns the file with this name, or all files in the folder with this name.
    pub fn files_at(&self, path: &str) -> Result<Vec<IndexFile>> {
        self.read(|connection| {
            // `0` follows `/` in byte order, so everything between them begins with the folder's name.
            let sql = format!(
                "SELECT {COLUMNS} FROM files WHERE path = ?1 OR (path > ?1 || '/' AND path < ?1 || '0') ORDER BY path"
            );
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map([path], file)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
    }

    pub fn outline(&self, path: &str) -> Result<Option<Vec<u8>>> {
        self.read(|connection| {
            let sql = "SELECT outline FROM outlines JOIN files ON id = file WHERE path = ?1";
            let mut statement = connection.prepare_cached(sql)?;
            Ok(statement.query_row([path], |row| row.get(0)).optional()?)
        })
    }

    /// Returns the number of files and the number of symbols in them.
    pub fn counts(&self) -> Result<(usize, usize)> {
        self.read(|connection| {
            let sql = "SELECT (SELECT count(*) FROM files), (SELECT count(*) FROM symbols)";
            let counted =
                connection.query_row(sql, [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)))?;
            let whole = |count: i64| usize::try_from(count).unwrap_or_default();
            Ok((whole(counted.0), whole(counted.1)))
        })
    }

    /// Returns all outlines, ordered by file name.
    pub fn outlines(&self) -> Result<IndexOutlines> {
        self.read(|connection| {
            let generation = connection.query_row("SELECT generation FROM state", [], |row| row.get(0))?;
            let sql = "SELECT path, outline FROM outlines JOIN files ON id = file ORDER BY path";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            Ok(IndexOutlines { generation, outlines: rows.collect::<rusqlite::Result<_>>()? })
        })
    }
}

fn file(row: &Row<'_>) -> rusqlite::Result<IndexFile> {
    let kind: String = row.get("kind")?;
    let unknown = || rusqlite::Error::InvalidColumnType(1, kind.clone(), Type::Text);
    let bytes: i64 = row.get("bytes")?;
    Ok(IndexFile {
        path: row.get("path")?,
        kind: IndexFileKind::from_keyword(&kind).ok_or_else(unknown)?,
        bytes: u64::try_from(bytes).unwrap_or_default(),
        stamp: row.get("stamp")?,
        hash: row.get("hash")?,
        language: row.get("language")?,
        lines: row.get("lines")?,
    })
}
