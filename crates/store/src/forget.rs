use std::collections::{BTreeMap, BTreeSet};

use protocol::{ConversationId, FactId, MessageId, TurnId, UserId};
use rusqlite::types::Value as Cell;
use rusqlite::{Connection, params, params_from_iter};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::error::Result;
use crate::maintenance::note_deleted_words;
use crate::store::Store;
use crate::writer::Durability;

/// Takes words out of a text. Nothing, where none of them stands in it.
pub trait Redact: Send + Sync {
    fn redact(&self, text: &str) -> Option<String>;
}

/// What was taken out of the database, by place, with the beginning of what stood there first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redacted {
    pub places: BTreeMap<&'static str, (u32, String)>,
    /// Conversations in which something was changed.
    pub conversations: Vec<ConversationId>,
}

impl Redacted {
    fn count(&mut self, place: &'static str, example: &str) {
        let entry = self.places.entry(place).or_insert_with(|| (0, example.chars().take(120).collect()));
        entry.0 += 1;
    }
}

/// A column that holds what people said.
struct Column {
    table: &'static str,
    name: &'static str,
    place: &'static str,
    /// How a row's user is found, from the table's own columns.
    owner: &'static str,
    /// The message that a row belongs to, where it belongs to one.
    message: &'static str,
    is_json: bool,
}

const fn text(
    table: &'static str,
    name: &'static str,
    place: &'static str,
    owner: &'static str,
    message: &'static str,
) -> Column {
    Column { table, name, place, owner, message, is_json: false }
}

const fn json(
    table: &'static str,
    name: &'static str,
    place: &'static str,
    owner: &'static str,
    message: &'static str,
) -> Column {
    Column { table, name, place, owner, message, is_json: true }
}

const OF_MESSAGE: &str = "(SELECT user FROM messages WHERE id = message)";
const OF_FACT: &str = "(SELECT user FROM facts WHERE id = fact)";

/// Where words can stand. Logs of turns and prompts have ways of their own.
const COLUMNS: &[Column] = &[
    text("messages", "content", "messages", "user", "id"),
    text("messages", "reasoning", "messages", "user", "id"),
    text("messages", "context", "prompts", "user", "id"),
    text("messages", "error", "messages", "user", "id"),
    json("messages", "memory", "messages", "user", "id"),
    json("messages", "plan", "messages", "user", "id"),
    json("messages", "origins", "messages", "user", "id"),
    text("conversations", "title", "titles", "user", "leaf"),
    text("conversations", "preview", "titles", "user", "leaf"),
    text("attachments", "name", "attachments", "user", "message"),
    text("rounds", "said", "messages", OF_MESSAGE, "message"),
    json("rounds", "calls", "messages", OF_MESSAGE, "message"),
    json("rounds", "told", "messages", OF_MESSAGE, "message"),
    json("acts", "args", "acts", "user", "message"),
    json("acts", "result", "acts", "user", "message"),
    json("acts", "command", "acts", "user", "message"),
    json("grants", "args", "permissions", "user", "NULL"),
    text("facts", "content", "facts", "user", "NULL"),
    text("facts", "quote", "facts", "user", "NULL"),
    text("facts", "value", "facts", "user", "NULL"),
    text("facts", "subject", "facts", "user", "NULL"),
    json("facts", "origins", "facts", "user", "NULL"),
    json("fact_changes", "before", "facts", OF_FACT, "NULL"),
    text("vector_entries", "content", "entries", "user", "NULL"),
    text("vector_entries", "name", "entries", "user", "NULL"),
    json("vector_entries", "metadata", "entries", "user", "NULL"),
    json("vector_entries", "origins", "entries", "user", "NULL"),
    text("memory_files", "name", "files", "user", "NULL"),
    json("memory_files", "origins", "files", "user", "NULL"),
];

