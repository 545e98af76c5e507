//! Answers for API clients, which store their conversations themselves and send them in full.

mod bare_calls;
mod known_answers;

use std::sync::Arc;
use std::time::Instant;

use futures_util::StreamExt;
use model::{
    ChatModel, ChatStream, Constraint, ContentPart, Delta, MessageContent, ModelError, ModelMessage,
    ModelRequest, ModelRole, Sampling, ToolChoice, ToolSpec,
};
use protocol::{Event, MessageStatus, Origin, StopReason, Usage, UserId};
use tools::Taint;

use crate::error::CompanionError;
use crate::fast_path;
use crate::live_turns::LiveTurns;
use crate::memory_recall::MemoryRecall;
use crate::metrics::{TurnMetrics, millis};
use crate::model_size::is_tiny;
use crate::prompt::text::context_block;
use crate::prompt::{self, PromptBuilder, RequestTools, tool_offer};
use crate::reply::TurnReply;
use crate::services::Services;
use crate::tool_executor::ToolExecutor;
use crate::turn::RoundLoop;
use crate::turn_log::TurnLog;
use crate::unstored_turns::UnstoredTurns;

/// A conversation that an API client stores itself and sends in full.
#[derive(Debug, Clone, Default)]
pub struct ApiRequest {
    pub messages: Vec<ModelMessage>,
    /// The client's own tools. Their calls are returned to the client and never run here.
    pub tools: Vec<ToolSpec>,
    pub tool_choice: ToolChoice,
    /// The sampling settings of the client; without them, the configured ones apply.
    pub sampling: Option<Sampling>,
    /// The output format that the client requires.
    pub constraint: Option<Constraint>,
    /// The name of another agent that sends the request in place of the user. Its content is untrusted.
    pub agent: Option<String>,
}

impl ApiRequest {
    /// Returns true if the companion's own tools are used. A client that brings tools or requires an output format
    /// executes the tools itself.
    fn uses_own_tools(&self) -> bool {
        self.tools.is_empty() && self.constraint.is_none()
    }
}

/// The answer of the model itself, without the companion's soul.
pub struct BareAnswer {
    /// The name of the model.
    pub model: String,
    pub deltas: ChatStream,
}

/// Answers API clients. Nothing of it is stored, and nothing is learned from it.
#[derive(Clone)]
pub(crate) struct ApiTurns {
    pub services: Arc<Services>,
    pub prompts: Arc<PromptBuilder>,
    pub recall: Arc<MemoryRecall>,
    pub metrics: Arc<TurnMetrics>,
    pub turns: Arc<LiveTurns>,
    pub unstored: UnstoredTurns,
}

impl ApiTurns {
    /// Runs a full turn.
    pub fn begin(&self, user: UserId, request: ApiRequest) -> Result<Arc<TurnLog>, CompanionError> {
        let this = self.clone();
        self.unstored.begin(user, move |log| async move { this.run(&log, request).await })
    }

    /// Returns the bare model's answer, from the same model that the companion uses.
    pub async fn answer_bare(&self, request: ModelRequest) -> Result<BareAnswer, CompanionError> {
        self.turns.check_open()?;
        let mut meter = AnswerMeter::new(Arc::clone(&self.metrics));
        let tools = request.tools.clone();
        let answered = match self.services.models.current().await {
            Ok(model) => {
                let syntax = model.syntax();
                model.chat(request).await.map(|deltas| (model.info().name, syntax, deltas))
            }
            Err(error) => Err(error),
        };
        match answered {
            Ok((model, syntax, deltas)) => {
                let deltas = bare_calls::with_calls(deltas, tools, syntax.as_deref())
                    .inspect(move |delta| meter.see(delta))
                    .boxed();
                Ok(BareAnswer { model, deltas })
            }
            Err(error) => {
                meter.end(MessageStatus::Failed);
                Err(error.into())
            }
        }
    }

    /// Answers a request, and returns the last event of its turn.
    async fn run(&self, log: &Arc<TurnLog>, request: ApiRequest) -> Event {
        let started = Instant::now();
        // An agent sends the answer back as its own, untrusted text in any case, so the answer is not recorded as
        // known.
        let is_recorded = request.agent.is_none();
        let now = self.services.now();
        let fast = plain_question(&request).and_then(|question| fast_path::answer(question, &now));
        let (mut reply, origins) = match fast {
            Some(content) => (TurnReply::complete(&content, log), Vec::new()),
            None => match self.answer(log, request).await {
                Ok(answered) => answered,
                Err(error) => (TurnReply::failed(error), Vec::new()),
            },
        };
        if is_recorded {
            known_answers::record(&self.services.store, log.user, &reply.content, origins).await;
        }
        if self.turns.is_closing() && reply.stop == Some(StopReason::Stopped) {
            reply.stop = Some(StopReason::Cut);
        }
        reply.usage.total_ms = millis(started.elapsed());
        self.metrics.count(status(&reply), reply.usage);
        log.push(Event::Usage(reply.usage));
        match reply.error {
            Some(error) => Event::Error { message: error.to_string(), code: error.code() },
            None => Event::Done {
                conversation_id: log.conversation,
                message_id: log.message,
                stop_reason: reply.stop.unwrap_or(StopReason::End),
            },
        }
    }

