use abilities::local::{CommandRuleError, CommandRuleFile};
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use protocol::{
    AllowCommandRequest, AuditDecision, AuditPage, CommandRules, Event, GrantId, PermissionList,
    PermissionPatch, Push, RunToolRequest, Scope, TakenBack, ToolInfo, ToolList, User,
};
use serde::Deserialize;
use tools::{AuditQuery, Effect, Tool};
use utoipa::IntoParams;

use crate::auth::Caller;
use crate::error::{HandlerResult, Refusal};
use crate::input::{JsonBody, PathParams, QueryParams};
use crate::output::Json;
use crate::route::{Access, Route, delete, get, post, put};
use crate::sse;
use crate::state::ServerState;

/// Decisions that are the user's own; a limited token may not make any.
const PERSON: Access = Access::Scope(Scope::All);
/// Commands run on the owner's machine, so they are reserved for the owner.
const OWNER: Access = Access::Owner;
const ENTRIES: usize = 50;

pub fn routes() -> Vec<Route> {
    let chat = Access::Scope(Scope::Chat);
    vec![
        get("/api/tools", chat, "The tools and their permissions.", list).gives::<ToolList>(),
        post("/api/tools/{name}/run", PERSON, "Runs a tool at once, subject to the permission gate.", run)
            .takes::<RunToolRequest>()
            .streams::<Event>(),
        get("/api/permissions", PERSON, "The permissions that differ from the defaults.", permissions)
            .gives::<PermissionList>(),
        put("/api/permissions", PERSON, "Allows or blocks tools, or requires confirmation for them.", permit)
            .takes::<PermissionPatch>()
            .gives::<PermissionList>(),
        delete(
            "/api/permissions/grants/{id}",
            PERSON,
            "Revokes a permanent approval of certain arguments.",
            revoke,
        )
        .gives_nothing(),
        get("/api/commands/rules", OWNER, "The rules for shell commands.", rules).gives::<CommandRules>(),
        post(
            "/api/commands/rules",
            OWNER,
            "Allows commands like this one without confirmation, or restores a rule.",
            allow,
        )
        .takes::<AllowCommandRequest>()
        .gives::<CommandRules>(),
        delete("/api/commands/rules/{id}", OWNER, "Removes a rule for commands.", take_back)
            .gives::<TakenBack>(),
        get("/api/audit", PERSON, "The tool calls, allowed and refused, newest first.", audit)
            .asks::<AuditFilter>()
            .gives::<AuditPage>(),
    ]
}

async fn list(State(app): State<ServerState>, caller: Caller) -> HandlerResult<Json<ToolList>> {
    let user = app.store.user(caller.user).await?;
    let all = app.companion.tools().all();
    let own = all.iter().filter(|tool| companion::may_use(&user, tool.spec()));
    let tools = own.map(|tool| info(&app, &user, tool.as_ref())).collect();
    Ok(Json(ToolList { tools }))
}

fn info(app: &ServerState, user: &User, tool: &dyn Tool) -> ToolInfo {
    let (spec, access) = (tool.spec(), app.companion.tools());
    ToolInfo {
        name: spec.name.clone(),
        description: spec.description.clone(),
        parameters: spec.parameters.clone(),
        risk: spec.risk,
        reads_private: spec.has(Effect::ReadsPrivate),
        brings_untrusted: spec.has(Effect::BringsUntrusted),
        sends_out: spec.has(Effect::SendsOut),
        changes: spec.changes(),
        group: spec.group.setting().map(ToOwned::to_owned),
        on: access.is_on(spec.group),
        tags: spec.tags.clone(),
        permission: access.permission(user, tool),
        default_permission: spec.default_permission(),
        time_limit_seconds: u32::try_from(spec.time_limit.as_secs()).unwrap_or(u32::MAX),
    }
}

async fn run(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(name): PathParams<String>,
    JsonBody(request): JsonBody<RunToolRequest>,
) -> HandlerResult<Response> {
    let user = app.store.user(caller.user).await?;
    if app.companion.tools().find(&user, &name).is_none() {
        return Err(Refusal::not_found("tool, or it is switched off"));
    }
    let log = app.companion.run_tool(caller.user, name, request.args, request.conversation_id)?;
    Ok(sse::turn(&log, 0, app.ends_with(&caller)))
}

