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

/// Takes words out of a text.
pub trait Redact: Send + Sync {
    /// The text without them. Nothing, where none of them stands in it.
    fn redact(&self, text: &str) -> Option<String>;

    /// What stands in their place.
    fn mark(&self) -> &'static str;
}

/// What goes as a whole, whatever its words are.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Whole {
    pub facts: Vec<FactId>,
    /// With their files and with what was done for them.
    pub messages: Vec<MessageId>,
}

/// What was taken out of the database, by place, with what stood around the words at the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redacted {
    pub places: BTreeMap<&'static str, (u32, String)>,
    /// Conversations in which something was changed.
    pub conversations: Vec<ConversationId>,
    /// When the first of it was written down, in milliseconds, as far as that can be told: what was copied before does
    /// not hold it.
    pub since: Option<i64>,
    /// What was counted: a fact or a message may hold the words in several columns, and is one thing nevertheless.
    counted: BTreeSet<(&'static str, i64)>,
}

impl Redacted {
    /// Counts something that goes as a whole.
    fn count(&mut self, place: &'static str, text: &str) {
        self.count_change(place, text, "");
    }

    /// Whether something is counted for the first time.
    fn is_first(&mut self, place: &'static str, id: Option<i64>) -> bool {
        id.is_none_or(|id| self.counted.insert((place, id)))
    }

    /// Counts something that becomes something else. Where the two part, the words stand.
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

/// Letters of an example, and how many of them stand before the words.
const EXAMPLE: usize = 120;
const BEFORE: usize = 40;

/// What stands around the place where a text becomes another one.
fn around(text: &str, after: &str) -> String {
    let same = text.chars().zip(after.chars()).take_while(|(one, other)| one == other).count();
    let shown = |from: usize| text.chars().skip(from).take(EXAMPLE).collect::<String>();
    match same.checked_sub(BEFORE) {
        None | Some(0) => shown(0),
        Some(from) => {
            let shown = shown(from);
            // Not from the middle of a word.
            format!("…{}", shown.split_once(' ').map_or(shown.as_str(), |(_, rest)| rest))
        }
    }
}

impl Store {
    /// What of a user's rows would go.
    pub async fn look_for(
        &self,
        user: UserId,
        whole: Whole,
        redact: impl Redact + 'static,
    ) -> Result<Redacted> {
        self.read(move |connection| {
            sweep(connection, &Sweep { user, whole: &whole, redact: &redact, change: None })
        })
        .await
    }

    /// Takes words out of everything that a user's rows say, and removes what goes as a whole. What was said after the
    /// forgetting with this id was begun stays: whoever says it again wants it known. What stood there is still in free
    /// pages and in the log: [`Store::overwrite_deleted`].
    pub async fn forget(
        &self,
        user: UserId,
        whole: Whole,
        redact: impl Redact + 'static,
        forgetting: i64,
    ) -> Result<Redacted> {
        self.write(Durability::Person, move |connection| {
            sweep(connection, &Sweep { user, whole: &whole, redact: &redact, change: Some(forgetting) })
        })
        .await
    }

    /// The conversations in which the user spoke the words.
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

/// What is looked for, and of whom.
struct Sweep<'a> {
    user: UserId,
    whole: &'a Whole,
    redact: &'a dyn Redact,
    /// The forgetting for which it is taken out; nothing is, where it is only looked for.
    change: Option<i64>,
}

impl Sweep<'_> {
    /// Whether a message came after this was begun to be forgotten.
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
    // Before names of files are changed.
    drop_proposals(connection, sweep, &mut found)?;
    for column in COLUMNS {
        redact_column(connection, sweep, column, &mut found, &mut messages)?;
    }
    redact_files(connection, sweep, &mut found, &mut messages)?;
    redact_prompts(connection, user, redact, change, &mut found)?;
    drop_logs(connection, user, redact, change, &mut found, &messages)?;
    let first_message = first_written(connection, "messages", messages.iter().map(|message| message.get()))?;
    // Whatever else holds the words may be older.
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

/// When the oldest of some rows was made.
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

/// The message stays as a mark: what comes after it has to follow on something.
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
