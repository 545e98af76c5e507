use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use memory::{EmbeddingProgress, FactQuery, RecallRequest, RecallResult, StatusFilter};
use protocol::{
    Fact, FactCategory, FactHistory, FactId, FactList, FactPatch, ForgetReport, ForgetRequest,
    MemoryImportReply, MergeFactsRequest, NewFactRequest, Push, ReadingProgress, RecallReply, Scope,
    Timeline,
};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::auth::Caller;
use crate::error::{HandlerResult, Refusal};
use crate::export::disposition;
use crate::input::{JsonBody, PathParams, QueryParams, RawBody};
use crate::output::Json;
use crate::route::{Access, Route, delete, get, patch, post};
use crate::state::ServerState;

/// The number of imported conversations that are announced to connected clients.
const MOST_ANNOUNCED: usize = 50;
/// The size limit for an import, enough for years of conversations with another program.
const IMPORT_LIMIT: usize = 512 * 1024 * 1024;

pub fn routes() -> Vec<Route> {
    let read = Access::Scope(Scope::MemoryRead);
    let write = Access::Scope(Scope::MemoryWrite);
    // Changes that count as the user's own statements, and irreversible ones, require the full scope.
    let person = Access::Scope(Scope::All);
    vec![
        get("/api/memory", read, "The known facts, newest first, or those that match `q`.", list)
            .asks::<Query>()
            .gives::<FactList>(),
        post("/api/memory", write, "Adds a fact.", add).takes::<NewFactRequest>().creates::<Fact>(),
        get("/api/memory/recall", read, "The memories that a message `q` would recall.", recall)
            .asks::<Recalling>()
            .gives::<RecallReply>(),
        get("/api/memory/timeline", read, "The changes to facts, by day.", timeline)
            .asks::<Before>()
            .gives::<Timeline>(),
        post("/api/memory/merge", person, "Merges several facts into one.", merge)
            .takes::<MergeFactsRequest>()
            .gives::<Fact>(),
        post("/api/memory/forget", person, "Forgets a fact, a message or words, everywhere.", forget)
            .takes::<ForgetRequest>()
            .gives::<ForgetReport>(),
        get(
            "/api/memory/export",
            read,
            "Facts, entries and files as one document: `format=json|markdown`.",
            export,
        )
        .asks::<Exporting>()
        .gives_file(&["application/json", "text/markdown"]),
        post(
            "/api/memory/import",
            person,
            "Imports such a document, notes, or chats from other programs.",
            import,
        )
        .asks::<Importing>()
        .gives::<MemoryImportReply>()
        .takes_file(IMPORT_LIMIT),
        get("/api/memory/{id}", read, "A fact.", show).gives::<Fact>(),
        patch("/api/memory/{id}", write, "Corrects a fact. A correction by the user also confirms it.", edit)
            .takes::<FactPatch>()
            .gives::<Fact>(),
        delete("/api/memory/{id}", person, "Forgets a fact, everywhere.", remove).gives::<ForgetReport>(),
        get("/api/memory/{id}/history", read, "The history of a fact.", history).gives::<FactHistory>(),
        post("/api/memory/{id}/undo", person, "Undoes the last change to a fact.", undo).gives::<Fact>(),
    ]
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Query {
    q: Option<String>,
    category: Option<FactCategory>,
    /// `current`, `unconfirmed`, `past` or `all`.
    status: Option<String>,
    cursor: Option<String>,
    limit: Option<usize>,
}

async fn list(
    State(app): State<ServerState>,
    caller: Caller,
    QueryParams(query): QueryParams<Query>,
) -> HandlerResult<Json<FactList>> {
    let status = match query.status.as_deref() {
        None | Some("current") => StatusFilter::Current,
        Some("unconfirmed") => StatusFilter::Unconfirmed,
        Some("past") => StatusFilter::Past,
        Some("all") => StatusFilter::All,
        Some(_) => return Err(Refusal::bad_request("status is current, unconfirmed, past or all")),
    };
    let query = FactQuery {
        words: query.q,
        category: query.category,
        status: Some(status),
        cursor: query.cursor,
        limit: query.limit,
    };
    Ok(Json(app.companion.memory().facts(caller.user, caller.recipient(), query).await?))
}

async fn add(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<NewFactRequest>,
) -> HandlerResult<(StatusCode, Json<Fact>)> {
    let fact = app.companion.memory().add_fact(caller.user, &caller.author(), request).await?;
    changed(&app, &caller);
    Ok((StatusCode::CREATED, Json(fact)))
}

fn changed(app: &ServerState, caller: &Caller) {
    app.companion.feed().tell(caller.user, Push::MemoryChanged);
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Recalling {
    #[serde(default)]
    q: String,
    limit: Option<usize>,
}

async fn recall(
    State(app): State<ServerState>,
    caller: Caller,
    QueryParams(query): QueryParams<Recalling>,
) -> HandlerResult<Json<RecallReply>> {
    let began = std::time::Instant::now();
    // An empty query recalls nothing.
    if query.q.trim().is_empty() {
        return Ok(Json(RecallReply {
            items: Vec::new(),
            refused: false,
            whole: false,
            reading: None,
            millis: 0.0,
        }));
    }
    let recall = RecallRequest {
        limit: query.limit.map(|limit| limit.clamp(1, 100)),
        ..RecallRequest::new(query.q, caller.recipient())
    };
    let RecallResult { items, refused, whole, embedding_progress, .. } =
        app.companion.recall_for_display(caller.user, recall).await?;
    let reading = embedding_progress.map(|EmbeddingProgress { done, of }| ReadingProgress { done, of });
    let millis = began.elapsed().as_secs_f32() * 1000.0;
    Ok(Json(RecallReply { items, refused, whole, reading, millis }))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Before {
    before: Option<String>,
}

async fn timeline(
    State(app): State<ServerState>,
    caller: Caller,
    QueryParams(query): QueryParams<Before>,
) -> HandlerResult<Json<Timeline>> {
    let timeline = app.companion.memory().timeline(caller.user, caller.recipient(), query.before.as_deref());
    Ok(Json(timeline.await?))
}

async fn merge(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<MergeFactsRequest>,
) -> HandlerResult<Json<Fact>> {
    let fact = app.companion.memory().merge_facts(caller.user, request).await?;
    changed(&app, &caller);
    Ok(Json(fact))
}

async fn forget(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<ForgetRequest>,
) -> HandlerResult<Json<ForgetReport>> {
    Ok(Json(app.companion.forget(caller.user, request).await?))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Exporting {
    /// `json` or `markdown`.
    format: Option<String>,
}

async fn export(
    State(app): State<ServerState>,
    caller: Caller,
    QueryParams(query): QueryParams<Exporting>,
) -> HandlerResult<Response> {
    let (memory, recipient) = (app.companion.memory(), caller.recipient());
    let (text, kind, ending) = match query.format.as_deref() {
        None | Some("json") => {
            (memory.export_json(caller.user, recipient).await?, "application/json", "json")
        }
        Some("markdown" | "md") => {
            (memory.export_markdown(caller.user, recipient).await?, "text/markdown; charset=utf-8", "md")
        }
        Some(_) => return Err(Refusal::bad_request("format is json or markdown")),
    };
    let name = format!("perigee-memory-{}.{ending}", app.clock.now().to_zoned(app.clock.time_zone()).date());
    let headers = [
        (CONTENT_TYPE, kind.to_owned()),
        (CONTENT_DISPOSITION, disposition(&name)),
        (CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((headers, text).into_response())
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Importing {
    #[serde(default)]
    name: String,
}

/// Imports a file. Its conversations are read by the memory maintenance, which is started for that.
async fn import(
    State(app): State<ServerState>,
    caller: Caller,
    QueryParams(query): QueryParams<Importing>,
    RawBody(file): RawBody,
) -> HandlerResult<Json<MemoryImportReply>> {
    let name = query.name.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    let name = if name.is_empty() { "import" } else { name };
    let (reply, conversations) = app.companion.memory().import(caller.user, name, file.into()).await?;
    changed(&app, &caller);
    // The latest ones are enough for the list on the screen.
    for id in conversations.iter().rev().take(MOST_ANNOUNCED) {
        let chat = app.store.summary(caller.user, *id).await?;
        app.companion.feed().tell(caller.user, Push::ChatChanged { chat });
    }
    if reply.conversations > 0 {
        app.supervisor.run_now("memory_maintenance");
    }
    Ok(Json(reply))
}

async fn show(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<FactId>,
) -> HandlerResult<Json<Fact>> {
    Ok(Json(app.companion.memory().fact(caller.user, caller.recipient(), id).await?))
}

async fn edit(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<FactId>,
    JsonBody(patch): JsonBody<FactPatch>,
) -> HandlerResult<Json<Fact>> {
    let fact = app.companion.memory().patch_fact(caller.user, &caller.author(), id, patch).await?;
    changed(&app, &caller);
    Ok(Json(fact))
}

async fn remove(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<FactId>,
) -> HandlerResult<Json<ForgetReport>> {
    let request = ForgetRequest { fact: Some(id), confirm: true, ..ForgetRequest::default() };
    Ok(Json(app.companion.forget(caller.user, request).await?))
}

async fn history(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<FactId>,
) -> HandlerResult<Json<FactHistory>> {
    Ok(Json(app.companion.memory().fact_history(caller.user, caller.recipient(), id).await?))
}

async fn undo(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<FactId>,
) -> HandlerResult<Json<Fact>> {
    let fact = app.companion.memory().undo_fact(caller.user, id).await?;
    changed(&app, &caller);
    Ok(Json(fact))
}
