use ::mcp::ConfiguredServerError;
use ::mcp::generated::GeneratedServerError;
use axum::body::Body as HttpBody;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;
use protocol::{ErrorCode, MadeSource, McpAddRequest, McpApproveRequest, McpLog, McpServerList, SandboxInfo};
use serde::de::IgnoredAny;
use serde_json::Value;

use crate::auth::Caller;
use crate::error::{HandlerResult, Refusal};
use crate::guard;
use crate::input::{JsonBody, PathParams};
use crate::lan::RequestTransport;
use crate::output::Json;
use crate::route::{Access, BODY_LIMIT, Route, delete, get, post};
use crate::state::ServerState;

/// The header with the MCP session ID.
const SESSION: &str = "mcp-session-id";
/// Adding a server decides what runs on this machine, so it is reserved for the owner.
const OWNER: Access = Access::Owner;
/// Each tool requires its own scope, which is checked per call.
const ANY: Access = Access::Token;

pub fn routes() -> Vec<Route> {
    let serve_about = "Memory and answers for other agents: the Model Context Protocol over HTTP.";
    let list_about = "The MCP servers, and the strength of the sandbox on this machine.";
    vec![
        post("/mcp", ANY, serve_about, serve).takes::<Value>().gives::<Value>().streams::<Value>().accepts(),
        get("/mcp", ANY, "The event stream of such a session.", serve).streams::<Value>(),
        delete("/mcp", ANY, "Ends such a session.", serve).gives_nothing(),
        get("/api/mcp/servers", OWNER, list_about, list).gives::<McpServerList>(),
        post("/api/mcp/servers", OWNER, "Adds a server to the settings and approves it.", add)
            .takes::<McpAddRequest>()
            .gives::<McpServerList>(),
        delete(
            "/api/mcp/servers/{name}",
            OWNER,
            "Removes a server. A generated one can be restored.",
            remove,
        )
        .gives_nothing(),
        post("/api/mcp/servers/{name}/approve", OWNER, "Approves a server in its current form.", approve)
            .takes::<McpApproveRequest>()
            .gives::<McpServerList>(),
        post(
            "/api/mcp/servers/{name}/start",
            OWNER,
            "Starts a server, including one that has failed.",
            start,
        )
        .gives::<McpServerList>(),
        post("/api/mcp/servers/{name}/stop", OWNER, "Stops a server.", stop).gives::<McpServerList>(),
        post("/api/mcp/servers/{name}/restore", OWNER, "Restores a deleted generated server.", restore)
            .gives::<McpServerList>(),
        get("/api/mcp/servers/{name}/logs", OWNER, "The log of a server.", logs).gives::<McpLog>(),
        get("/api/mcp/servers/{name}/source", OWNER, "The code of a generated server.", source)
            .gives::<MadeSource>(),
        get("/api/mcp/servers/{name}/versions/{id}", OWNER, "An earlier version of the code.", version)
            .gives::<MadeSource>(),
        post(
            "/api/mcp/servers/{name}/versions/{id}/restore",
            OWNER,
            "Restores an earlier version of the code, which then needs approval.",
            go_back,
        )
        .gives::<McpServerList>(),
    ]
}

async fn serve(
    State(app): State<ServerState>,
    lane: RequestTransport,
    caller: Caller,
    request: Request,
) -> Response {
    // The protocol demands this check for streams too. Other routes allow reading from any page that has a token.
    if guard::from_another_page(&app, lane, request.headers()) {
        return guard::another_page_sent_it().into_response();
    }
    app.config.reload_if_changed();
    if !app.config.current().mcp.enabled {
        let why = "Access for other agents is off: `perigee config set mcp.enabled true` turns it on.";
        return Refusal::new(ErrorCode::Forbidden, why).into_response();
    }
    let session = |headers: &HeaderMap| {
        headers.get(SESSION).and_then(|session| session.to_str().ok()).map(str::to_owned)
    };
    let named = session(request.headers());
    if named.as_deref().is_some_and(|session| !app.agents.is_of(session, &caller)) {
        // The response that the protocol prescribes, so that the agent opens a new session.
        return Refusal::not_found("session: begin a new one").into_response();
    }
    let ends = request.method() == Method::DELETE;
    let request = match checked(request).await {
        Ok(request) => request,
        Err(refusal) => return refusal.into_response(),
    };
    let mut response = app.served.handle(request).await.into_response();
    match (named, session(response.headers())) {
        (None, Some(opened)) => app.agents.opened(&opened, &caller),
        (Some(closed), _) if ends && response.status().is_success() => {
            app.agents.closed(&closed);
            *response.status_mut() = StatusCode::NO_CONTENT;
        }
        _ => {}
    }
    let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    match kind {
        // A stream ends when its token is revoked.
        Some("text/event-stream") => {
            let ended = caller.withdrawn.clone().cancelled_owned();
            response.map(|body| HttpBody::from_stream(body.into_data_stream().take_until(ended)))
        }
        Some("application/json") => response,
        _ if response.status().is_success() => response,
        _ => as_refusal(response).await,
    }
}

