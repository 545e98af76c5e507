//! Forgets words in attachments, prompts and turn logs.

use std::collections::BTreeSet;

use protocol::{ConversationId, MessageId, TurnId, UserId};
use rusqlite::{Connection, params};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::code::decode_utf16;
use super::columns::redact_value;
use super::redacted::{Redact, Redacted, Sweep};
use crate::error::Result;

/// Redacts text attachments. A redacted attachment is stored as UTF-8.
pub fn redact_files(
    connection: &Connection,
    sweep: &Sweep<'_>,
    found: &mut Redacted,
    messages: &mut BTreeSet<MessageId>,
) -> Result<()> {
    let sql = "SELECT id, message, data FROM attachments WHERE user = ?1";
    let mut statement = connection.prepare(sql)?;
    let mut rows = statement.query([sweep.user.get()])?;
    let mut changes = Vec::new();
    while let Some(row) = rows.next()? {
        let message = MessageId::new(row.get("message")?);
        if sweep.is_later(Some(message)) {
            continue;
        }
        let data: Vec<u8> = row.get("data")?;
        let Some(text) = decode_utf16(&data).or_else(|| String::from_utf8(data).ok()) else { continue };
        let Some(after) = sweep.redact.redact(&text) else { continue };
        found.count_change("attachments", &text, &after);
        messages.insert(message);
        changes.push((row.get::<_, i64>("id")?, after));
    }
    if sweep.change.is_some() {
        for (id, after) in changes {
            let sql = "UPDATE attachments SET data = ?2, bytes = ?3 WHERE id = ?1";
            let bytes = u32::try_from(after.len()).unwrap_or(u32::MAX);
            connection.prepare_cached(sql)?.execute(params![id, after.into_bytes(), bytes])?;
        }
    }
    Ok(())
}

/// Redacts prompt fragments and summaries. A fragment is identified by the hash of its text.
pub fn redact_prompts(
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
        let place = if row.get("is_summary")? { "summaries" } else { "prompts" };
        found.count_change(place, &text, &after);
        let id = row.get::<_, i64>("id")?;
        let sql = "SELECT t.conversation FROM turn_fragments tf JOIN turns t ON t.id = tf.turn WHERE tf.fragment = ?1
                   UNION SELECT conversation FROM epochs WHERE summary = ?1 OR system = ?1";
        let mut of = connection.prepare_cached(sql)?;
        for conversation in of.query_map([id], |row| row.get(0))? {
            found.touch(ConversationId::new(conversation?));
        }
        changes.push((id, after));
    }
    if !change {
        return Ok(());
    }
    for (id, after) in changes {
        rewrite(connection, id, &after)?;
        let sql = "INSERT INTO memory_changes (kind, item) SELECT 'summary', conversation FROM epochs WHERE summary = ?1";
        connection.prepare_cached(sql)?.execute([id])?;
        let sql = "DELETE FROM vectors WHERE kind = 'summary'
                   AND item IN (SELECT conversation FROM epochs WHERE summary = ?1)";
        connection.prepare_cached(sql)?.execute([id])?;
    }
    Ok(())
}

/// Replaces the prompt fragments of a message: its text, and what was added before it, such as its attachments.
pub fn remove_prompts_of(
    connection: &Connection,
    message: MessageId,
    content: &str,
    mark: &str,
) -> Result<()> {
    let sql = "SELECT DISTINCT f.id, f.text FROM fragments f JOIN turn_fragments tf ON tf.fragment = f.id
               JOIN turns t ON t.id = tf.turn
               WHERE t.conversation = (SELECT conversation FROM messages WHERE id = ?1)";
    let mut statement = connection.prepare_cached(sql)?;
    let pieces = statement
        .query_map([message.get()], |row| Ok((row.get::<_, i64>("id")?, row.get::<_, String>("text")?)))?;
    let pieces = pieces.collect::<rusqlite::Result<Vec<_>>>()?;
    let sql = "SELECT context FROM messages WHERE id = ?1";
    let added: Option<String> =
        connection.prepare_cached(sql)?.query_row([message.get()], |row| row.get(0))?;
    let added = added.filter(|added| !added.trim().is_empty());
    let is_of = |text: &str| {
        !content.trim().is_empty() && text.trim_end().ends_with(content.trim())
            || added.as_ref().is_some_and(|added| text.contains(added.trim()))
    };
    for (id, _) in pieces.iter().filter(|(_, text)| is_of(text)) {
        rewrite(connection, *id, mark)?;
    }
    Ok(())
}

/// Replaces the text of a fragment.
fn rewrite(connection: &Connection, id: i64, after: &str) -> Result<()> {
    let hash: [u8; 32] = Sha256::digest(after).into();
    let sql = "SELECT id FROM fragments WHERE hash = ?1";
    let same: Option<i64> =
        connection.prepare_cached(sql)?.query_map([hash], |row| row.get(0))?.next().transpose()?;
    if let Some(same) = same.filter(|&same| same != id) {
        // Another fragment already has the same text.
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
    Ok(())
}

/// Deletes logs of turns entirely, since a log holds text in chunks of any size. The message still shows the result of
/// the turn.
pub fn drop_logs(
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
            } else if redact_value(&mut event, redact, false) {
                return Ok(true);
            }
        }
    }
    Ok(redact.redact(&said).is_some())
}
