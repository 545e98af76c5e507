//! Rebuilds turns that are no longer running from the store.

use std::sync::Arc;

use protocol::{Act, Event, StopReason, UserId};
use store::{Store, Turn};

use super::metadata;
use crate::error::CompanionError;
use crate::turn_log::TurnLog;

/// Returns the log of a turn that is no longer running.
pub(crate) async fn ended_turn(
    store: &Store,
    user: UserId,
    turn: Turn,
) -> Result<Arc<TurnLog>, CompanionError> {
    let turn = if turn.ended_at.is_some() { turn } else { store.recover_turn(user, turn.id).await? };
    let rows = store.turn_events(user, turn.id, None).await?;
    let mut events: Vec<Event> = rows.into_iter().flat_map(|row| row.events).collect();
    if !events.last().is_some_and(Event::is_last) {
        // The events are kept for a day; the message itself stays.
        return Ok(Arc::new(TurnLog::rebuilt(&turn, events_of(store, &turn).await?)));
    }
    // The process was killed while the turn was queued.
    if !matches!(events.first(), Some(Event::Metadata { .. })) {
        events.insert(0, metadata(&turn));
    }
    Ok(Arc::new(TurnLog::ended(&turn, events)))
}

/// Rebuilds the events of a turn from its message, after the stored ones have expired.
async fn events_of(store: &Store, turn: &Turn) -> Result<Vec<Event>, CompanionError> {
    let answer = store.message(turn.user, turn.conversation, turn.message).await?;
    let mut events = vec![metadata(turn)];
    if let Some(content) = answer.reasoning {
        events.push(Event::Reasoning { content });
    }
    if !answer.memory.is_empty() {
        events.push(Event::Memory { items: answer.memory });
    }
    if !answer.plan.is_empty() {
        events.push(Event::Plan { steps: answer.plan });
    }
    events.extend(text_and_calls(&answer.content, answer.acts));
    events.push(Event::Usage(turn.usage));
    events.push(match (answer.error, answer.error_code) {
        (Some(message), Some(code)) => Event::Error { message, code },
        _ => Event::Done {
            conversation_id: turn.conversation,
            message_id: turn.message,
            stop_reason: answer.stop_reason.unwrap_or(StopReason::Cut),
        },
    });
    Ok(events)
}

/// Returns the text of an answer, with the tool calls at their positions in it.
fn text_and_calls(content: &str, acts: Vec<Act>) -> Vec<Event> {
    let mut events = Vec::new();
    let units: Vec<u16> = content.encode_utf16().collect();
    let mut emitted = 0;
    for act in acts {
        let place = usize::try_from(act.at).unwrap_or(usize::MAX).clamp(emitted, units.len());
        events.extend(text(&units[emitted..place]));
        emitted = place;
        let Act { id, name, args, status, result, ms, command, at, .. } = act;
        events.extend(command.map(|command| Event::Command { id: id.clone(), command }));
        events.push(Event::Tool { id, name, args, status, result, ms, at: Some(at) });
    }
    events.extend(text(&units[emitted..]));
    events
}

fn text(units: &[u16]) -> Option<Event> {
    (!units.is_empty()).then(|| Event::Token { content: String::from_utf16_lossy(units) })
}
