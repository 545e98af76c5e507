use jiff::Timestamp;
use protocol::{
    ConversationId, ErrorCode, Fragment, MessageId, MessageStatus, Role, StopReason, Timings, TurnId,
    TurnInfo, TurnStatus, Usage, UserId,
};
use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::attachments::{self, NewAttachment};
use crate::conversations::{self, NewConversation, VisibleConversation, preview, set_current};
use crate::error::{ObjectKind, OrNotFound, Result, StoreError};
use crate::events::{StoredEvents, insert_events};
use crate::fragments;
use crate::messages::{MessageNode, NewMessage, insert};
use crate::rounds::{self, Round};
use crate::store::{Store, WriteContext};
use crate::stored::{Keyword, RowExt, timestamp, to_json};
use crate::writer::Durability;

/// The destination of a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MessageTarget {
    /// The conversation that was opened last, or a new one if there is none.
    #[default]
    Current,
    Fresh,
    Conversation(ConversationId),
}

/// A user message to be answered.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewTurn {
    pub target: MessageTarget,
    pub content: String,
    /// The user message that this one replaces; the two become sibling branches.
    pub edit_of: Option<MessageId>,
    pub attachments: Vec<NewAttachment>,
    pub model: String,
    /// An id chosen by the client. The same id refers to the same turn.
    pub client_message_id: Option<String>,
}

/// The result of [`Store::begin_turn`].
#[derive(Debug, Clone, PartialEq)]
pub enum BeginTurnResult {
    New(Turn),
    /// This message was received before.
    Existing(Turn),
}

/// A turn, from a message to the end of its reply.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    pub id: TurnId,
    pub user: UserId,
    pub conversation: ConversationId,
    /// The reply message.
    pub message: MessageId,
    /// The message that is answered.
    pub user_message: Option<MessageId>,
    pub model: String,
    pub client_message_id: Option<String>,
    pub started_at: Timestamp,
    pub ended_at: Option<Timestamp>,
    pub usage: Usage,
    pub timings: Timings,
}

impl Turn {
    pub fn info(&self) -> TurnInfo {
        TurnInfo {
            turn_id: self.id,
            conversation_id: self.conversation,
            message_id: self.message,
            status: if self.ended_at.is_some() { TurnStatus::Ended } else { TurnStatus::Running },
        }
    }
}

/// The end of a turn.
#[derive(Debug, Clone, PartialEq)]
pub struct FinishedTurn {
    pub content: String,
    pub reasoning: Option<String>,
    pub status: MessageStatus,
    pub stop_reason: Option<StopReason>,
    pub error: Option<String>,
    pub error_code: Option<ErrorCode>,
    /// The model that gave the final reply.
    pub model: String,
    pub usage: Usage,
    pub timings: Timings,
    /// The fragments of the prompt.
    pub fragments: Vec<Fragment>,
    /// The final round of the reply, if there were others before it.
    pub last_round: Option<Round>,
    /// The events that are not stored yet, so that the last of them is stored if and only if the reply is.
    pub last_events: Option<StoredEvents>,
}

impl Store {
    /// Stores a message and prepares its reply: conversation, user message with attachments, empty reply and turn, in
    /// one transaction. When this returns, the message is on disk.
    pub async fn begin_turn(&self, user: UserId, new: NewTurn) -> Result<BeginTurnResult> {
        let home = match (new.target, new.edit_of) {
            (MessageTarget::Conversation(id), _) => self.home(id.get()),
            (_, Some(edited)) => self.home(edited.get()),
            _ => self,
        };
        let context = home.context();
        home.write(Durability::Person, move |connection| begin(connection, &context, user, &new)).await
    }

    /// Prepares another reply beside this one or, for a user message, a reply to it.
    pub async fn begin_regeneration(&self, user: UserId, message: MessageId, model: &str) -> Result<Turn> {
        let model = model.to_owned();
        let context = self.home(message.get()).context();
        self.home(message.get()).write(Durability::Person, move |connection| {
            let node = MessageNode::find(connection, user, message)?;
            let question = match node.role {
                Role::User => Some(message.get()),
                Role::Assistant => node.parent,
            };
            let answer = Answer { conversation: node.conversation, question, model: &model, client_message_id: None };
            let turn = begin_answer(connection, &context, user, &answer)?;
            let sql = "UPDATE conversations SET updated_at = ?2, leaf = ?3, message_count = message_count + 1 WHERE id = ?1";
            connection.prepare_cached(sql)?.execute(params![node.conversation.get(), context.now, turn.message.get()])?;
            Ok(turn)
        })
        .await
    }

