use axum::extract::State;
use model::RemoveError;
use protocol::{
    Download, ErrorCode, LocalServer, ModelState, ModelsReport, PullRequest, Scope, UseModelRequest,
};

use crate::error::{HandlerResult, Refusal};
use crate::input::JsonBody;
use crate::output::Json;
use crate::route::{Access, Route, get, post};
use crate::state::ServerState;

pub fn routes() -> Vec<Route> {
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

async fn pull(
    State(app): State<ServerState>,
    JsonBody(request): JsonBody<PullRequest>,
) -> HandlerResult<Json<Download>> {
    let download =
        app.roster.pull(&request).map_err(|error| Refusal::because(ErrorCode::BadRequest, &error))?;
    Ok(Json(download))
}

async fn cancel(
    State(app): State<ServerState>,
    JsonBody(request): JsonBody<UseModelRequest>,
) -> HandlerResult<Json<()>> {
    if app.roster.downloads().cancel(&request.name) {
        Ok(Json(()))
    } else {
        Err(Refusal::not_found("download"))
    }
}

async fn remove(
    State(app): State<ServerState>,
    JsonBody(request): JsonBody<UseModelRequest>,
) -> HandlerResult<Json<()>> {
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
    JsonBody(request): JsonBody<UseModelRequest>,
) -> HandlerResult<Json<ModelState>> {
    app.roster
        .use_model(&request.name)
        .await
        .map_err(|error| Refusal::because(ErrorCode::BadRequest, &error))?;
    Ok(Json(app.roster.state()))
}

async fn detect(State(app): State<ServerState>) -> Json<Vec<LocalServer>> {
    Json(app.roster.servers().await)
}
