//! A turn: from the stored message to the stored answer.
//!
//! [`TurnRunner`] answers by the first way that fits: without a model, in a chat turn, or in a code turn. Both kinds of
//! turns run the same loop of rounds ([`RoundLoop`]), in which the model writes and its tool calls are executed.

mod prepare;
mod prepared_turn;
mod rebuild;
mod rounds;
mod store_turn;

use std::sync::Arc;
use std::time::Instant;

use model::{ChatModel, ModelRequest, ModelRole};
use protocol::{CodeMeta, CodeRequest, Event, FactId, Fragment, Push, StopReason, Timings};
use store::{Round, StoreError, Turn};
use tokio_util::sync::CancellationToken;

use self::prepared_turn::PreparedTurn;
pub(crate) use self::rebuild::ended_turn;
pub(crate) use self::rounds::{RoundLoop, RoundsOutcome};
use crate::active_work::WorkGuard;
use crate::avatar_state;
use crate::code::{self, PreparedCodeTurn, VerifyLoop};
use crate::conversation_upkeep::ConversationUpkeep;
use crate::error::CompanionError;
use crate::fast_path::{self, FastAnswer};
use crate::forgetting::ForgetService;
use crate::live_turns::LiveTurns;
use crate::memory_recall::MemoryRecall;
use crate::memory_updates::MemoryUpdates;
use crate::metrics::{TurnMetrics, millis};
use crate::model_size::is_tiny;
use crate::model_source::lasting_key;
use crate::prompt::{self, Branch, PromptBuilder, tool_offer};
use crate::reply::TurnReply;
use crate::services::Services;
use crate::tiny_model;
use crate::tool_executor::ToolExecutor;
use crate::turn_log::TurnLog;

/// The model's name in a turn that needed no model.
const FAST_PATH: &str = "fast path";

/// The result of a turn.
#[derive(Default)]
struct TurnOutcome {
    reply: TurnReply,
    model: String,
    fragments: Vec<Fragment>,
    timings: Timings,
    /// The last round, if there were others before it.
    last_round: Option<Round>,
    /// The facts of which the model was told that they have replaced others.
    replaced_facts: Vec<FactId>,
    gave_up: bool,
    /// True if the code run has reported its result.
    is_reported: bool,
}

impl TurnOutcome {
    /// Creates the outcome of a turn that no model answered.
    fn without_model(turn: &Turn, reply: TurnReply) -> Self {
        Self { reply, model: turn.model.clone(), ..Self::default() }
    }

    fn stopped(turn: &Turn) -> Self {
        Self::without_model(turn, TurnReply::stopped())
    }

    fn failed(turn: &Turn, error: impl Into<CompanionError>) -> Self {
        Self::without_model(turn, TurnReply::failed(error))
    }
}

/// A turn that begins, with its log.
pub(crate) struct NewTurnRun {
    pub turn: Turn,
    pub log: Arc<TurnLog>,
    /// The turn of the same conversation that must end before.
    pub earlier: Option<Arc<TurnLog>>,
    /// The details of a request about code, if it is one.
    pub code: Option<CodeRequest>,
}

/// The turn that is being answered.
#[derive(Clone, Copy)]
struct CurrentTurn<'a> {
    turn: &'a Turn,
    log: &'a Arc<TurnLog>,
    began: Instant,
}

/// Runs turns of stored conversations.
pub(crate) struct TurnRunner {
    pub services: Arc<Services>,
    pub turns: Arc<LiveTurns>,
    pub metrics: Arc<TurnMetrics>,
    pub prompts: Arc<PromptBuilder>,
    pub recall: Arc<MemoryRecall>,
    pub memory_updates: Arc<MemoryUpdates>,
    pub upkeep: Arc<ConversationUpkeep>,
    pub forgetting: Arc<ForgetService>,
}