    /// Stores the end of a turn in one transaction: reply, cost, prompt and last events.
    pub async fn finish_turn(&self, turn: TurnId, finished: FinishedTurn) -> Result<()> {
        let now = self.home(turn.get()).context().now;
        self.home(turn.get())
            .write(Durability::Person, move |connection| finish(connection, turn, &finished, now))
            .await
    }

    pub async fn turn(&self, user: UserId, id: TurnId) -> Result<Turn> {
        self.home(id.get()).read(move |connection| find(connection, user, id)).await
    }

    /// Returns the conversation that a message belongs to.
    pub async fn conversation_of(&self, user: UserId, message: MessageId) -> Result<ConversationId> {
        self.home(message.get())
            .read(move |connection| Ok(MessageNode::find(connection, user, message)?.conversation))
            .await
    }
}

pub fn find(connection: &Connection, user: UserId, id: TurnId) -> Result<Turn> {
    let sql = format!("SELECT {TURN_COLUMNS} FROM turns WHERE id = ?1 AND user = ?2");
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_row(params![id.get(), user.get()], read_turn).or_not_found(ObjectKind::Turn)
}

fn begin(
    connection: &Connection,
    context: &WriteContext,
    user: UserId,
    new: &NewTurn,
) -> Result<BeginTurnResult> {
    if let Some(turn) = by_client(connection, user, new.client_message_id.as_deref())? {
        return Ok(BeginTurnResult::Existing(turn));
    }
    let (conversation, parent) = destination(connection, context, user, new)?;
    let question = MessageId::new(context.ids.after(parent.unwrap_or(0)));
    let message = NewMessage {
        id: question,
        user,
        conversation,
        parent,
        role: Role::User,
        status: MessageStatus::Complete,
        model: None,
        created_at: context.now,
        content: &new.content,
    };
    insert(connection, &message)?;
    attachments::insert(connection, context, user, question, &new.attachments)?;
    let answer = Answer {
        conversation,
        question: Some(question.get()),
        model: &new.model,
        client_message_id: new.client_message_id.as_deref(),
    };
    let turn = begin_answer(connection, context, user, &answer)?;
    let sql =
        "UPDATE conversations SET updated_at = ?2, leaf = ?3, preview = ?4, message_count = message_count + 2
               WHERE id = ?1";
    let values = params![conversation.get(), context.now, turn.message.get(), preview(&new.content)];
    connection.prepare_cached(sql)?.execute(values)?;
    Ok(BeginTurnResult::New(turn))
}

fn by_client(connection: &Connection, user: UserId, client_message_id: Option<&str>) -> Result<Option<Turn>> {
    let Some(client_message_id) = client_message_id else { return Ok(None) };
    let sql = format!("SELECT {TURN_COLUMNS} FROM turns WHERE user = ?1 AND client_message_id = ?2");
    let mut statement = connection.prepare_cached(&sql)?;
    Ok(statement.query_row(params![user.get(), client_message_id], read_turn).optional()?)
}

/// Returns the conversation and the parent for this message.
fn destination(
    connection: &Connection,
    context: &WriteContext,
    user: UserId,
    new: &NewTurn,
) -> Result<(ConversationId, Option<i64>)> {
    if let Some(edited) = new.edit_of {
        let node = MessageNode::find(connection, user, edited)?;
        if let MessageTarget::Conversation(id) = new.target
            && id != node.conversation
        {
            return Err(StoreError::NotFound(ObjectKind::Message));
        }
        if node.role != Role::User {
            return Err(StoreError::Conflict("only your own messages can be edited"));
        }
        return Ok((node.conversation, node.parent));
    }
    let target = match new.target {
        MessageTarget::Current => conversations::current(connection, user)?,
        MessageTarget::Conversation(id) => Some(id),
        MessageTarget::Fresh => None,
    };
    if let Some(id) = target {
        return Ok((id, VisibleConversation::find(connection, user, id)?.leaf));
    }
    let id = conversations::insert(connection, context, user, &NewConversation::default())?;
    set_current(connection, user, Some(id))?;
    Ok((id, None))
}

struct Answer<'a> {
    conversation: ConversationId,
    question: Option<i64>,
    model: &'a str,
    client_message_id: Option<&'a str>,
}

