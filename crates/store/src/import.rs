use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::Timestamp;
use protocol::{Act, ConversationId, MessageId, MessageStatus, StopReason, ToolStatus, UserId};
use rusqlite::{Connection, params};

use crate::accounts::user_exists;
use crate::acts;
use crate::attachments::{self, NewAttachment};
use crate::conversations::{folder_name, preview, set_tags};
use crate::error::{Result, StoreError};
use crate::export::{ExportedConversation, ExportedMessage, FORMAT};
use crate::rounds::{self, list};
use crate::store::{Store, WriteContext};
use crate::stored::{Keyword, count};
use crate::writer::Durability;

/// The result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImportResult {
    /// In the order of the input.
    pub conversations: Vec<ConversationId>,
    pub messages: usize,
}

/// The number of bytes of conversations per transaction. Other writes wait for one such part, not for the whole import.
const PART_BYTES: usize = 512 * 1024;
/// The estimated cost of a message in addition to its text, in bytes.
const MESSAGE: usize = 512;

impl Store {
    /// Imports exported conversations, all or none of them. An id that is taken, or that this program could not have
    /// issued, is replaced.
    ///
    /// They are stored in parts, marked as deleted, and become visible together. Whatever is left if the program is
    /// killed is purged with the deleted conversations. The import continues if the caller is dropped.
    pub async fn import(
        &self,
        user: UserId,
        conversations: Vec<ExportedConversation>,
    ) -> Result<ImportResult> {
        let store = self.clone();
        let importing = tokio::spawn(async move {
            let checking = tokio::task::spawn_blocking(move || {
                conversations.into_iter().map(Checked::new).collect::<Result<Vec<_>>>()
            });
            let checked = joined(checking.await)?;
            let mut imported = ImportResult::default();
            let outcome = match store.store_hidden(user, checked, &mut imported).await {
                Ok(()) => store.make_visible(imported.conversations.clone()).await,
                failed => failed,
            };
            if outcome.is_err() {
                store.remove_import(imported.conversations.clone()).await;
            }
            outcome.map(|()| imported)
        });
        joined(importing.await)
    }

    /// Returns true if the conversation exists already: one that began at the same time with the same text.
    pub async fn has_conversation(&self, user: UserId, given: &ExportedConversation) -> Result<bool> {
        let Some(first) = given.messages.first() else { return Ok(false) };
        let (words, began) =
            (first.content.clone(), milliseconds(&given.created_at).map_err(StoreError::Invalid)?);
        self.read(move |connection| {
            let sql = "SELECT 1 FROM conversations c JOIN messages m ON m.conversation = c.id
                       WHERE c.user = ?1 AND c.created_at = ?2 AND c.deleted_at IS NULL AND m.content = ?3";
            Ok(connection.prepare_cached(sql)?.exists(params![user.get(), began, words])?)
        })
        .await
    }

    async fn store_hidden(
        &self,
        user: UserId,
        checked: Vec<Checked>,
        imported: &mut ImportResult,
    ) -> Result<()> {
        let context = self.context();
        let mut checked = checked.into_iter().peekable();
        while checked.peek().is_some() {
            let mut weight = 0;
            let part = std::iter::from_fn(|| {
                let next = checked.next_if(|next| weight == 0 || weight + next.weight() <= PART_BYTES)?;
                weight += next.weight();
                Some(next)
            });
            let (part, context): (Vec<_>, _) = (part.collect(), context.clone());
            imported.messages += part.iter().map(|conversation| conversation.messages.len()).sum::<usize>();
            let stored = self.write(Durability::Log, move |connection| {
                user_exists(connection, user)?;
                let ids =
                    part.into_iter().map(|conversation| conversation.insert(connection, &context, user));
                ids.collect::<Result<Vec<_>>>()
            });
            imported.conversations.extend(stored.await?);
        }
        Ok(())
    }

    /// Makes the imported conversations visible.
    async fn make_visible(&self, ids: Vec<ConversationId>) -> Result<()> {
        self.write(Durability::Person, move |connection| {
            let sql = "UPDATE conversations SET deleted_at = NULL WHERE id = ?1 AND deleted_at IS NOT 0";
            let mut show = connection.prepare_cached(sql)?;
            for id in ids {
                if show.execute([id.get()])? == 0 {
                    return Err(StoreError::Internal(
                        "an imported conversation was purged in the meantime".into(),
                    ));
                }
            }
            Ok(())
        })
        .await
    }

