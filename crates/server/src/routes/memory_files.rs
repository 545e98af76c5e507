use axum::extract::State;
use axum::http::StatusCode;
use protocol::{
    MemoryFileList, MemoryFileView, Push, RestoreMemoryFileRequest, Scope, WriteMemoryFileRequest,
};

use crate::auth::Caller;
use crate::error::HandlerResult;
use crate::input::{JsonBody, PathParams};
use crate::output::Json;
use crate::route::{Access, Route, delete, get, post, put};
use crate::state::ServerState;

pub fn routes() -> Vec<Route> {
    let read = Access::Scope(Scope::MemoryRead);
    let write = Access::Scope(Scope::MemoryWrite);
    // The origin of an earlier version is no longer known, so restoring it requires the full scope.
    let person = Access::Scope(Scope::All);
    vec![
        get("/api/memory/files", read, "The memory files.", list).gives::<MemoryFileList>(),
        get("/api/memory/files/{name}", read, "A memory file with its history.", show)
            .gives::<MemoryFileView>(),
        put("/api/memory/files/{name}", write, "Writes a memory file.", write_file)
            .takes::<WriteMemoryFileRequest>()
            .gives::<MemoryFileView>(),
        delete("/api/memory/files/{name}", write, "Deletes a memory file. Its history stays.", remove)
            .gives_nothing(),
        post(
            "/api/memory/files/{name}/restore",
            person,
            "Restores an earlier version of a memory file.",
            restore,
        )
        .takes::<RestoreMemoryFileRequest>()
        .gives::<MemoryFileView>(),
    ]
}

async fn list(State(app): State<ServerState>, caller: Caller) -> HandlerResult<Json<MemoryFileList>> {
    Ok(Json(app.companion.memory().files(caller.user, caller.recipient()).await?))
}

async fn show(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(name): PathParams<String>,
) -> HandlerResult<Json<MemoryFileView>> {
    Ok(Json(app.companion.memory().file(caller.user, caller.recipient(), &name).await?))
}

async fn write_file(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(name): PathParams<String>,
    JsonBody(request): JsonBody<WriteMemoryFileRequest>,
) -> HandlerResult<Json<MemoryFileView>> {
    let memory = app.companion.memory();
    memory.write_file(caller.user, &caller.author(), &name, request.content).await?;
    app.companion.feed().tell(caller.user, Push::MemoryChanged);
    show(State(app), caller, PathParams(name)).await
}

async fn remove(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(name): PathParams<String>,
) -> HandlerResult<StatusCode> {
    app.companion.memory().delete_file(caller.user, caller.recipient(), &name).await?;
    app.companion.feed().tell(caller.user, Push::MemoryChanged);
    Ok(StatusCode::NO_CONTENT)
}

async fn restore(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(name): PathParams<String>,
    JsonBody(request): JsonBody<RestoreMemoryFileRequest>,
) -> HandlerResult<Json<MemoryFileView>> {
    app.companion.memory().restore_file(caller.user, &name, request.id).await?;
    app.companion.feed().tell(caller.user, Push::MemoryChanged);
    show(State(app), caller, PathParams(name)).await
}
