use std::collections::BTreeSet;

use super::*;
use crate::connection::open_in_memory;
use crate::schema;

/// Text and byte columns that the redaction of columns skips: names and kinds of this program, hashes, and data that is
/// handled elsewhere or expires by itself.
const OTHERS: &[(&str, &[&str])] = &[
    ("acts", &["id", "name", "status"]),
    // The data is redacted in `prompts.rs`.
    ("attachments", &["mime", "data"]),
    ("backups", &["file"]),
    ("chores", &["name"]),
    ("code_checkpoints", &["commit_id"]),
    ("code_formats", &["model", "format"]),
    ("code_notes", &["kind"]),
    // The content of files is handled in `code.rs`.
    ("code_proposal_files", &["decision", "before", "after", "written", "found", "made"]),
    ("code_proposals", &["status", "mark"]),
    ("conversations", &["titled_by"]),
    ("embedders", &["name"]),
    ("fact_changes", &["kind"]),
    ("facts", &["category", "status"]),
    // These hold what is being forgotten until that is done.
    ("file_history_chores", &["changes"]),
    ("forgetting", &["what"]),
    // Prompts and logs are handled in `prompts.rs`.
    ("fragments", &["hash", "text"]),
    ("turn_events", &["events"]),
    // A hash does not reveal the text.
    ("given_answers", &["hash"]),
    ("grants", &["tool"]),
    ("mcp_approvals", &["server", "launch", "tools", "hosts"]),
    ("memory_changes", &["kind"]),
    ("messages", &["role", "status", "stop_reason", "error_code", "model"]),
    ("personalities", &["state"]),
    ("personality_moves", &["dimension", "why"]),
    ("personality_undo", &["state"]),
    ("regions", &["centres"]),
    ("sessions", &["hash", "agent"]),
    ("tokens", &["name", "hash", "scopes"]),
    ("turn_fragments", &["kind"]),
    ("turns", &["model", "client_message_id", "usage", "timings"]),
    ("users", &["name"]),
    // The name of a program, as in `tokens`.
    ("vector_entries", &["author"]),
    ("vectors", &["kind", "vector"]),
];

/// A new column has to be classified by whether it can hold user text.
#[test]
fn every_column_is_looked_through_or_has_a_reason_not_to_be() {
    let mut connection = open_in_memory().unwrap();
    schema::migrate(&mut connection).unwrap();
    let sql = "SELECT t.name || '.' || c.name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
               WHERE t.type = 'table' AND c.type IN ('TEXT', 'BLOB')
                 AND t.name NOT LIKE '%\\_search%' ESCAPE '\\' AND t.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    let mut statement = connection.prepare(sql).unwrap();
    let there: BTreeSet<String> =
        statement.query_map([], |row| row.get(0)).unwrap().collect::<rusqlite::Result<_>>().unwrap();
    let looked_at = COLUMNS.iter().map(|column| format!("{}.{}", column.table, column.name));
    let others =
        OTHERS.iter().flat_map(|(table, names)| names.iter().map(move |name| format!("{table}.{name}")));
    let known: Vec<String> = looked_at.chain(others).collect();
    assert_eq!(known.iter().cloned().collect::<BTreeSet<_>>(), there);
    assert_eq!(known.len(), there.len(), "each is named once");
}