/// Creates the empty reply and its turn.
fn begin_answer(
    connection: &Connection,
    context: &WriteContext,
    user: UserId,
    answer: &Answer<'_>,
) -> Result<Turn> {
    let &Answer { conversation, question, model, client_message_id } = answer;
    let message = MessageId::new(context.ids.after(question.unwrap_or(0)));
    let empty = NewMessage {
        id: message,
        user,
        conversation,
        parent: question,
        role: Role::Assistant,
        status: MessageStatus::Streaming,
        model: Some(model),
        created_at: context.now,
        content: "",
    };
    insert(connection, &empty)?;
    let turn = Turn {
        id: TurnId::new(context.ids.next()),
        user,
        conversation,
        message,
        user_message: question.map(MessageId::new),
        model: model.to_owned(),
        client_message_id: client_message_id.map(str::to_owned),
        started_at: timestamp(context.now),
        ended_at: None,
        usage: Usage::default(),
        timings: Timings::default(),
    };
    let sql = "INSERT INTO turns (id, user, conversation, message, user_message, model, client_message_id, started_at,
                                  usage, timings)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)";
    connection.prepare_cached(sql)?.execute(params![
        turn.id.get(),
        user.get(),
        conversation.get(),
        message.get(),
        question,
        model,
        client_message_id,
        context.now,
        to_json(&turn.usage)?,
        to_json(&turn.timings)?,
    ])?;
    Ok(turn)
}

pub(crate) fn finish(connection: &Connection, turn: TurnId, finished: &FinishedTurn, now: i64) -> Result<()> {
    let sql = format!("SELECT {TURN_COLUMNS} FROM turns WHERE id = ?1");
    let row =
        connection.prepare_cached(&sql)?.query_row([turn.get()], read_turn).or_not_found(ObjectKind::Turn)?;
    if row.ended_at.is_some() {
        return Err(StoreError::Conflict("this turn has already ended"));
    }
    let sql = "UPDATE turns SET ended_at = ?2, model = ?3, usage = ?4, timings = ?5 WHERE id = ?1";
    let values =
        params![turn.get(), now, finished.model, to_json(&finished.usage)?, to_json(&finished.timings)?];
    connection.prepare_cached(sql)?.execute(values)?;
    let sql = "UPDATE messages SET content = ?2, reasoning = ?3, status = ?4, stop_reason = ?5, error = ?6,
                                   error_code = ?7, model = ?8 WHERE id = ?1";
    connection.prepare_cached(sql)?.execute(params![
        row.message.get(),
        finished.content,
        finished.reasoning,
        finished.status.keyword(),
        finished.stop_reason.map(Keyword::keyword),
        finished.error,
        finished.error_code.map(Keyword::keyword),
        finished.model,
    ])?;
    // After an empty reply, the question remains the preview.
    let shown = Some(preview(&finished.content)).filter(|text| !text.is_empty());
    let sql = "UPDATE conversations SET updated_at = ?2, preview = ifnull(?3, preview) WHERE id = ?1";
    connection.prepare_cached(sql)?.execute(params![row.conversation.get(), now, shown])?;
    fragments::set_of_turn(connection, turn, &finished.fragments)?;
    if let Some(round) = &finished.last_round {
        rounds::insert(connection, row.message, round)?;
    }
    if let Some(events) = &finished.last_events {
        insert_events(connection, turn, events)?;
    }
    Ok(())
}

/// The columns for [`read_turn`].
pub(crate) const TURN_COLUMNS: &str = "id, user, conversation, message, user_message, model, client_message_id, started_at, ended_at, usage, timings";

pub(crate) fn read_turn(row: &Row<'_>) -> rusqlite::Result<Turn> {
    Ok(Turn {
        id: TurnId::new(row.get("id")?),
        user: UserId::new(row.get("user")?),
        conversation: ConversationId::new(row.get("conversation")?),
        message: MessageId::new(row.get("message")?),
        user_message: row.get::<_, Option<i64>>("user_message")?.map(MessageId::new),
        model: row.get("model")?,
        client_message_id: row.get("client_message_id")?,
        started_at: timestamp(row.get("started_at")?),
        ended_at: row.get::<_, Option<i64>>("ended_at")?.map(timestamp),
        usage: row.json("usage")?,
        timings: row.json("timings")?,
    })
}