impl Store {
    /// Takes words out of everything that a user's rows say, and removes facts altogether. With `only_look`, nothing is
    /// changed. What stood in free pages, in the search index and in the log is overwritten before this returns.
    pub async fn forget(
        &self,
        user: UserId,
        facts: Vec<FactId>,
        redact: impl Redact + 'static,
        only_look: bool,
    ) -> Result<Redacted> {
        let redacted = if only_look {
            self.read(move |connection| sweep(connection, user, &facts, &redact, false)).await?
        } else {
            self.write(Durability::Person, move |connection| sweep(connection, user, &facts, &redact, true))
                .await?
        };
        if !only_look {
            self.overwrite_deleted().await?;
        }
        Ok(redacted)
    }

    /// Makes sure that nothing deleted is left in the search index, in what the planner remembers, or in the log.
    pub async fn overwrite_deleted(&self) -> Result<()> {
        self.writer()
            .alone(|connection| {
                // The planner keeps samples of what stands in the columns.
                connection.execute_batch("ANALYZE")?;
                Ok(())
            })
            .await?;
        self.forget_deleted_words().await?;
        self.empty_log().await
    }

    /// Writes the whole file anew, so that nothing is left between what it holds.
    pub async fn rewrite(&self) -> Result<()> {
        self.writer()
            .alone(|connection| {
                connection.execute_batch("VACUUM")?;
                Ok(())
            })
            .await?;
        self.empty_log().await
    }
}

fn sweep(
    connection: &Connection,
    user: UserId,
    facts: &[FactId],
    redact: &dyn Redact,
    change: bool,
) -> Result<Redacted> {
    let mut found = Redacted::default();
    let mut messages = BTreeSet::new();
    for fact in facts {
        let sql = "SELECT content FROM facts WHERE id = ?1 AND user = ?2";
        let content: Option<String> = connection
            .prepare_cached(sql)?
            .query_map(params![fact.get(), user.get()], |row| row.get(0))?
            .next()
            .transpose()?;
        let Some(content) = content else { continue };
        found.count("facts", &content);
        if change {
            connection.prepare_cached("DELETE FROM facts WHERE id = ?1")?.execute([fact.get()])?;
        }
    }
    // Facts that hold the words are removed whole: while only looking, they were counted above.
    let columns = COLUMNS.iter().filter(|column| change || column.place != "facts");
    for column in columns {
        redact_column(connection, user, column, redact, change, &mut found, &mut messages)?;
    }
    redact_files(connection, user, redact, change, &mut found, &mut messages)?;
    redact_prompts(connection, user, redact, change, &mut found)?;
    drop_logs(connection, user, redact, change, &mut found, &messages)?;
    for &message in &messages {
        let sql = "SELECT conversation FROM messages WHERE id = ?1";
        let conversation = connection.prepare_cached(sql)?.query_row([message.get()], |row| row.get(0));
        if let Ok(conversation) = conversation.map(ConversationId::new)
            && !found.conversations.contains(&conversation)
        {
            found.conversations.push(conversation);
        }
    }
    if change {
        note_deleted_words(connection)?;
    }
    Ok(found)
}

fn redact_column(
    connection: &Connection,
    user: UserId,
    column: &Column,
    redact: &dyn Redact,
    change: bool,
    found: &mut Redacted,
    messages: &mut BTreeSet<MessageId>,
) -> Result<()> {
    let Column { table, name: column, place, owner, message, is_json } = column;
    let keys = key_of(table);
    let chosen = keys.join(", ");
    let sql = format!(
        "SELECT {column}, {message}, {chosen} FROM {table} WHERE {column} IS NOT NULL AND {column} <> '' AND {owner} = ?1"
    );
    let mut statement = connection.prepare(&sql)?;
    let mut rows = statement.query([user.get()])?;
    let mut changes: Vec<(String, Vec<Cell>)> = Vec::new();
    while let Some(row) = rows.next()? {
        let text: String = row.get(0)?;
        let after = if *is_json { redact_json(&text, redact) } else { redact.redact(&text) };
        let Some(after) = after else { continue };
        found.count(place, &text);
        messages.extend(row.get::<_, Option<i64>>(1)?.map(MessageId::new));
        let key = (0..keys.len()).map(|place| row.get(place + 2)).collect::<rusqlite::Result<_>>()?;
        changes.push((after, key));
    }
    if change && !changes.is_empty() {
        let matching: Vec<String> =
            keys.iter().enumerate().map(|(place, key)| format!("{key} = ?{}", place + 2)).collect();
        let sql = format!("UPDATE OR REPLACE {table} SET {column} = ?1 WHERE {}", matching.join(" AND "));
        let mut statement = connection.prepare(&sql)?;
        for (after, key) in changes {
            statement.execute(params_from_iter(std::iter::once(Cell::Text(after)).chain(key)))?;
        }
    }
    Ok(())
}

