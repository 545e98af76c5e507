mod code;
mod columns;
mod prompts;
mod redacted;

use std::collections::BTreeSet;

use protocol::{ConversationId, FactId, MessageId, UserId};
use rusqlite::{Connection, OptionalExtension, params};

use self::code::drop_proposals;
pub use self::columns::redact_value;
use self::columns::{COLUMNS, redact_column};
use self::prompts::{drop_logs, redact_files, redact_prompts, remove_prompts_of};
use self::redacted::Sweep;
pub use self::redacted::{Redact, Redacted, RemovedItems};
use crate::error::Result;
use crate::maintenance::note_deleted_words;
use crate::store::Store;
use crate::writer::Durability;

impl Store {
    /// Returns what would be removed from a user's rows.
    pub async fn look_for(
        &self,
        user: UserId,
        whole: RemovedItems,
        redact: impl Redact + 'static,
    ) -> Result<Redacted> {
        self.read(move |connection| {
            sweep(connection, &Sweep { user, whole: &whole, redact: &redact, change: None })
        })
        .await
    }

    /// Removes words from all of a user's rows, and removes the items in `whole` entirely. Messages sent after the
    /// forgetting with this id began are kept, since the user wants a repeated statement to be known. The removed text
    /// is still in free pages and in the log: see [`Store::overwrite_deleted`].
    pub async fn forget(
        &self,
        user: UserId,
        whole: RemovedItems,
        redact: impl Redact + 'static,
        forgetting: i64,
    ) -> Result<Redacted> {
        self.write(Durability::Person, move |connection| {
            sweep(connection, &Sweep { user, whole: &whole, redact: &redact, change: Some(forgetting) })
        })
        .await
    }

    /// Returns the conversations in which the user wrote the words.
    pub async fn conversations_with(
        &self,
        user: UserId,
        redact: impl Redact + 'static,
    ) -> Result<Vec<ConversationId>> {
        self.read(move |connection| {
            let sql = "SELECT conversation, content FROM messages WHERE user = ?1 AND role = 'user'";
            let mut statement = connection.prepare_cached(sql)?;
            let mut rows = statement.query([user.get()])?;
            let mut found = BTreeSet::new();
            while let Some(row) = rows.next()? {
                let conversation: i64 = row.get(0)?;
                if !found.contains(&conversation) && redact.redact(&row.get::<_, String>(1)?).is_some() {
                    found.insert(conversation);
                }
            }
            Ok(found.into_iter().map(ConversationId::new).collect())
        })
        .await
    }

    /// Overwrites deleted text in the search index, the planner's statistics and the log.
    pub async fn overwrite_deleted(&self) -> Result<()> {
        self.writer()
            .alone(|connection| {
                // The planner's statistics contain samples of column values.
                connection.execute_batch("ANALYZE")?;
                Ok(())
            })
            .await?;
        self.forget_deleted_words().await?;
        self.empty_log().await
    }

