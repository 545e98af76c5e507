//! Stores a turn: its events while it runs, and its answer when it ends.

use std::sync::Arc;
use std::time::Duration;

use protocol::{ErrorCode, Event, MessageStatus, StopReason};
use store::{FinishedTurn, StoreError, StoredEvents, Turn};
use tokio_util::sync::CancellationToken;

use super::{TurnOutcome, TurnRunner};
use crate::error::CompanionError;
use crate::reply::TurnReply;
use crate::turn_log::TurnLog;

/// The interval at which new events are stored, one row each time.
const STORE_EVERY: Duration = Duration::from_millis(250);

/// The waits before further attempts to store an answer.
const STORE_RETRIES: [Duration; 3] =
    [Duration::from_millis(100), Duration::from_millis(500), Duration::from_secs(2)];

impl TurnRunner {
    /// Stores the end of the turn before announcing it: `done` means that the answer is stored.
    pub(super) async fn finish(&self, turn: &Turn, log: &Arc<TurnLog>, outcome: TurnOutcome, stored: u32) {
        let TurnOutcome { reply, model, fragments, timings, last_round, replaced_facts, .. } = outcome;
        let TurnReply { content, reasoning, stop, usage, error, .. } = reply;
        let has_text = !content.is_empty() || !reasoning.is_empty();
        let error = error.map(|error| (error_message(&error, has_text), error.code()));
        let last = match &error {
            Some((message, code)) => Event::Error { message: message.clone(), code: *code },
            None => Event::Done {
                conversation_id: turn.conversation,
                message_id: turn.message,
                stop_reason: stop.unwrap_or(StopReason::End),
            },
        };
        let (status, stop_reason) = match (&error, stop) {
            (Some(_), _) if !has_text => (MessageStatus::Failed, None),
            (Some(_), _) => (MessageStatus::Partial, Some(StopReason::Cut)),
            (None, Some(reason @ (StopReason::Stopped | StopReason::Cut))) => {
                (MessageStatus::Partial, Some(reason))
            }
            (None, reason) => (MessageStatus::Complete, reason),
        };
        self.metrics.count(status, usage);
        let ending = [Event::Usage(usage), last];
        let mut unstored = log.since(stored + 1);
        let first_seq = stored + 1;
        unstored.extend(ending.iter().cloned());
        let last_seq = stored + u32::try_from(unstored.len()).unwrap_or(u32::MAX);
        let (error, error_code) = error.unzip();
        let finished = FinishedTurn {
            content,
            reasoning: (!reasoning.is_empty()).then_some(reasoning),
            status,
            stop_reason,
            error,
            error_code,
            model,
            usage,
            timings,
            fragments,
            last_round,
            last_events: Some(StoredEvents { first_seq, last_seq, events: unstored }),
        };
        match self.store_answer(turn, finished).await {
            Ok(()) => {
                if status == MessageStatus::Complete {
                    self.recall.mark_told(turn, replaced_facts).await;
                }
                for event in ending {
                    log.push(event);
                }
            }
            Err(error) => {
                tracing::error!("the answer of turn {} was not stored: {error}", turn.id);
                let message = format!(
                    "The end of this answer could not be stored ({error}). Your message is kept. Make room on the disk, \
                     and ask again."
                );
                log.push(Event::Error { message, code: ErrorCode::Internal });
            }
        }
    }

    /// Stores an answer with several attempts, so that a disk that is full for a moment does not lose it.
    async fn store_answer(&self, turn: &Turn, finished: FinishedTurn) -> Result<(), StoreError> {
        for wait in STORE_RETRIES {
            match self.services.store.finish_turn(turn.id, finished.clone()).await {
                Err(error @ (StoreError::DiskFull | StoreError::Busy | StoreError::Unreachable(_))) => {
                    tracing::warn!("the answer of turn {} was not stored yet: {error}", turn.id);
                    tokio::time::sleep(wait).await;
                }
                other => return other,
            }
        }
        self.services.store.finish_turn(turn.id, finished).await
    }

    /// Stores new events at intervals, one row each time, so that a turn can be resumed after a crash. Returns the number
    /// of the last stored event.
    pub(super) async fn store_events(&self, log: &TurnLog, answered: CancellationToken) -> u32 {
        let mut stored = 0_u32;
        let mut tick = tokio::time::interval(STORE_EVERY);
        tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = tick.tick() => {}
                () = answered.cancelled() => return stored,
            }
            let events = log.since(stored + 1);
            if events.is_empty() {
                continue;
            }
            let last_seq = stored + u32::try_from(events.len()).unwrap_or(u32::MAX);
            let row = StoredEvents { first_seq: stored + 1, last_seq, events };
            match self.services.store.append_turn_events(log.id, row).await {
                Ok(()) => stored = last_seq,
                Err(error) => tracing::warn!("events of turn {} were not stored: {error}", log.id),
            }
        }
    }
}

/// Describes why an answer failed and what was stored.
fn error_message(error: &CompanionError, has_text: bool) -> String {
    let kept = if has_text { "The answer so far is kept." } else { "Your message is kept." };
    let text = tools::capital(&error.to_string());
    let full_stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    if text.contains("is kept") { format!("{text}{full_stop}") } else { format!("{text}{full_stop} {kept}") }
}