fn key_of(table: &str) -> &'static [&'static str] {
    match table {
        "rounds" => &["message", "ord"],
        "memory_files" => &["user", "name"],
        _ => &["id"],
    }
}

/// Words inside of JSON may be escaped: each string is looked at by itself.
fn redact_json(text: &str, redact: &dyn Redact) -> Option<String> {
    let Ok(mut value) = serde_json::from_str::<Value>(text) else { return redact.redact(text) };
    redact_value(&mut value, redact).then(|| value.to_string())
}

fn redact_value(value: &mut Value, redact: &dyn Redact) -> bool {
    match value {
        Value::String(text) => match redact.redact(text) {
            Some(after) => {
                *text = after;
                true
            }
            None => false,
        },
        Value::Array(items) => {
            items.iter_mut().fold(false, |changed, item| redact_value(item, redact) | changed)
        }
        Value::Object(map) => {
            let mut changed =
                map.values_mut().fold(false, |changed, item| redact_value(item, redact) | changed);
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

/// Files that came with a message, where they are text.
fn redact_files(
    connection: &Connection,
    user: UserId,
    redact: &dyn Redact,
    change: bool,
    found: &mut Redacted,
    messages: &mut BTreeSet<MessageId>,
) -> Result<()> {
    let sql = "SELECT id, message, data FROM attachments WHERE user = ?1";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([user.get()])?;
    let mut changes = Vec::new();
    while let Some(row) = rows.next()? {
        let data: Vec<u8> = row.get("data")?;
        let Ok(text) = String::from_utf8(data) else { continue };
        let Some(after) = redact.redact(&text) else { continue };
        found.count("attachments", &text);
        messages.insert(MessageId::new(row.get("message")?));
        changes.push((row.get::<_, i64>("id")?, after));
    }
    if change {
        for (id, after) in changes {
            let sql = "UPDATE attachments SET data = ?2, bytes = ?3 WHERE id = ?1";
            let bytes = u32::try_from(after.len()).unwrap_or(u32::MAX);
            connection.prepare_cached(sql)?.execute(params![id, after.into_bytes(), bytes])?;
        }
    }
    Ok(())
}

/// Pieces of prompts and summaries. A piece is known by the hash of its words.
fn redact_prompts(
    connection: &Connection,
    user: UserId,
    redact: &dyn Redact,
    change: bool,
    found: &mut Redacted,
) -> Result<()> {
    let sql = "SELECT f.id, f.text,
                      EXISTS (SELECT 1 FROM epochs e WHERE e.summary = f.id) AS is_summary FROM fragments f
               WHERE EXISTS (SELECT 1 FROM turn_fragments tf JOIN turns t ON t.id = tf.turn
                             WHERE tf.fragment = f.id AND t.user = ?1)
                  OR EXISTS (SELECT 1 FROM epochs e JOIN conversations c ON c.id = e.conversation
                             WHERE (e.summary = f.id OR e.system = f.id) AND c.user = ?1)";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([user.get()])?;
    let mut changes = Vec::new();
    while let Some(row) = rows.next()? {
        let text: String = row.get("text")?;
        let Some(after) = redact.redact(&text) else { continue };
        found.count(if row.get("is_summary")? { "summaries" } else { "prompts" }, &text);
        changes.push((row.get::<_, i64>("id")?, after));
    }
    if !change {
        return Ok(());
    }
    for (id, after) in changes {
        let hash: [u8; 32] = Sha256::digest(&after).into();
        let sql = "SELECT id FROM fragments WHERE hash = ?1";
        let same: Option<i64> =
            connection.prepare_cached(sql)?.query_map([hash], |row| row.get(0))?.next().transpose()?;
        if let Some(same) = same.filter(|&same| same != id) {
            // Another piece says the same already.
            for sql in [
                "UPDATE turn_fragments SET fragment = ?2 WHERE fragment = ?1",
                "UPDATE epochs SET system = ?2 WHERE system = ?1",
                "UPDATE epochs SET summary = ?2 WHERE summary = ?1",
            ] {
                connection.prepare_cached(sql)?.execute(params![id, same])?;
            }
            connection.prepare_cached("DELETE FROM fragments WHERE id = ?1")?.execute([id])?;
        } else {
            let sql = "UPDATE fragments SET text = ?2, hash = ?3 WHERE id = ?1";
            connection.prepare_cached(sql)?.execute(params![id, after, hash])?;
        }
        let sql = "INSERT INTO memory_changes (kind, item) SELECT 'summary', conversation FROM epochs WHERE summary = ?1";
        connection.prepare_cached(sql)?.execute([id])?;
        let sql = "DELETE FROM vectors WHERE kind = 'summary'
                   AND item IN (SELECT conversation FROM epochs WHERE summary = ?1)";
        connection.prepare_cached(sql)?.execute([id])?;
    }
    Ok(())
}

/// The log of a turn holds words in pieces of any size, so the whole log goes; the message tells the turn again.
fn drop_logs(
    connection: &Connection,
    user: UserId,
    redact: &dyn Redact,
    change: bool,
    found: &mut Redacted,
    messages: &BTreeSet<MessageId>,
) -> Result<()> {
    let sql = "SELECT id, message, user_message FROM turns t WHERE user = ?1 AND ended_at IS NOT NULL
               AND EXISTS (SELECT 1 FROM turn_events e WHERE e.turn = t.id)";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([user.get()])?;
    let mut logs = Vec::new();
    while let Some(row) = rows.next()? {
        let turn: i64 = row.get("id")?;
        let touched = [row.get::<_, Option<i64>>("message")?, row.get("user_message")?];
        let touched = touched.into_iter().flatten().any(|id| messages.contains(&MessageId::new(id)));
        if touched || has_words(connection, TurnId::new(turn), redact)? {
            found.count("events", "");
            logs.push(turn);
        }
    }
    if change {
        for turn in logs {
            connection.prepare_cached("DELETE FROM turn_events WHERE turn = ?1")?.execute([turn])?;
            connection.prepare_cached("UPDATE turns SET logged = 0 WHERE id = ?1")?.execute([turn])?;
        }
    }
    Ok(())
}

fn has_words(connection: &Connection, turn: TurnId, redact: &dyn Redact) -> Result<bool> {
    let mut statement =
        connection.prepare_cached("SELECT events FROM turn_events WHERE turn = ?1 ORDER BY first_seq")?;
    let rows = statement.query_map([turn.get()], |row| row.get::<_, String>(0))?;
    let mut said = String::new();
    for row in rows {
        let Ok(events) = serde_json::from_str::<Vec<Value>>(&row?) else { return Ok(true) };
        for mut event in events {
            if event["type"] == "token" || event["type"] == "reasoning" {
                said.push_str(event["content"].as_str().unwrap_or_default());
            } else if redact_value(&mut event, redact) {
                return Ok(true);
            }
        }
    }
    Ok(redact.redact(&said).is_some())
}
