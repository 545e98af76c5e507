use std::sync::Arc;
use std::time::{Duration, Instant};

use model::{ChatModel, ChatRequest, Role, ToolChoice, ToolSpec};
use protocol::{
    CodeMeta, CodeRequest, ErrorCode, Event, FactId, Fragment, MessageStatus, StopReason, Timings,
};
use store::{FinishedTurn, Round, StoreError, StoredEvents, Turn};
use tokio_util::sync::CancellationToken;

use crate::acting::Acting;
use crate::assembly::{self, Beginning, Branch, Extra};
use crate::bearing;
use crate::brief;
use crate::code::{self, Errand, Prepared};
use crate::companion::{Inner, lasting_key};
use crate::error::CompanionError;
use crate::fastpath::Quick;
use crate::offer;
use crate::plan::Plan;
use crate::prompt;
use crate::remembering::{self, Remembered};
use crate::reply::Reply;
use crate::rounds::{self, Course};
use crate::scale::Scale;
use crate::turns::TurnLog;

/// The interval at which new events are stored, one row each time.
const STORE_EVERY: Duration = Duration::from_millis(250);

/// The waits before further attempts to store an answer.
const STORE_AGAIN_AFTER: [Duration; 3] =
    [Duration::from_millis(100), Duration::from_millis(500), Duration::from_secs(2)];

/// The model's name in a turn that needed no model.
const FAST_PATH: &str = "fast path";

/// The result of a turn.
#[derive(Default)]
struct Outcome {
    reply: Reply,
    model: String,
    fragments: Vec<Fragment>,
    timings: Timings,
    /// The last round, if there were others before it.
    last_round: Option<Round>,
    /// The facts that the model was told have replaced others.
    news: Vec<FactId>,
    gave_up: bool,
    /// True if the code run has reported its result.
    concluded: bool,
}

/// Runs a turn from the stored message to the stored answer.
pub(crate) async fn run(
    inner: Arc<Inner>,
    turn: Turn,
    log: Arc<TurnLog>,
    earlier: Option<Arc<TurnLog>>,
    code: Option<CodeRequest>,
) {
    let started = Instant::now();
    let work = inner.works.begin();
    if let Some(earlier) = &earlier {
        tokio::select! {
            () = earlier.gone() => {}
            () = log.cancelled().cancelled() => {}
        }
    }
    let queued = started.elapsed();
    let answered = CancellationToken::new();
    let keeper = tokio::spawn(keep_events(Arc::clone(&inner), Arc::clone(&log), answered.clone()));
    inner.tasks.spawn(bearing::follow(Arc::clone(&inner), Arc::clone(&log)));
    let asked = code.as_ref().map(|request| (request.mode, request.root.clone()));
    let mut outcome = answer(&inner, &turn, &log, code).await;
    if let (Some((mode, root)), false) = (asked, outcome.concluded) {
        let words = outcome.reply.error.as_ref().map(|error| tools::capital(&error.to_string()));
        let (summary, duration_ms) = (words.unwrap_or_default(), millis(started.elapsed()));
        let meta = CodeMeta { summary, duration_ms, mode: Some(mode), root, ..CodeMeta::default() };
        code::conclude(&inner, &log, meta).await;
    }
    if inner.is_closing() && outcome.reply.stop == Some(StopReason::Stopped) {
        outcome.reply.stop = Some(StopReason::Cut);
    }
    outcome.timings.queued_ms = millis(queued);
    outcome.reply.usage.total_ms = millis(started.elapsed());
    outcome.reply.usage.first_token_ms = outcome.reply.first_token.map(|first| millis(first - started));
    answered.cancel();
    let stored = keeper.await.unwrap_or(0);
    finish(&inner, &turn, &log, outcome, stored).await;
    // A turn that was stopped while queued must keep its place between its neighbours.
    if let Some(earlier) = earlier {
        earlier.gone().await;
    }
    inner.turns.leave(&log);
    inner.after_turn(&turn, work).await;
}

