use axum::extract::State;
use model::RemoveError;
use protocol::{
    Download, ErrorCode, LocalServer, ModelState, ModelsReport, PullRequest, Scope, UseModelRequest,
};

use crate::door::{Access, Door, get, post};
use crate::error::{Answer, Refusal};
use crate::input::Body;
use crate::output::Json;
use crate::state::ServerState;

pub fn doors() -> Vec<Door> {
    vec![
        get(
            "/api/models",
            Access::Scope(Scope::Chat),
            "The current model, the installed models, and those available for download.",
            list,
        )
        .gives::<ModelsReport>(),
        post("/api/models/pull", Access::Owner, "Downloads a model. Progress is reported over /ws.", pull)
            .takes::<PullRequest>()
            .gives::<Download>(),
        post(
            "/api/models/cancel",
            Access::Owner,
            "Stops a download. The part received so far is kept for the next attempt.",
            cancel,
        )
        .takes::<UseModelRequest>()
        .gives::<()>(),
        post(
            "/api/models/remove",
            Access::Owner,
            "Deletes a model's file, or the partial file of an unfinished download.",
            remove,
        )
        .takes::<UseModelRequest>()
        .gives::<()>(),
        post("/api/models/use", Access::Owner, "Switches to this model.", choose)
            .takes::<UseModelRequest>()
            .gives::<ModelState>(),
        post("/api/models/detect", Access::Owner, "Looks for model servers on this machine.", detect)
            .gives::<Vec<LocalServer>>(),
    ]
}

async fn list(State(app): State<ServerState>) -> Json<ModelsReport> {
    Json(app.roster.report().await)
}

async fn pull(State(app): State<ServerState>, Body(request): Body<PullRequest>) -> Answer<Json<Download>> {
    let download =
        app.roster.pull(&request).map_err(|error| Refusal::because(ErrorCode::BadRequest, &error))?;
    Ok(Json(download))
}

async fn cancel(State(app): State<ServerState>, Body(request): Body<UseModelRequest>) -> Answer<Json<()>> {
    if app.roster.downloads().cancel(&request.name) {
        Ok(Json(()))
    } else {
        Err(Refusal::not_found("download"))
    }
}

async fn remove(State(app): State<ServerState>, Body(request): Body<UseModelRequest>) -> Answer<Json<()>> {
    app.roster.remove(&request.name).map(Json).map_err(|error| {
        let code = match error {
            RemoveError::NotHere(_) => ErrorCode::NotFound,
            RemoveError::InUse(_) | RemoveError::OnItsWay(_) => ErrorCode::Conflict,
            RemoveError::File(_) => ErrorCode::Internal,
        };
        Refusal::new(code, error.to_string())
    })
}

async fn choose(
    State(app): State<ServerState>,
    Body(request): Body<UseModelRequest>,
) -> Answer<Json<ModelState>> {
    app.roster
        .use_model(&request.name)
        .await
        .map_err(|error| Refusal::because(ErrorCode::BadRequest, &error))?;
    Ok(Json(app.roster.state()))
}

async fn detect(State(app): State<ServerState>) -> Json<Vec<LocalServer>> {
    Json(app.roster.servers().await)
}