/// Converts the protocol's plain-text errors to the server's usual form.
async fn as_refusal(response: Response) -> Response {
    let status = response.status();
    let code = match status {
        StatusCode::NOT_FOUND => ErrorCode::NotFound,
        StatusCode::METHOD_NOT_ALLOWED => ErrorCode::MethodNotAllowed,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => ErrorCode::UnsupportedMediaType,
        StatusCode::PAYLOAD_TOO_LARGE => ErrorCode::TooLarge,
        status if status.is_server_error() => ErrorCode::Internal,
        _ => ErrorCode::BadRequest,
    };
    let words = axum::body::to_bytes(response.into_body(), BODY_LIMIT).await.unwrap_or_default();
    let words = String::from_utf8_lossy(&words).trim().to_owned();
    let words = if words.is_empty() { status.to_string() } else { words };
    let mut refused = Refusal::new(code, words).into_response();
    *refused.status_mut() = status;
    refused
}

/// Returns the request unchanged, or an error if its body is not JSON.
async fn checked(request: Request) -> HandlerResult<Request> {
    if request.method() != Method::POST {
        return Ok(request);
    }
    let (parts, body) = request.into_parts();
    let bytes = axum::body::to_bytes(body, BODY_LIMIT).await.map_err(|_| guard::too_large(BODY_LIMIT))?;
    serde_json::from_slice::<IgnoredAny>(&bytes)
        .map_err(|error| Refusal::bad_request(format!("the JSON is not as expected: {error}")))?;
    Ok(Request::from_parts(parts, HttpBody::from(bytes)))
}

pub async fn list(State(app): State<ServerState>) -> HandlerResult<Json<McpServerList>> {
    app.config.reload_if_changed();
    // The other servers are listed even if this fails.
    let trouble = app.mcp.generated.reload().await.err().map(|error| error.to_string());
    let mut servers = app.mcp.servers.list();
    servers.extend(app.mcp.generated.list());
    let sandbox = &app.mcp.sandbox;
    let sandbox =
        SandboxInfo { level: sandbox.level().as_str().to_owned(), missing: sandbox.missing().to_vec() };
    let deleted = app.mcp.generated.deleted();
    Ok(Json(McpServerList { servers, sandbox, deleted, trouble }))
}

async fn add(
    State(app): State<ServerState>,
    JsonBody(request): JsonBody<McpAddRequest>,
) -> HandlerResult<Json<McpServerList>> {
    let McpAddRequest { name, server } = request;
    let name = name.trim().to_owned();
    if name.is_empty() || name.len() > 64 || name.contains(['.', '"', '\n']) {
        return Err(Refusal::new(
            ErrorCode::BadRequest,
            "A server needs a short name without dots or quotes.",
        ));
    }
    if app.mcp.generated.has(&name) || app.mcp.servers.list().iter().any(|server| server.name == name) {
        return Err(Refusal::new(ErrorCode::Conflict, format!("There is a server named {name} already.")));
    }
    // An approval of an earlier server with this name does not apply to the new one.
    app.mcp.servers.forget(&name).await?;
    let written = app.config.set_mcp_server(&name, Some(&server));
    written.map_err(|error| Refusal::because(ErrorCode::BadRequest, &error))?;
    app.mcp.servers.apply_settings(&app.config.current().mcp_servers).await?;
    let asks =
        app.mcp.servers.list().into_iter().find(|server| server.name == name).and_then(|server| server.asks);
    if let Some(asks) = asks {
        app.mcp.servers.approve(&name, &asks).await?;
    }
    list(State(app)).await
}

