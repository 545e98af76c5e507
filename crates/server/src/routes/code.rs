use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use companion::UserMessage;
use protocol::{
    ApplyRequest, CheckpointId, CodeFileList, CodeFileView, CodeHistory, CodeRequest, CodeRootList,
    CodeRootRequest, CodeRunRequest, ConversationId, ErrorCode, Event, FolderList, IncludeRequest, MessageId,
    Proposal, ProposalId, ProposalList, SaveFileRequest, VerifyRequest,
};
use serde::Deserialize;
use store::StoreError;
use utoipa::IntoParams;
use workspace::{
    CheckpointError, EditSessionError, OpenWorkspaces, OverlayError, ProposalError, WorkspaceSession,
    WorkspaceSessionError,
};

use crate::auth::Caller;
use crate::error::{HandlerResult, Refusal};
use crate::input::{JsonBody, PathParams, QueryParams};
use crate::output::Json;
use crate::route::{Access, Route, delete, get, post, put};
use crate::sse;
use crate::state::ServerState;

/// Only the owner may access the machine's files.
const OWNER: Access = Access::Owner;
/// The size limit for a file from the editor.
const FILE_LIMIT: usize = 20 * 1024 * 1024;

pub fn routes() -> Vec<Route> {
    let (root, proposal) = ("/api/code/root", "/api/code/proposals/{id}");
    vec![
        post(
            "/api/code/stream",
            OWNER,
            "Starts a request about code and streams the work as events.",
            stream,
        )
        .takes::<CodeRequest>()
        .streams::<Event>(),
        get(root, OWNER, "The workspaces, the current one first.", roots).gives::<CodeRootList>(),
        post(root, OWNER, "Selects a folder as the workspace.", choose)
            .takes::<CodeRootRequest>()
            .gives::<CodeRootList>(),
        delete(root, OWNER, "Removes a workspace from the list. Its files stay.", leave)
            .asks::<PathQuery>()
            .gives_nothing(),
        get("/api/code/folders", OWNER, "The folders of this machine, to choose a workspace from.", folders)
            .asks::<FolderQuery>()
            .gives::<FolderList>(),
        post("/api/code/include", OWNER, "Sets the files and folders to work with.", include)
            .takes::<IncludeRequest>()
            .gives::<CodeRootList>(),
        get("/api/code/files", OWNER, "The files of the workspace.", files)
            .asks::<RootQuery>()
            .gives::<CodeFileList>(),
        get("/api/code/file", OWNER, "A file and its definitions.", file)
            .asks::<PathQuery>()
            .gives::<CodeFileView>(),
        put("/api/code/file", OWNER, "Saves a file from the editor.", save)
            .takes::<SaveFileRequest>()
            .gives::<CodeFileView>()
            .up_to(FILE_LIMIT),
        post("/api/code/run", OWNER, "Runs a command in the sandbox and streams its output as events.", run)
            .takes::<CodeRunRequest>()
            .streams::<Event>(),
        post(
            "/api/code/verify",
            OWNER,
            "Builds and tests the project and streams the progress as events.",
            verify,
        )
        .takes::<VerifyRequest>()
        .streams::<Event>(),
        get("/api/code/proposals", OWNER, "The proposed and the applied changes.", proposals)
            .asks::<RootQuery>()
            .gives::<ProposalList>(),
        get(proposal, OWNER, "A proposal with its differences.", proposal_of).gives::<Proposal>(),
        post(
            "/api/code/proposals/{id}/apply",
            OWNER,
            "Applies a proposal, or the selected parts of it.",
            apply,
        )
        .takes::<ApplyRequest>()
        .gives::<Proposal>(),
        post("/api/code/proposals/{id}/reject", OWNER, "Rejects a proposal.", reject).gives::<Proposal>(),
        post("/api/code/proposals/{id}/undo", OWNER, "Undoes an applied proposal.", undo).gives::<Proposal>(),
        post("/api/code/proposals/{id}/redo", OWNER, "Applies an undone proposal again.", redo)
            .gives::<Proposal>(),
        post("/api/code/proposals/{id}/rebase", OWNER, "Adapts a proposal to the current files.", rebase)
            .gives::<Proposal>(),
        get("/api/code/history", OWNER, "The history of the workspace.", history)
            .asks::<RootQuery>()
            .gives::<CodeHistory>(),
        post(
            "/api/code/checkpoints/{id}/restore",
            OWNER,
            "Restores the files and the conversation to a checkpoint.",
            restore,
        )
        .gives::<Option<Proposal>>(),
    ]
}

