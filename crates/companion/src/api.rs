use std::sync::Arc;
use std::time::Instant;

use model::{ChatRequest, Content, Message, Role, Sampling, ToolChoice, ToolSpec};
use protocol::{ConversationId, Event, MessageId, StopReason, TurnId, UserId};

use crate::companion::{Companion, Inner};
use crate::error::CompanionError;
use crate::fastpath;
use crate::reply;
use crate::turns::TurnLog;

/// A conversation that an API client keeps itself and sends whole.
#[derive(Debug, Clone, Default)]
pub struct ApiRequest {
    pub messages: Vec<Message>,
    /// The client's own tools: a call comes back to the client, and nothing of ours runs it.
    pub tools: Vec<ToolSpec>,
    pub tool_choice: ToolChoice,
    /// What the client asks for; the rest is as configured.
    pub sampling: Option<Sampling>,
}

impl Companion {
    /// A full turn for an API client. Nothing of it is stored, and nothing is learned from it.
    pub fn answer_api(&self, user: UserId, request: ApiRequest) -> Result<Arc<TurnLog>, CompanionError> {
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
        inner.turns.enter(&log);
        let (task, inner) = (Arc::clone(&log), Arc::clone(inner));
        self.inner().tasks.spawn(async move {
            run(&inner, &task, request).await;
            inner.turns.leave(&task);
        });
        Ok(log)
    }
}

async fn run(inner: &Inner, log: &TurnLog, request: ApiRequest) {
    let started = Instant::now();
    let done = |reason| Event::Done {
        conversation_id: log.conversation,
        message_id: log.message,
        stop_reason: reason,
    };
    let question =
        request.messages.last().filter(|message| message.role == Role::User && request.tools.is_empty());
    if let Some(Content::Text(text)) = question.map(|message| &message.content)
        && let Some(answer) = fastpath::answer(text, &inner.now())
    {
        log.push(Event::Token { content: answer });
        return log.push(done(StopReason::End));
    }
    let model = match inner.models.current().await {
        Ok(model) => model,
        Err(error) => return log.push(Event::Error { message: error.to_string(), code: error.code() }),
    };
    let mut system = inner.system(model.as_ref()).text;
    let mut messages = Vec::with_capacity(request.messages.len() + 1);
    for message in request.messages {
        if message.role == Role::System {
            system = format!("{system}\n\n{}", message.content.as_text());
        } else {
            messages.push(message);
        }
    }
    messages.insert(0, Message::text(Role::System, system));
    let chat = ChatRequest {
        messages,
        tools: request.tools,
        tool_choice: request.tool_choice,
        sampling: request.sampling.unwrap_or_else(|| inner.settings().sampling),
        cancel: log.cancelled().clone(),
        ..ChatRequest::default()
    };
    let reply = reply::stream(model.as_ref(), chat, log).await;
    let mut usage = reply.usage;
    usage.total_ms = u32::try_from(started.elapsed().as_millis()).unwrap_or(u32::MAX);
    log.push(Event::Usage(usage));
    log.push(match reply.error {
        Some(error) => Event::Error { message: error.to_string(), code: error.code() },
        None => done(reply.stop.unwrap_or(StopReason::End)),
    });
}