async fn permissions(State(app): State<ServerState>, caller: Caller) -> HandlerResult<Json<PermissionList>> {
    let user = app.store.user(caller.user).await?;
    let own_permissions = app.companion.tools().permissions_of(&user);
    Ok(Json(PermissionList {
        permissions: own_permissions.all(),
        grants: app.store.grants(caller.user).await?,
        trouble: own_permissions.trouble(),
    }))
}

async fn permit(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(PermissionPatch(patch)): JsonBody<PermissionPatch>,
) -> HandlerResult<Json<PermissionList>> {
    let user = app.store.user(caller.user).await?;
    let access = app.companion.tools();
    // A permission for a tool that no longer exists can still be removed.
    let unknown = patch.iter().find(|(name, permission)| permission.is_some() && !access.knows(name));
    if let Some((name, _)) = unknown {
        return Err(Refusal::not_found(&format!("tool as {name}")));
    }
    let own_permissions = access.permissions_of(&user);
    tokio::task::spawn_blocking(move || {
        patch.into_iter().try_for_each(|(name, permission)| own_permissions.set(&name, permission))
    })
    .await
    .map_err(|error| Refusal::new(protocol::ErrorCode::Internal, error.to_string()))?
    .map_err(|error| Refusal::because(protocol::ErrorCode::Conflict, &error))?;
    app.companion.feed().tell(caller.user, Push::PermissionsChanged);
    permissions(State(app), caller).await
}

async fn revoke(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<GrantId>,
) -> HandlerResult<StatusCode> {
    app.store.revoke(caller.user, id).await?;
    app.companion.feed().tell(caller.user, Push::PermissionsChanged);
    Ok(StatusCode::NO_CONTENT)
}

fn command_rule_file(app: &ServerState) -> CommandRuleFile {
    CommandRuleFile::new(app.config.paths().command_rules)
}

async fn rules(State(app): State<ServerState>) -> Json<CommandRules> {
    Json(command_rule_file(&app).view())
}

async fn allow(
    State(app): State<ServerState>,
    JsonBody(request): JsonBody<AllowCommandRequest>,
) -> HandlerResult<Json<CommandRules>> {
    let book = command_rule_file(&app);
    match (request.line, request.rule) {
        (Some(line), None) => book.allow(&line, None)?,
        (None, Some(rule)) => book.put_back(rule)?,
        _ => return Err(Refusal::bad_request("give either a `line` or a `rule`")),
    }
    Ok(Json(book.view()))
}

async fn take_back(
    State(app): State<ServerState>,
    PathParams(id): PathParams<String>,
) -> HandlerResult<Json<TakenBack>> {
    let rule = command_rule_file(&app).remove(&id)?;
    Ok(Json(TakenBack { rule }))
}

impl From<CommandRuleError> for Refusal {
    fn from(error: CommandRuleError) -> Self {
        match error {
            CommandRuleError::Unknown => Refusal::not_found("rule"),
            CommandRuleError::NoRule | CommandRuleError::Rule(_) => Refusal::bad_request(error.to_string()),
            CommandRuleError::Broken(_) | CommandRuleError::File(_) => {
                Refusal::because(protocol::ErrorCode::Conflict, &error)
            }
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct AuditFilter {
    tool: Option<String>,
    decision: Option<AuditDecision>,
    q: Option<String>,
    limit: Option<usize>,
    cursor: Option<String>,
}

async fn audit(
    State(app): State<ServerState>,
    caller: Caller,
    QueryParams(which): QueryParams<AuditFilter>,
) -> HandlerResult<Json<AuditPage>> {
    let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let query = AuditQuery {
        user: (!caller.owner).then_some(caller.user),
        tool: given(which.tool),
        decision: which.decision,
        words: given(which.q),
        limit: which.limit.unwrap_or(ENTRIES),
        cursor: given(which.cursor),
    };
    let access = std::sync::Arc::clone(app.companion.tools());
    let page = tokio::task::spawn_blocking(move || access.audit().page(&query)).await;
    let page = page.map_err(|error| Refusal::new(protocol::ErrorCode::Internal, error.to_string()))?;
    let unreadable = |error: std::io::Error| {
        Refusal::new(protocol::ErrorCode::Internal, format!("the audit log cannot be read: {error}"))
    };
    Ok(Json(page.map_err(unreadable)?))
}
