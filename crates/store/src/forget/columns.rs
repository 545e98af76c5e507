//! The columns that hold user text.

use std::collections::BTreeSet;

use protocol::{Command, Event, FactId, MemoryItem, MessageId, Origin, PlanStep};
use rusqlite::types::Value as Cell;
use rusqlite::{Connection, OptionalExtension as _, params_from_iter};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::redacted::{Redact, Redacted, Sweep};
use crate::error::Result;
use crate::facts::StoredFact;
use crate::rounds::{RoundCall, RoundResult};

/// A column that holds user text.
pub struct Column {
    table: &'static str,
    name: &'static str,
    place: &'static str,
    /// The SQL expression for a row's user, from the table's own columns.
    owner: &'static str,
    /// The SQL expression for the message that a row belongs to, if any.
    message: &'static str,
    form: Form,
}

/// The encoding of text in a column.
#[derive(Clone, Copy)]
enum Form {
    Text,
    /// JSON of any shape, including its keys: the arguments of a tool call.
    AnyJson,
    /// JSON written by this program: ids, times and kinds are not user text. A value that cannot be parsed after the
    /// change is removed entirely.
    OwnJson(fn(&str) -> bool),
}

fn reads<T: DeserializeOwned>(text: &str) -> bool {
    serde_json::from_str::<T>(text).is_ok()
}

const fn column(
    table: &'static str,
    name: &'static str,
    place: &'static str,
    owner: &'static str,
    message: &'static str,
    form: Form,
) -> Column {
    Column { table, name, place, owner, message, form }
}

const OF_MESSAGE: &str = "(SELECT user FROM messages WHERE id = message)";
const OF_FACT: &str = "(SELECT user FROM facts WHERE id = fact)";
const OF_CONVERSATION: &str = "(SELECT user FROM conversations WHERE id = conversation)";
const OF_TURN: &str = "(SELECT user FROM turns WHERE id = turn)";
const OF_PROPOSAL: &str = "(SELECT user FROM code_proposals WHERE id = proposal)";
const ORIGINS: Form = Form::OwnJson(reads::<Vec<Origin>>);

/// All columns that can contain the words. Turn logs and prompts are handled separately.
pub const COLUMNS: &[Column] = &[
    column("messages", "content", "messages", "user", "id", Form::Text),
    column("messages", "reasoning", "messages", "user", "id", Form::Text),
    column("messages", "context", "prompts", "user", "id", Form::Text),
    column("messages", "error", "messages", "user", "id", Form::Text),
    column("messages", "memory", "messages", "user", "id", Form::OwnJson(reads::<Vec<MemoryItem>>)),
    column("messages", "plan", "messages", "user", "id", Form::OwnJson(reads::<Vec<PlanStep>>)),
    column("messages", "work", "messages", "user", "id", Form::OwnJson(reads::<Vec<Event>>)),
    column("messages", "origins", "messages", "user", "id", ORIGINS),
    column("conversations", "title", "titles", "user", "leaf", Form::Text),
    column("conversations", "preview", "titles", "user", "leaf", Form::Text),
    column("conversations", "folder", "titles", "user", "NULL", Form::Text),
    column("tags", "tag", "titles", OF_CONVERSATION, "NULL", Form::Text),
    column("attachments", "name", "attachments", "user", "message", Form::Text),
    column("rounds", "said", "messages", OF_MESSAGE, "message", Form::Text),
    column("rounds", "calls", "messages", OF_MESSAGE, "message", Form::OwnJson(reads::<Vec<RoundCall>>)),
    column("rounds", "told", "messages", OF_MESSAGE, "message", Form::OwnJson(reads::<Vec<RoundResult>>)),
    column("acts", "args", "acts", "user", "message", Form::AnyJson),
    column("acts", "result", "acts", "user", "message", Form::AnyJson),
    column("acts", "command", "acts", "user", "message", Form::OwnJson(reads::<Command>)),
    column("grants", "args", "permissions", "user", "NULL", Form::AnyJson),
    column("facts", "content", "facts", "user", "NULL", Form::Text),
    column("facts", "quote", "facts", "user", "NULL", Form::Text),
    column("facts", "value", "facts", "user", "NULL", Form::Text),
    column("facts", "slot", "facts", "user", "NULL", Form::Text),
    column("facts", "subject", "facts", "user", "NULL", Form::Text),
    column("facts", "imported_from", "facts", "user", "NULL", Form::Text),
    column("facts", "origins", "facts", "user", "NULL", ORIGINS),
    column("fact_changes", "before", "facts", OF_FACT, "NULL", Form::OwnJson(reads::<StoredFact>)),
    column("vector_entries", "content", "entries", "user", "NULL", Form::Text),
    column("vector_entries", "name", "entries", "user", "NULL", Form::Text),
    column("vector_entries", "metadata", "entries", "user", "NULL", Form::AnyJson),
    column("vector_entries", "origins", "entries", "user", "NULL", ORIGINS),
    column("memory_files", "name", "files", "user", "NULL", Form::Text),
    column("memory_files", "origins", "files", "user", "NULL", ORIGINS),
    column("given_answers", "origins", "prompts", "user", "NULL", ORIGINS),
    column("kept_values", "name", "files", "user", "NULL", Form::Text),
    column("kept_values", "origins", "files", "user", "NULL", ORIGINS),
    column("epochs", "origins", "summaries", OF_CONVERSATION, "NULL", ORIGINS),
    column("turn_fragments", "source", "prompts", OF_TURN, "NULL", Form::Text),
    column("code_roots", "path", "code", "user", "NULL", Form::Text),
    column("code_roots", "include", "code", "user", "NULL", Form::OwnJson(reads::<Vec<String>>)),
    column("code_roots", "verify", "code", "user", "NULL", Form::AnyJson),
    column("code_proposals", "title", "code", "user", "message", Form::Text),
    column("code_proposals", "summary", "code", "user", "message", Form::Text),
    column("code_proposals", "folders", "code", "user", "message", Form::OwnJson(reads::<Vec<String>>)),
    column("code_proposals", "verify", "code", "user", "message", Form::AnyJson),
    column("code_proposal_files", "path", "code", OF_PROPOSAL, "NULL", Form::Text),
    column("code_notes", "text", "code", "user", "NULL", Form::Text),
    column("code_notes", "path", "code", "user", "NULL", Form::Text),
    column("code_notes", "fingerprint", "code", "user", "NULL", Form::Text),
    column("code_checkpoints", "label", "code", "user", "message", Form::Text),
];

