//! The verify loop of a code run: a model that only talks is reminded once, its changes are built and tested, errors
//! are returned to it, and all changes become one proposal at the end.

use std::sync::Arc;
use std::time::Instant;

use dialect::Arguments;
use edits::TextFile;
use protocol::{
    ApplyMode, CodeAction, CodeDiff, CodeMeta, CodeMode, Event, PlanStep, ProposalId, StepStatus,
    VerifyOutcome, VerifyReport,
};
use serde_json::{Map, Value};
use workspace::verify::{Next, Repair, Verdict};
use workspace::{Bench, FileDiff, Overlay, ProposalMeta, Session, WorkspacePath};

use super::fences;
use super::prompting::{self, Manner};
use crate::acting::{Acting, Wanted};
use crate::companion::Inner;
use crate::turn::millis;
use crate::turns::TurnLog;

/// The greatest length of a title, in characters.
const LONGEST_TITLE: usize = 80;

/// The state of a code run alongside the round loop.
pub struct Errand {
    order: Order,
    /// The fingerprints of the errors that the model was asked to repair.
    mended: Vec<u64>,
    began: Instant,
    nudged: bool,
    /// The changes that were verified last, and the report.
    verified: Option<(Overlay, VerifyReport)>,
}

/// The parameters of a code run.
pub struct Order {
    pub bench: Arc<Bench>,
    pub session: Arc<Session>,
    pub mode: CodeMode,
    pub manner: Manner,
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

impl Errand {
    pub fn new(order: Order) -> Self {
        Self { order, mended: Vec::new(), began: Instant::now(), nudged: false, verified: None }
    }

    /// Handles a reply without tool calls. Returns a message to the model if the run must continue; `None` if the reply
    /// is the answer.
    pub async fn after_words(
        &mut self,
        words: &str,
        acting: &mut Acting<'_>,
        log: &TurnLog,
    ) -> Option<String> {
        if !matches!(self.order.mode, CodeMode::Agent | CodeMode::Repair) {
            return None;
        }
        let missing = self.take_files(words, acting).await;
        if let Some(missing) = missing.filter(|_| !self.nudged) {
            self.nudged = true;
            return Some(missing);
        }
        if self.has_changed_nothing() {
            let wanted = self.order.mode == CodeMode::Repair || prompting::wants_change(&self.order.request);
            return (wanted && !std::mem::replace(&mut self.nudged, true))
                .then(|| prompting::nudge(self.order.manner).to_owned());
        }
        if !self.is_unverified() {
            return None;
        }
        let verdict = self.verify(log).await?;
        let repair = Repair { most: self.order.repairs as usize };
        match repair.next(&self.mended, &verdict) {
            Next::Repair(ask) => {
                self.mended.push(ask.fingerprint);
                Some(ask.to_string())
            }
            Next::StopSame | Next::StopEnough | Next::StopBeyond | Next::Done => None,
        }
    }

    /// Returns true if there are changes that should be built and tested and were not.
    fn is_unverified(&self) -> bool {
        let overlay = self.order.session.overlay();
        let seen = self.verified.as_ref().is_some_and(|(seen, _)| seen.changes() == overlay.changes());
        self.order.verifies && !seen && !overlay.changes().is_empty()
    }

    async fn verify(&mut self, log: &TurnLog) -> Option<Verdict> {
        let Order { bench, session, .. } = &self.order;
        let overlay = session.overlay();
        let changed: Vec<WorkspacePath> = overlay.changes().keys().cloned().collect();
        let verified = bench.verify(session, &changed, log.cancelled(), &|event| log.push(event)).await;
        self.verified = Some((overlay, verified.report));
        verified.verdict
    }

    /// Returns true if the changes may be applied without a review: they passed, there was nothing to run, or
    /// verification is off.
    fn may_land(&self, report: Option<&VerifyReport>) -> bool {
        let passed =
            |report: &VerifyReport| matches!(report.outcome, VerifyOutcome::Passed | VerifyOutcome::Nothing);
        !self.order.verifies || report.is_some_and(passed)
    }

    /// Writes the files in a reply through the `write_file` tool, so they pass the permission check. A file that lacks
    /// definitions of its previous version is not written; in that case a message to the model is returned.
    async fn take_files(&self, words: &str, acting: &mut Acting<'_>) -> Option<String> {
        // A model with tools writes code into its answer only to show it.
        if self.order.manner == Manner::Tools {
            return None;
        }
        let mut files = fences::files(words, self.order.target.as_ref().map(WorkspacePath::as_str));
        let mut incomplete = None;
        if !prompting::wants_less(&self.order.request) {
            files.retain(|file| {
                let before = self.text(&file.path).unwrap_or_default();
                let missing = fences::left_out(&file.path, &before, &file.content);
                if !missing.is_empty() {
                    incomplete = Some(prompting::incomplete(&file.path, &missing));
                }
                missing.is_empty()
            });
        }
        if files.is_empty() {
            return incomplete;
        }
        let wanted = files.into_iter().map(|file| {
            let arguments = Map::from_iter([
                ("path".to_owned(), Value::String(file.path)),
                ("content".to_owned(), Value::String(file.content)),
            ]);
            Wanted {
                call: None,
                name: "write_file".into(),
                arguments: Ok(Arguments::Named(arguments)),
                at: 0,
            }
        });
        acting.perform(wanted.collect()).await;
        incomplete
    }

    fn text(&self, path: &str) -> Option<String> {
        let bytes = self.order.session.overlay().read(&WorkspacePath::parse(path).ok()?).ok()??;
        TextFile::read(&bytes).ok().map(|file| file.text)
    }