    /// Returns the answer and the origins of the content in its prompt.
    async fn answer(
        &self,
        log: &Arc<TurnLog>,
        request: ApiRequest,
    ) -> Result<(TurnReply, Vec<Origin>), CompanionError> {
        let model = tokio::select! {
            model = self.services.models.current() => model?,
            () = log.cancelled().cancelled() => return Ok((TurnReply::stopped(), Vec::new())),
        };
        let model = model.as_ref();
        let question = plain_question(&request);
        if let Some(text) = question.and_then(|question| self.prompts.small_talk(question, model)) {
            return Ok((TurnReply::complete(&text, log), Vec::new()));
        }
        let (taint, user_messages) = self.provenance(log.user, &request).await?;
        let mut executor = ToolExecutor::new(&self.services, log, false, taint, user_messages).await?;
        // Private facts must not reach other programs.
        executor.hide_private_facts().await?;
        let (info, settings) = (model.info(), self.services.settings());
        let uses_own_tools = request.uses_own_tools();
        let question = request.messages.last().filter(|last| uses_own_tools && last.role == ModelRole::User);
        let question = question.map(|last| last.content.as_text()).unwrap_or_default();
        let request_tools = self.prompts.tools_for(executor.user(), &question, model);
        let prefix = if uses_own_tools {
            self.prompts.prefix(executor.user(), model).await
        } else {
            self.prompts.prefix_without_tools(model)
        };
        executor.add_origins(prefix.offer.origins.iter().cloned());
        let (system, mut messages) = with_system(&prefix.system.text, request.messages);
        let has_tools = uses_own_tools && (prefix.offer.is_any() || request_tools.is_some());
        let shown = request_tools.as_ref().map(|tools| tools.specs.clone()).unwrap_or_default();
        let tool_choice = match (request.tool_choice, &request_tools) {
            (ToolChoice::Auto, Some(tools)) => tools.choice(&info),
            (choice, _) => choice,
        };
        // A very small model is confused by notes in the prompt, so it gets none.
        if uses_own_tools && !is_tiny(model) {
            self.add_context(log, &mut executor, &mut messages, model, request_tools).await;
        }
        let examples = prefix.system.messages();
        let opening = examples.len();
        messages.splice(..0, examples);
        messages[0] = ModelMessage::text(ModelRole::System, system);
        let client_tools = request.tools;
        let vocabulary = match (uses_own_tools, &request.constraint) {
            (true, _) => tool_offer::vocabulary(executor.tool_set(), &self.services.tools, model),
            (false, None) => tool_offer::vocabulary_of_client(&client_tools, model.syntax().as_deref()),
            // The answer follows the client's format, so no tool syntax is recognised in it.
            (false, Some(_)) => Arc::default(),
        };
        let count = |message: &ModelMessage| model.count_tokens(&message.content.as_text()).tokens;
        let used: u32 = messages.iter().map(count).sum::<u32>() + prefix.tool_tokens;
        let chat = ModelRequest {
            messages,
            opening,
            tools: prefix.offer.specs.into_iter().chain(client_tools.iter().cloned()).collect(),
            shown,
            tool_choice,
            sampling: request.sampling.unwrap_or(settings.sampling),
            constraint: request.constraint,
            cancel: log.cancelled().clone(),
            ..ModelRequest::default()
        };
        let round_loop = RoundLoop {
            services: &self.services,
            prompts: &self.prompts,
            log,
            model,
            request: chat,
            vocabulary,
            registry: self.services.tools.registry(),
            format: prefix.offer.format,
            most_rounds: prompt::most_rounds(info.parameters, settings.rounds),
            tokens_left: self.prompts.budget(model).prompt.saturating_sub(used),
            client_tools: &client_tools,
            plan: None,
            is_stored: false,
            has_tools,
            is_stuck: false,
            failed_rounds: 0,
            verify_loop: None,
        };
        let reply = round_loop.run(&mut executor).await.reply;
        Ok((reply, executor.origins()))
    }

    /// Returns the taint of a request, and the messages that the user wrote.
    async fn provenance(
        &self,
        user: UserId,
        request: &ApiRequest,
    ) -> Result<(Taint, Vec<String>), CompanionError> {
        let history = known_answers::origins(&self.services.store, user, &request.messages).await?;
        let mut taint = taint(&request.messages, history);
        let Some(agent) = &request.agent else { return Ok((taint, user_messages(&request.messages))) };
        taint.add(Origin::Mcp(format!("another program ({agent})")));
        Ok((taint, Vec::new()))
    }