pub fn redact_column(
    connection: &Connection,
    sweep: &Sweep<'_>,
    column: &Column,
    found: &mut Redacted,
    messages: &mut BTreeSet<MessageId>,
) -> Result<()> {
    let Sweep { user, whole, redact, .. } = *sweep;
    let change = sweep.change.is_some();
    let Column { table, name, place, owner, message, form } = column;
    let keys = key_of(table);
    let chosen = keys.join(", ");
    let sql = format!(
        "SELECT {name}, {message}, {chosen} FROM {table} WHERE {name} IS NOT NULL AND {name} <> '' AND {owner} = ?1"
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([user.get()])?;
    let mut changes: Vec<(Cell, Vec<Cell>)> = Vec::new();
    while let Some(row) = rows.next()? {
        let text: String = row.get(0)?;
        let Some(after) = form.redact(&text, redact) else { continue };
        let of = row.get::<_, Option<i64>>(1)?.map(MessageId::new);
        let key = (0..keys.len()).map(|place| row.get(place + 2)).collect::<rusqlite::Result<Vec<Cell>>>()?;
        if sweep.is_later(of.or(source_of(connection, table, &key)?)) {
            continue;
        }
        // Items that are removed entirely have been counted already.
        let is_whole_fact = |id: i64| whole.facts.contains(&FactId::new(id));
        if !change
            && (of.is_some_and(|of| whole.messages.contains(&of))
                || fact_of(connection, table, &key)?.is_some_and(is_whole_fact))
        {
            continue;
        }
        let counted = match *place {
            "facts" => fact_of(connection, table, &key)?,
            "messages" => of.map(MessageId::get),
            _ => match key.as_slice() {
                [Cell::Integer(id)] => Some(*id),
                _ => None,
            },
        };
        if found.is_first(place, counted) {
            match &after {
                Cell::Text(after) => found.count_change(place, &text, after),
                _ => found.count(place, &text),
            }
        }
        messages.extend(of);
        changes.push((after, key));
    }
    if change && (*table, *name) == ("facts", "content") {
        // A fact whose text contains the words was learned meanwhile.
        for (_, key) in changes {
            connection.prepare_cached("DELETE FROM facts WHERE id = ?1")?.execute(params_from_iter(key))?;
        }
    } else if change {
        write_column(connection, table, name, keys, changes)?;
    }
    Ok(())
}

/// Returns the message that a fact was learned from.
fn source_of(connection: &Connection, table: &str, key: &[Cell]) -> Result<Option<MessageId>> {
    let sql = match table {
        "facts" => "SELECT message FROM facts WHERE id = ?1",
        "fact_changes" => {
            "SELECT message FROM facts WHERE id = (SELECT fact FROM fact_changes WHERE id = ?1)"
        }
        _ => return Ok(None),
    };
    let found = connection.prepare_cached(sql)?.query_row(params_from_iter(key), |row| row.get(0));
    Ok(found.optional()?.flatten().map(MessageId::new))
}

/// Returns the fact that a row holds or whose history it belongs to.
fn fact_of(connection: &Connection, table: &str, key: &[Cell]) -> Result<Option<i64>> {
    match (table, key) {
        ("facts", [Cell::Integer(id)]) => Ok(Some(*id)),
        ("fact_changes", [Cell::Integer(id)]) => {
            let sql = "SELECT fact FROM fact_changes WHERE id = ?1";
            Ok(connection.prepare_cached(sql)?.query_row([id], |row| row.get(0)).optional()?)
        }
        _ => Ok(None),
    }
}

fn write_column(
    connection: &Connection,
    table: &str,
    column: &str,
    keys: &[&str],
    changes: Vec<(Cell, Vec<Cell>)>,
) -> Result<()> {
    let matching: Vec<String> =
        keys.iter().enumerate().map(|(place, key)| format!("{key} = ?{}", place + 2)).collect();
    let sql = format!("UPDATE OR IGNORE {table} SET {column} = ?1 WHERE {}", matching.join(" AND "));
    let mut statement = connection.prepare(&sql)?;
    for (after, key) in changes {
        let mut write =
            |cell: Cell| statement.execute(params_from_iter(std::iter::once(cell).chain(key.clone())));
        if write(after.clone())? > 0 {
            continue;
        }
        // Two names that became the same stay distinct by a number.
        if let Cell::Text(name) = after {
            for number in 2.. {
                if write(Cell::Text(format!("{name} {number}")))? > 0 {
                    break;
                }
            }
        }
    }
    Ok(())
}

fn key_of(table: &str) -> &'static [&'static str] {
    match table {
        "rounds" => &["message", "ord"],
        "memory_files" | "kept_values" => &["user", "name"],
        "given_answers" => &["user", "hash"],
        "tags" => &["conversation", "tag"],
        "turn_fragments" => &["turn", "ord"],
        _ => &["id"],
    }
}

