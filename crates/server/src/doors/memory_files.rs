use axum::extract::{Path, State};
use axum::http::StatusCode;
use protocol::{
    MemoryFileList, MemoryFileView, Push, RestoreMemoryFileRequest, Scope, WriteMemoryFileRequest,
};

use crate::auth::Caller;
use crate::door::{Access, Door, delete, get, post, put};
use crate::error::Answer;
use crate::input::Body;
use crate::output::Json;
use crate::state::App;

pub fn doors() -> Vec<Door> {
    let read = Access::Scope(Scope::MemoryRead);
    let write = Access::Scope(Scope::MemoryWrite);
    vec![
        get("/api/memory/files", read, "The memory files.", list).gives::<MemoryFileList>(),
        get("/api/memory/files/{name}", read, "A memory file with its history.", show)
            .gives::<MemoryFileView>(),
        put("/api/memory/files/{name}", write, "Writes a memory file.", write_file)
            .takes::<WriteMemoryFileRequest>()
            .gives::<MemoryFileView>(),
        delete("/api/memory/files/{name}", write, "Deletes a memory file; its history stays.", remove),
        post("/api/memory/files/{name}/restore", write, "Brings back what it said after a change.", restore)
            .takes::<RestoreMemoryFileRequest>()
            .gives::<MemoryFileView>(),
    ]
}

async fn folder(app: &App, caller: &Caller) -> Answer<std::sync::Arc<std::path::Path>> {
    let user = app.store.user(caller.user).await?;
    Ok(app.companion.hands().folder_of(&user))
}

async fn list(State(app): State<App>, caller: Caller) -> Answer<Json<MemoryFileList>> {
    let folder = folder(&app, &caller).await?;
    Ok(Json(app.companion.memory().shelf().list(caller.user, &folder).await?))
}

async fn show(
    State(app): State<App>,
    caller: Caller,
    Path(name): Path<String>,
) -> Answer<Json<MemoryFileView>> {
    let folder = folder(&app, &caller).await?;
    Ok(Json(app.companion.memory().shelf().view(caller.user, &folder, &name).await?))
}

async fn write_file(
    State(app): State<App>,
    caller: Caller,
    Path(name): Path<String>,
    Body(request): Body<WriteMemoryFileRequest>,
) -> Answer<Json<MemoryFileView>> {
    let folder = folder(&app, &caller).await?;
    app.companion.memory().shelf().put(caller.user, &folder, &name, request.content).await?;
    app.companion.feed().tell(caller.user, Push::MemoryChanged);
    show(State(app), caller, Path(name)).await
}

async fn remove(State(app): State<App>, caller: Caller, Path(name): Path<String>) -> Answer<StatusCode> {
    let folder = folder(&app, &caller).await?;
    let shelf = app.companion.memory().shelf();
    shelf.open(&folder, move |memories| memories.delete(&name).map(drop)).await?;
    app.companion.feed().tell(caller.user, Push::MemoryChanged);
    Ok(StatusCode::NO_CONTENT)
}

async fn restore(
    State(app): State<App>,
    caller: Caller,
    Path(name): Path<String>,
    Body(request): Body<RestoreMemoryFileRequest>,
) -> Answer<Json<MemoryFileView>> {
    let folder = folder(&app, &caller).await?;
    app.companion.memory().shelf().restore(&folder, &name, request.id).await?;
    app.companion.feed().tell(caller.user, Push::MemoryChanged);
    show(State(app), caller, Path(name)).await
}
