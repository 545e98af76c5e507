use axum::extract::State;
use protocol::{Personality, PersonalityPatch, Scope};

use crate::auth::Caller;
use crate::error::HandlerResult;
use crate::input::JsonBody;
use crate::output::Json;
use crate::route::{Access, Route, get, patch, post};
use crate::state::ServerState;

pub fn routes() -> Vec<Route> {
    let read = Access::Scope(Scope::MemoryRead);
    let write = Access::Scope(Scope::MemoryWrite);
    vec![
        get(
            "/api/personality",
            read,
            "The companion's personality with you, and the reasons for its changes.",
            show,
        )
        .gives::<Personality>(),
        patch("/api/personality", write, "Sets and locks dimensions of the personality.", set)
            .takes::<PersonalityPatch>()
            .gives::<Personality>(),
        post("/api/personality/reset", write, "Resets the personality to its initial state.", reset)
            .gives::<Personality>(),
        post("/api/personality/undo", write, "Undoes the last manual change.", undo).gives::<Personality>(),
    ]
}

async fn show(State(app): State<ServerState>, caller: Caller) -> HandlerResult<Json<Personality>> {
    Ok(Json(app.companion.personality(caller.user).await?))
}

async fn set(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(patch): JsonBody<PersonalityPatch>,
) -> HandlerResult<Json<Personality>> {
    Ok(Json(app.companion.set_personality(caller.user, patch).await?))
}

async fn reset(State(app): State<ServerState>, caller: Caller) -> HandlerResult<Json<Personality>> {
    Ok(Json(app.companion.reset_personality(caller.user).await?))
}

async fn undo(State(app): State<ServerState>, caller: Caller) -> HandlerResult<Json<Personality>> {
    Ok(Json(app.companion.undo_personality(caller.user).await?))
}
