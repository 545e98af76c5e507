use protocol::{CodeNoteKind, NoteId, UserId};
use rusqlite::{Row, params};
use serde::Serialize;

use super::root_of;
use crate::error::{ObjectKind, Result, StoreError};
use crate::store::Store;
use crate::stored::{Keyword, RowExt};
use crate::writer::Durability;

/// The number of notes of each kind that are kept per workspace; older ones are removed.
const MOST_NOTES: u32 = 500;
/// The maximum length of a note, in characters; longer text is truncated.
const MOST_CHARS: usize = 4_000;

/// A fact that was learned about a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StoredCodeNote {
    pub id: NoteId,
    pub kind: CodeNoteKind,
    pub path: Option<String>,
    pub text: String,
    pub fingerprint: Option<String>,
    pub created_at: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewCodeNote {
    /// The path of the workspace.
    pub root: String,
    pub kind: CodeNoteKind,
    /// The file that it is about.
    pub path: Option<String>,
    pub text: String,
    /// A note replaces one with the same fingerprint.
    pub fingerprint: Option<String>,
}

impl Store {
    pub async fn add_code_note(&self, user: UserId, new: NewCodeNote) -> Result<NoteId> {
        let context = self.context();
        self.write(Durability::Log, move |connection| {
            let root = root_of(connection, &context, user, &new.root)?;
            let (id, kind) = (context.ids.next(), new.kind.keyword());
            let text: String = new.text.chars().take(MOST_CHARS).collect();
            let sql = "INSERT OR REPLACE INTO code_notes (id, user, root, kind, path, fingerprint, created_at, text)
                       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
            let values = params![id, user.get(), root, kind, new.path, new.fingerprint, context.now, text];
            connection.prepare_cached(sql)?.execute(values)?;
            let sql = "DELETE FROM code_notes WHERE root = ?1 AND kind = ?2 AND id <=
                       (SELECT id FROM code_notes WHERE root = ?1 AND kind = ?2 ORDER BY id DESC LIMIT 1 OFFSET ?3)";
            connection.prepare_cached(sql)?.execute(params![root, kind, MOST_NOTES])?;
            Ok(NoteId::new(id))
        })
        .await
    }

    /// Returns the notes of a workspace, newest first, optionally of one kind or about one file.
    pub async fn code_notes(
        &self,
        user: UserId,
        root: &str,
        kind: Option<CodeNoteKind>,
        path: Option<&str>,
        limit: u32,
    ) -> Result<Vec<StoredCodeNote>> {
        let (root, path) = (root.to_owned(), path.map(str::to_owned));
        self.read(move |connection| {
            let sql = "SELECT n.* FROM code_notes n JOIN code_roots r ON r.id = n.root
                       WHERE r.user = ?1 AND r.path = ?2 AND (?3 IS NULL OR n.kind = ?3) AND (?4 IS NULL OR n.path = ?4)
                       ORDER BY n.id DESC LIMIT ?5";
            let mut statement = connection.prepare_cached(sql)?;
            let values = params![user.get(), root, kind.map(Keyword::keyword), path, limit];
            let rows = statement.query_map(values, read)?;
            Ok(rows.collect::<rusqlite::Result<_>>()?)
        })
        .await
    }

    pub async fn delete_code_note(&self, user: UserId, id: NoteId) -> Result<()> {
        self.write(Durability::Person, move |connection| {
            let sql = "DELETE FROM code_notes WHERE id = ?1 AND user = ?2";
            let gone = connection.prepare_cached(sql)?.execute(params![id.get(), user.get()])?;
            if gone == 0 { Err(StoreError::NotFound(ObjectKind::CodeNote)) } else { Ok(()) }
        })
        .await
    }
}

fn read(row: &Row<'_>) -> rusqlite::Result<StoredCodeNote> {
    Ok(StoredCodeNote {
        id: NoteId::new(row.get("id")?),
        kind: row.keyword("kind")?,
        path: row.get("path")?,
        text: row.get("text")?,
        fingerprint: row.get("fingerprint")?,
        created_at: row.time("created_at")?,
    })
}
