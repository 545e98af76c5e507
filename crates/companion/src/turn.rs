use std::sync::Arc;
use std::time::{Duration, Instant};

use model::{CacheKey, ChatRequest, ModelError};
use protocol::{Event, Fragment, MessageStatus, StopReason, Timings};
use store::{FinishedTurn, StoredEvents, Turn};
use tokio_util::sync::CancellationToken;

use crate::companion::Inner;
use crate::prompt;
use crate::reply::{self, Reply};
use crate::turns::TurnLog;

/// Tokens are stored in rows of this much time.
const STORE_EVERY: Duration = Duration::from_millis(250);

/// The model's name for an answer that needed none.
const FAST_PATH: &str = "fast path";

/// Everything that is known about a turn when it ends.
#[derive(Default)]
struct Outcome {
    reply: Reply,
    model: String,
    fragments: Vec<Fragment>,
    timings: Timings,
}

/// Runs a turn from the stored message to the stored answer.
pub(crate) async fn run(inner: Arc<Inner>, turn: Turn, log: Arc<TurnLog>, earlier: Option<Arc<TurnLog>>) {
    let started = Instant::now();
    if let Some(earlier) = &earlier {
        tokio::select! {
            () = earlier.gone() => {}
            () = log.cancelled().cancelled() => {}
        }
    }
    let queued = started.elapsed();
    let answered = CancellationToken::new();
    let keeper = tokio::spawn(keep_events(Arc::clone(&inner), Arc::clone(&log), answered.clone()));
    let mut outcome = answer(&inner, &turn, &log).await;
    if inner.is_closing() && outcome.reply.stop == Some(StopReason::Stopped) {
        outcome.reply.stop = Some(StopReason::Cut);
    }
    outcome.timings.queued_ms = millis(queued);
    outcome.reply.usage.total_ms = millis(started.elapsed());
    outcome.reply.usage.first_token_ms = outcome.reply.first_token.map(|first| millis(first - started));
    answered.cancel();
    let stored = keeper.await.unwrap_or(0);
    finish(&inner, &turn, &log, outcome, stored).await;
    // One that was stopped while it waited still stands between those before and after it.
    if let Some(earlier) = earlier {
        earlier.gone().await;
    }
    inner.turns.leave(&log);
    inner.after_turn(&turn).await;
}

async fn answer(inner: &Inner, turn: &Turn, log: &TurnLog) -> Outcome {
    let began = Instant::now();
    if log.cancelled().is_cancelled() {
        return Outcome { reply: stopped(), model: turn.model.clone(), ..Outcome::default() };
    }
    let branch = match inner.branch(turn).await {
        Ok(branch) => branch,
        Err(error) => return failed(turn, ModelError::Failed(error.to_string())),
    };
    if let Some(text) = branch.quick_answer(&inner.now()) {
        log.push(Event::Token { content: text.clone() });
        let (stop, first_token) = (Some(StopReason::End), Some(Instant::now()));
        let reply = Reply { content: text, stop, first_token, ..Reply::default() };
        return Outcome { reply, model: FAST_PATH.into(), ..Outcome::default() };
    }
    let model = tokio::select! {
        model = inner.models.current() => match model {
            Ok(model) => model,
            Err(error) => return failed(turn, error),
        },
        () = log.cancelled().cancelled() => return Outcome { reply: stopped(), model: turn.model.clone(), ..Outcome::default() },
    };
    let info = model.info();
    let name = info.name;
    let assembled = match inner.prompt(turn, branch, model.as_ref()).await {
        Ok(assembled) => assembled,
        Err(error) => return Outcome { model: name, ..failed(turn, error) },
    };
    let context_ms = millis(began.elapsed());
    let mut sampling = inner.settings().sampling;
    sampling.stop.extend(prompt::stops(info.parameters));
    let request = ChatRequest {
        messages: assembled.messages,
        sampling,
        cache_key: Some(CacheKey::new(turn.conversation.to_string())),
        cancel: log.cancelled().clone(),
        ..ChatRequest::default()
    };
    let asked = Instant::now();
    let reply = reply::stream(model.as_ref(), request, log).await;
    let first = reply.first_token.unwrap_or_else(Instant::now);
    let timings = Timings {
        queued_ms: 0,
        context_ms,
        prefill_ms: millis(first - asked),
        decode_ms: millis(first.elapsed()),
    };
    Outcome { reply, model: name, fragments: assembled.fragments, timings }
}

fn stopped() -> Reply {
    Reply { stop: Some(StopReason::Stopped), ..Reply::default() }
}

fn failed(turn: &Turn, error: ModelError) -> Outcome {
    Outcome {
        reply: Reply { error: Some(error), ..Reply::default() },
        model: turn.model.clone(),
        ..Outcome::default()
    }
}

/// Stores the end of the turn, and only then tells it: `done` means that it is kept.
async fn finish(inner: &Inner, turn: &Turn, log: &Arc<TurnLog>, outcome: Outcome, stored: u32) {
    let Outcome { reply, model, fragments, timings } = outcome;
    let Reply { content, reasoning, stop, usage, error, .. } = reply;
    let last = match &error {
        Some(error) => Event::Error { message: error.to_string(), code: error.code() },
        None => Event::Done {
            conversation_id: turn.conversation,
            message_id: turn.message,
            stop_reason: stop.unwrap_or(StopReason::End),
        },
    };
    let (status, stop_reason) = match (&error, stop) {
        (Some(_), _) if content.is_empty() && reasoning.is_empty() => (MessageStatus::Failed, None),
        (Some(_), _) => (MessageStatus::Partial, Some(StopReason::Cut)),
        (None, Some(reason @ (StopReason::Stopped | StopReason::Cut))) => {
            (MessageStatus::Partial, Some(reason))
        }
        (None, reason) => (MessageStatus::Complete, reason),
    };
    inner.tally.count(status, usage);
    let ending = [Event::Usage(usage), last];
    let mut unstored = log.since(stored + 1);
    let first_seq = stored + 1;
    unstored.extend(ending.iter().cloned());
    let last_seq = stored + u32::try_from(unstored.len()).unwrap_or(u32::MAX);
    let finished = FinishedTurn {
        content,
        reasoning: (!reasoning.is_empty()).then_some(reasoning),
        status,
        stop_reason,
        error: error.as_ref().map(ToString::to_string),
        error_code: error.as_ref().map(ModelError::code),
        model,
        usage,
        timings,
        fragments,
        last_events: Some(StoredEvents { first_seq, last_seq, events: unstored }),
    };
    match inner.store.finish_turn(turn.id, finished).await {
        Ok(()) => ending.into_iter().for_each(|event| log.push(event)),
        Err(error) => {
            tracing::error!("the answer of turn {} was not stored: {error}", turn.id);
            log.push(Event::Error { message: error.to_string(), code: protocol::ErrorCode::Internal });
        }
    }
}

/// Stores events as they come, a row for each stretch of time, so that a turn can be resumed after a crash.
/// Returns the number of the last event that is stored.
async fn keep_events(inner: Arc<Inner>, log: Arc<TurnLog>, answered: CancellationToken) -> u32 {
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
        match inner.store.append_turn_events(log.id, row).await {
            Ok(()) => stored = last_seq,
            Err(error) => tracing::warn!("events of turn {} were not stored: {error}", log.id),
        }
    }
}

fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}