async fn answer(inner: &Arc<Inner>, turn: &Turn, log: &Arc<TurnLog>, code: Option<CodeRequest>) -> Outcome {
    let began = Instant::now();
    if log.cancelled().is_cancelled() {
        return Outcome { reply: Reply::stopped(), model: turn.model.clone(), ..Outcome::default() };
    }
    let branch = match inner.branch(turn).await {
        Ok(branch) => branch,
        Err(error) => return failed(turn, error),
    };
    let acting = Acting::new(inner, log, true, branch.taint(), branch.users_words()).await;
    let mut acting = match acting {
        Ok(acting) => acting,
        Err(error) => return failed(turn, error),
    };
    if code.is_none()
        && let Some(quick) = branch.quick(&inner.now())
    {
        return quickly(quick, &mut acting, log).await;
    }
    let model = tokio::select! {
        model = inner.models.current() => match model {
            Ok(model) => model,
            Err(error) => return failed(turn, error),
        },
        () = log.cancelled().cancelled() => return Outcome { reply: Reply::stopped(), model: turn.model.clone(), ..Outcome::default() },
    };
    if !model.info().is_here
        && let Err(error) = acting.keep_secrets().await
    {
        return failed(turn, error);
    }
    if code.is_none()
        && let Some(words) =
            branch.plain_question().and_then(|question| inner.small_talk(question, model.as_ref()))
    {
        return quickly(Quick::Words(words), &mut acting, log).await;
    }
    if code.is_none()
        && assembly::is_brief(model.as_ref())
        && let Some(words) = inner.answer_from_memory(turn, &branch, log).await
    {
        return quickly(Quick::Words(words), &mut acting, log).await;
    }
    if code.is_none()
        && let Some(words) =
            branch.plain_question().and_then(|question| inner.beyond_model(question, model.as_ref()))
    {
        return quickly(Quick::Words(words), &mut acting, log).await;
    }
    match code {
        None => think(inner, turn, log, branch, &mut acting, model.as_ref(), began).await,
        Some(request) => work(inner, turn, log, branch, &request, model.as_ref(), began).await,
    }
}

/// Runs a code turn: the same round loop, with a workspace.
async fn work(
    inner: &Arc<Inner>,
    turn: &Turn,
    log: &Arc<TurnLog>,
    branch: Branch,
    request: &CodeRequest,
    model: &dyn ChatModel,
    began: Instant,
) -> Outcome {
    let prepared = tokio::select! {
        prepared = code::prepare(inner, turn, log, &branch, request, model) => prepared,
        () = log.cancelled().cancelled() => {
            return Outcome { reply: Reply::stopped(), model: turn.model.clone(), ..Outcome::default() };
        }
    };
    let Prepared { mut acting, beginning, extra, closing, plan, mut errand, rounds } = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return failed(turn, error),
    };
    if !model.info().is_here
        && let Err(error) = acting.keep_secrets().await
    {
        return failed(turn, error);
    }
    let acts = beginning.offer.is_any();
    let (shown, news, choice) = (Vec::new(), Vec::new(), ToolChoice::Auto);
    let frame = Frame { beginning, shown, choice, extra, closing, plan, rounds, acts, news };
    let mut outcome = go(inner, turn, log, branch, frame, &mut acting, model, began, Some(&mut errand)).await;
    let mut ok =
        outcome.reply.error.is_none() && outcome.reply.stop == Some(StopReason::End) && !outcome.gave_up;
    if ok && outcome.reply.content.trim().is_empty() && errand.has_changed_nothing() {
        outcome.reply.say(code::NO_ANSWER, log);
        ok = false;
    }
    let words = std::mem::take(&mut outcome.reply.content);
    let steps = errand.end(inner, log, &words, ok).await;
    if !steps.is_empty() {
        if let Err(error) = inner.store.keep_plan(log.id, steps.clone()).await {
            tracing::warn!("the plan of turn {} was not kept: {error}", log.id);
        }
        log.push(Event::Plan { steps });
    }
    outcome.reply.content = words;
    outcome.concluded = true;
    outcome
}