impl TurnRunner {
    /// Runs a turn to its end, including the work after the answer.
    pub async fn run(self: Arc<Self>, run: NewTurnRun) {
        let NewTurnRun { turn, log, earlier, code } = run;
        let started = Instant::now();
        let work = self.forgetting.begin_work();
        if let Some(earlier) = &earlier {
            tokio::select! {
                () = earlier.has_left_queue() => {}
                () = log.cancelled().cancelled() => {}
            }
        }
        let queued = started.elapsed();
        let answered = CancellationToken::new();
        let store_events = {
            let (this, log, answered) = (Arc::clone(&self), Arc::clone(&log), answered.clone());
            tokio::spawn(async move { this.store_events(&log, answered).await })
        };
        let follower =
            avatar_state::follow(Arc::clone(&self.services), Arc::clone(&self.turns), Arc::clone(&log));
        self.turns.spawn(follower);
        let code_run = code.as_ref().map(|request| (request.mode, request.root.clone()));
        let mut outcome = self.answer(&turn, &log, code).await;
        if let (Some((mode, root)), false) = (code_run, outcome.is_reported) {
            let error = outcome.reply.error.as_ref().map(|error| tools::capital(&error.to_string()));
            let (summary, duration_ms) = (error.unwrap_or_default(), millis(started.elapsed()));
            let meta = CodeMeta { summary, duration_ms, mode: Some(mode), root, ..CodeMeta::default() };
            code::report_result(&self.services, &log, meta).await;
        }
        if self.turns.is_closing() && outcome.reply.stop == Some(StopReason::Stopped) {
            outcome.reply.stop = Some(StopReason::Cut);
        }
        outcome.timings.queued_ms = millis(queued);
        outcome.reply.usage.total_ms = millis(started.elapsed());
        outcome.reply.usage.first_token_ms = outcome.reply.first_token.map(|first| millis(first - started));
        answered.cancel();
        let stored = store_events.await.unwrap_or(0);
        self.finish(&turn, &log, outcome, stored).await;
        // A turn that was stopped while queued must keep its place between its neighbours.
        if let Some(earlier) = earlier {
            earlier.has_left_queue().await;
        }
        self.turns.leave(&log);
        self.after_turn(&turn, work).await;
    }

    /// Answers by the first way that fits, the cheapest first.
    async fn answer(&self, turn: &Turn, log: &Arc<TurnLog>, code: Option<CodeRequest>) -> TurnOutcome {
        let current = CurrentTurn { turn, log, began: Instant::now() };
        let services = &self.services;
        if log.cancelled().is_cancelled() {
            return TurnOutcome::stopped(turn);
        }
        let branch = match Branch::of_question(&services.store, turn).await {
            Ok(branch) => branch,
            Err(error) => return TurnOutcome::failed(turn, error),
        };
        let executor = ToolExecutor::new(services, log, true, branch.taint(), branch.user_messages()).await;
        let mut executor = match executor {
            Ok(executor) => executor,
            Err(error) => return TurnOutcome::failed(turn, error),
        };
        let is_chat = code.is_none();
        let question = branch.plain_question().filter(|_| is_chat);
        if let Some(answer) = question.and_then(|text| fast_path::fast_answer(text, &services.now())) {
            return answer_at_once(answer, &mut executor, log).await;
        }
        let model = tokio::select! {
            model = services.models.current() => match model {
                Ok(model) => model,
                Err(error) => return TurnOutcome::failed(turn, error),
            },
            () = log.cancelled().cancelled() => return TurnOutcome::stopped(turn),
        };
        let model = model.as_ref();
        if !model.info().is_here
            && let Err(error) = executor.hide_private_facts().await
        {
            return TurnOutcome::failed(turn, error);
        }
        match code {
            None => {
                if let Some(text) = self.answer_for_tiny_model(current, &branch, model).await {
                    return answer_at_once(FastAnswer::Words(text), &mut executor, log).await;
                }
                self.chat(current, branch, &mut executor, model).await
            }
            Some(request) => self.code(current, branch, &request, model).await,
        }
    }

