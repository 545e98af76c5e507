use axum::extract::State;
use protocol::{Scope, SkillList, SkillView};

use crate::error::{HandlerResult, Refusal};
use crate::input::PathParams;
use crate::output::Json;
use crate::route::{Access, Route, get};
use crate::state::ServerState;

pub fn routes() -> Vec<Route> {
    let chat = Access::Scope(Scope::Chat);
    vec![
        get("/api/skills", chat, "The skills.", list).gives::<SkillList>(),
        get("/api/skills/{name}", chat, "One skill, in full.", view).gives::<SkillView>(),
    ]
}

async fn list(State(app): State<ServerState>) -> HandlerResult<Json<SkillList>> {
    on_disk(move || {
        let skills = app.companion.tools().skills();
        SkillList { skills: skills.list(), folder: skills.folder().display().to_string() }
    })
    .await
    .map(Json)
}

async fn view(
    State(app): State<ServerState>,
    PathParams(name): PathParams<String>,
) -> HandlerResult<Json<SkillView>> {
    let view = on_disk(move || app.companion.tools().skills().view(&name)).await?;
    view.map(Json).ok_or_else(|| Refusal::not_found("skill"))
}

/// Runs file access on a separate thread.
async fn on_disk<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> HandlerResult<T> {
    let read = tokio::task::spawn_blocking(work).await;
    read.map_err(|error| Refusal::new(protocol::ErrorCode::Internal, error.to_string()))
}
