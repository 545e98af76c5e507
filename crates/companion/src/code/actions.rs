//! Actions that the user starts directly in a workspace: running a command, or building and testing.

use std::sync::Arc;
use std::time::Instant;

use protocol::{ApplyMode, CodeMeta, CodeMode, CodeRunRequest, Event, UserId, VerifyOutcome, VerifyRequest};
use serde_json::{Map, Value};
use tools::Taint;
use workspace::{EditAccess, EditSession, OpenWorkspaces, WorkspacePath, WorkspaceSession};

use super::instructions::EditMethod;
use super::verify_loop::{CodeRun, VerifyLoop, report_result};
use crate::error::CompanionError;
use crate::metrics::millis;
use crate::requested_call::RequestedCall;
use crate::services::Services;
use crate::tool_executor::{CallOutcome, ToolExecutor};
use crate::tool_set::ToolSet;
use crate::turn_log::TurnLog;
use crate::unstored_turns::{UnstoredTurns, last_event};

/// Runs actions in workspaces, each in a turn that is not stored.
pub struct CodeActions {
    turns: UnstoredTurns,
}

impl CodeActions {
    pub fn new(turns: UnstoredTurns) -> Self {
        Self { turns }
    }

    /// Runs a command of the user in their workspace. It passes the permission check, and its changes become a
    /// proposal.
    pub async fn run_command(
        &self,
        user: UserId,
        request: CodeRunRequest,
    ) -> Result<Arc<TurnLog>, CompanionError> {
        let CodeRunRequest { command, root } = request;
        let services = Arc::clone(&self.turns.services);
        let workspace =
            services.workspaces()?.get(user, root.as_deref()).await.map_err(CompanionError::refused)?;
        self.turns.begin(user, move |log| async move {
            let result = run_command(&services, &workspace, &log, command).await;
            last_event(&log, result)
        })
    }

    /// Builds and tests the workspace as it is, or with the changes of a proposal.
    pub async fn verify(&self, user: UserId, request: VerifyRequest) -> Result<Arc<TurnLog>, CompanionError> {
        let services = Arc::clone(&self.turns.services);
        let workspaces = services.workspaces()?.clone();
        let workspace =
            workspaces.get(user, request.root.as_deref()).await.map_err(CompanionError::refused)?;
        let paths: Vec<WorkspacePath> = request
            .paths
            .iter()
            .map(|path| WorkspacePath::parse(path))
            .collect::<Result<_, _>>()
            .map_err(CompanionError::refused)?;
        let session = workspace.edit_session(EditAccess::Read);
        if let Some(id) = request.proposal_id {
            session.replace_overlay(
                workspaces.proposal_overlay(user, id).await.map_err(CompanionError::refused)?,
            );
        }
        self.turns.begin(user, move |log| async move {
            let result = verify(&services, (&workspaces, &workspace, &session), paths, request, &log).await;
            last_event(&log, result)
        })
    }
}

async fn run_command(
    services: &Arc<Services>,
    workspace: &Arc<WorkspaceSession>,
    log: &Arc<TurnLog>,
    command: String,
) -> Result<(), CompanionError> {
    let session = Arc::new(workspace.edit_session(EditAccess::Change));
    let verify_loop = VerifyLoop::new(CodeRun {
        workspace: Arc::clone(workspace),
        session: Arc::clone(&session),
        mode: CodeMode::Agent,
        edit_method: EditMethod::Tools,
        target: None,
        apply: ApplyMode::Ask,
        request: format!("$ {command}"),
        verifies: false,
        repairs: 0,
        open: None,
        model: String::new(),
    });
    let tools = ToolSet::of_mode(workspace.tools(&session).map_err(CompanionError::Failed)?, &[]);
    // The user typed the command, so no untrusted content caused it and the taint is empty.
    let executor = ToolExecutor::new(services, log, false, Taint::default(), Vec::new()).await?;
    let mut executor = executor.with_tools(Arc::new(tools));
    let arguments = Map::from_iter([("command".to_owned(), Value::String(command))]);
    let outcomes = executor.execute(vec![RequestedCall::new("run_terminal_cmd", arguments)]).await;
    verify_loop.end(services, log, "", !outcomes.iter().any(CallOutcome::is_failed)).await;
    Ok(())
}

async fn verify(
    services: &Services,
    (workspaces, workspace, session): (&OpenWorkspaces, &WorkspaceSession, &EditSession),
    mut paths: Vec<WorkspacePath>,
    request: VerifyRequest,
    log: &TurnLog,
) -> Result<(), CompanionError> {
    let began = Instant::now();
    paths.extend(session.overlay().changes().keys().cloned());
    let verified = workspace.verify(session, &paths, log.cancelled(), &|event| log.push(event)).await;
    if let Some(id) = request.proposal_id {
        workspaces
            .record_verification(log.user, id, &verified.report)
            .await
            .map_err(CompanionError::refused)?;
    }
    let ok = matches!(verified.report.outcome, VerifyOutcome::Passed | VerifyOutcome::Nothing);
    log.push(Event::Token { content: verified.report.summary.clone() });
    let summary = verified.report.summary;
    let duration_ms = millis(began.elapsed());
    report_result(services, log, CodeMeta { ok, summary, duration_ms, ..CodeMeta::default() }).await;
    Ok(())
}
