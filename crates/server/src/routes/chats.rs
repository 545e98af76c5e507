use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use protocol::{
    AttachmentId, BranchRequest, ChatList, ChatPatch, ChatSummary, ChatView, ConversationId, LoadChatRequest,
    MessageId, NewChatRequest, PinRequest, Push, Scope, SearchResults,
};
use serde::Deserialize;
use store::{ListQuery, NewConversation};
use utoipa::IntoParams;

use crate::auth::Caller;
use crate::error::{HandlerResult, Refusal};
use crate::export;
use crate::input::{JsonBody, PathParams, QueryParams};
use crate::output::Json;
use crate::route::{Access, Route, delete, get, patch, post, put};
use crate::state::ServerState;

const CHAT: Access = Access::Scope(Scope::Chat);
/// The default page size for messages, rows and hits.
const PAGE: u32 = 50;
const LARGEST_PAGE: u32 = 200;

pub fn routes() -> Vec<Route> {
    vec![
        get("/api/chats", CHAT, "The conversations, newest first.", list)
            .asks::<Listing>()
            .gives::<ChatList>(),
        get("/api/chats/search", CHAT, "The messages and titles that contain these words.", search)
            .asks::<Search>()
            .gives::<SearchResults>(),
        post("/api/chats/new", CHAT, "Creates a conversation, which becomes the current one.", new)
            .takes::<NewChatRequest>()
            .gives::<ChatSummary>(),
        post("/api/chats/load", CHAT, "Opens a conversation, which becomes the current one.", load)
            .takes::<LoadChatRequest>()
            .gives::<ChatView>(),
        post("/api/chat/clear", CHAT, "Starts afresh: the next message opens a new conversation.", clear)
            .gives::<()>(),
        get("/api/chats/{id}", CHAT, "The messages of the current branch.", view)
            .asks::<Page>()
            .gives::<ChatView>(),
        patch("/api/chats/{id}", CHAT, "Renames, pins, files or tags a conversation.", change)
            .takes::<ChatPatch>()
            .gives::<ChatSummary>(),
        delete("/api/chats/{id}", CHAT, "Deletes a conversation. It can be restored for 30 days.", remove)
            .gives::<()>(),
        post("/api/chats/{id}/restore", CHAT, "Restores a deleted conversation.", restore)
            .gives::<ChatSummary>(),
        post("/api/chats/{id}/branch", CHAT, "Switches to the branch that contains this message.", branch)
            .takes::<BranchRequest>()
            .gives::<ChatView>(),
        put("/api/chats/{id}/pins", CHAT, "Pins something shown on the screen, or unpins it.", pin)
            .takes::<PinRequest>()
            .gives_nothing(),
        get("/api/chats/{id}/export", CHAT, "The conversation as Markdown or JSON.", export)
            .asks::<Format>()
            .gives_file(&["text/markdown", "application/json"]),
        get("/api/attachments/{id}", CHAT, "A file attached to a message.", attachment).gives_file(&["*/*"]),
    ]
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Listing {
    limit: Option<u32>,
    cursor: Option<String>,
    folder: Option<String>,
    tag: Option<String>,
}

async fn list(
    State(app): State<ServerState>,
    caller: Caller,
    QueryParams(listing): QueryParams<Listing>,
) -> HandlerResult<Json<ChatList>> {
    let Listing { limit, cursor, folder, tag } = listing;
    let query = ListQuery { limit: page(limit), cursor, folder, tag };
    Ok(Json(app.store.list(caller.user, query).await?))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Search {
    q: String,
    limit: Option<u32>,
    cursor: Option<String>,
}

async fn search(
    State(app): State<ServerState>,
    caller: Caller,
    QueryParams(search): QueryParams<Search>,
) -> HandlerResult<Json<SearchResults>> {
    let Search { q, limit, cursor } = search;
    Ok(Json(app.store.search(caller.user, &q, cursor.as_deref(), page(limit)).await?))
}

async fn pin(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(conversation): PathParams<ConversationId>,
    JsonBody(request): JsonBody<PinRequest>,
) -> HandlerResult<StatusCode> {
    let PinRequest { message_id, act_id, pinned } = request;
    app.store.pin(caller.user, conversation, message_id, &act_id, pinned).await?;
    if let Ok(chat) = app.store.summary(caller.user, conversation).await {
        app.companion.feed().tell(caller.user, Push::ChatChanged { chat });
    }
    Ok(StatusCode::NO_CONTENT)
}

async fn new(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<NewChatRequest>,
) -> HandlerResult<Json<ChatSummary>> {
    let NewChatRequest { title, folder, incognito } = request;
    let new = NewConversation { title, folder, incognito };
    let chat = app.store.create_conversation(caller.user, new).await?;
    // An incognito conversation is shown only in the window that created it.
    if incognito {
        return Ok(Json(chat));
    }
    app.companion.feed().tell(caller.user, Push::ChatChanged { chat: chat.clone() });
    app.companion.feed().tell(caller.user, Push::ChatOpened { id: Some(chat.id) });
    Ok(Json(chat))
}

async fn load(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<LoadChatRequest>,
) -> HandlerResult<Json<ChatView>> {
    app.store.set_current(caller.user, Some(request.id)).await?;
    app.companion.feed().tell(caller.user, Push::ChatOpened { id: Some(request.id) });
    Ok(Json(app.store.open_conversation(caller.user, request.id, None, PAGE).await?))
}

async fn clear(State(app): State<ServerState>, caller: Caller) -> HandlerResult<Json<()>> {
    app.store.set_current(caller.user, None).await?;
    app.companion.feed().tell(caller.user, Push::ChatOpened { id: None });
    Ok(Json(()))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Page {
    before: Option<MessageId>,
    limit: Option<u32>,
}

async fn view(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<ConversationId>,
    QueryParams(wanted): QueryParams<Page>,
) -> HandlerResult<Json<ChatView>> {
    Ok(Json(app.store.open_conversation(caller.user, id, wanted.before, page(wanted.limit)).await?))
}

async fn change(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<ConversationId>,
    JsonBody(patch): JsonBody<ChatPatch>,
) -> HandlerResult<Json<ChatSummary>> {
    let chat = app.store.patch_conversation(caller.user, id, patch).await?;
    app.companion.feed().tell(caller.user, Push::ChatChanged { chat: chat.clone() });
    Ok(Json(chat))
}

async fn remove(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<ConversationId>,
) -> HandlerResult<Json<()>> {
    app.companion.delete(caller.user, id).await?;
    Ok(Json(()))
}

async fn restore(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<ConversationId>,
) -> HandlerResult<Json<ChatSummary>> {
    let chat = app.store.restore_conversation(caller.user, id).await?;
    app.companion.feed().tell(caller.user, Push::ChatChanged { chat: chat.clone() });
    Ok(Json(chat))
}

async fn branch(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<ConversationId>,
    JsonBody(request): JsonBody<BranchRequest>,
) -> HandlerResult<Json<ChatView>> {
    app.store.switch_branch(caller.user, id, request.message_id).await?;
    Ok(Json(app.store.open_conversation(caller.user, id, None, PAGE).await?))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Format {
    /// `md` or `json`.
    format: Option<String>,
}

async fn export(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<ConversationId>,
    QueryParams(Format { format }): QueryParams<Format>,
) -> HandlerResult<Response> {
    let conversation = app.store.export_conversation(caller.user, id).await?;
    let (kind, extension, bytes) = match format.as_deref().unwrap_or("md") {
        "md" | "markdown" => (
            "text/markdown; charset=utf-8",
            "md",
            export::markdown(&conversation, &app.config.current().companion.name).into_bytes(),
        ),
        "json" => ("application/json", "json", export::json(&conversation)?),
        other => return Err(Refusal::bad_request(format!("there is no format {other}: use md or json"))),
    };
    let name = export::file_name(&conversation.title, extension);
    Ok((
        [(CONTENT_TYPE, kind.to_owned()), (CONTENT_DISPOSITION, name), (CACHE_CONTROL, "no-store".into())],
        bytes,
    )
        .into_response())
}

/// The image types that are displayed inline because they cannot contain scripts. All others are offered as a download.
const INLINE_IMAGES: [&str; 5] = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"];

async fn attachment(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<AttachmentId>,
) -> HandlerResult<Response> {
    let attachment = app.store.attachment(caller.user, id).await?;
    let mime = attachment.info.mime.as_str();
    let kind =
        if INLINE_IMAGES.contains(&mime) { mime.to_owned() } else { "application/octet-stream".to_owned() };
    let mut response = ([(CONTENT_TYPE, kind.clone())], attachment.data).into_response();
    let headers = response.headers_mut();
    // Deleted attachments must not survive in a browser's cache.
    headers.insert(CACHE_CONTROL, axum::http::HeaderValue::from_static("no-store"));
    if kind == "application/octet-stream"
        && let Ok(name) = export::disposition(&attachment.info.name).parse()
    {
        headers.insert(CONTENT_DISPOSITION, name);
    }
    Ok(response)
}

fn page(limit: Option<u32>) -> u32 {
    limit.unwrap_or(PAGE).clamp(1, LARGEST_PAGE)
}
