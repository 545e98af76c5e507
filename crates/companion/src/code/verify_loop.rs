//! The verify loop of a code run: a model that only talks is reminded once, its changes are built and tested, errors
//! are returned to it, and all changes become one proposal at the end.

use std::sync::Arc;
use std::time::Instant;

use edits::TextFile;
use protocol::{
    ApplyMode, CodeAction, CodeDiff, CodeMeta, CodeMode, Event, PlanStep, ProposalId, StepStatus,
    VerifyOutcome, VerifyReport,
};
use serde_json::{Map, Value};
use verify::{RepairDecision, RepairPolicy, VerifyResult};
use workspace::{EditSession, FileDiff, Overlay, ProposalMeta, WorkspacePath, WorkspaceSession};

use super::code_blocks;
use super::instructions::{self, EditMethod};
use crate::metrics::millis;
use crate::requested_call::RequestedCall;
use crate::services::Services;
use crate::tool_executor::ToolExecutor;
use crate::turn_log::TurnLog;

/// The greatest length of a title, in characters.
const LONGEST_TITLE: usize = 80;

/// The state of a code run alongside the round loop.
pub struct VerifyLoop {
    run: CodeRun,
    /// The fingerprints of the errors that the model was asked to repair.
    repaired: Vec<u64>,
    began: Instant,
    reminded: bool,
    /// The changes that were verified last, and the report.
    verified: Option<(Overlay, VerifyReport)>,
}

/// The parameters of a code run.
pub struct CodeRun {
    pub workspace: Arc<WorkspaceSession>,
    pub session: Arc<EditSession>,
    pub mode: CodeMode,
    pub edit_method: EditMethod,
    /// The file that a code block without a name belongs to.
    pub target: Option<WorkspacePath>,
    pub apply: ApplyMode,
    /// The text of the request.
    pub request: String,
    /// True if changes are built and tested.
    pub verifies: bool,
    pub repairs: u32,
    /// The undecided proposal that the run continues, with its changes.
    pub open: Option<(ProposalId, Overlay)>,
    /// The name of the model, under which the success of its edits is recorded. Empty if nothing is recorded.
    pub model: String,
}

impl VerifyLoop {
    pub fn new(run: CodeRun) -> Self {
        Self { run, repaired: Vec::new(), began: Instant::now(), reminded: false, verified: None }
    }

    /// Handles a reply without tool calls. Returns a message to the model if the run must continue; `None` if the reply
    /// is the answer.
    pub async fn after_text(
        &mut self,
        text: &str,
        executor: &mut ToolExecutor<'_>,
        log: &TurnLog,
    ) -> Option<String> {
        if !matches!(self.run.mode, CodeMode::Agent | CodeMode::Repair) {
            return None;
        }
        let missing = self.write_files(text, executor).await;
        if let Some(missing) = missing.filter(|_| !self.reminded) {
            self.reminded = true;
            return Some(missing);
        }
        if self.has_changed_nothing() {
            let wanted = self.run.mode == CodeMode::Repair || instructions::wants_change(&self.run.request);
            return (wanted && !std::mem::replace(&mut self.reminded, true))
                .then(|| instructions::reminder(self.run.edit_method).to_owned());
        }
        if !self.needs_verification() {
            return None;
        }
        let result = self.verify(log).await?;
        let policy = RepairPolicy { most: self.run.repairs as usize };
        match policy.decide(&self.repaired, &result) {
            RepairDecision::Repair(ask) => {
                self.repaired.push(ask.fingerprint);
                Some(ask.to_string())
            }
            RepairDecision::SameError
            | RepairDecision::LimitReached
            | RepairDecision::NotFixable
            | RepairDecision::NothingToFix => None,
        }
    }

    /// Returns true if there are changes that should be built and tested and were not.
    fn needs_verification(&self) -> bool {
        let overlay = self.run.session.overlay();
        let seen = self.verified.as_ref().is_some_and(|(seen, _)| seen.changes() == overlay.changes());
        self.run.verifies && !seen && !overlay.changes().is_empty()
    }

    async fn verify(&mut self, log: &TurnLog) -> Option<VerifyResult> {
        let CodeRun { workspace, session, .. } = &self.run;
        let overlay = session.overlay();
        let changed: Vec<WorkspacePath> = overlay.changes().keys().cloned().collect();
        let verified = workspace.verify(session, &changed, log.cancelled(), &|event| log.push(event)).await;
        self.verified = Some((overlay, verified.report));
        verified.result
    }

