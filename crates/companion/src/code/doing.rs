//! Actions that the user starts directly in a workspace: running a command, or building and testing.

use std::sync::Arc;
use std::time::Instant;

use dialect::Arguments;
use protocol::{
    ApplyMode, CodeMeta, CodeMode, CodeRunRequest, Event, StopReason, UserId, VerifyOutcome, VerifyRequest,
};
use serde_json::{Map, Value};
use tools::Taint;
use workspace::{Access, Bench, Desk, Session, WorkspacePath};

use super::errand::{Errand, Order, conclude};
use super::prompting::Manner;
use super::refused;
use crate::acting::{Acting, Done, Wanted};
use crate::companion::{Companion, Inner};
use crate::error::CompanionError;
use crate::kit::Kit;
use crate::turn::millis;
use crate::turns::TurnLog;

impl Companion {
    /// Runs a command of the user in their workspace. It passes the permission check, and its changes become a
    /// proposal.
    pub async fn run_in_workspace(
        &self,
        user: UserId,
        request: CodeRunRequest,
    ) -> Result<Arc<TurnLog>, CompanionError> {
        let CodeRunRequest { command, root } = request;
        let bench = self.bench(user, root.as_deref()).await?;
        self.aside(user, move |inner, log| async move {
            let session = Arc::new(bench.session(Access::Change));
            let errand = Errand::new(Order {
                bench: Arc::clone(&bench),
                session: Arc::clone(&session),
                mode: CodeMode::Agent,
                manner: Manner::Tools,
                target: None,
                apply: ApplyMode::Ask,
                request: format!("$ {command}"),
                verifies: false,
                repairs: 0,
                open: None,
                model: String::new(),
            });
            let kit = Kit::of_mode(bench.tools(&session).map_err(CompanionError::Failed)?, &[]);
            // The user typed the command, so no untrusted content caused it and the taint is empty.
            let acting = Acting::new(&inner, &log, false, Taint::default(), Vec::new()).await?;
            let arguments = Map::from_iter([("command".to_owned(), Value::String(command.clone()))]);
            let arguments = Ok(Arguments::Named(arguments));
            let wanted = Wanted { call: None, name: "run_terminal_cmd".into(), arguments, at: 0 };
            let mut acting = acting.with_kit(Arc::new(kit));
            let done = acting.perform(vec![wanted]).await;
            errand.end(&inner, &log, "", !done.iter().any(Done::is_failed)).await;
            Ok(())
        })
    }

    /// Builds and tests the workspace as it is, or with the changes of a proposal.
    pub async fn verify_workspace(
        &self,
        user: UserId,
        request: VerifyRequest,
    ) -> Result<Arc<TurnLog>, CompanionError> {
        let bench = self.bench(user, request.root.as_deref()).await?;
        let desk = self.desk().cloned().ok_or_else(|| refused("there are no workspaces here"))?;
        let paths: Vec<WorkspacePath> = request
            .paths
            .iter()
            .map(|path| WorkspacePath::parse(path))
            .collect::<Result<_, _>>()
            .map_err(refused)?;
        let session = bench.session(Access::Read);
        if let Some(id) = request.proposal_id {
            session.replace_overlay(desk.proposed(user, id).await.map_err(refused)?);
        }
        self.aside(user, move |inner, log| async move {
            verify(&inner, &desk, &bench, &session, paths, request, &log).await
        })
    }

    async fn bench(&self, user: UserId, root: Option<&str>) -> Result<Arc<Bench>, CompanionError> {
        let desk = self.desk().ok_or_else(|| refused("there are no workspaces here"))?;
        desk.known(user, root).await.map_err(refused)
    }

    /// Runs work that can be followed like a turn but belongs to no conversation.
    fn aside<F: Future<Output = Result<(), CompanionError>> + Send>(
        &self,
        user: UserId,
        work: impl FnOnce(Arc<Inner>, Arc<TurnLog>) -> F + Send + 'static,
    ) -> Result<Arc<TurnLog>, CompanionError> {
        let log = self.unkept(user)?;
        let (task, inner) = (Arc::clone(&log), Arc::clone(self.inner()));
        self.inner().tasks.spawn(async move {
            let begun = inner.works.begin();
            let last = match work(Arc::clone(&inner), Arc::clone(&task)).await {
                Ok(()) => Event::Done {
                    conversation_id: task.conversation,
                    message_id: task.message,
                    stop_reason: if task.cancelled().is_cancelled() {
                        StopReason::Stopped
                    } else {
                        StopReason::End
                    },
                },
                Err(error) => Event::Error { message: error.to_string(), code: error.code() },
            };
            task.push(last);
            inner.turns.leave(&task);
            inner.end_work(begun).await;
        });
        Ok(log)
    }
}

async fn verify(
    inner: &Inner,
    desk: &Desk,
    bench: &Bench,
    session: &Session,
    mut paths: Vec<WorkspacePath>,
    request: VerifyRequest,
    log: &TurnLog,
) -> Result<(), CompanionError> {
    let began = Instant::now();
    paths.extend(session.overlay().changes().keys().cloned());
    let verified = bench.verify(session, &paths, log.cancelled(), &|event| log.push(event)).await;
    if let Some(id) = request.proposal_id {
        desk.note_verified(log.user, id, &verified.report).await.map_err(refused)?;
    }
    let ok = matches!(verified.report.outcome, VerifyOutcome::Passed | VerifyOutcome::Nothing);
    log.push(Event::Token { content: verified.report.summary.clone() });
    let summary = verified.report.summary;
    let duration_ms = millis(began.elapsed());
    conclude(inner, log, CodeMeta { ok, summary, duration_ms, ..CodeMeta::default() }).await;
    Ok(())
}
