use std::path::Path;

use rusqlite::Connection;

use crate::connection::{open_in_memory, open_reader};
use crate::error::{Result, StoreError};
use crate::schema;
use crate::store::Store;

/// The maximum number of lines per kind of problem; more are not needed to act on it.
const LINES: usize = 20;

/// The result of a check of the whole database.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// The problems, one line each. Empty if the database is sound.
    pub problems: Vec<String>,
}

impl CheckReport {
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }
}

impl Store {
    /// Reads every page and compares every index with its table. Takes seconds for a large database, while reads and
    /// writes continue.
    pub async fn check(&self) -> Result<CheckReport> {
        let path = self.file().to_owned();
        // A connection that has run searches compares the index with cached state and reports damage that does not
        // exist, so a new one is opened.
        let checking = tokio::task::spawn_blocking(move || Self::check_file(&path));
        checking.await.unwrap_or_else(|error| Err(StoreError::Internal(error.to_string())))
    }

    /// Checks a file, such as a backup. Blocks. A file that is not a database of this program, or a newer one, is an
    /// error.
    pub fn check_file(path: &Path) -> Result<CheckReport> {
        let mut connection = open_reader(path)?;
        let snapshot = connection.transaction()?;
        check(&snapshot)
    }
}

fn check(connection: &Connection) -> Result<CheckReport> {
    let version = schema::version(connection)?;
    let mut problems = Vec::new();
    if version == schema::known_version() {
        compare_schema(connection, &mut problems)?;
    }
    let integrity = format!("PRAGMA integrity_check({LINES})");
    let mut lines = texts(connection, &integrity)?;
    lines.retain(|line| line != "ok");
    problems.append(&mut lines);
    let keys = "SELECT 'a row of ' || \"table\" || ' refers to a missing row of ' || parent
                FROM pragma_foreign_key_check LIMIT 20";
    problems.append(&mut texts(connection, keys)?);
    // With a different schema, the queries below have no meaning.
    if version == schema::known_version() && problems.is_empty() {
        for (sql, problem) in INVARIANTS {
            let wrong: i64 = connection.query_row(sql, [], |row| row.get(0))?;
            if wrong > 0 {
                problems.push(format!("{problem}: {wrong}"));
            }
        }
    }
    Ok(CheckReport { problems })
}

const INVARIANTS: &[(&str, &str)] = &[
    (
        "SELECT count(*) FROM messages WHERE content <> ''
         AND seq NOT IN (SELECT id FROM message_search_docsize)",
        "messages missing from the search index",
    ),
    (
        "SELECT count(*) FROM message_search_docsize
         WHERE id NOT IN (SELECT seq FROM messages WHERE content <> '')",
        "entries of the search index without a message",
    ),
    (
        "SELECT count(*) FROM conversations WHERE title <> '' AND id NOT IN (SELECT id FROM title_search_docsize)",
        "titles missing from the search index",
    ),
    (
        "SELECT count(*) FROM title_search_docsize
         WHERE id NOT IN (SELECT id FROM conversations WHERE title <> '')",
        "entries of the search index without a title",
    ),
    (
        "SELECT count(*) FROM conversations c WHERE leaf IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = c.leaf AND m.conversation = c.id)",
        "conversations that show a message of another conversation",
    ),
    (
        "SELECT count(*) FROM messages m JOIN conversations c ON c.id = m.conversation WHERE c.user <> m.user",
        "messages with a different owner than their conversation",
    ),
    (
        "SELECT count(*) FROM vectors v WHERE kind = 'message'
         AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = v.item)",
        "vectors of missing messages",
    ),
    (
        "SELECT count(*) FROM vectors v WHERE kind = 'fact' AND NOT EXISTS (SELECT 1 FROM facts f WHERE f.id = v.item)",
        "vectors of missing facts",
    ),
    (
        "SELECT count(*) FROM vectors v WHERE kind = 'entry'
         AND NOT EXISTS (SELECT 1 FROM vector_entries e WHERE e.id = v.item)",
        "vectors of missing entries",
    ),
    (
        "SELECT count(*) FROM vectors v WHERE kind = 'summary'
         AND NOT EXISTS (SELECT 1 FROM epochs e WHERE e.conversation = v.item AND e.summary IS NOT NULL)",
        "vectors of missing summaries",
    ),
    (
        "SELECT count(*) FROM vectors v JOIN embedders e ON e.id = v.embedder WHERE length(v.vector) <> 2 * e.dimensions + 4",
        "vectors of the wrong length",
    ),
    (
        "SELECT count(*) FROM facts f JOIN facts n ON n.id = f.superseded_by WHERE f.user <> n.user OR f.id = n.id",
        "facts replaced by a fact of another owner, or by themselves",
    ),
    (
        // A fact outlives its conversation, but single messages are never deleted on their own.
        "SELECT count(*) FROM facts f JOIN conversations c ON c.id = f.conversation AND c.deleted_at IS NULL
         WHERE f.message IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.id = f.message AND m.conversation = f.conversation)",
        "facts whose message is missing",
    ),
    (
        "SELECT count(*) FROM code_proposals p JOIN code_roots r ON r.id = p.root WHERE p.user <> r.user",
        "proposals with a different owner than their workspace",
    ),
    (
        "SELECT count(*) FROM code_proposals p WHERE conversation IS NOT NULL
         AND NOT EXISTS (SELECT 1 FROM conversations c WHERE c.id = p.conversation AND c.user = p.user)",
        "proposals of a missing conversation",
    ),
    ("SELECT count(*) = 0 FROM users WHERE owner = 1", "there is no owner"),
];

/// Reports triggers and views that this program did not create, since they could act on every write.
fn compare_schema(connection: &Connection, problems: &mut Vec<String>) -> Result<()> {
    let sql = "SELECT type || ' ' || name || char(10) || ifnull(sql, '') FROM sqlite_schema
               WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name";
    let mut fresh = open_in_memory()?;
    schema::migrate(&mut fresh)?;
    let expected = texts(&fresh, sql)?;
    let found = texts(connection, sql)?;
    let name = |entry: &str| entry.lines().next().unwrap_or_default().to_owned();
    let strange = found.iter().filter(|entry| !expected.contains(entry));
    problems.extend(
        strange.map(|entry| format!("{} differs from what this program creates", name(entry))).take(LINES),
    );
    let missing = expected.iter().filter(|entry| !found.iter().any(|other| name(other) == name(entry)));
    problems.extend(missing.map(|entry| format!("{} is missing", name(entry))).take(LINES));
    Ok(())
}

fn texts(connection: &Connection, sql: &str) -> Result<Vec<String>> {
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([], |row| row.get(0))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}
