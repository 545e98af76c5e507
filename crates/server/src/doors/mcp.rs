use ::mcp::ServersError;
use ::mcp::made::WorkshopError;
use axum::extract::{Path, Request, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use protocol::{ErrorCode, MadeSource, McpAddRequest, McpApproveRequest, McpLog, McpServerList, SandboxInfo};

use crate::door::{Access, Door, delete, get, post};
use crate::error::{Answer, Refusal};
use crate::guard;
use crate::input::Body;
use crate::lan::Lane;
use crate::output::Json;
use crate::state::App;

/// Whoever lets a server in decides what runs on this machine.
const OWNER: Access = Access::Owner;
/// Each tool there needs a scope of its own.
const ANY: Access = Access::Token;

pub fn doors() -> Vec<Door> {
    let serve_about = "Her memory and her word, for other agents: the Model Context Protocol over HTTP.";
    let list_about = "The servers that bring her tools, and how well programs are held here.";
    vec![
        post("/mcp", ANY, serve_about, serve),
        get("/mcp", ANY, "The stream of such a conversation.", serve),
        delete("/mcp", ANY, "Ends such a conversation.", serve),
        get("/api/mcp/servers", OWNER, list_about, list).gives::<McpServerList>(),
        post("/api/mcp/servers", OWNER, "Adds a server to the settings, and lets it in.", add)
            .takes::<McpAddRequest>()
            .gives::<McpServerList>(),
        delete(
            "/api/mcp/servers/{name}",
            OWNER,
            "Takes a server away; one of her own can be had back.",
            remove,
        ),
        post("/api/mcp/servers/{name}/approve", OWNER, "Says yes to a server as it is now.", approve)
            .takes::<McpApproveRequest>()
            .gives::<McpServerList>(),
        post("/api/mcp/servers/{name}/start", OWNER, "Starts a server, also one that has failed.", start)
            .gives::<McpServerList>(),
        post("/api/mcp/servers/{name}/stop", OWNER, "Stops a server.", stop).gives::<McpServerList>(),
        post(
            "/api/mcp/servers/{name}/restore",
            OWNER,
            "Has a server of her own back that was taken away.",
            restore,
        )
        .gives::<McpServerList>(),
        get("/api/mcp/servers/{name}/logs", OWNER, "What a server has said on the side.", logs)
            .gives::<McpLog>(),
        get("/api/mcp/servers/{name}/source", OWNER, "The code of a server of her own.", source)
            .gives::<MadeSource>(),
        get("/api/mcp/servers/{name}/versions/{id}", OWNER, "An earlier version of its code.", version)
            .gives::<MadeSource>(),
        post(
            "/api/mcp/servers/{name}/versions/{id}/restore",
            OWNER,
            "Makes an earlier version of its code the present one. It waits for a yes.",
            go_back,
        )
        .gives::<McpServerList>(),
    ]
}

async fn serve(State(app): State<App>, lane: Lane, request: Request) -> Response {
    // The protocol asks for this of streams too, which other doors let any page open that has a token.
    if guard::from_another_page(&app, lane, request.headers()) {
        return guard::another_page_sent_it().into_response();
    }
    app.config.reload_if_changed();
    if !app.config.current().mcp.enabled {
        let why = "Other agents may not ask her: `perigee config set mcp.enabled true` lets them.";
        return Refusal::new(ErrorCode::Forbidden, why).into_response();
    }
    app.served.handle(request).await.into_response()
}

pub async fn list(State(app): State<App>) -> Answer<Json<McpServerList>> {
    app.config.reload_if_changed();
    // Those of others are there all the same.
    let trouble = app.mcp.workshop.look_again().await.err().map(|error| error.to_string());
    let mut servers = app.mcp.servers.list();
    servers.extend(app.mcp.workshop.list());
    let sandbox = &app.mcp.sandbox;
    let sandbox =
        SandboxInfo { level: sandbox.level().as_str().to_owned(), missing: sandbox.missing().to_vec() };
    let deleted = app.mcp.workshop.deleted();
    Ok(Json(McpServerList { servers, sandbox, deleted, trouble }))
}

async fn add(State(app): State<App>, Body(request): Body<McpAddRequest>) -> Answer<Json<McpServerList>> {
    let McpAddRequest { name, server } = request;
    let name = name.trim().to_owned();
    if name.is_empty() || name.len() > 64 || name.contains(['.', '"', '\n']) {
        return Err(Refusal::new(
            ErrorCode::BadRequest,
            "A server needs a short name without dots and quotes.",
        ));
    }
    if app.mcp.workshop.has(&name) || app.mcp.servers.list().iter().any(|server| server.name == name) {
        return Err(Refusal::new(ErrorCode::Conflict, format!("There is a server named {name} already.")));
    }
    // A yes to a server of this name that was there once is none to this one.
    app.mcp.servers.forget(&name).await?;
    let written = app.config.set_mcp_server(&name, Some(&server));
    written.map_err(|error| Refusal::new(ErrorCode::BadRequest, error.to_string()))?;
    app.mcp.servers.follow(&app.config.current().mcp_servers).await?;
    let asks =
        app.mcp.servers.list().into_iter().find(|server| server.name == name).and_then(|server| server.asks);
    if let Some(asks) = asks {
        app.mcp.servers.approve(&name, &asks).await?;
    }
    list(State(app)).await
}

async fn remove(State(app): State<App>, Path(name): Path<String>) -> Answer<StatusCode> {
    if app.mcp.workshop.has(&name) {
        app.mcp.workshop.delete(&name).await?;
        return Ok(StatusCode::NO_CONTENT);
    }
    if !app.mcp.servers.list().iter().any(|server| server.name == name) {
        return Err(Refusal::not_found("server"));
    }
    let written = app.config.set_mcp_server(&name, None);
    written.map_err(|error| Refusal::new(ErrorCode::Conflict, error.to_string()))?;
    app.mcp.servers.forget(&name).await?;
    app.mcp.servers.follow(&app.config.current().mcp_servers).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn approve(
    State(app): State<App>,
    Path(name): Path<String>,
    Body(request): Body<McpApproveRequest>,
) -> Answer<Json<McpServerList>> {
    let McpApproveRequest { seen, hosts } = request;
    if app.mcp.workshop.has(&name) {
        app.mcp.workshop.approve(&name, &seen, hosts).await?;
    } else {
        app.mcp.servers.approve(&name, &seen).await?;
    }
    list(State(app)).await
}

async fn start(State(app): State<App>, Path(name): Path<String>) -> Answer<Json<McpServerList>> {
    if app.mcp.workshop.has(&name) {
        app.mcp.workshop.start(&name)?;
    } else {
        app.mcp.servers.start(&name)?;
    }
    list(State(app)).await
}

async fn stop(State(app): State<App>, Path(name): Path<String>) -> Answer<Json<McpServerList>> {
    if app.mcp.workshop.has(&name) {
        app.mcp.workshop.stop(&name)?;
    } else {
        app.mcp.servers.stop(&name)?;
    }
    list(State(app)).await
}

async fn restore(State(app): State<App>, Path(name): Path<String>) -> Answer<Json<McpServerList>> {
    app.mcp.workshop.restore(&name).await?;
    list(State(app)).await
}

async fn logs(State(app): State<App>, Path(name): Path<String>) -> Answer<Json<McpLog>> {
    let lines = if app.mcp.workshop.has(&name) {
        app.mcp.workshop.logs(&name)?
    } else {
        app.mcp.servers.logs(&name)?
    };
    Ok(Json(McpLog { lines }))
}

async fn source(State(app): State<App>, Path(name): Path<String>) -> Answer<Json<MadeSource>> {
    Ok(Json(app.mcp.workshop.source(&name)?))
}

async fn version(
    State(app): State<App>,
    Path((name, id)): Path<(String, String)>,
) -> Answer<Json<MadeSource>> {
    let code = app.mcp.workshop.version(&name, &id)?;
    Ok(Json(MadeSource { code, before: None, described_before: None, wanted_network_before: None }))
}

async fn go_back(
    State(app): State<App>,
    Path((name, id)): Path<(String, String)>,
) -> Answer<Json<McpServerList>> {
    app.mcp.workshop.go_back(&name, &id).await?;
    list(State(app)).await
}

impl From<ServersError> for Refusal {
    fn from(error: ServersError) -> Self {
        match error {
            ServersError::Unknown => Refusal::not_found("server"),
            ServersError::Store(error) => error.into(),
            ServersError::SignIn(_) => Refusal::new(ErrorCode::ServiceUnreachable, error.to_string()),
            other => Refusal::new(ErrorCode::Conflict, other.to_string()),
        }
    }
}

impl From<WorkshopError> for Refusal {
    fn from(error: WorkshopError) -> Self {
        match error {
            WorkshopError::Unknown(_) => Refusal::not_found("server"),
            WorkshopError::Store(error) => error.into(),
            other => Refusal::new(ErrorCode::Conflict, other.to_string()),
        }
    }
}