    /// Rewrites the whole file, so that no deleted text is left in unused space.
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

fn sweep(connection: &Connection, sweep: &Sweep<'_>) -> Result<Redacted> {
    let Sweep { user, whole, redact, .. } = *sweep;
    let change = sweep.change.is_some();
    let mut found = Redacted::default();
    let mut messages = BTreeSet::new();
    let first_fact = first_written(connection, "facts", whole.facts.iter().map(|fact| fact.get()))?;
    remove_facts(connection, user, &whole.facts, change, &mut found)?;
    remove_messages(connection, user, &whole.messages, redact, change, &mut found)?;
    messages.extend(&whole.messages);
    // Runs before file names are changed.
    drop_proposals(connection, sweep, &mut found)?;
    for column in COLUMNS {
        redact_column(connection, sweep, column, &mut found, &mut messages)?;
    }
    redact_files(connection, sweep, &mut found, &mut messages)?;
    redact_prompts(connection, user, redact, change, &mut found)?;
    drop_logs(connection, user, redact, change, &mut found, &messages)?;
    let first_message = first_written(connection, "messages", messages.iter().map(|message| message.get()))?;
    // Occurrences elsewhere may be older, and their time is not known.
    let is_elsewhere =
        ["entries", "permissions", "code"].iter().any(|place| found.places.contains_key(place));
    found.since = first_fact.into_iter().chain(first_message).min().filter(|_| !is_elsewhere);
    for &message in &messages {
        let sql = "SELECT conversation FROM messages WHERE id = ?1";
        let conversation = connection.prepare_cached(sql)?.query_row([message.get()], |row| row.get(0));
        if let Ok(conversation) = conversation {
            found.touch(ConversationId::new(conversation));
        }
    }
    if change {
        note_deleted_words(connection)?;
    }
    Ok(found)
}

/// Returns the creation time of the oldest of some rows.
fn first_written(
    connection: &Connection,
    table: &str,
    ids: impl Iterator<Item = i64>,
) -> Result<Option<i64>> {
    let mut statement =
        connection.prepare_cached(&format!("SELECT created_at FROM {table} WHERE id = ?1"))?;
    let mut first: Option<i64> = None;
    for id in ids {
        let made: Option<i64> = statement.query_row([id], |row| row.get(0)).optional()?;
        first = first.into_iter().chain(made).min();
    }
    Ok(first)
}

fn remove_facts(
    connection: &Connection,
    user: UserId,
    facts: &[FactId],
    change: bool,
    found: &mut Redacted,
) -> Result<()> {
    for fact in facts {
        let sql = "SELECT content FROM facts WHERE id = ?1 AND user = ?2";
        let mut statement = connection.prepare_cached(sql)?;
        let content = statement.query_row(params![fact.get(), user.get()], |row| row.get::<_, String>(0));
        let Some(content) = content.optional()? else { continue };
        if found.is_first("facts", Some(fact.get())) {
            found.count("facts", &content);
        }
        if change {
            connection.prepare_cached("DELETE FROM facts WHERE id = ?1")?.execute([fact.get()])?;
        }
    }
    Ok(())
}

/// Replaces the content of messages by the mark. The rows remain, since later messages refer to them as parents.
fn remove_messages(
    connection: &Connection,
    user: UserId,
    messages: &[MessageId],
    redact: &dyn Redact,
    change: bool,
    found: &mut Redacted,
) -> Result<()> {
    for message in messages {
        let sql = "SELECT content FROM messages WHERE id = ?1 AND user = ?2";
        let mut statement = connection.prepare_cached(sql)?;
        let content = statement.query_row(params![message.get(), user.get()], |row| row.get::<_, String>(0));
        let Some(content) = content.optional()? else { continue };
        if found.is_first("messages", Some(message.get())) {
            found.count("messages", &content);
        }
        if !change {
            continue;
        }
        remove_prompts_of(connection, *message, &content, redact.mark())?;
        let sql =
            "UPDATE messages SET content = ?2, reasoning = NULL, context = NULL, error = NULL, memory = NULL,
                       plan = NULL, work = NULL, origins = NULL WHERE id = ?1";
        connection.prepare_cached(sql)?.execute(params![message.get(), redact.mark()])?;
        for sql in [
            "DELETE FROM attachments WHERE message = ?1",
            "DELETE FROM rounds WHERE message = ?1",
            "DELETE FROM acts WHERE message = ?1",
        ] {
            connection.prepare_cached(sql)?.execute([message.get()])?;
        }
        for sql in [
            "UPDATE conversations SET preview = ?2 WHERE leaf = ?1",
            "UPDATE code_proposals SET title = ?2, summary = '', verify = NULL WHERE message = ?1",
            "UPDATE code_checkpoints SET label = ?2 WHERE message = ?1",
        ] {
            connection.prepare_cached(sql)?.execute(params![message.get(), redact.mark()])?;
        }
    }
    Ok(())
}