    pub fn has_changed_nothing(&self) -> bool {
        self.order.session.overlay().changes().is_empty()
    }

    /// Ends the run: creates the proposal, applies it if that was requested, and reports the result. Returns the steps
    /// in plan mode.
    pub async fn end(mut self, inner: &Inner, log: &TurnLog, words: &str, ok: bool) -> Vec<PlanStep> {
        let is_stopped = log.cancelled().is_cancelled();
        if self.is_unverified() && !is_stopped {
            // The run was cut short before verification; the user still needs the report.
            self.verify(log).await;
        }
        let ok = ok && !is_stopped;
        if !self.order.model.is_empty() {
            self.note_formats(inner).await;
        }
        let overlay = self.order.session.overlay();
        let mut summary = first_words(words);
        let mut proposal = None;
        let report = self
            .verified
            .as_ref()
            .filter(|(seen, _)| seen.changes() == overlay.changes())
            .map(|(_, report)| report);
        let mut requires_approval = false;
        let open = self.order.open.as_ref();
        if let Some((id, _)) = open.filter(|(_, before)| before.changes() == overlay.changes()) {
            // The run added nothing to the pending proposal.
            (proposal, requires_approval) = (Some(*id), true);
        } else if !overlay.changes().is_empty() {
            match self.propose(inner, log, &overlay, &summary, report).await {
                Ok(id) => {
                    proposal = Some(id);
                    requires_approval = true;
                    if let Some((before, _)) = open {
                        self.order.bench.supersede(log.user, *before).await;
                    }
                    if self.order.apply == ApplyMode::Auto && ok && self.may_land(report) {
                        match self.order.bench.apply_all(log.user, id).await {
                            Ok(()) => requires_approval = false,
                            Err(error) => summary = format!("{summary} It could not be applied: {error}."),
                        }
                    }
                }
                Err(error) => summary = format!("{summary} The changes could not be kept: {error}."),
            }
        } else if let Some((before, _)) = open {
            self.order.bench.supersede(log.user, *before).await;
        }
        let verified = report.is_none_or(|report| {
            !matches!(
                report.outcome,
                VerifyOutcome::Failed | VerifyOutcome::TimedOut | VerifyOutcome::Stopped
            )
        });
        let actions = self.order.session.actions();
        // A run whose attempted actions failed and that changed nothing did not fulfil the request.
        let fruitless = overlay.changes().is_empty() && actions.iter().any(|action| !action.ok);
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
            ok: ok && verified && !fruitless,
            summary,
            files: overlay.changes().keys().map(ToString::to_string).collect(),
            diffs: diffs.collect(),
            actions: actions.collect(),
            duration_ms: millis(self.began.elapsed()),
            proposal_id: proposal,
            requires_approval,
            mode: Some(self.order.mode),
            root: Some(self.order.bench.root()),
        };
        conclude(inner, log, meta).await;
        if self.order.mode == CodeMode::Plan { steps(words) } else { Vec::new() }
    }

    /// Records the success of the model's edits by format.
    async fn note_formats(&self, inner: &Inner) {
        for (format, tries) in self.order.session.tries() {
            for number in 0..tries.made {
                let failed = number < tries.refused;
                if let Err(error) =
                    inner.store.note_code_format(&self.order.model, format.name(), failed).await
                {
                    tracing::warn!("how an edit went is not kept: {error}");
                }
            }
        }
    }

    async fn propose(
        &self,
        inner: &Inner,
        log: &TurnLog,
        overlay: &Overlay,
        summary: &str,
        report: Option<&VerifyReport>,
    ) -> Result<ProposalId, String> {
        let title: String =
            self.order.request.lines().next().unwrap_or_default().chars().take(LONGEST_TITLE).collect();
        let meta = ProposalMeta {
            conversation: Some(log.conversation),
            message: Some(log.message),
            turn: Some(log.id),
            title,
            summary: summary.to_owned(),
        };
        let (id, files) = self.order.bench.propose(log.user, overlay, meta, report).await?;
        log.push(Event::Proposal { id, files });
        let failed = report.filter(|report| report.outcome == VerifyOutcome::Failed);
        self.order.bench.note(log.user, summary, overlay, failed).await;
        inner.feed.tell(log.user, protocol::Push::CodeChanged { root: self.order.bench.root() });
        Ok(id)
    }
}

/// Returns the events to show when the conversation is opened again. Diffs are left out, because the proposal has them.
fn worth_keeping(log: &TurnLog) -> Vec<Event> {
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
pub async fn conclude(inner: &Inner, log: &TurnLog, meta: CodeMeta) {
    log.push(Event::Meta(meta));
    if let Err(error) = inner.store.keep_work(log.id, worth_keeping(log)).await {
        tracing::warn!("what the work told is not kept: {error}");
    }
}

/// Returns the last paragraph, shortened to 400 characters.
fn first_words(words: &str) -> String {
    const LONGEST: usize = 400;
    let last = words.trim().rsplit("\n\n").find(|part| !part.trim().is_empty()).unwrap_or_default();
    let mut text: String = last.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((end, _)) = text.char_indices().nth(LONGEST) {
        text.truncate(end);
        text.push('…');
    }
    text
}

/// Returns the plan in a reply as pending steps.
fn steps(words: &str) -> Vec<PlanStep> {
    let steps = prompting::checklist(words).into_iter();
    steps.map(|title| PlanStep { title, status: StepStatus::Pending }).collect()
}