/// A prepared turn, before its first round.
struct Frame {
    beginning: Beginning,
    /// The tools that are shown with this one message.
    shown: Vec<ToolSpec>,
    /// Requires or allows a call at the beginning of the answer.
    choice: ToolChoice,
    extra: Extra,
    /// An instruction after the request that is not stored with it.
    closing: Option<String>,
    plan: Option<Plan>,
    rounds: u32,
    /// True if there are tools to use.
    acts: bool,
    news: Vec<FactId>,
}

/// Prepares a chat turn and runs it.
async fn think(
    inner: &Inner,
    turn: &Turn,
    log: &TurnLog,
    branch: Branch,
    acting: &mut Acting<'_>,
    model: &dyn ChatModel,
    began: Instant,
) -> Outcome {
    let (info, settings) = (model.info(), inner.settings());
    let beginning = inner.beginning(acting.user(), model).await;
    let used = branch.used();
    let tools =
        branch.question().and_then(|question| inner.tools_after(acting.user(), question, &used, model));
    let acts = beginning.offer.is_any() || tools.is_some();
    let able = settings.plan && acts && !Scale::of(info.parameters).is_small();
    let plan = match (able, branch.unsent()) {
        (false, _) => None,
        (true, Some(message)) => Plan::make(model, message, log.cancelled()).await,
        // The plan was sent with the message, and is carried out again.
        (true, None) => inner.earlier_plan(turn).await,
    };
    let shown = tools.unwrap_or_default();
    let choice = shown.choice(&info);
    let is_errand = shown.is_called_for && !branch.question().is_some_and(remembering::may_refer_to_earlier);
    // A small model takes memories for a part of the request.
    let remembered =
        if is_errand { Remembered::default() } else { inner.remember(turn, &branch, log, model).await };
    let remembered_of = remembered.items.into_iter().flat_map(|item| item.origins);
    let origins: Vec<_> = remembered_of.chain(shown.origins).collect();
    for origin in &origins {
        acting.taint.add(origin.clone());
    }
    let plan_in_words = plan.as_ref().map(Plan::in_words);
    let tools = (!shown.text.is_empty()).then_some(shown.text);
    let texts = remembered.told.into_iter().chain(tools).chain(plan_in_words).collect();
    let extra = Extra { texts, origins };
    let rounds = prompt::rounds(info.parameters, settings.rounds);
    let (news, shown) = (remembered.news, shown.specs);
    let frame = Frame { beginning, shown, choice, extra, closing: None, plan, rounds, acts, news };
    go(inner, turn, log, branch, frame, acting, model, began, None).await
}

/// Assembles the prompt, runs the rounds, and collects the result.
#[allow(clippy::too_many_arguments, reason = "a turn is what all of these are to each other")]
async fn go(
    inner: &Inner,
    turn: &Turn,
    log: &TurnLog,
    branch: Branch,
    frame: Frame,
    acting: &mut Acting<'_>,
    model: &dyn ChatModel,
    began: Instant,
    errand: Option<&mut Errand>,
) -> Outcome {
    let Frame { beginning, shown, choice, extra, closing, plan, rounds, acts, news } = frame;
    let (info, settings) = (model.info(), inner.settings());
    let name = info.name.clone();
    acting.offers(&beginning.offer);
    let mut assembled = match inner.prompt(turn, branch, &beginning, extra, model).await {
        Ok(assembled) => assembled,
        Err(error) => return Outcome { model: name, ..failed(turn, error) },
    };
    if let Some(closing) = closing {
        assembled.tokens += model.count_tokens(&closing).tokens;
        prompt::add(&mut assembled.messages, Role::User, &closing);
    }
    let context_ms = millis(began.elapsed());
    let mut sampling = settings.sampling;
    if assembly::is_brief(model) {
        sampling = brief::steadied(sampling);
    }
    sampling.stop.extend(prompt::stops(info.parameters));
    let room = inner.budget(model).prompt.saturating_sub(beginning.tokens + assembled.tokens);
    let vocabulary = offer::vocabulary(acting.kit(), &inner.hands, model);
    let request = ChatRequest {
        messages: assembled.messages,
        opening: assembled.opening,
        tools: beginning.offer.specs,
        shown,
        tool_choice: choice,
        sampling,
        cache_key: lasting_key(turn.conversation),
        cancel: log.cancelled().clone(),
        ..ChatRequest::default()
    };
    let asked = Instant::now();
    let course = Course {
        inner,
        log,
        model,
        request,
        vocabulary,
        tools: inner.hands.registry(),
        style: beginning.offer.style,
        most: rounds,
        room,
        theirs: &[],
        plan,
        kept: true,
        acts,
        stuck: false,
        fruitless: 0,
        errand,
    };
    let rounds::Outcome { reply, last, fragments: brought, gave_up } = course.run(acting).await;
    let first = reply.first_token.unwrap_or_else(Instant::now);
    let timings = Timings {
        queued_ms: 0,
        context_ms,
        prefill_ms: millis(first - asked),
        decode_ms: millis(first.elapsed()),
    };
    let mut fragments = assembled.fragments;
    fragments.extend(brought);
    Outcome { reply, model: name, fragments, timings, last_round: last, news, gave_up, concluded: false }
}