fn workspaces(app: &ServerState) -> HandlerResult<&OpenWorkspaces> {
    app.companion.workspaces().ok_or_else(|| Refusal::not_found("workspace"))
}

/// Returns the workspace that a request names, or the last used one. A request that names it is not affected if another
/// client has switched workspaces in the meantime.
async fn session(
    app: &ServerState,
    caller: &Caller,
    root: Option<&str>,
) -> HandlerResult<Arc<WorkspaceSession>> {
    Ok(workspaces(app)?.get(caller.user, root).await?)
}

async fn stream(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<CodeRequest>,
) -> HandlerResult<Response> {
    let user_message = UserMessage {
        message: request.text.clone(),
        conversation: request.conversation_id,
        client_message_id: request.client_message_id.clone(),
        code: Some(request),
        ..UserMessage::default()
    };
    let log = app.companion.say(caller.user, user_message).await?;
    Ok(sse::turn(&log, 0, app.ends_with(&caller)))
}

async fn roots(State(app): State<ServerState>, caller: Caller) -> HandlerResult<Json<CodeRootList>> {
    Ok(Json(workspaces(&app)?.roots(caller.user).await?))
}

async fn choose(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<CodeRootRequest>,
) -> HandlerResult<Json<CodeRootList>> {
    let path = app.config.expanded(request.path.trim());
    let session = workspaces(&app)?.select(caller.user, &path).await?;
    chosen(&app, &caller, session).await
}

/// The folder in which to look. Without a path, it is the user's home.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct FolderQuery {
    #[serde(default)]
    path: String,
}

async fn folders(
    State(app): State<ServerState>,
    QueryParams(query): QueryParams<FolderQuery>,
) -> HandlerResult<Json<FolderList>> {
    let wanted = match query.path.trim() {
        "" => "~",
        path => path,
    };
    let path = app.config.expanded(wanted);
    if !path.is_absolute() {
        return Err(Refusal::bad_request(format!("{wanted} is not an absolute path: begin with / or ~")));
    }
    let name = path.display().to_string();
    let listed = tokio::task::spawn_blocking(move || workspace::folders(&path)).await;
    let listed = listed.map_err(|error| Refusal::new(ErrorCode::Internal, error.to_string()))?;
    let list = listed.map_err(|error| {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such folder",
            std::io::ErrorKind::PermissionDenied => "access is denied",
            _ => "it cannot be opened as a folder",
        };
        Refusal::bad_request(format!("{name}: {why}"))
    })?;
    Ok(Json(list))
}

/// Returns the workspaces, with the selected one as current.
async fn chosen(
    app: &ServerState,
    caller: &Caller,
    session: Arc<WorkspaceSession>,
) -> HandlerResult<Json<CodeRootList>> {
    let current = Some(session.root());
    update_index(session);
    Ok(Json(CodeRootList { current, ..workspaces(app)?.roots(caller.user).await? }))
}

/// Updates the index in the background.
fn update_index(session: Arc<WorkspaceSession>) {
    tokio::spawn(async move {
        if let Err(error) = session.ready().await {
            tracing::warn!("the index of {} cannot be built: {error}", session.root());
        }
    });
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct PathQuery {
    path: String,
    root: Option<String>,
}

/// The workspace; without one, the last used one.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct RootQuery {
    root: Option<String>,
}