    /// Returns the fixed answer to a message that a very small model would answer badly.
    async fn answer_for_tiny_model(
        &self,
        current: CurrentTurn<'_>,
        branch: &Branch,
        model: &dyn ChatModel,
    ) -> Option<String> {
        let question = branch.plain_question();
        if let Some(text) = question.and_then(|question| self.prompts.small_talk(question, model)) {
            return Some(text);
        }
        if is_tiny(model)
            && let Some(text) = self.recall.answer_from_memory(current.turn, branch, current.log).await
        {
            return Some(text);
        }
        question.and_then(|question| self.prompts.beyond_model(question, model))
    }

    /// Runs a chat turn.
    async fn chat(
        &self,
        current: CurrentTurn<'_>,
        branch: Branch,
        executor: &mut ToolExecutor<'_>,
        model: &dyn ChatModel,
    ) -> TurnOutcome {
        let prepared = self.prepare_chat(current, &branch, executor, model).await;
        self.run_rounds(current, branch, prepared, executor, model, None).await
    }

    /// Runs a code turn: the same loop of rounds, with a workspace.
    async fn code(
        &self,
        current: CurrentTurn<'_>,
        branch: Branch,
        request: &CodeRequest,
        model: &dyn ChatModel,
    ) -> TurnOutcome {
        let CurrentTurn { turn, log, .. } = current;
        let prepared = tokio::select! {
            prepared = code::prepare(&self.services, &self.prompts, (turn, log), &branch, request, model) => prepared,
            () = log.cancelled().cancelled() => return TurnOutcome::stopped(turn),
        };
        let PreparedCodeTurn { mut executor, prefix, extras, closing, plan, mut verify_loop, most_rounds } =
            match prepared {
                Ok(prepared) => prepared,
                Err(error) => return TurnOutcome::failed(turn, error),
            };
        if !model.info().is_here
            && let Err(error) = executor.hide_private_facts().await
        {
            return TurnOutcome::failed(turn, error);
        }
        let has_tools = prefix.offer.is_any();
        let prepared =
            PreparedTurn { closing, plan, ..PreparedTurn::new(prefix, extras, most_rounds, has_tools) };
        let rounds = self.run_rounds(current, branch, prepared, &mut executor, model, Some(&mut verify_loop));
        let mut outcome = rounds.await;
        let reply = &mut outcome.reply;
        let mut ok = reply.error.is_none() && reply.stop == Some(StopReason::End) && !outcome.gave_up;
        if ok && reply.content.trim().is_empty() && verify_loop.has_changed_nothing() {
            reply.say(code::NO_ANSWER, log);
            ok = false;
        }
        let steps = verify_loop.end(&self.services, log, &reply.content, ok).await;
        if !steps.is_empty() {
            if let Err(error) = self.services.store.keep_plan(log.id, steps.clone()).await {
                tracing::warn!("the plan of turn {} was not stored: {error}", log.id);
            }
            log.push(Event::Plan { steps });
        }
        outcome.is_reported = true;
        outcome
    }