    /// Removes a failed import. If that fails too, it stays hidden until deleted conversations are purged.
    async fn remove_import(&self, ids: Vec<ConversationId>) {
        let marked = self.write(Durability::Log, move |connection| {
            let mut mark =
                connection.prepare_cached("UPDATE conversations SET deleted_at = 0 WHERE id = ?1")?;
            ids.iter().try_for_each(|id| mark.execute([id.get()]).map(drop))?;
            Ok(())
        });
        let removed = match marked.await {
            Ok(()) => self.purge_deleted_before(JUST_AFTER_ZERO).await.map(drop),
            failed => failed,
        };
        if let Err(error) = removed {
            tracing::warn!(%error, "could not remove a failed import; it is purged later");
        }
    }
}

const JUST_AFTER_ZERO: Timestamp = Timestamp::constant(0, 1_000_000);

fn joined<T>(outcome: Result<Result<T>, tokio::task::JoinError>) -> Result<T> {
    outcome.unwrap_or_else(|error| Err(StoreError::Internal(error.to_string())))
}

/// A conversation that has been validated: its messages form a tree, with parents before children.
struct Checked {
    given: ExportedConversation,
    created_at: i64,
    updated_at: i64,
    messages: Vec<CheckedMessage>,
}

struct CheckedMessage {
    given: ExportedMessage,
    created_at: i64,
    attachments: Vec<NewAttachment>,
}

impl Checked {
    fn new(mut given: ExportedConversation) -> Result<Self> {
        let title = preview(&given.title);
        let refuse = |what: String| {
            StoreError::Invalid(format!("the conversation “{title}” cannot be imported: {what}"))
        };
        if given.format > FORMAT {
            return Err(refuse("it was exported by a newer Perigee. Update Perigee first".into()));
        }
        let created_at = milliseconds(&given.created_at).map_err(refuse)?;
        let updated_at = milliseconds(&given.updated_at).map_err(refuse)?;
        let messages = std::mem::take(&mut given.messages).into_iter().map(CheckedMessage::new);
        let messages = messages.collect::<Result<_, _>>().map_err(refuse)?;
        let messages = parents_first(messages).map_err(refuse)?;
        if let Some(leaf) = given.leaf
            && !messages.iter().any(|message| message.given.id == leaf)
        {
            return Err(refuse("the last message of its active branch is missing".into()));
        }
        Ok(Self { given, created_at, updated_at, messages })
    }

    /// Returns the estimated cost of storing it, in bytes.
    fn weight(&self) -> usize {
        let weight = |message: &CheckedMessage| {
            let files: usize = message.attachments.iter().map(|file| file.data.len()).sum();
            let rounds: usize = message.given.rounds.iter().map(|round| round.said.len() + MESSAGE).sum();
            message.given.content.len() + files + rounds + message.given.acts.len() * MESSAGE + MESSAGE
        };
        MESSAGE + self.messages.iter().map(weight).sum::<usize>()
    }

    fn insert(
        &self,
        connection: &Connection,
        context: &WriteContext,
        user: UserId,
    ) -> Result<ConversationId> {
        let Self { given, created_at, updated_at, messages } = self;
        let fresh = context.ids.next();
        let id =
            if is_free(connection, "conversations", given.id.get(), fresh)? { given.id.get() } else { fresh };
        let ids = self.message_ids(connection, context)?;
        let leaf = given.leaf.or(messages.last().map(|message| message.given.id));
        let shown = messages.iter().find(|message| Some(message.given.id) == leaf);
        let title = given.title.trim();
        let by = if given.titled_by_person && !title.is_empty() { "person" } else { "program" };
        let sql = "INSERT INTO conversations (id, user, title, titled_by, created_at, updated_at, pinned, folder, leaf,
                                              message_count, preview, deleted_at)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
        connection.prepare_cached(sql)?.execute(params![
            id,
            user.get(),
            title,
            by,
            created_at,
            updated_at,
            given.pinned,
            given.folder.as_deref().and_then(folder_name),
            leaf.and_then(|leaf| ids.get(&leaf)),
            count(messages.len()),
            shown.map(|message| preview(&message.given.content)).unwrap_or_default(),
            context.now,
        ])?;
        let id = ConversationId::new(id);
        set_tags(connection, id, &given.tags)?;
        for message in messages {
            message.insert(connection, context, user, id, &ids)?;
        }
        Ok(id)
    }

    /// Assigns an id to each message: its own, if all of them can be kept.
    fn message_ids(
        &self,
        connection: &Connection,
        context: &WriteContext,
    ) -> Result<HashMap<MessageId, i64>> {
        let mut keep = true;
        let limit = context.ids.next();
        for CheckedMessage { given, .. } in &self.messages {
            keep = keep
                && given.parent.is_none_or(|parent| parent < given.id)
                && is_free(connection, "messages", given.id.get(), limit)?;
        }
        let id = |message: &CheckedMessage| if keep { message.given.id.get() } else { context.ids.next() };
        Ok(self.messages.iter().map(|message| (message.given.id, id(message))).collect())
    }
}

