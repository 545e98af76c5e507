use protocol::{ErrorCode, Event, MessageStatus, StopReason, TurnId, TurnInfo, UserId};
use rusqlite::Connection;

use crate::error::Result;
use crate::events::StoredEvents;
use crate::store::Store;
use crate::stored::RowExt;
use crate::turns::{FinishedTurn, TURN_COLUMNS, Turn, find, finish, read_turn};
use crate::writer::Durability;

impl Store {
    /// Ends the turns that the last run of the program left open. Their replies are rebuilt from the stored events and
    /// marked as cut, and their logs get a final event, so that a reconnecting client learns of it. Must be called
    /// once, before any turn begins.
    pub async fn recover(&self) -> Result<Vec<TurnInfo>> {
        let now = self.context().now;
        self.write(Durability::Person, move |connection| {
            let sql = format!("SELECT {TURN_COLUMNS} FROM turns WHERE ended_at IS NULL ORDER BY id");
            let open =
                connection.prepare(&sql)?.query_map([], read_turn)?.collect::<rusqlite::Result<Vec<_>>>()?;
            for turn in &open {
                finish(connection, turn.id, &rebuilt(connection, turn)?, now)?;
            }
            Ok(open
                .iter()
                .map(|turn| TurnInfo { status: protocol::TurnStatus::Ended, ..turn.info() })
                .collect())
        })
        .await
    }

    /// Ends one turn in the same way if it is still open, because its end could not be stored at the time.
    pub async fn recover_turn(&self, user: UserId, id: TurnId) -> Result<Turn> {
        let now = self.home(id.get()).context().now;
        self.home(id.get())
            .write(Durability::Person, move |connection| {
                let turn = find(connection, user, id)?;
                if turn.ended_at.is_some() {
                    return Ok(turn);
                }
                finish(connection, id, &rebuilt(connection, &turn)?, now)?;
                find(connection, user, id)
            })
            .await
    }
}

/// Rebuilds the end of a turn from its log.
fn rebuilt(connection: &Connection, turn: &Turn) -> Result<FinishedTurn> {
    let (events, next_seq) = log(connection, turn)?;
    let mut content = String::new();
    let mut reasoning = String::new();
    let mut usage = turn.usage;
    let mut end = None;
    for event in events {
        match event {
            Event::Token { content: piece } => content.push_str(&piece),
            Event::Reasoning { content: piece } => reasoning.push_str(&piece),
            Event::Usage(total) => usage = total,
            Event::Done { .. } | Event::Error { .. } => end = Some(event),
            // Tool calls are stored as they are made.
            Event::Metadata { .. }
            | Event::Progress { .. }
            | Event::Tool { .. }
            | Event::ToolOutput { .. }
            | Event::Command { .. }
            | Event::Confirmation(_)
            | Event::Memory { .. }
            | Event::Plan { .. }
            | Event::Context { .. }
            | Event::Proposal { .. }
            | Event::Verify { .. }
            | Event::Meta(_) => {}
        }
    }
    let cut = Event::Done {
        conversation_id: turn.conversation,
        message_id: turn.message,
        stop_reason: StopReason::Cut,
    };
    let last_events = end.is_none().then(|| StoredEvents {
        first_seq: next_seq,
        last_seq: next_seq,
        events: vec![cut.clone()],
    });
    let Ending { status, stop_reason, error, error_code } = Ending::of(end.unwrap_or(cut));
    Ok(FinishedTurn {
        content,
        reasoning: Some(reasoning).filter(|text| !text.is_empty()),
        status,
        stop_reason,
        error,
        error_code,
        model: turn.model.clone(),
        usage,
        timings: turn.timings,
        fragments: Vec::new(),
        last_round: None,
        last_events,
    })
}

/// Returns the turn's events and the next event number. A row that cannot be read loses its own events but does not
/// prevent the start of the program.
fn log(connection: &Connection, turn: &Turn) -> Result<(Vec<Event>, u32)> {
    let sql = "SELECT last_seq, events FROM turn_events WHERE turn = ?1 ORDER BY first_seq";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([turn.id.get()])?;
    let mut events = Vec::new();
    let mut next_seq = 1;
    while let Some(row) = rows.next()? {
        next_seq = row.get::<_, u32>("last_seq")?.saturating_add(1);
        match row.json::<Vec<Event>>("events") {
            Ok(stored) => events.extend(stored),
            Err(error) => tracing::warn!(turn = %turn.id, %error, "could not read stored events"),
        }
    }
    Ok((events, next_seq))
}

struct Ending {
    status: MessageStatus,
    stop_reason: Option<StopReason>,
    error: Option<String>,
    error_code: Option<ErrorCode>,
}

impl Ending {
    /// Derives the state of the reply from a turn's last event.
    fn of(last: Event) -> Self {
        match last {
            Event::Error { message, code } => Self {
                status: MessageStatus::Failed,
                stop_reason: None,
                error: Some(message),
                error_code: Some(code),
            },
            Event::Done {
                stop_reason: reason @ (StopReason::End | StopReason::Length | StopReason::ToolCalls),
                ..
            } => Self {
                status: MessageStatus::Complete,
                stop_reason: Some(reason),
                error: None,
                error_code: None,
            },
            Event::Done { stop_reason, .. } => Self {
                status: MessageStatus::Partial,
                stop_reason: Some(stop_reason),
                error: None,
                error_code: None,
            },
            _ => Self {
                status: MessageStatus::Partial,
                stop_reason: Some(StopReason::Cut),
                error: None,
                error_code: None,
            },
        }
    }
}