/// Answers without a model.
async fn quickly(quick: Quick, acting: &mut Acting<'_>, log: &TurnLog) -> Outcome {
    let mut reply = Reply::default();
    match quick {
        Quick::Words(text) => reply.say(&text, log),
        Quick::Call(wanted) => {
            let done = acting.perform(vec![wanted]).await;
            if log.cancelled().is_cancelled() {
                return Outcome { reply: Reply::stopped(), model: FAST_PATH.into(), ..Outcome::default() };
            }
            for done in done {
                reply.say(&done.in_words(), log);
            }
        }
    }
    reply.stop = Some(StopReason::End);
    Outcome { reply, model: FAST_PATH.into(), ..Outcome::default() }
}

fn failed(turn: &Turn, error: impl Into<CompanionError>) -> Outcome {
    Outcome { reply: Reply::failed(error), model: turn.model.clone(), ..Outcome::default() }
}

/// Stores the end of the turn before announcing it: `done` means that the answer is stored.
async fn finish(inner: &Inner, turn: &Turn, log: &Arc<TurnLog>, outcome: Outcome, stored: u32) {
    let Outcome { reply, model, fragments, timings, last_round, news, .. } = outcome;
    let Reply { content, reasoning, stop, usage, error, .. } = reply;
    let came = !content.is_empty() || !reasoning.is_empty();
    let error = error.map(|error| (what_happened(&error, came), error.code()));
    let last = match &error {
        Some((message, code)) => Event::Error { message: message.clone(), code: *code },
        None => Event::Done {
            conversation_id: turn.conversation,
            message_id: turn.message,
            stop_reason: stop.unwrap_or(StopReason::End),
        },
    };
    let (status, stop_reason) = match (&error, stop) {
        (Some(_), _) if !came => (MessageStatus::Failed, None),
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
    match keep(inner, turn, finished).await {
        Ok(()) => {
            if status == MessageStatus::Complete {
                inner.has_told(turn, news).await;
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
async fn keep(inner: &Inner, turn: &Turn, finished: FinishedTurn) -> Result<(), StoreError> {
    for wait in STORE_AGAIN_AFTER {
        match inner.store.finish_turn(turn.id, finished.clone()).await {
            Err(error @ (StoreError::DiskFull | StoreError::Busy | StoreError::Unreachable(_))) => {
                tracing::warn!("the answer of turn {} was not stored yet: {error}", turn.id);
                tokio::time::sleep(wait).await;
            }
            other => return other,
        }
    }
    inner.store.finish_turn(turn.id, finished).await
}

/// Describes why an answer failed and what was stored.
fn what_happened(error: &CompanionError, came: bool) -> String {
    let kept = if came { "What came is kept." } else { "Your message is kept." };
    let text = tools::capital(&error.to_string());
    let full_stop = if text.ends_with(['.', '!', '?']) { "" } else { "." };
    if text.contains("is kept") { format!("{text}{full_stop}") } else { format!("{text}{full_stop} {kept}") }
}

/// Stores new events at intervals, one row each time, so that a turn can be resumed after a crash. Returns the number
/// of the last stored event.
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

pub(crate) fn millis(duration: Duration) -> u32 {
    u32::try_from(duration.as_millis()).unwrap_or(u32::MAX)
}