impl CheckedMessage {
    fn new(mut given: ExportedMessage) -> Result<Self, String> {
        let created_at = milliseconds(&given.created_at)?;
        // An imported reply is no longer being written.
        if given.status == MessageStatus::Streaming {
            given.status = MessageStatus::Partial;
            given.stop_reason = Some(StopReason::Cut);
        }
        for act in &mut given.acts {
            if matches!(act.status, ToolStatus::Requested | ToolStatus::Waiting | ToolStatus::Running) {
                act.status = ToolStatus::Failed;
            }
        }
        let attachments = std::mem::take(&mut given.attachments)
            .into_iter()
            .map(|attachment| {
                let data = STANDARD.decode(&attachment.data);
                let data =
                    data.map_err(|_| format!("the attachment “{}” is not valid Base64", attachment.name))?;
                Ok(NewAttachment { name: attachment.name, mime: attachment.mime, data })
            })
            .collect::<Result<_, String>>()?;
        Ok(Self { given, created_at, attachments })
    }

    fn insert(
        &self,
        connection: &Connection,
        context: &WriteContext,
        user: UserId,
        conversation: ConversationId,
        ids: &HashMap<MessageId, i64>,
    ) -> Result<()> {
        let given = &self.given;
        let id = ids.get(&given.id).copied().unwrap_or_default();
        let sql = "INSERT INTO messages (id, seq, user, conversation, parent, role, status, stop_reason, error_code,
                                         model, created_at, error, content, reasoning, context, origins, plan)
                   VALUES (?1, (SELECT ifnull(max(seq), 0) + 1 FROM messages), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10,
                           ?11, ?12, ?13, ?14, ?15, ?16)";
        connection.prepare_cached(sql)?.execute(params![
            id,
            user.get(),
            conversation.get(),
            given.parent.and_then(|parent| ids.get(&parent)),
            given.role.keyword(),
            given.status.keyword(),
            given.stop_reason.map(Keyword::keyword),
            given.error_code.map(Keyword::keyword),
            given.model,
            self.created_at,
            given.error,
            given.content,
            given.reasoning,
            given.context,
            list(&given.origins)?,
            list(&given.plan)?,
        ])?;
        let id = MessageId::new(id);
        for act in &given.acts {
            // Ids of tool calls are unique across the database.
            let act = Act { id: MessageId::new(context.ids.next()).to_string(), ..act.clone() };
            acts::insert(connection, user, id, &act)?;
        }
        for round in &given.rounds {
            rounds::insert(connection, id, round)?;
        }
        attachments::insert(connection, context, user, id, &self.attachments)
    }
}

/// Returns true if an imported id can be kept: it is free and lies in the past, as every id of this program does.
fn is_free(connection: &Connection, table: &str, id: i64, limit: i64) -> Result<bool> {
    let taken = connection.prepare_cached(&format!("SELECT 1 FROM {table} WHERE id = ?1"))?.exists([id])?;
    Ok(id > 0 && id < limit && !taken)
}

fn milliseconds(time: &str) -> Result<i64, String> {
    let parsed: Timestamp = time.parse().map_err(|_| format!("“{}” is not a time", preview(time)))?;
    Ok(parsed.as_millisecond())
}

/// Orders messages so that each follows its parent, and otherwise by time.
fn parents_first(messages: Vec<CheckedMessage>) -> Result<Vec<CheckedMessage>, String> {
    let total = messages.len();
    let mut known = HashMap::with_capacity(total);
    for (index, message) in messages.iter().enumerate() {
        if known.insert(message.given.id, index).is_some() {
            return Err(format!("it contains the message {} twice", message.given.id));
        }
    }
    let mut children: HashMap<MessageId, Vec<usize>> = HashMap::new();
    let mut ready = BinaryHeap::new();
    for (index, message) in messages.iter().enumerate() {
        match message.given.parent {
            Some(parent) if !known.contains_key(&parent) => {
                return Err(format!("the message {} replies to one that is missing", message.given.id));
            }
            Some(parent) => children.entry(parent).or_default().push(index),
            None => ready.push(Reverse((message.created_at, index))),
        }
    }
    let mut messages: Vec<Option<CheckedMessage>> = messages.into_iter().map(Some).collect();
    let mut ordered = Vec::with_capacity(total);
    while let Some(Reverse((_, index))) = ready.pop() {
        let Some(message) = messages[index].take() else { continue };
        for child in children.remove(&message.given.id).unwrap_or_default() {
            let created_at = messages[child].as_ref().map_or(0, |message| message.created_at);
            ready.push(Reverse((created_at, child)));
        }
        ordered.push(message);
    }
    if ordered.len() < total {
        return Err("some of its messages reply to each other in a circle".into());
    }
    Ok(ordered)
}
