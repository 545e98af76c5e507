use std::sync::Arc;
use std::time::Instant;

use dialect::Arguments;
use futures_util::StreamExt;
use model::{
    ChatModel, ChatRequest, ChatStream, Constraint, Content, Delta, Message, ModelError, Part, Role,
    Sampling, ToolChoice, ToolSpec,
};
use protocol::{ConversationId, Event, MessageId, MessageStatus, Origin, StopReason, TurnId, Usage, UserId};
use serde_json::{Map, Value};
use tools::Taint;

use crate::acting::{Acting, Wanted};
use crate::assembly;
use crate::bare;
use crate::companion::{Companion, Inner};
use crate::error::CompanionError;
use crate::fastpath;
use crate::few::ShownTools;
use crate::known_answers;
use crate::offer;
use crate::prompt;
use crate::reply::Reply;
use crate::rounds::Course;
use crate::turns::TurnLog;

/// A conversation that an API client stores itself and sends in full.
#[derive(Debug, Clone, Default)]
pub struct ApiRequest {
    pub messages: Vec<Message>,
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

/// The answer of the model itself, without the companion's soul.
pub struct BareAnswer {
    /// The name of the model.
    pub model: String,
    pub deltas: ChatStream,
}

impl Companion {
    /// Runs a full turn for an API client. Nothing of it is stored, and nothing is learned from it.
    pub fn answer_api(&self, user: UserId, request: ApiRequest) -> Result<Arc<TurnLog>, CompanionError> {
        let log = self.unkept(user)?;
        let (task, inner) = (Arc::clone(&log), Arc::clone(self.inner()));
        self.inner().tasks.spawn(async move {
            let work = inner.works.begin();
            run(&inner, &task, request).await;
            inner.turns.leave(&task);
            inner.end_work(work).await;
        });
        Ok(log)
    }

    /// Runs one tool that the user starts directly with a button. The call passes the same permission check as the
    /// model's calls and is not part of a conversation.
    pub fn act(
        &self,
        user: UserId,
        tool: String,
        args: Map<String, Value>,
        conversation: Option<ConversationId>,
    ) -> Result<Arc<TurnLog>, CompanionError> {
        let log = self.unkept(user)?;
        let (task, inner) = (Arc::clone(&log), Arc::clone(self.inner()));
        self.inner().tasks.spawn(async move {
            let work = inner.works.begin();
            let arguments = Ok(Arguments::Named(args));
            let wanted = Wanted { call: None, name: tool, arguments, at: 0 };
            // The user pressed the button, so no untrusted content caused the call and the taint is empty.
            let last = match Acting::new(&inner, &task, false, Taint::default(), Vec::new()).await {
                Ok(acting) => {
                    let mut acting = acting.about(conversation);
                    acting.perform(vec![wanted]).await;
                    let (conversation_id, message_id) = (task.conversation, task.message);
                    Event::Done { conversation_id, message_id, stop_reason: StopReason::End }
                }
                Err(error) => {
                    let error = CompanionError::from(error);
                    Event::Error { message: error.to_string(), code: error.code() }
                }
            };
            task.push(last);
            inner.turns.leave(&task);
            inner.end_work(work).await;
        });
        Ok(log)
    }

    /// Opens a turn that is not stored.
    pub(crate) fn unkept(&self, user: UserId) -> Result<Arc<TurnLog>, CompanionError> {
        let inner = self.inner();
        inner.check_open()?;
        let (turn, conversation, message) = (inner.ids.next(), inner.ids.next(), inner.ids.next());
        let (turn, conversation) = (TurnId::new(turn), ConversationId::new(conversation));
        let log = Arc::new(TurnLog::new(turn, user, conversation, MessageId::new(message)));
        log.push(Event::Metadata {
            conversation_id: conversation,
            model: inner.models.name(),
            turn_id: turn,
            user_message_id: None,
            message_id: log.message,
        });
        inner.enter(&log);
        Ok(log)
    }

