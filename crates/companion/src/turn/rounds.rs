//! The round loop of a turn: the model writes, its tool calls are executed, it gets their results, and writes again.

use std::sync::Arc;

use dialect::ReplyVocabulary;
use model::{ChatModel, ModelError, ModelRequest, ModelRole, ToolChoice, ToolSpec};
use protocol::{Event, Fragment, FragmentKind, StopReason, ToolStatus};
use serde_json::{Map, Value};
use store::{Round, RoundCall, RoundResult, StoreError};
use tools::ToolRegistry;

use crate::code::VerifyLoop;
use crate::model_size::ModelSize;
use crate::plan::TurnPlan;
use crate::prompt::text::{MESSAGE_OVERHEAD, fit};
use crate::prompt::{self, PromptBuilder, ToolFormat, tool_offer};
use crate::reply::{self, ModelReply, TurnReply};
use crate::requested_call::RequestedCall;
use crate::services::Services;
use crate::tool_executor::{CallOutcome, ToolExecutor};
use crate::turn_log::TurnLog;

/// The least room in tokens for another tool call.
const LEAST_TOKENS: u32 = 256;
const LAST_ROUND: &str =
    "Answer in words now, with what was said and told above. No more tools can be used for this.";
const OUT_OF_ROUNDS: &str = "I have used up my steps for this answer. Tell me to go on if I should.";
const GAVE_UP: &str =
    "I tried this several times and it did not work, so I stopped. Tell me how I should go on.";
const NO_TEXT: &str = "The model ended its answer before the first word. Try again, or choose another model.";
const NO_TEXT_AFTER_TOOLS: &str =
    "The model used what you see here and then said nothing. Try again, or choose another model.";
const ONLY_REASONING: &str = "The model spent its whole answer on thinking and came to no words. Try again, or allow longer answers in \
     Settings, Model.";
/// The number of consecutive rounds without a successful call after which the loop ends.
const MOST_FAILED_ROUNDS: u32 = 5;

/// The state of a round loop.
pub struct RoundLoop<'a> {
    pub services: &'a Services,
    pub prompts: &'a PromptBuilder,
    pub log: &'a TurnLog,
    pub model: &'a dyn ChatModel,
    /// The request of the next round. Each round adds to its messages.
    pub request: ModelRequest,
    pub vocabulary: Arc<ReplyVocabulary>,
    /// The registry for which the vocabulary was built.
    pub registry: Arc<ToolRegistry>,
    pub format: ToolFormat,
    /// The greatest number of rounds. The last one must be an answer in words.
    pub most_rounds: u32,
    /// The number of tokens by which the prompt may still grow.
    pub tokens_left: u32,
    /// The tools of an API client. Their calls are returned to the client.
    pub client_tools: &'a [ToolSpec],
    /// The steps of a long request.
    pub plan: Option<TurnPlan>,
    /// True if the rounds are stored with the conversation.
    pub is_stored: bool,
    /// True if there are tools to use.
    pub has_tools: bool,
    /// True once the model only repeats calls or makes failing ones. One more round follows, which must be an answer in
    /// words.
    pub is_stuck: bool,
    /// The number of consecutive rounds without a successful call.
    pub failed_rounds: u32,
    /// The verify loop of a code run.
    pub verify_loop: Option<&'a mut VerifyLoop>,
}

/// The result of a round loop.
#[derive(Default)]
pub struct RoundsOutcome {
    pub reply: TurnReply,
    /// The last round, if it must be stored as it was written.
    pub last_round: Option<Round>,
    /// The results of tools.
    pub fragments: Vec<Fragment>,
    /// True if the loop ended because of repeated or failing calls.
    pub gave_up: bool,
}

/// Makes a call suitable for later requests. Servers parse the arguments of earlier calls and refuse a prompt with
/// invalid ones.
fn readable(call: RoundCall) -> RoundCall {
    let is_object = serde_json::from_str::<Map<String, Value>>(&call.arguments).is_ok();
    RoundCall { arguments: if is_object { call.arguments } else { "{}".to_owned() }, ..call }
}

