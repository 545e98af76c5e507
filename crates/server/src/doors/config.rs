use axum::extract::State;
use protocol::{ConfigPatch, ConfigReport};

use crate::door::{Access, Door, get, patch};
use crate::error::{Answer, Refusal};
use crate::input::Body;
use crate::output::Json;
use crate::state::App;

pub fn doors() -> Vec<Door> {
    vec![
        get(
            "/api/config",
            Access::Owner,
            "The settings, where each comes from, and what is wrong with the file.",
            read,
        )
        .gives::<ConfigReport>(),
        patch("/api/config", Access::Owner, "Changes settings in the file; comments stay.", change)
            .takes::<ConfigPatch>()
            .gives::<ConfigReport>(),
    ]
}

async fn read(State(app): State<App>) -> Json<ConfigReport> {
    app.config.reload_if_changed();
    Json(app.config.report())
}

async fn change(State(app): State<App>, Body(patch): Body<ConfigPatch>) -> Answer<Json<ConfigReport>> {
    app.config.set(&patch).map_err(|error| Refusal::bad_request(error.to_string()))?;
    Ok(Json(app.config.report()))
}