    /// Returns the bare model's answer for an API client, from the same model that the companion uses.
    pub async fn answer_bare(&self, request: ChatRequest) -> Result<BareAnswer, CompanionError> {
        let inner = self.inner();
        inner.check_open()?;
        let mut count = Count::new(Arc::clone(inner));
        let tools = request.tools.clone();
        let answered = match inner.models.current().await {
            Ok(model) => {
                let syntax = model.syntax();
                model.chat(request).await.map(|deltas| (model.info().name, syntax, deltas))
            }
            Err(error) => Err(error),
        };
        match answered {
            Ok((model, syntax, deltas)) => {
                let deltas = bare::with_calls(deltas, tools, syntax.as_deref())
                    .inspect(move |delta| count.see(delta))
                    .boxed();
                Ok(BareAnswer { model, deltas })
            }
            Err(error) => {
                count.end(MessageStatus::Failed);
                Err(error.into())
            }
        }
    }
}

async fn run(inner: &Arc<Inner>, log: &Arc<TurnLog>, request: ApiRequest) {
    let started = Instant::now();
    // An agent sends the answer back as its own, untrusted text in any case, so the answer is not recorded as known.
    let comes_back = request.agent.is_none();
    let (mut reply, origins) = match quick_answer(inner, &request) {
        Some(content) => (Reply::said(&content, log), Vec::new()),
        None => answer(inner, log, request).await,
    };
    if comes_back {
        known_answers::keep(inner, log.user, &reply.content, origins).await;
    }
    if inner.is_closing() && reply.stop == Some(StopReason::Stopped) {
        reply.stop = Some(StopReason::Cut);
    }
    reply.usage.total_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
    inner.tally.count(status(&reply), reply.usage);
    log.push(Event::Usage(reply.usage));
    log.push(match reply.error {
        Some(error) => Event::Error { message: error.to_string(), code: error.code() },
        None => Event::Done {
            conversation_id: log.conversation,
            message_id: log.message,
            stop_reason: reply.stop.unwrap_or(StopReason::End),
        },
    });
}

/// Returns the answer, if the question needs no model.
fn quick_answer(inner: &Inner, request: &ApiRequest) -> Option<String> {
    fastpath::answer(plain_question(request)?, &inner.now())
}

/// Returns the question if it is plain text. A client that brings tools or requires an output format wants the model
/// itself.
fn plain_question(request: &ApiRequest) -> Option<&str> {
    let plain = request.tools.is_empty() && request.constraint.is_none();
    let question = request.messages.last().filter(|message| plain && message.role == Role::User)?;
    match &question.content {
        Content::Text(text) => Some(text),
        Content::Parts(_) => None,
    }
}

/// Returns the answer and the origins of the content in its prompt.
async fn answer(inner: &Arc<Inner>, log: &Arc<TurnLog>, request: ApiRequest) -> (Reply, Vec<Origin>) {
    let model = tokio::select! {
        model = inner.models.current() => match model {
            Ok(model) => model,
            Err(error) => return (Reply::failed(error), Vec::new()),
        },
        () = log.cancelled().cancelled() => {
            return (Reply::stopped(), Vec::new());
        }
    };
    if let Some(words) = plain_question(&request).and_then(|asked| inner.small_talk(asked, model.as_ref())) {
        return (Reply::said(&words, log), Vec::new());
    }
    let history = known_answers::origins(inner, log.user, &request.messages).await;
    let (mut taint, mut words) = match history {
        Ok(history) => (taint(&request.messages, history), users_words(&request.messages)),
        Err(error) => return (Reply::failed(error), Vec::new()),
    };
    if let Some(agent) = &request.agent {
        taint.add(Origin::Mcp(format!("another program ({agent})")));
        words.clear();
    }
    let mut acting = match Acting::new(inner, log, false, taint, words).await {
        Ok(acting) => acting,
        Err(error) => return (Reply::failed(error), Vec::new()),
    };
    // Private facts must not reach other programs.
    if let Err(error) = acting.keep_secrets().await {
        return (Reply::failed(error), Vec::new());
    }
    let (info, settings) = (model.info(), inner.settings());
    // A client that brings tools or requires an output format executes the tools itself.
    let alone = request.tools.is_empty() && request.constraint.is_none();
    let question = request.messages.last().filter(|last| alone && last.role == Role::User);
    let question = question.map(|last| last.content.as_text()).unwrap_or_default();
    let tools = inner.tools_for(acting.user(), &question, model.as_ref());
    let beginning = if alone {
        inner.beginning(acting.user(), model.as_ref()).await
    } else {
        inner.bare_beginning(model.as_ref())
    };
    acting.offers(&beginning.offer);
    let mut system = beginning.system.text.clone();
    let mut messages = Vec::with_capacity(request.messages.len() + 1);
    for message in request.messages {
        if message.role == Role::System {
            system = format!("{system}\n\n{}", message.content.as_text());
        } else {
            messages.push(message);
        }
    }
    let acts = alone && (beginning.offer.is_any() || tools.is_some());
    let shown = tools.as_ref().map(|tools| tools.specs.clone()).unwrap_or_default();
    let choice = match (request.tool_choice, &tools) {
        (ToolChoice::Auto, Some(tools)) => tools.choice(&info),
        (choice, _) => choice,
    };
    // A very small model is confused by notes in the prompt, so it gets none.
    if alone && !assembly::is_brief(model.as_ref()) {
        remind(inner, log, &mut acting, &mut messages, model.as_ref(), tools).await;
    }
    let examples = beginning.system.messages();
    let opening = examples.len();
    messages.splice(..0, examples);
    messages[0] = Message::text(Role::System, system);
    let theirs = request.tools;
    let vocabulary = match (alone, &request.constraint) {
        (true, _) => offer::vocabulary(acting.kit(), &inner.hands, model.as_ref()),
        (false, None) => offer::vocabulary_of(&theirs, model.syntax().as_deref()),
        // The answer follows the client's format, so no tool syntax is recognised in it.
        (false, Some(_)) => Arc::default(),
    };
    let count = |message: &Message| model.count_tokens(&message.content.as_text()).tokens;
    let used: u32 = messages.iter().map(count).sum::<u32>() + beginning.tokens;
    let chat = ChatRequest {
        messages,
        opening,
        tools: beginning.offer.specs.into_iter().chain(theirs.iter().cloned()).collect(),
        shown,
        tool_choice: choice,
        sampling: request.sampling.unwrap_or(settings.sampling),
        constraint: request.constraint,
        cancel: log.cancelled().clone(),
        ..ChatRequest::default()
    };
    let course = Course {
        inner,
        log,
        model: model.as_ref(),
        request: chat,
        vocabulary,
        tools: inner.hands.registry(),
        style: beginning.offer.style,
        most: prompt::rounds(info.parameters, settings.rounds),
        room: inner.budget(model.as_ref()).prompt.saturating_sub(used),
        theirs: &theirs,
        plan: None,
        kept: false,
        acts,
        stuck: false,
        fruitless: 0,
        errand: None,
    };
    let reply = course.run(&mut acting).await.reply;
    (reply, acting.origins())
}

/// Puts the memories and tools that fit the last message before it, as in a stored conversation.
async fn remind(
    inner: &Inner,
    log: &TurnLog,
    acting: &mut Acting<'_>,
    messages: &mut [Message],
    model: &dyn ChatModel,
    tools: Option<ShownTools>,
) {
    let Some(last) = messages.last_mut().filter(|last| last.role == Role::User) else { return };
    let remembered = inner.remember_for_program(&last.content.as_text(), log, model).await;
    let (tools, describers) = tools.map(|shown| (shown.text, shown.origins)).unzip();
    let remembered_of = remembered.items.into_iter().flat_map(|item| item.origins);
    for origin in remembered_of.chain(describers.into_iter().flatten()) {
        acting.taint.add(origin);
    }
    let texts: Vec<String> = remembered.told.into_iter().chain(tools).collect();
    if texts.is_empty() {
        return;
    }
    let block = prompt::context_block(&inner.now(), &texts);
    match &mut last.content {
        Content::Text(text) => *text = format!("{block}\n\n{text}"),
        Content::Parts(parts) => parts.insert(0, Part::Text(block)),
    }
}

/// Returns the taint of a client's messages. Results of the client's own tools and text in pictures come from unknown
/// authors. Earlier answers carry the origins of the content in their prompts.
fn taint(messages: &[Message], history: Vec<Origin>) -> Taint {
    let has_picture = |message: &Message| {
        matches!(&message.content, Content::Parts(parts)
            if parts.iter().any(|part| matches!(part, Part::Image { .. })))
    };
    let brought = messages.iter().any(|message| message.role == Role::Tool);
    let brought = brought.then(|| Origin::Mcp(known_answers::PROGRAM.to_owned()));
    let pictured = messages.iter().any(has_picture);
    let pictured = pictured.then(|| Origin::Picture("of the program that asks".to_owned()));
    history.into_iter().chain(brought).chain(pictured).collect()
}

fn users_words(messages: &[Message]) -> Vec<String> {
    let users = messages.iter().filter(|message| message.role == Role::User);
    users.map(|message| message.content.as_text()).collect()
}

fn status(reply: &Reply) -> MessageStatus {
    let came = !reply.content.is_empty() || !reply.reasoning.is_empty();
    match (&reply.error, reply.stop) {
        (Some(_), _) if !came => MessageStatus::Failed,
        (Some(_), _) | (None, Some(StopReason::Stopped | StopReason::Cut)) => MessageStatus::Partial,
        (None, _) => MessageStatus::Complete,
    }
}

/// Counts a bare answer when it ends, also when the client disconnects midway.
struct Count {
    inner: Arc<Inner>,
    usage: Usage,
    came: bool,
    counted: bool,
}

impl Count {
    fn new(inner: Arc<Inner>) -> Self {
        Self { inner, usage: Usage::default(), came: false, counted: false }
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
            self.inner.tally.count(status, self.usage);
        }
    }
}

impl Drop for Count {
    fn drop(&mut self) {
        self.end(MessageStatus::Partial);
    }
}