    /// Builds the prompt, runs the rounds, and collects the result.
    async fn run_rounds(
        &self,
        current: CurrentTurn<'_>,
        branch: Branch,
        prepared: PreparedTurn,
        executor: &mut ToolExecutor<'_>,
        model: &dyn ChatModel,
        verify_loop: Option<&mut VerifyLoop>,
    ) -> TurnOutcome {
        let CurrentTurn { turn, log, began } = current;
        let PreparedTurn { prefix, extras, shown, tool_choice, closing, plan, .. } = prepared;
        let (info, settings) = (model.info(), self.services.settings());
        let name = info.name.clone();
        executor.add_origins(prefix.offer.origins.iter().cloned());
        let mut prompt = match self.prompts.build(turn, branch, &prefix, extras, model).await {
            Ok(prompt) => prompt,
            Err(error) => return TurnOutcome { model: name, ..TurnOutcome::failed(turn, error) },
        };
        if let Some(closing) = closing {
            prompt.tokens += model.count_tokens(&closing).tokens;
            prompt::append(&mut prompt.messages, ModelRole::User, &closing);
        }
        let context_ms = millis(began.elapsed());
        let mut sampling = settings.sampling;
        if is_tiny(model) {
            sampling = tiny_model::adjusted(sampling);
        }
        sampling.stop.extend(prompt::stop_texts(info.parameters));
        let budget = self.prompts.budget(model).prompt;
        let request = ModelRequest {
            messages: prompt.messages,
            opening: prompt.opening,
            tools: prefix.offer.specs,
            shown,
            tool_choice,
            sampling,
            cache_key: lasting_key(turn.conversation),
            cancel: log.cancelled().clone(),
            ..ModelRequest::default()
        };
        let requested = Instant::now();
        let round_loop = RoundLoop {
            services: &self.services,
            prompts: &self.prompts,
            log,
            model,
            request,
            vocabulary: tool_offer::vocabulary(executor.tool_set(), &self.services.tools, model),
            registry: self.services.tools.registry(),
            format: prefix.offer.format,
            most_rounds: prepared.most_rounds,
            tokens_left: budget.saturating_sub(prefix.tool_tokens + prompt.tokens),
            client_tools: &[],
            plan,
            is_stored: true,
            has_tools: prepared.has_tools,
            is_stuck: false,
            failed_rounds: 0,
            verify_loop,
        };
        let RoundsOutcome { reply, last_round, fragments: results, gave_up } = round_loop.run(executor).await;
        let first_token = reply.first_token.unwrap_or_else(Instant::now);
        let timings = Timings {
            queued_ms: 0,
            context_ms,
            prefill_ms: millis(first_token - requested),
            decode_ms: millis(first_token.elapsed()),
        };
        let mut fragments = prompt.fragments;
        fragments.extend(results);
        let replaced_facts = prepared.replaced_facts;
        TurnOutcome {
            reply,
            model: name,
            fragments,
            timings,
            last_round,
            replaced_facts,
            gave_up,
            is_reported: false,
        }
    }

    /// Announces the end of a turn and does the deferred work.
    async fn after_turn(&self, turn: &Turn, work: WorkGuard) {
        let (conversation_id, turn_id, message_id) = (turn.conversation, turn.id, turn.message);
        let feed = &self.services.feed;
        feed.tell(turn.user, Push::TurnEnded { conversation_id, turn_id, message_id });
        let done = tokio::select! {
            done = async { self.memory_updates.reflect(turn).await.and(self.upkeep.run(turn).await) } => done,
            () = self.turns.closing() => Ok(()),
        };
        match done {
            // The conversation was deleted meanwhile.
            Ok(()) | Err(CompanionError::Store(StoreError::NotFound(_))) => {}
            Err(error) => {
                tracing::warn!("the upkeep of conversation {conversation_id} failed: {error}");
                self.upkeep.retry_later(turn);
            }
        }
        self.forgetting.end_work(work).await;
        if let Ok(chat) = self.services.store.summary(turn.user, turn.conversation).await {
            feed.tell(turn.user, Push::ChatChanged { chat });
        }
    }
}

/// Answers without a model.
async fn answer_at_once(answer: FastAnswer, executor: &mut ToolExecutor<'_>, log: &TurnLog) -> TurnOutcome {
    let mut reply = TurnReply::default();
    match answer {
        FastAnswer::Words(text) => reply.say(&text, log),
        FastAnswer::Call(call) => {
            let outcomes = executor.execute(vec![call]).await;
            if log.cancelled().is_cancelled() {
                reply = TurnReply::stopped();
                return TurnOutcome { reply, model: FAST_PATH.into(), ..TurnOutcome::default() };
            }
            for outcome in outcomes {
                reply.say(&outcome.in_words(), log);
            }
        }
    }
    reply.stop = Some(StopReason::End);
    TurnOutcome { reply, model: FAST_PATH.into(), ..TurnOutcome::default() }
}

/// Creates the first event of a turn.
pub(crate) fn metadata(turn: &Turn) -> Event {
    Event::Metadata {
        conversation_id: turn.conversation,
        model: turn.model.clone(),
        turn_id: turn.id,
        user_message_id: turn.user_message,
        message_id: turn.message,
    }
}
