mod code;
mod columns;
mod prompts;

use std::collections::{BTreeMap, BTreeSet};

use protocol::{ConversationId, FactId, MessageId, UserId};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

use self::code::drop_proposals;
pub use self::columns::redact_value;
use self::columns::{COLUMNS, redact_column};
use self::prompts::{drop_logs, redact_files, redact_prompts, remove_prompts_of};
use crate::error::Result;
use crate::maintenance::note_deleted_words;
use crate::store::Store;
use crate::writer::Durability;

/// Removes words from a text.
pub trait Redact: Send + Sync {
    /// Returns the text without the words, or `None` if it contains none of them.
    fn redact(&self, text: &str) -> Option<String>;

    /// Returns the mark that replaces them.
    fn mark(&self) -> &'static str;
}

/// Facts and messages that are removed entirely, whatever they contain.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemovedItems {
    pub facts: Vec<FactId>,
    /// The messages, with their files and tool calls.
    pub messages: Vec<MessageId>,
}

/// The words that were removed from the database, counted by place, with the context of the first occurrence.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redacted {
    pub places: BTreeMap<&'static str, (u32, String)>,
    /// Conversations that were changed.
    pub conversations: Vec<ConversationId>,
    /// The time in milliseconds when the oldest occurrence was written, as far as known: earlier backups do not contain
    /// it.
    pub since: Option<i64>,
    /// The rows that were counted: a fact or a message may contain the words in several columns and is counted once.
    counted: BTreeSet<(&'static str, i64)>,
}

impl Redacted {
    /// Counts an item that is removed entirely.
    fn count(&mut self, place: &'static str, text: &str) {
        self.count_change(place, text, "");
    }

    /// Returns true if an item is counted for the first time.
    fn is_first(&mut self, place: &'static str, id: Option<i64>) -> bool {
        id.is_none_or(|id| self.counted.insert((place, id)))
    }

    /// Counts an item that is changed. The words are at the first difference between the texts.
    fn count_change(&mut self, place: &'static str, text: &str, after: &str) {
        let entry = self.places.entry(place).or_insert_with(|| (0, around(text, after)));
        entry.0 += 1;
    }

    fn touch(&mut self, conversation: ConversationId) {
        if !self.conversations.contains(&conversation) {
            self.conversations.push(conversation);
        }
    }
}

/// The length of an example, and of the part before the words, in characters.
const EXAMPLE: usize = 120;
const BEFORE: usize = 40;

/// Returns the context of the first difference between two texts.
fn around(text: &str, after: &str) -> String {
    let same = text.chars().zip(after.chars()).take_while(|(one, other)| one == other).count();
    let shown = |from: usize| text.chars().skip(from).take(EXAMPLE).collect::<String>();
    match same.checked_sub(BEFORE) {
        None | Some(0) => shown(0),
        Some(from) => {
            let shown = shown(from);
            // The example does not begin in the middle of a word.
            format!("…{}", shown.split_once(' ').map_or(shown.as_str(), |(_, rest)| rest))
        }
    }
}

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

/// The parameters of a search for words to forget.
struct Sweep<'a> {
    user: UserId,
    whole: &'a RemovedItems,
    redact: &'a dyn Redact,
    /// The id of the forgetting for which they are removed; `None` if they are only searched for.
    change: Option<i64>,
}

impl Sweep<'_> {
    /// Returns true if a message was sent after the forgetting began.
    fn is_later(&self, message: Option<MessageId>) -> bool {
        self.change.zip(message).is_some_and(|(begun, message)| message.get() > begun)
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