    /// Puts the memories and tools that fit the last message before it, as in a stored conversation.
    async fn add_context(
        &self,
        log: &TurnLog,
        executor: &mut ToolExecutor<'_>,
        messages: &mut [ModelMessage],
        model: &dyn ChatModel,
        request_tools: Option<RequestTools>,
    ) {
        let Some(last) = messages.last_mut().filter(|last| last.role == ModelRole::User) else { return };
        let recalled = self.recall.for_program(&last.content.as_text(), log, model).await;
        let (tools, tool_origins) = request_tools.map(|tools| (tools.text, tools.origins)).unzip();
        executor.add_origins(recalled.items.into_iter().flat_map(|item| item.origins));
        executor.add_origins(tool_origins.into_iter().flatten());
        let texts: Vec<String> = recalled.told.into_iter().chain(tools).collect();
        if texts.is_empty() {
            return;
        }
        let block = context_block(&self.services.now(), &texts);
        match &mut last.content {
            MessageContent::Text(text) => *text = format!("{block}\n\n{text}"),
            MessageContent::Parts(parts) => parts.insert(0, ContentPart::Text(block)),
        }
    }
}

/// Joins the system messages of a client with the companion's own, and returns them and the other messages.
fn with_system(own: &str, all: Vec<ModelMessage>) -> (String, Vec<ModelMessage>) {
    let mut system = own.to_owned();
    let mut messages = Vec::with_capacity(all.len() + 1);
    for message in all {
        if message.role == ModelRole::System {
            system = format!("{system}\n\n{}", message.content.as_text());
        } else {
            messages.push(message);
        }
    }
    (system, messages)
}

/// Returns the question if it is plain text. A client that brings tools or requires an output format wants the model
/// itself.
fn plain_question(request: &ApiRequest) -> Option<&str> {
    let plain = request.uses_own_tools();
    let question = request.messages.last().filter(|message| plain && message.role == ModelRole::User)?;
    match &question.content {
        MessageContent::Text(text) => Some(text),
        MessageContent::Parts(_) => None,
    }
}

/// Returns the taint of a client's messages. Results of the client's own tools and text in pictures come from unknown
/// authors. Earlier answers carry the origins of the content in their prompts.
fn taint(messages: &[ModelMessage], history: Vec<Origin>) -> Taint {
    let has_picture = |message: &ModelMessage| {
        matches!(&message.content, MessageContent::Parts(parts)
            if parts.iter().any(|part| matches!(part, ContentPart::Image { .. })))
    };
    let brought = messages.iter().any(|message| message.role == ModelRole::Tool);
    let brought = brought.then(|| Origin::Mcp(known_answers::PROGRAM.to_owned()));
    let pictured = messages.iter().any(has_picture);
    let pictured = pictured.then(|| Origin::Picture("of the program that asks".to_owned()));
    history.into_iter().chain(brought).chain(pictured).collect()
}

fn user_messages(messages: &[ModelMessage]) -> Vec<String> {
    let users = messages.iter().filter(|message| message.role == ModelRole::User);
    users.map(|message| message.content.as_text()).collect()
}

fn status(reply: &TurnReply) -> MessageStatus {
    let has_text = !reply.content.is_empty() || !reply.reasoning.is_empty();
    match (&reply.error, reply.stop) {
        (Some(_), _) if !has_text => MessageStatus::Failed,
        (Some(_), _) | (None, Some(StopReason::Stopped | StopReason::Cut)) => MessageStatus::Partial,
        (None, _) => MessageStatus::Complete,
    }
}

/// Counts a bare answer when it ends, also when the client disconnects midway.
struct AnswerMeter {
    metrics: Arc<TurnMetrics>,
    usage: Usage,
    came: bool,
    counted: bool,
}

impl AnswerMeter {
    fn new(metrics: Arc<TurnMetrics>) -> Self {
        Self { metrics, usage: Usage::default(), came: false, counted: false }
    }

    fn see(&mut self, delta: &Result<Delta, ModelError>) {
        match delta {
            Ok(Delta::Text(_) | Delta::Reasoning(_) | Delta::ToolCall(_)) => self.came = true,
            Ok(Delta::Usage { prompt, cached, completion }) => {
                self.usage.prompt_tokens = *prompt;
                self.usage.cached_tokens = *cached;
                self.usage.completion_tokens = *completion;
            }
            Ok(Delta::Progress { .. }) => {}
            Ok(Delta::Stop(StopReason::Stopped | StopReason::Cut)) => self.end(MessageStatus::Partial),
            Ok(Delta::Stop(_)) => self.end(MessageStatus::Complete),
            Err(_) if self.came => self.end(MessageStatus::Partial),
            Err(_) => self.end(MessageStatus::Failed),
        }
    }

    fn end(&mut self, status: MessageStatus) {
        if !std::mem::replace(&mut self.counted, true) {
            self.metrics.count(status, self.usage);
        }
    }
}

impl Drop for AnswerMeter {
    fn drop(&mut self) {
        self.end(MessageStatus::Partial);
    }
}