impl RoundLoop<'_> {
    pub async fn run(mut self, executor: &mut ToolExecutor<'_>) -> RoundsOutcome {
        self.report_plan().await;
        let mut outcome = self.rounds(executor).await;
        outcome.gave_up = self.is_stuck;
        if let Some(why) = self.error_without_text(&outcome.reply) {
            outcome.reply.error = Some(ModelError::Failed(why.to_owned()).into());
        }
        if let Some(plan) = &mut self.plan {
            plan.end(outcome.reply.error.is_none() && outcome.reply.stop == Some(StopReason::End));
            self.report_plan().await;
        }
        outcome
    }

    /// Returns the error message for a reply without text. Code runs report their result themselves, and calls of a
    /// client's own tools are an answer for the client, so neither gets one.
    fn error_without_text(&self, reply: &TurnReply) -> Option<&'static str> {
        let is_broken =
            reply.error.is_some() || matches!(reply.stop, Some(StopReason::Stopped | StopReason::Cut));
        let answers_otherwise = self.verify_loop.is_some() || !self.client_tools.is_empty();
        if is_broken || answers_otherwise || !reply.content.trim().is_empty() {
            return None;
        }
        let events = self.log.since(1);
        if events.iter().any(|event| matches!(event, Event::Command { .. })) {
            return None;
        }
        match reply.stop {
            // The program itself limited the number of tokens.
            Some(StopReason::Length) if !self.is_stored => None,
            Some(StopReason::Length) if !reply.reasoning.is_empty() => Some(ONLY_REASONING),
            _ if events.iter().any(|event| matches!(event, Event::Tool { .. })) => Some(NO_TEXT_AFTER_TOOLS),
            _ => Some(NO_TEXT),
        }
    }

    async fn rounds(&mut self, executor: &mut ToolExecutor<'_>) -> RoundsOutcome {
        let mut outcome = RoundsOutcome::default();
        for round in 1..=self.most_rounds {
            let is_last = round == self.most_rounds || self.tokens_left < LEAST_TOKENS || self.is_stuck;
            if is_last && self.has_tools {
                self.request.tool_choice = ToolChoice::None;
                prompt::append(&mut self.request.messages, ModelRole::User, LAST_ROUND);
            }
            self.update_tools(executor).await;
            let before = outcome.reply.content.len();
            let (request, vocabulary) = (self.request.clone(), Arc::clone(&self.vocabulary));
            let model_reply =
                reply::stream(self.model, request, vocabulary, self.log, &mut outcome.reply).await;
            let reply = &mut outcome.reply;
            let is_silent = reply.content[before..].trim().is_empty();
            let ended =
                reply.error.is_some() || matches!(reply.stop, Some(StopReason::Stopped | StopReason::Cut));
            if !ended && self.hand_to_client(&model_reply, reply) {
                outcome.last_round = None;
                return outcome;
            }
            if !ended && model_reply.calls.is_empty() {
                match self.next_step(&model_reply, executor, is_last).await {
                    Ok(true) => continue,
                    Ok(false) => {}
                    Err(error) => outcome.reply.error = Some(error.into()),
                }
            }
            let reply = &mut outcome.reply;
            if ended || model_reply.calls.is_empty() || is_last {
                if round > 1 || !model_reply.calls.is_empty() {
                    outcome.last_round =
                        Some(Round { said: model_reply.text, calls: Vec::new(), told: Vec::new() });
                }
                if ended || model_reply.calls.is_empty() {
                    return outcome;
                }
                // Calls that only show something belong to the answer and are still made.
                let views: Vec<_> =
                    model_reply.calls.into_iter().filter(|call| executor.only_shows(call)).collect();
                let outcomes = executor.execute(views).await;
                if is_silent && outcomes.is_empty() {
                    reply.say(if self.is_stuck { GAVE_UP } else { OUT_OF_ROUNDS }, self.log);
                }
                reply.stop = Some(StopReason::End);
                return outcome;
            }
            if self.execute_calls(model_reply, executor, &mut outcome).await {
                return outcome;
            }
        }
        outcome
    }

    /// Updates the vocabulary and the offered tools if the registry has changed, for example because the model has just
    /// created a tool.
    async fn update_tools(&mut self, executor: &mut ToolExecutor<'_>) {
        let now = self.services.tools.registry();
        if !self.has_tools || executor.tool_set().is_fixed() || Arc::ptr_eq(&now, &self.registry) {
            return;
        }
        self.registry = now;
        self.vocabulary = tool_offer::vocabulary(executor.tool_set(), &self.services.tools, self.model);
        if self.format != ToolFormat::Text {
            let offer = self.prompts.prefix(executor.user(), self.model).await.offer;
            executor.add_origins(offer.origins);
            self.request.tools = offer.specs;
        }
    }

    /// Continues with the next step of the plan or of the verify loop. Returns false if there is none.
    async fn next_step(
        &mut self,
        model_reply: &ModelReply,
        executor: &mut ToolExecutor<'_>,
        is_last: bool,
    ) -> Result<bool, StoreError> {
        let next = self.plan.as_mut().filter(|_| !is_last).and_then(TurnPlan::advance);
        let text = match next {
            Some(text) => {
                self.report_plan().await;
                text
            }
            None => match &mut self.verify_loop {
                Some(verify_loop) => {
                    match verify_loop.after_text(&model_reply.text, executor, self.log).await {
                        Some(text) if !is_last => text,
                        _ => return Ok(false),
                    }
                }
                None => return Ok(false),
            },
        };
        let told = vec![RoundResult { call: None, name: prompt::PLAN.into(), text }];
        let round = Round { said: model_reply.text.clone(), calls: Vec::new(), told };
        self.tokens_left = self.tokens_left.saturating_sub(self.cost(&round));
        self.request.messages.extend(prompt::round_messages(&round, self.format));
        self.store_round(round, executor).await?;
        Ok(true)
    }

    async fn report_plan(&self) {
        let Some(plan) = &self.plan else { return };
        let steps = plan.steps().to_vec();
        if self.is_stored
            && let Err(error) = self.services.store.keep_plan(self.log.id, steps.clone()).await
        {
            tracing::warn!("the plan of turn {} was not kept: {error}", self.log.id);
        }
        self.log.push(Event::Plan { steps });
    }

    /// Executes the calls of a round. Returns true if the reply is complete.
    async fn execute_calls(
        &mut self,
        model_reply: ModelReply,
        executor: &mut ToolExecutor<'_>,
        outcome: &mut RoundsOutcome,
    ) -> bool {
        let ModelReply { text, native_calls, calls } = model_reply;
        let outcomes = executor.execute(calls).await;
        let direct_answer = self.direct_answer(&outcomes);
        // The call was only required for the first round.
        if self.request.tool_choice == ToolChoice::Required {
            self.request.tool_choice = ToolChoice::Auto;
        }
        if self.log.cancelled().is_cancelled() {
            outcome.reply.stop = Some(StopReason::Stopped);
        }
        let has_failed = !outcomes.is_empty() && outcomes.iter().all(CallOutcome::is_failed);
        self.failed_rounds = if has_failed { self.failed_rounds + 1 } else { 0 };
        self.is_stuck = has_failed
            && (outcomes.iter().all(CallOutcome::is_repeated) || self.failed_rounds >= MOST_FAILED_ROUNDS);
        // If all results are on the screen, the reply has text, and no separate call needs a result, the reply is
        // complete.
        let all_on_screen = native_calls.is_empty()
            && outcomes.iter().all(|one| one.is_on_screen)
            && !outcome.reply.content.trim().is_empty();
        let next = if all_on_screen { self.plan.as_mut().and_then(TurnPlan::advance) } else { None };
        let told = match &next {
            Some(step) => vec![RoundResult { call: None, name: prompt::PLAN.into(), text: step.clone() }],
            None if all_on_screen => Vec::new(),
            None => outcomes.into_iter().map(|one| one.told).collect(),
        };
        let mut round =
            Round { said: text, calls: native_calls.into_iter().map(readable).collect(), told: Vec::new() };
        self.tokens_left = self.tokens_left.saturating_sub(self.cost(&round));
        round.told = self.cut_to_fit(told.into_iter());
        if next.is_some() {
            self.report_plan().await;
        }
        for told in &round.told {
            let tokens = self.model.count_tokens(&told.text).tokens;
            let (kind, source) = (FragmentKind::Results, told.name.clone());
            outcome.fragments.push(Fragment { kind, source, text: told.text.clone(), tokens });
        }
        self.request.messages.extend(prompt::round_messages(&round, self.format));
        if let Err(error) = self.store_round(round, executor).await {
            // Without the stored round, the next turn would not know the origins of this content.
            outcome.reply.error = Some(error.into());
            return true;
        }
        if let Some(text) = direct_answer.filter(|_| outcome.reply.stop != Some(StopReason::Stopped)) {
            outcome.reply.say(&text, self.log);
            outcome.reply.stop = Some(StopReason::End);
            outcome.last_round = Some(Round { said: text, calls: Vec::new(), told: Vec::new() });
            return true;
        }
        (all_on_screen && next.is_none()) || outcome.reply.stop == Some(StopReason::Stopped)
    }

    /// Returns the result of the only required call as the answer. A small model would distort it, and for others it is
    /// all that was asked for.
    fn direct_answer(&self, outcomes: &[CallOutcome]) -> Option<String> {
        let ([outcome], ToolChoice::Required) = (outcomes, &self.request.tool_choice) else { return None };
        let is_small = ModelSize::of(self.model.info().parameters).is_small();
        let is_last_word = outcome.is_failed() || self.request.shown.len() == 1;
        let is_all = is_small || is_last_word && !outcome.had_wrong_arguments;
        (is_all && outcome.is_readable() && self.client_tools.is_empty()).then(|| outcome.in_words())
    }

    /// Returns the number of tokens that a round adds to the prompt.
    fn cost(&self, round: &Round) -> u32 {
        let count = |text: &str| self.model.count_tokens(text).tokens + MESSAGE_OVERHEAD;
        let calls = round.calls.iter().map(|call| count(&call.name) + count(&call.arguments));
        let told = round.told.iter().map(|told| count(&told.text));
        count(&round.said) + calls.chain(told).sum::<u32>()
    }

    async fn store_round(&self, round: Round, executor: &ToolExecutor<'_>) -> Result<(), StoreError> {
        if !self.is_stored {
            return Ok(());
        }
        self.services.store.append_round(self.log.id, round, executor.origins()).await
    }

    /// Cuts the results to equal shares of the remaining room.
    fn cut_to_fit(&mut self, told: impl ExactSizeIterator<Item = RoundResult>) -> Vec<RoundResult> {
        let share = self.tokens_left / u32::try_from(told.len().max(1)).unwrap_or(u32::MAX);
        let count = |text: &str| self.model.count_tokens(text).tokens;
        let mut used = 0_u32;
        let fitted = told
            .map(|mut told| {
                if count(&told.text) > share {
                    told.text = fit(&told.text, share.saturating_sub(16), &count);
                    told.text.push_str("\n[the rest does not fit]");
                }
                used = used.saturating_add(count(&told.text) + MESSAGE_OVERHEAD);
                told
            })
            .collect();
        self.tokens_left = self.tokens_left.saturating_sub(used);
        fitted
    }

    /// Returns calls of an API client's own tools to the client, which ends the answer. Returns true if there were any.
    fn hand_to_client(&self, model_reply: &ModelReply, reply: &mut TurnReply) -> bool {
        let is_clients = |call: &&RequestedCall| self.client_tools.iter().any(|tool| tool.name == call.name);
        let calls: Vec<&RequestedCall> = model_reply.calls.iter().filter(is_clients).collect();
        for (number, call) in calls.iter().enumerate() {
            let native = model_reply.native_calls.iter().find(|native| Some(&native.id) == call.id.as_ref());
            let spec = self.client_tools.iter().find(|tool| tool.name == call.name);
            let args = match (native, &call.arguments, spec) {
                (_, Ok(arguments), Some(spec)) => Value::Object(arguments.clone().fit(&spec.parameters)),
                (Some(native), ..) => Value::String(native.arguments.clone()),
                _ => Value::Null,
            };
            self.log.push(Event::Tool {
                id: call.id.clone().unwrap_or_else(|| format!("call_{number}")),
                name: call.name.clone(),
                args,
                status: ToolStatus::Requested,
                result: None,
                ms: None,
                at: Some(call.at),
            });
        }
        if !calls.is_empty() {
            reply.stop = Some(StopReason::ToolCalls);
        }
        !calls.is_empty()
    }
}
