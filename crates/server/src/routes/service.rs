use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use protocol::{Health, ProcessInfo};

use crate::error::{HandlerResult, Refusal};
use crate::input::PathParams;
use crate::output::Json;
use crate::route::{Access, Route, get, post};
use crate::state::ServerState;

pub fn routes() -> Vec<Route> {
    vec![
        get("/api/health", Access::Public, "The health of the server.", health).gives::<Health>(),
        get("/api/openapi.json", Access::Owner, "This interface as an OpenAPI document.", openapi)
            .gives_file(&["application/json"]),
        get("/metrics", Access::Owner, "Counters for Prometheus.", metrics).gives_file(&["text/plain"]),
        get("/api/processes", Access::Owner, "The background processes.", processes)
            .gives::<Vec<ProcessInfo>>(),
        post(
            "/api/processes/{id}/{act}",
            Access::Owner,
            "Pauses, resumes or runs a process (`pause`, `resume`, `run`).",
            act,
        )
        .gives::<ProcessInfo>(),
    ]
}

async fn health(State(app): State<ServerState>) -> Json<Health> {
    Json(Health { status: "ok".into(), name: "perigee".into(), version: app.version.into() })
}

async fn openapi(State(app): State<ServerState>) -> Response {
    ([(CONTENT_TYPE, "application/json")], app.openapi.clone()).into_response()
}

async fn metrics(State(app): State<ServerState>) -> Response {
    ([(CONTENT_TYPE, "text/plain; version=0.0.4")], app.metrics.text(&app)).into_response()
}

async fn processes(State(app): State<ServerState>) -> Json<Vec<ProcessInfo>> {
    Json(app.supervisor.list())
}

async fn act(
    State(app): State<ServerState>,
    PathParams((id, act)): PathParams<(String, String)>,
) -> HandlerResult<Json<ProcessInfo>> {
    let info = match act.as_str() {
        "pause" => app.supervisor.pause(&id),
        "resume" => app.supervisor.resume(&id),
        "run" => app.supervisor.run_now(&id),
        _ => return Err(Refusal::not_found("action: pause, resume or run")),
    };
    info.map(Json).ok_or_else(|| Refusal::not_found("process"))
}