async fn leave(
    State(app): State<ServerState>,
    caller: Caller,
    QueryParams(query): QueryParams<PathQuery>,
) -> HandlerResult<StatusCode> {
    workspaces(&app)?.remove(caller.user, &query.path).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn include(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<IncludeRequest>,
) -> HandlerResult<Json<CodeRootList>> {
    let session = workspaces(&app)?.include(caller.user, request.root.as_deref(), &request.paths).await?;
    chosen(&app, &caller, session).await
}

async fn files(
    State(app): State<ServerState>,
    caller: Caller,
    QueryParams(query): QueryParams<RootQuery>,
) -> HandlerResult<Json<CodeFileList>> {
    match session(&app, &caller, query.root.as_deref()).await {
        Ok(session) => Ok(Json(session.files().await?)),
        // No folder is selected yet, so there are no files.
        Err(refusal) if refusal.code == ErrorCode::Conflict => Ok(Json(CodeFileList::default())),
        Err(refusal) => Err(refusal),
    }
}

async fn file(
    State(app): State<ServerState>,
    caller: Caller,
    QueryParams(query): QueryParams<PathQuery>,
) -> HandlerResult<Json<CodeFileView>> {
    Ok(Json(session(&app, &caller, query.root.as_deref()).await?.file(&query.path).await?))
}

async fn save(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<SaveFileRequest>,
) -> HandlerResult<Json<CodeFileView>> {
    Ok(Json(session(&app, &caller, request.root.as_deref()).await?.save(request).await?))
}

async fn run(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<CodeRunRequest>,
) -> HandlerResult<Response> {
    if request.command.trim().is_empty() {
        return Err(Refusal::bad_request("the command is empty"));
    }
    let log = app.companion.run_in_workspace(caller.user, request).await?;
    Ok(sse::turn(&log, 0, app.ends_with(&caller)))
}

async fn verify(
    State(app): State<ServerState>,
    caller: Caller,
    JsonBody(request): JsonBody<VerifyRequest>,
) -> HandlerResult<Response> {
    let log = app.companion.verify_workspace(caller.user, request).await?;
    Ok(sse::turn(&log, 0, app.ends_with(&caller)))
}

async fn proposals(
    State(app): State<ServerState>,
    caller: Caller,
    QueryParams(query): QueryParams<RootQuery>,
) -> HandlerResult<Json<ProposalList>> {
    Ok(Json(ProposalList { proposals: workspaces(&app)?.list_proposals(caller.user, query.root).await? }))
}

async fn proposal_of(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<ProposalId>,
) -> HandlerResult<Json<Proposal>> {
    Ok(Json(workspaces(&app)?.proposal(caller.user, id).await?))
}

async fn apply(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<ProposalId>,
    JsonBody(request): JsonBody<ApplyRequest>,
) -> HandlerResult<Json<Proposal>> {
    workspaces(&app)?.apply_proposal(caller.user, id, request).await?;
    proposal_of(State(app), caller, PathParams(id)).await
}

async fn reject(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<ProposalId>,
) -> HandlerResult<Json<Proposal>> {
    workspaces(&app)?.proposals().reject(caller.user, id).await?;
    proposal_of(State(app), caller, PathParams(id)).await
}

async fn undo(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<ProposalId>,
) -> HandlerResult<Json<Proposal>> {
    if let Some((conversation, last)) = workspaces(&app)?.undo_proposal(caller.user, id).await? {
        rewind(&app, &caller, conversation, Some(last)).await?;
    }
    proposal_of(State(app), caller, PathParams(id)).await
}

async fn redo(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<ProposalId>,
) -> HandlerResult<Json<Proposal>> {
    workspaces(&app)?.proposals().redo(caller.user, id).await?;
    proposal_of(State(app), caller, PathParams(id)).await
}

async fn rebase(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<ProposalId>,
) -> HandlerResult<Json<Proposal>> {
    workspaces(&app)?.proposals().rebase(caller.user, id).await?;
    proposal_of(State(app), caller, PathParams(id)).await
}

async fn history(
    State(app): State<ServerState>,
    caller: Caller,
    QueryParams(query): QueryParams<RootQuery>,
) -> HandlerResult<Json<CodeHistory>> {
    Ok(Json(workspaces(&app)?.history(caller.user, query.root).await?))
}

/// Restores files and conversation together. Returns the proposal that undoes it, or nothing if the files did not
/// change.
async fn restore(
    State(app): State<ServerState>,
    caller: Caller,
    PathParams(id): PathParams<CheckpointId>,
) -> HandlerResult<Json<Option<Proposal>>> {
    let workspaces = workspaces(&app)?;
    let checkpoint = workspaces.checkpoint(caller.user, id).await?;
    let before = match checkpoint.conversation {
        Some(conversation) => rewind(&app, &caller, conversation, checkpoint.message).await?,
        None => None,
    };
    let restored = workspaces.restore_checkpoint(caller.user, &checkpoint, before.flatten()).await;
    if let (Err(_), Some(conversation), Some(before)) = (&restored, checkpoint.conversation, before) {
        rewind(&app, &caller, conversation, before).await?;
    }
    match restored? {
        Some(proposal) => Ok(Json(Some(workspaces.proposal(caller.user, proposal).await?))),
        None if before.is_some_and(|before| before != checkpoint.message) => Ok(Json(None)),
        None => Err(WorkspaceSessionError::AlreadyThere.into()),
    }
}

/// Returns the message that was the last one before. `None` if the conversation no longer exists.
async fn rewind(
    app: &ServerState,
    caller: &Caller,
    conversation: ConversationId,
    last: Option<MessageId>,
) -> HandlerResult<Option<Option<MessageId>>> {
    match app.store.rewind(caller.user, conversation, last).await {
        Ok(before) => Ok(Some(before)),
        Err(StoreError::NotFound(_)) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

impl From<WorkspaceSessionError> for Refusal {
    fn from(error: WorkspaceSessionError) -> Self {
        let code = match error {
            WorkspaceSessionError::Store(error) => return error.into(),
            WorkspaceSessionError::Proposal(error) => return error.into(),
            WorkspaceSessionError::NoRoot
            | WorkspaceSessionError::AlreadyThere
            | WorkspaceSessionError::Changed(_) => ErrorCode::Conflict,
            WorkspaceSessionError::Checkpoint(CheckpointError::Gone)
            | WorkspaceSessionError::Edit(EditSessionError::Overlay(OverlayError::Missing(_))) => {
                ErrorCode::NotFound
            }
            WorkspaceSessionError::Workspace(_) | WorkspaceSessionError::Edit(_) => ErrorCode::BadRequest,
            WorkspaceSessionError::Index(_)
            | WorkspaceSessionError::Checkpoint(_)
            | WorkspaceSessionError::Interrupted => ErrorCode::Internal,
        };
        Self::because(code, &error)
    }
}

impl From<ProposalError> for Refusal {
    fn from(error: ProposalError) -> Self {
        let code = match error {
            ProposalError::Store(error) => return error.into(),
            ProposalError::Nothing
            | ProposalError::NoSuchFile(_)
            | ProposalError::NoSuchHunk { .. }
            | ProposalError::NothingChosen
            | ProposalError::NotEditable(_)
            | ProposalError::TooLarge(_)
            | ProposalError::Path(_) => ErrorCode::BadRequest,
            ProposalError::Write(_) | ProposalError::NotRecorded(_) | ProposalError::Interrupted(_) => {
                ErrorCode::Internal
            }
            _ => ErrorCode::Conflict,
        };
        Self::because(code, &error)
    }
}
