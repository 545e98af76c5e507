use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use companion::{CompanionError, TurnLog, UserMessage};
use futures_util::StreamExt;
use protocol::{
    ChatReply, ChatRequest, ConfirmReply, ConfirmRequest, Confirmations, ConversationId, Event, EventId,
    RegenerateRequest, Scope, StopReply, StopRequest, TurnId, Why,
};
use serde::Deserialize;
use store::NewAttachment;
use utoipa::IntoParams;

use crate::auth::Caller;
use crate::error::{HandlerResult, Refusal};
use crate::input::{JsonBody, PathParams, QueryParams};
use crate::output::Json;
use crate::route::{Access, Route, get, post};
use crate::sse;
use crate::state::ServerState;

/// The size limit for a message with its attachments.
const MESSAGE_LIMIT: usize = 32 * 1024 * 1024;
const CHAT: Access = Access::Scope(Scope::Chat);

pub fn routes() -> Vec<Route> {
    vec![
        post("/api/chat/stream", CHAT, "Sends a message and streams the answer as events.", stream)
            .takes::<ChatRequest>()
            .streams::<Event>()
            .up_to(MESSAGE_LIMIT),
        post("/api/chat", CHAT, "Sends a message and waits for the complete answer.", chat)
            .takes::<ChatRequest>()
            .gives::<ChatReply>()
            .up_to(MESSAGE_LIMIT),
        post("/api/chat/stop", CHAT, "Stops a turn. The text so far is kept.", stop)
            .takes::<StopRequest>()
            .gives::<StopReply>(),
        get("/api/chat/turns/{id}", CHAT, "The events of a turn, starting after Last-Event-ID.", resume)
            .asks::<From>()
            .streams::<Event>(),
        get("/api/chat/turns/{id}/why", CHAT, "The context and the cost of an answer.", why).gives::<Why>(),
        post("/api/chat/confirm/{id}", Access::Scope(Scope::All), "Answers a confirmation request.", confirm)
            .takes::<ConfirmRequest>()
            .gives::<ConfirmReply>(),
        get("/api/chat/confirmations", CHAT, "The pending confirmation requests.", confirmations)
            .gives::<Confirmations>(),
        post(
            "/api/chats/{id}/regenerate",
            CHAT,
            "Generates another answer beside this one, as events.",
            regenerate,
        )
        .takes::<RegenerateRequest>()
        .streams::<Event>(),
    ]
}

async fn stream(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<ChatRequest>,
) -> HandlerResult<Response> {
    let log = app.companion.say(caller.user, user_message(request)?).await?;
    Ok(sse::turn(&log, 0, app.ends_with(&caller)))
}

async fn chat(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<ChatRequest>,
) -> HandlerResult<Json<ChatReply>> {
    let log = app.companion.say(caller.user, user_message(request)?).await?;
    let response = gather(&log).await?;
    Ok(Json(ChatReply {
        response,
        conversation_id: log.conversation,
        turn_id: log.id,
        message_id: log.message,
    }))
}

/// Collects the whole text of a response, or returns the error that ended it.
pub async fn gather(log: &Arc<TurnLog>) -> HandlerResult<String> {
    let mut events = std::pin::pin!(log.follow(0));
    let mut text = String::new();
    while let Some((_, event)) = events.next().await {
        match event {
            Event::Token { content } => text.push_str(&content),
            Event::Error { message, code } => return Err(Refusal::new(code, message)),
            _ => {}
        }
    }
    Ok(text)
}

async fn stop(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<StopRequest>,
) -> HandlerResult<Json<StopReply>> {
    let stopped = app.companion.stop(caller.user, request.turn_id).await?;
    Ok(Json(StopReply { stopped }))
}

async fn confirm(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<String>,
    JsonBody(request): JsonBody<ConfirmRequest>,
) -> HandlerResult<Json<ConfirmReply>> {
    Ok(Json(ConfirmReply { settled: app.companion.confirm(caller.user, &id, &request)? }))
}

async fn confirmations(State(app): State<ServerState>, caller: Caller) -> Json<Confirmations> {
    Json(Confirmations { waiting: app.companion.waiting(caller.user) })
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct From {
    /// The number of the last event received.
    after: Option<u32>,
}

async fn resume(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<TurnId>,
    QueryParams(from): QueryParams<From>,
    headers: HeaderMap,
) -> HandlerResult<Response> {
    let last = headers.get("last-event-id").and_then(|value| value.to_str().ok());
    let seen = last
        .and_then(|text| text.parse::<EventId>().ok())
        .filter(|last| last.turn == id)
        .map(|last| last.seq);
    let seen = seen.or(from.after).unwrap_or(0);
    let log = app.companion.turn(caller.user, id, seen).await?;
    Ok(sse::turn(&log, seen, app.ends_with(&caller)))
}

async fn why(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<TurnId>,
) -> HandlerResult<Json<Why>> {
    Ok(Json(app.store.why(caller.user, id).await?))
}

async fn regenerate(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(conversation): PathParams<ConversationId>,
    JsonBody(request): JsonBody<RegenerateRequest>,
) -> HandlerResult<Response> {
    let log = app.companion.regenerate(caller.user, conversation, request.message_id).await?;
    Ok(sse::turn(&log, 0, app.ends_with(&caller)))
}

fn user_message(request: ChatRequest) -> HandlerResult<UserMessage> {
    let attachments = request
        .attachments
        .into_iter()
        .map(|upload| match STANDARD.decode(upload.data.as_bytes()) {
            Ok(data) => Ok(NewAttachment { name: upload.name, mime: upload.mime, data }),
            Err(_) => Err(CompanionError::BadAttachment(upload.name)),
        })
        .collect::<Result<Vec<_>, _>>()?;
    Ok(UserMessage {
        message: request.message,
        conversation: request.conversation_id,
        edit_of: request.edit_of,
        attachments,
        client_message_id: request.client_message_id,
        code: None,
    })
}