    /// Returns true if the changes may be applied without a review: they passed, there was nothing to run, or
    /// verification is off.
    fn may_apply(&self, report: Option<&VerifyReport>) -> bool {
        let passed =
            |report: &VerifyReport| matches!(report.outcome, VerifyOutcome::Passed | VerifyOutcome::Nothing);
        !self.run.verifies || report.is_some_and(passed)
    }

    /// Writes the files in a reply through the `write_file` tool, so they pass the permission check. A file that lacks
    /// definitions of its previous version is not written; in that case a message to the model is returned.
    async fn write_files(&self, text: &str, executor: &mut ToolExecutor<'_>) -> Option<String> {
        // A model with tools writes code into its answer only to show it.
        if self.run.edit_method == EditMethod::Tools {
            return None;
        }
        let mut files = code_blocks::files(text, self.run.target.as_ref().map(WorkspacePath::as_str));
        let mut incomplete = None;
        if !instructions::wants_less(&self.run.request) {
            files.retain(|file| {
                let before = self.content(&file.path).unwrap_or_default();
                let missing = code_blocks::left_out(&file.path, &before, &file.content);
                if !missing.is_empty() {
                    incomplete = Some(instructions::incomplete(&file.path, &missing));
                }
                missing.is_empty()
            });
        }
        if files.is_empty() {
            return incomplete;
        }
        let calls = files.into_iter().map(|file| {
            let arguments = Map::from_iter([
                ("path".to_owned(), Value::String(file.path)),
                ("content".to_owned(), Value::String(file.content)),
            ]);
            RequestedCall::new("write_file", arguments)
        });
        executor.execute(calls.collect()).await;
        incomplete
    }

    fn content(&self, path: &str) -> Option<String> {
        let bytes = self.run.session.overlay().read(&WorkspacePath::parse(path).ok()?).ok()??;
        TextFile::read(&bytes).ok().map(|file| file.text)
    }

    pub fn has_changed_nothing(&self) -> bool {
        self.run.session.overlay().changes().is_empty()
    }

    /// Ends the run: creates the proposal, applies it if that was requested, and reports the result. Returns the steps
    /// in plan mode.
    pub async fn end(mut self, services: &Services, log: &TurnLog, text: &str, ok: bool) -> Vec<PlanStep> {
        let is_stopped = log.cancelled().is_cancelled();
        if self.needs_verification() && !is_stopped {
            // The run was cut short before verification; the user still needs the report.
            self.verify(log).await;
        }
        let ok = ok && !is_stopped;
        if !self.run.model.is_empty() {
            self.record_formats(services).await;
        }
        let overlay = self.run.session.overlay();
        let mut summary = last_paragraph(text);
        let mut proposal = None;
        let report = self
            .verified
            .as_ref()
            .filter(|(seen, _)| seen.changes() == overlay.changes())
            .map(|(_, report)| report);
        let mut requires_approval = false;
        let open = self.run.open.as_ref();
        if let Some((id, _)) = open.filter(|(_, before)| before.changes() == overlay.changes()) {
            // The run added nothing to the pending proposal.
            (proposal, requires_approval) = (Some(*id), true);
        } else if !overlay.changes().is_empty() {
            match self.propose(services, log, &overlay, &summary, report).await {
                Ok(id) => {
                    proposal = Some(id);
                    requires_approval = true;
                    if let Some((before, _)) = open {
                        self.run.workspace.supersede(log.user, *before).await;
                    }
                    if self.run.apply == ApplyMode::Auto && ok && self.may_apply(report) {
                        match self.run.workspace.apply_all(log.user, id).await {
                            Ok(()) => requires_approval = false,
                            Err(error) => summary = format!("{summary} It could not be applied: {error}."),
                        }
                    }
                }
                Err(error) => summary = format!("{summary} The changes could not be kept: {error}."),
            }
        } else if let Some((before, _)) = open {
            self.run.workspace.supersede(log.user, *before).await;
        }
        let verified = report.is_none_or(|report| {
            !matches!(
                report.outcome,
                VerifyOutcome::Failed | VerifyOutcome::TimedOut | VerifyOutcome::Stopped
            )
        });
        let actions = self.run.session.recorded_edits();
        // A run whose attempted actions failed and that changed nothing did not fulfil the request.
        let has_failed = overlay.changes().is_empty() && actions.iter().any(|action| !action.ok);
        let changes = overlay.changes().iter();
        let diffs = changes.map(|(path, change)| CodeDiff {
            path: path.to_string(),
            diff: FileDiff::of(change.before.as_deref(), change.after.as_deref()).to_unified(path),
        });
        let actions = actions.into_iter().map(|action| CodeAction {
            name: action.tool.to_owned(),
            strategy: action.strategy().map(|strategy| strategy.name().to_owned()),
            path: action.path.map(|path| path.to_string()),
            ok: action.ok,
        });
        let meta = CodeMeta {
            ok: ok && verified && !has_failed,
            summary,
            files: overlay.changes().keys().map(ToString::to_string).collect(),
            diffs: diffs.collect(),
            actions: actions.collect(),
            duration_ms: millis(self.began.elapsed()),
            proposal_id: proposal,
            requires_approval,
            mode: Some(self.run.mode),
            root: Some(self.run.workspace.root()),
        };
        report_result(services, log, meta).await;
        if self.run.mode == CodeMode::Plan { steps(text) } else { Vec::new() }
    }