async fn remove(
    State(app): State<ServerState>,
    PathParams(name): PathParams<String>,
) -> HandlerResult<StatusCode> {
    if app.mcp.generated.has(&name) {
        app.mcp.generated.delete(&name).await?;
        return Ok(StatusCode::NO_CONTENT);
    }
    if !app.mcp.servers.list().iter().any(|server| server.name == name) {
        return Err(Refusal::not_found("server"));
    }
    let written = app.config.set_mcp_server(&name, None);
    written.map_err(|error| Refusal::because(ErrorCode::Conflict, &error))?;
    app.mcp.servers.forget(&name).await?;
    app.mcp.servers.apply_settings(&app.config.current().mcp_servers).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn approve(
    State(app): State<ServerState>,
    PathParams(name): PathParams<String>,
    JsonBody(request): JsonBody<McpApproveRequest>,
) -> HandlerResult<Json<McpServerList>> {
    let McpApproveRequest { seen, hosts } = request;
    if app.mcp.generated.has(&name) {
        app.mcp.generated.approve(&name, &seen, hosts).await?;
    } else {
        app.mcp.servers.approve(&name, &seen).await?;
    }
    list(State(app)).await
}

async fn start(
    State(app): State<ServerState>,
    PathParams(name): PathParams<String>,
) -> HandlerResult<Json<McpServerList>> {
    if app.mcp.generated.has(&name) {
        app.mcp.generated.start(&name)?;
    } else {
        app.mcp.servers.start(&name)?;
    }
    list(State(app)).await
}

async fn stop(
    State(app): State<ServerState>,
    PathParams(name): PathParams<String>,
) -> HandlerResult<Json<McpServerList>> {
    if app.mcp.generated.has(&name) {
        app.mcp.generated.stop(&name)?;
    } else {
        app.mcp.servers.stop(&name)?;
    }
    list(State(app)).await
}

async fn restore(
    State(app): State<ServerState>,
    PathParams(name): PathParams<String>,
) -> HandlerResult<Json<McpServerList>> {
    app.mcp.generated.restore(&name).await?;
    list(State(app)).await
}

async fn logs(
    State(app): State<ServerState>,
    PathParams(name): PathParams<String>,
) -> HandlerResult<Json<McpLog>> {
    let lines = if app.mcp.generated.has(&name) {
        app.mcp.generated.logs(&name)?
    } else {
        app.mcp.servers.logs(&name)?
    };
    Ok(Json(McpLog { lines }))
}

async fn source(
    State(app): State<ServerState>,
    PathParams(name): PathParams<String>,
) -> HandlerResult<Json<MadeSource>> {
    Ok(Json(app.mcp.generated.source(&name)?))
}

async fn version(
    State(app): State<ServerState>,
    PathParams((name, id)): PathParams<(String, String)>,
) -> HandlerResult<Json<MadeSource>> {
    let code = app.mcp.generated.version(&name, &id)?;
    Ok(Json(MadeSource { code, before: None, described_before: None, wanted_network_before: None }))
}

async fn go_back(
    State(app): State<ServerState>,
    PathParams((name, id)): PathParams<(String, String)>,
) -> HandlerResult<Json<McpServerList>> {
    app.mcp.generated.restore_version(&name, &id).await?;
    list(State(app)).await
}

impl From<ConfiguredServerError> for Refusal {
    fn from(error: ConfiguredServerError) -> Self {
        match error {
            ConfiguredServerError::Unknown => Refusal::not_found("server"),
            ConfiguredServerError::Store(error) => error.into(),
            ConfiguredServerError::SignIn(_) => {
                Refusal::new(ErrorCode::ServiceUnreachable, error.to_string())
            }
            other => Refusal::because(ErrorCode::Conflict, &other),
        }
    }
}

impl From<GeneratedServerError> for Refusal {
    fn from(error: GeneratedServerError) -> Self {
        match error {
            GeneratedServerError::Unknown(_) => Refusal::not_found("server"),
            GeneratedServerError::Store(error) => error.into(),
            other => Refusal::because(ErrorCode::Conflict, &other),
        }
    }
}
