use axum::extract::State;
use protocol::{Personality, PersonalityPatch, Scope};

use crate::auth::Caller;
use crate::door::{Access, Door, get, patch, post};
use crate::error::Answer;
use crate::input::Body;
use crate::output::Json;
use crate::state::ServerState;

pub fn doors() -> Vec<Door> {
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

async fn show(State(app): State<ServerState>, caller: Caller) -> Answer<Json<Personality>> {
    Ok(Json(app.companion.personality(caller.user).await?))
}

async fn set(
    State(app): State<ServerState>,
    caller: Caller,
    Body(patch): Body<PersonalityPatch>,
) -> Answer<Json<Personality>> {
    Ok(Json(app.companion.set_personality(caller.user, patch).await?))
}

async fn reset(State(app): State<ServerState>, caller: Caller) -> Answer<Json<Personality>> {
    Ok(Json(app.companion.reset_personality(caller.user).await?))
}

async fn undo(State(app): State<ServerState>, caller: Caller) -> Answer<Json<Personality>> {
    Ok(Json(app.companion.undo_personality(caller.user).await?))
}