    /// Records the success of the model's edits by format.
    async fn record_formats(&self, services: &Services) {
        for (format, tries) in self.run.session.format_tries() {
            for number in 0..tries.made {
                let failed = number < tries.refused;
                if let Err(error) =
                    services.store.note_code_format(&self.run.model, format.name(), failed).await
                {
                    tracing::warn!("the outcome of an edit was not recorded: {error}");
                }
            }
        }
    }

    async fn propose(
        &self,
        services: &Services,
        log: &TurnLog,
        overlay: &Overlay,
        summary: &str,
        report: Option<&VerifyReport>,
    ) -> Result<ProposalId, String> {
        let title: String =
            self.run.request.lines().next().unwrap_or_default().chars().take(LONGEST_TITLE).collect();
        let meta = ProposalMeta {
            conversation: Some(log.conversation),
            message: Some(log.message),
            turn: Some(log.id),
            title,
            summary: summary.to_owned(),
        };
        let (id, files) = self.run.workspace.propose(log.user, overlay, meta, report).await?;
        log.push(Event::Proposal { id, files });
        let failed = report.filter(|report| report.outcome == VerifyOutcome::Failed);
        self.run.workspace.add_notes(log.user, summary, overlay, failed).await;
        services.feed.tell(log.user, protocol::Push::CodeChanged { root: self.run.workspace.root() });
        Ok(id)
    }
}

/// Returns the events to show when the conversation is opened again. Diffs are left out, because the proposal has them.
fn events_to_keep(log: &TurnLog) -> Vec<Event> {
    const MOST_OUTPUT: usize = 4_000;
    let kept = |event: Event| match event {
        Event::Context { .. } | Event::Proposal { .. } => Some(event),
        Event::Meta(meta) => Some(Event::Meta(CodeMeta { diffs: Vec::new(), ..meta })),
        Event::Verify { stage, ok: Some(ok), output, errors } => {
            // Keeps the command and the end of its output.
            let (command, printed) = output.split_once('\n').unwrap_or((&output, ""));
            let from = printed.ceil_char_boundary(printed.len().saturating_sub(MOST_OUTPUT));
            let output = format!("{command}\n{}", &printed[from..]);
            Some(Event::Verify { stage, ok: Some(ok), output, errors })
        }
        _ => None,
    };
    log.since(1).into_iter().filter_map(kept).collect()
}

/// Reports the result of the work and stores the events to show later.
pub async fn report_result(services: &Services, log: &TurnLog, meta: CodeMeta) {
    log.push(Event::Meta(meta));
    if let Err(error) = services.store.keep_work(log.id, events_to_keep(log)).await {
        tracing::warn!("the events of a code run were not stored: {error}");
    }
}

/// Returns the last paragraph, shortened to 400 characters.
fn last_paragraph(text: &str) -> String {
    const LONGEST: usize = 400;
    let last = text.trim().rsplit("\n\n").find(|part| !part.trim().is_empty()).unwrap_or_default();
    let mut text: String = last.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Returns the plan in a reply as pending steps.
fn steps(text: &str) -> Vec<PlanStep> {
    let steps = instructions::checklist(text).into_iter();
    steps.map(|title| PlanStep { title, status: StepStatus::Pending }).collect()
}