impl Form {
    /// Returns the replacement for a text that contains the words.
    fn redact(self, text: &str, redact: &dyn Redact) -> Option<Cell> {
        let own_json = matches!(self, Form::OwnJson(_));
        let after = match (self, serde_json::from_str::<Value>(text)) {
            (Form::AnyJson | Form::OwnJson(_), Ok(mut value)) => {
                redact_value(&mut value, redact, own_json).then(|| value.to_string())?
            }
            _ => redact.redact(text)?,
        };
        match self {
            Form::OwnJson(reads) if !reads(&after) => Some(Cell::Null),
            _ => Some(Cell::Text(after)),
        }
    }
}

/// Redacts each string of a JSON value separately, since text in JSON may be escaped. JSON within a string is handled
/// too.
pub fn redact_value(value: &mut Value, redact: &dyn Redact, own_json: bool) -> bool {
    match value {
        Value::String(text) => match redacted_string(text, redact) {
            Some(after) => {
                *text = after;
                true
            }
            None => false,
        },
        Value::Array(items) => {
            items.iter_mut().fold(false, |changed, item| redact_value(item, redact, own_json) | changed)
        }
        Value::Object(map) => {
            let mut changed = false;
            for (key, item) in map.iter_mut().filter(|(key, _)| !(own_json && is_own_field(key))) {
                // A payload comes from a tool, so its keys do not have this program's meaning.
                changed |= redact_value(item, redact, own_json && key != "payload");
            }
            if own_json {
                return changed;
            }
            let keys: Vec<String> = map.keys().filter(|key| redact.redact(key).is_some()).cloned().collect();
            for key in keys {
                changed = true;
                if let (Some(item), Some(after)) = (map.shift_remove(&key), redact.redact(&key)) {
                    map.insert(after, item);
                }
            }
            changed
        }
        _ => false,
    }
}

fn redacted_string(text: &str, redact: &dyn Redact) -> Option<String> {
    if text.starts_with(['{', '['])
        && let Ok(mut inner) = serde_json::from_str::<Value>(text)
    {
        return redact_value(&mut inner, redact, false).then(|| inner.to_string());
    }
    redact.redact(text)
}

/// Returns true for a field that holds an id, a time or a keyword of this program.
fn is_own_field(key: &str) -> bool {
    matches!(
        key,
        "id" | "kind"
            | "type"
            | "status"
            | "category"
            | "action"
            | "at"
            | "user"
            | "call"
            | "conversation"
            | "message"
    ) || ["_id", "_at", "Id", "At", "_from", "_to", "_by"].iter().any(|end| key.ends_with(end))
}

#[cfg(test)]
#[path = "columns_tests.rs"]
mod tests;
