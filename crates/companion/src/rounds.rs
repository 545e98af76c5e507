//! The round loop of a turn: the model writes, its tool calls are executed, it gets their results, and writes again.

use std::sync::Arc;

use dialect::Vocabulary;
use model::{ChatModel, ChatRequest, ModelError, Role, ToolChoice, ToolSpec};
use protocol::{Event, Fragment, FragmentKind, StopReason, ToolStatus};
use serde_json::{Map, Value};
use store::{Round, RoundCall, StoreError, Told};
use tools::Registry;

use crate::acting::{Acting, Done, Wanted};
use crate::code::Errand;
use crate::companion::Inner;
use crate::offer::{self, Style};
use crate::plan::Plan;
use crate::prompt;
use crate::reply::{self, Reply, Said};
use crate::scale::Scale;
use crate::turns::TurnLog;

/// The least room in tokens for another tool call.
const LEAST_ROOM: u32 = 256;
const LAST_ROUND: &str =
    "Answer in words now, with what was said and told above. No more tools can be used for this.";
const NO_WORDS: &str = "I have used up my steps for this answer. Tell me to go on if I should.";
const GAVE_UP: &str =
    "I tried this several times and it did not work, so I stopped. Tell me how I should go on.";
const NOTHING_SAID: &str =
    "The model ended its answer before the first word. Try again, or choose another model.";
const NOTHING_TOLD: &str =
    "The model used what you see here and then said nothing. Try again, or choose another model.";
const ONLY_THOUGHTS: &str = "The model spent its whole answer on thinking and came to no words. Try again, or allow longer answers in \
     Settings, Model.";
/// The number of consecutive rounds without a successful call after which the loop ends.
const MOST_FRUITLESS: u32 = 5;

/// The state of a round loop.
pub struct Course<'a> {
    pub inner: &'a Inner,
    pub log: &'a TurnLog,
    pub model: &'a dyn ChatModel,
    /// The request of the next round. Each round adds to its messages.
    pub request: ChatRequest,
    pub vocabulary: Arc<Vocabulary>,
    /// The registry for which the vocabulary was built.
    pub tools: Arc<Registry>,
    pub style: Style,
    /// The greatest number of rounds. The last one must be an answer in words.
    pub most: u32,
    /// The number of tokens by which the prompt may still grow.
    pub room: u32,
    /// The tools of an API client. Their calls are returned to the client.
    pub theirs: &'a [ToolSpec],
    /// The steps of a long request.
    pub plan: Option<Plan>,
    /// True if the rounds are stored with the conversation.
    pub kept: bool,
    /// True if there are tools to use.
    pub acts: bool,
    /// True once the model only repeats calls or makes failing ones. One more round follows, which must be an answer in
    /// words.
    pub stuck: bool,
    /// The number of consecutive rounds without a successful call.
    pub fruitless: u32,
    /// The verify loop of a code run.
    pub errand: Option<&'a mut Errand>,
}

/// The result of a round loop.
#[derive(Default)]
pub struct Outcome {
    pub reply: Reply,
    /// The last round, if it must be stored as it was written.
    pub last: Option<Round>,
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

impl Course<'_> {
    pub async fn run(mut self, acting: &mut Acting<'_>) -> Outcome {
        self.tell_plan().await;
        let mut outcome = self.rounds(acting).await;
        outcome.gave_up = self.stuck;
        if let Some(why) = self.silence(&outcome.reply) {
            outcome.reply.error = Some(ModelError::Failed(why.to_owned()).into());
        }
        if let Some(plan) = &mut self.plan {
            plan.end(outcome.reply.error.is_none() && outcome.reply.stop == Some(StopReason::End));
            self.tell_plan().await;
        }
        outcome
    }

