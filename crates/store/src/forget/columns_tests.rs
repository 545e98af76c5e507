use std::collections::BTreeSet;

use super::*;
use crate::connection::open_in_memory;
use crate::schema;

/// Columns of text or bytes in which no words are looked for here: names and kinds of ours, sums, and what is looked through
/// elsewhere or goes by itself.
const OTHERS: &[(&str, &[&str])] = &[
    ("acts", &["id", "name", "status"]),
    // Its data is looked through in `prompts.rs`.
    ("attachments", &["mime", "data"]),
    ("backups", &["file"]),
    ("chores", &["name"]),
    ("code_checkpoints", &["commit_id"]),
    ("code_formats", &["model", "format"]),
    ("code_notes", &["kind"]),
    // The bytes of files are looked through in `code.rs`.
    ("code_proposal_files", &["decision", "before", "after", "written", "found", "made"]),
    ("code_proposals", &["status", "mark"]),
    ("conversations", &["titled_by"]),
    ("embedders", &["name"]),
    ("fact_changes", &["kind"]),
    ("facts", &["category", "status"]),
    // What is being forgotten, until it is.
    ("file_history_chores", &["changes"]),
    ("forgetting", &["what"]),
    // Prompts and logs: `prompts.rs`.
    ("fragments", &["hash", "text"]),
    ("turn_events", &["events"]),
    // A hash of words is not the words.
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

/// Whoever adds a column has to say whether it can hold what somebody said.
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
