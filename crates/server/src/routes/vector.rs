use axum::extract::State;
use axum::http::StatusCode;
use protocol::{Push, SaveVectorRequest, Scope, VectorEntry, VectorEntryList};
use serde::Deserialize;
use store::NewEntry;
use utoipa::IntoParams;

use crate::auth::Caller;
use crate::error::{HandlerResult, Refusal};
use crate::input::{JsonBody, PathParams, QueryParams};
use crate::output::Json;
use crate::route::{Access, Route, delete, get, post, put};
use crate::state::ServerState;

const PAGE: u32 = 200;
const MOST: u32 = 1_000;

pub fn routes() -> Vec<Route> {
    let read = Access::Scope(Scope::MemoryRead);
    let write = Access::Scope(Scope::MemoryWrite);
    vec![
        get(
            "/api/vector",
            read,
            "The entries of the vector store, newest first, or those closest to `q`.",
            list,
        )
        .asks::<Query>()
        .gives::<VectorEntryList>(),
        post(
            "/api/vector",
            write,
            "Saves an entry, replacing one with the same ID. A program can replace only its own entries.",
            save,
        )
        .takes::<SaveVectorRequest>()
        .creates::<VectorEntry>(),
        get("/api/vector/{id}", read, "One entry.", show).gives::<VectorEntry>(),
        put("/api/vector/{id}", write, "Saves an entry under this ID.", replace)
            .takes::<SaveVectorRequest>()
            .gives::<VectorEntry>(),
        delete(
            "/api/vector/{id}",
            write,
            "Deletes an entry and returns it. A program can delete only its own entries.",
            remove,
        )
        .gives::<VectorEntry>(),
    ]
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct Query {
    q: Option<String>,
    limit: Option<u32>,
    offset: Option<u32>,
}

async fn list(
    State(app): State<ServerState>,
    caller: Caller,
    QueryParams(query): QueryParams<Query>,
) -> HandlerResult<Json<VectorEntryList>> {
    let limit = query.limit.unwrap_or(PAGE).clamp(1, MOST);
    let memory = app.companion.memory();
    let Some(words) = query.q.filter(|words| !words.trim().is_empty()) else {
        return Ok(Json(
            memory.entry_list(caller.user, caller.recipient(), limit, query.offset.unwrap_or(0)).await?,
        ));
    };
    let found = memory.search_entries(caller.user, caller.recipient(), &words, limit as usize).await?;
    let mut entries = Vec::new();
    for item in found {
        entries.extend(memory.entry(caller.user, caller.recipient(), &item.id).await.ok());
    }
    let total = u32::try_from(entries.len()).unwrap_or(u32::MAX);
    Ok(Json(VectorEntryList { entries, total }))
}

async fn save(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<SaveVectorRequest>,
) -> HandlerResult<(StatusCode, Json<VectorEntry>)> {
    let entry = saved(&app, &caller, request).await?;
    Ok((StatusCode::CREATED, Json(entry)))
}

async fn replace(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<String>,
    JsonBody(request): JsonBody<SaveVectorRequest>,
) -> HandlerResult<Json<VectorEntry>> {
    Ok(Json(saved(&app, &caller, SaveVectorRequest { id: Some(id), ..request }).await?))
}

async fn saved(app: &ServerState, caller: &Caller, request: SaveVectorRequest) -> HandlerResult<VectorEntry> {
    let SaveVectorRequest { id: name, content, metadata, origins, created_at } = request;
    if content.trim().is_empty() {
        return Err(Refusal::bad_request("the content of an entry must not be empty"));
    }
    let created_at = created_at.map(|at| at.parse()).transpose();
    let created_at = created_at.map_err(|_| Refusal::bad_request("`createdAt` is not a valid time"))?;
    let new =
        NewEntry { name, content, metadata, origins: origins.unwrap_or_default(), created_at, author: None };
    let entry = app.companion.memory().save_entry(caller.user, &caller.author(), new).await?;
    app.companion.feed().tell(caller.user, Push::MemoryChanged);
    Ok(entry)
}

async fn show(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<String>,
) -> HandlerResult<Json<VectorEntry>> {
    Ok(Json(app.companion.memory().entry(caller.user, caller.recipient(), &id).await?))
}

async fn remove(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<String>,
) -> HandlerResult<Json<VectorEntry>> {
    let entry = app.companion.memory().delete_entry(caller.user, &caller.author(), &id).await?;
    app.companion.feed().tell(caller.user, Push::MemoryChanged);
    Ok(Json(entry))
}