    /// Returns the error message for a reply without text. Code runs report their result themselves, and calls of a
    /// client's own tools are an answer for the client, so neither gets one.
    fn silence(&self, reply: &Reply) -> Option<&'static str> {
        let is_broken =
            reply.error.is_some() || matches!(reply.stop, Some(StopReason::Stopped | StopReason::Cut));
        let speaks_elsewhere = self.errand.is_some() || !self.theirs.is_empty();
        if is_broken || speaks_elsewhere || !reply.content.trim().is_empty() {
            return None;
        }
        let told = self.log.since(1);
        if told.iter().any(|event| matches!(event, Event::Command { .. })) {
            return None;
        }
        match reply.stop {
            // The program itself limited the number of tokens.
            Some(StopReason::Length) if !self.kept => None,
            Some(StopReason::Length) if !reply.reasoning.is_empty() => Some(ONLY_THOUGHTS),
            _ if told.iter().any(|event| matches!(event, Event::Tool { .. })) => Some(NOTHING_TOLD),
            _ => Some(NOTHING_SAID),
        }
    }

    async fn rounds(&mut self, acting: &mut Acting<'_>) -> Outcome {
        let mut outcome = Outcome::default();
        for round in 1..=self.most {
            let is_last = round == self.most || self.room < LEAST_ROOM || self.stuck;
            if is_last && self.acts {
                self.request.tool_choice = ToolChoice::None;
                prompt::add(&mut self.request.messages, Role::User, LAST_ROUND);
            }
            self.notice_tools(acting).await;
            let before = outcome.reply.content.len();
            let (request, vocabulary) = (self.request.clone(), Arc::clone(&self.vocabulary));
            let said = reply::stream(self.model, request, vocabulary, self.log, &mut outcome.reply).await;
            let reply = &mut outcome.reply;
            let silent = reply.content[before..].trim().is_empty();
            let ended =
                reply.error.is_some() || matches!(reply.stop, Some(StopReason::Stopped | StopReason::Cut));
            if !ended && self.hand_over(&said, reply) {
                outcome.last = None;
                return outcome;
            }
            if !ended && said.wanted.is_empty() {
                match self.next_step(&said, acting, is_last).await {
                    Ok(true) => continue,
                    Ok(false) => {}
                    Err(error) => outcome.reply.error = Some(error.into()),
                }
            }
            let reply = &mut outcome.reply;
            if ended || said.wanted.is_empty() || is_last {
                if round > 1 || !said.wanted.is_empty() {
                    outcome.last = Some(Round { said: said.raw, calls: Vec::new(), told: Vec::new() });
                }
                if ended || said.wanted.is_empty() {
                    return outcome;
                }
                // Calls that only show something belong to the answer and are still made.
                let views: Vec<_> = said.wanted.into_iter().filter(|wanted| acting.shows(wanted)).collect();
                let done = acting.perform(views).await;
                if silent && done.is_empty() {
                    reply.say(if self.stuck { GAVE_UP } else { NO_WORDS }, self.log);
                }
                reply.stop = Some(StopReason::End);
                return outcome;
            }
            if self.act(said, acting, &mut outcome).await {
                return outcome;
            }
        }
        outcome
    }

    /// Updates the vocabulary and the offered tools if the registry has changed, for example because the model has just
    /// created a tool.
    async fn notice_tools(&mut self, acting: &mut Acting<'_>) {
        let now = self.inner.hands.registry();
        if !self.acts || acting.kit().is_fixed() || Arc::ptr_eq(&now, &self.tools) {
            return;
        }
        self.tools = now;
        self.vocabulary = offer::vocabulary(acting.kit(), &self.inner.hands, self.model);
        if self.style != Style::Text {
            let offer = self.inner.beginning(acting.user(), self.model).await.offer;
            acting.offers(&offer);
            self.request.tools = offer.specs;
        }
    }

    /// Continues with the next step of the plan or of the verify loop. Returns false if there is none.
    async fn next_step(
        &mut self,
        said: &Said,
        acting: &mut Acting<'_>,
        is_last: bool,
    ) -> Result<bool, StoreError> {
        let next = self.plan.as_mut().filter(|_| !is_last).and_then(Plan::go_on);
        let text = match next {
            Some(text) => {
                self.tell_plan().await;
                text
            }
            None => match &mut self.errand {
                Some(errand) => match errand.after_words(&said.raw, acting, self.log).await {
                    Some(text) if !is_last => text,
                    _ => return Ok(false),
                },
                None => return Ok(false),
            },
        };
        let told = vec![Told { call: None, name: prompt::PLAN.into(), text }];
        let round = Round { said: said.raw.clone(), calls: Vec::new(), told };
        self.room = self.room.saturating_sub(self.cost(&round));
        self.request.messages.extend(prompt::round_messages(&round, self.style));
        self.keep(round, acting).await?;
        Ok(true)
    }

    async fn tell_plan(&self) {
        let Some(plan) = &self.plan else { return };
        let steps = plan.steps().to_vec();
        if self.kept
            && let Err(error) = self.inner.store.keep_plan(self.log.id, steps.clone()).await
        {
            tracing::warn!("the plan of turn {} was not kept: {error}", self.log.id);
        }
        self.log.push(Event::Plan { steps });
    }

    /// Executes the calls of a round. Returns true if the reply is complete.
    async fn act(&mut self, said: Said, acting: &mut Acting<'_>, outcome: &mut Outcome) -> bool {
        let Said { raw, calls, wanted } = said;
        let done = acting.perform(wanted).await;
        let words = self.in_words(&done);
        // The call was only required for the first round.
        if self.request.tool_choice == ToolChoice::Required {
            self.request.tool_choice = ToolChoice::Auto;
        }
        if self.log.cancelled().is_cancelled() {
            outcome.reply.stop = Some(StopReason::Stopped);
        }
        let is_fruitless = !done.is_empty() && done.iter().all(Done::is_failed);
        self.fruitless = if is_fruitless { self.fruitless + 1 } else { 0 };
        self.stuck = is_fruitless && (done.iter().all(Done::is_repeated) || self.fruitless >= MOST_FRUITLESS);
        // If all results are on the screen, the reply has text, and no separate call needs a result, the reply is
        // complete.
        let all_shown =
            calls.is_empty() && done.iter().all(|one| one.shown) && !outcome.reply.content.trim().is_empty();
        let next = if all_shown { self.plan.as_mut().and_then(Plan::go_on) } else { None };
        let told = match &next {
            Some(text) => vec![Told { call: None, name: prompt::PLAN.into(), text: text.clone() }],
            None if all_shown => Vec::new(),
            None => done.into_iter().map(|one| one.told).collect(),
        };
        let mut round =
            Round { said: raw, calls: calls.into_iter().map(readable).collect(), told: Vec::new() };
        self.room = self.room.saturating_sub(self.cost(&round));
        round.told = self.within_room(told.into_iter());
        if next.is_some() {
            self.tell_plan().await;
        }
        for told in &round.told {
            let tokens = self.model.count_tokens(&told.text).tokens;
            let (kind, source) = (FragmentKind::Results, told.name.clone());
            outcome.fragments.push(Fragment { kind, source, text: told.text.clone(), tokens });
        }
        self.request.messages.extend(prompt::round_messages(&round, self.style));
        if let Err(error) = self.keep(round, acting).await {
            // Without the stored round, the next turn would not know the origins of this content.
            outcome.reply.error = Some(error.into());
            return true;
        }
        if let Some(words) = words.filter(|_| outcome.reply.stop != Some(StopReason::Stopped)) {
            outcome.reply.say(&words, self.log);
            outcome.reply.stop = Some(StopReason::End);
            outcome.last = Some(Round { said: words, calls: Vec::new(), told: Vec::new() });
            return true;
        }
        (all_shown && next.is_none()) || outcome.reply.stop == Some(StopReason::Stopped)
    }

    /// Returns the result of the only required call as the answer. A small model would distort it, and for others it is
    /// all that was asked for.
    fn in_words(&self, done: &[Done]) -> Option<String> {
        let ([done], ToolChoice::Required) = (done, &self.request.tool_choice) else { return None };
        let is_small = Scale::of(self.model.info().parameters).is_small();
        let is_last_word = done.is_failed() || self.request.shown.len() == 1;
        let is_all = is_small || is_last_word && !done.can_be_mended();
        (is_all && done.is_readable() && self.theirs.is_empty()).then(|| done.in_words())
    }

    /// Returns the number of tokens that a round adds to the prompt.
    fn cost(&self, round: &Round) -> u32 {
        let count = |text: &str| self.model.count_tokens(text).tokens + prompt::MESSAGE_OVERHEAD;
        let calls = round.calls.iter().map(|call| count(&call.name) + count(&call.arguments));
        let told = round.told.iter().map(|told| count(&told.text));
        count(&round.said) + calls.chain(told).sum::<u32>()
    }

    async fn keep(&self, round: Round, acting: &Acting<'_>) -> Result<(), StoreError> {
        if !self.kept {
            return Ok(());
        }
        self.inner.store.append_round(self.log.id, round, acting.origins()).await
    }

    /// Cuts the results to equal shares of the remaining room.
    fn within_room(&mut self, told: impl ExactSizeIterator<Item = Told>) -> Vec<Told> {
        let share = self.room / u32::try_from(told.len().max(1)).unwrap_or(u32::MAX);
        let count = |text: &str| self.model.count_tokens(text).tokens;
        let mut used = 0_u32;
        let fitted = told
            .map(|mut told| {
                if count(&told.text) > share {
                    told.text = prompt::fit(&told.text, share.saturating_sub(16), &count);
                    told.text.push_str("\n[the rest does not fit]");
                }
                used = used.saturating_add(count(&told.text) + prompt::MESSAGE_OVERHEAD);
                told
            })
            .collect();
        self.room = self.room.saturating_sub(used);
        fitted
    }

    /// Returns calls of an API client's own tools to the client, which ends the answer. Returns true if there were any.
    fn hand_over(&self, said: &Said, reply: &mut Reply) -> bool {
        let theirs = |wanted: &&Wanted| self.theirs.iter().any(|tool| tool.name == wanted.name);
        let wanted: Vec<&Wanted> = said.wanted.iter().filter(theirs).collect();
        for (place, wanted) in wanted.iter().enumerate() {
            let native = said.calls.iter().find(|call| Some(&call.id) == wanted.call.as_ref());
            let spec = self.theirs.iter().find(|tool| tool.name == wanted.name);
            let args = match (native, &wanted.arguments, spec) {
                (_, Ok(arguments), Some(spec)) => Value::Object(arguments.clone().fit(&spec.parameters)),
                (Some(native), ..) => Value::String(native.arguments.clone()),
                _ => Value::Null,
            };
            let id = wanted.call.clone().unwrap_or_else(|| format!("call_{place}"));
            let (name, status) = (wanted.name.clone(), ToolStatus::Requested);
            self.log.push(Event::Tool {
                id,
                name,
                args,
                status,
                result: None,
                ms: None,
                at: Some(wanted.at),
            });
        }
        if !wanted.is_empty() {
            reply.stop = Some(StopReason::ToolCalls);
        }
        !wanted.is_empty()
    }
}
