//! What a run does beside talking: it is nudged when it only talks, what it changed is built and tested, it is told what
//! failed, and in the end all of it is one proposal.

use std::sync::Arc;
use std::time::Instant;

use dialect::Arguments;
use protocol::{
    ApplyMode, CodeAction, CodeDiff, CodeMeta, CodeMode, Event, PlanStep, ProposalId, StepStatus,
    VerifyOutcome, VerifyReport,
};
use serde_json::{Map, Value};
use workspace::verify::{Next, Repair};
use workspace::{Bench, FileDiff, Overlay, ProposalMeta, Session, WorkspacePath, brief};

use super::fences;
use super::prompting::{self, Manner};
use crate::acting::{Acting, Wanted};
use crate::companion::Inner;
use crate::turns::TurnLog;

/// What a title may have.
const LONGEST_TITLE: usize = 80;

/// A run in a workspace, as it goes on beside the rounds.
pub struct Errand {
    pub bench: Arc<Bench>,
    pub session: Arc<Session>,
    pub mode: CodeMode,
    pub manner: Manner,
    pub apply: ApplyMode,
    /// What was asked for.
    pub request: String,
    /// Whether what it changes is built and tested.
    pub verifies: bool,
    repair: Repair,
    /// What she was asked to mend, as verify knows it again.
    mended: Vec<u64>,
    pub began: Instant,
    nudged: bool,
    /// The changes that were verified last, and how that went.
    verified: Option<(Overlay, VerifyReport)>,
    open: Option<(ProposalId, Overlay)>,
    model: String,
}

/// What an errand is begun with.
pub struct Begun {
    pub bench: Arc<Bench>,
    pub session: Arc<Session>,
    pub mode: CodeMode,
    pub manner: Manner,
    pub apply: ApplyMode,
    pub request: String,
    pub verifies: bool,
    pub repairs: u32,
    /// What nobody has decided about yet, and is gone on with.
    pub open: Option<(ProposalId, Overlay)>,
    /// Its name, under which it is remembered how its edits go.
    pub model: String,
}

impl Errand {
    pub fn new(begun: Begun) -> Self {
        let Begun { bench, session, mode, manner, apply, request, verifies, repairs, open, model } = begun;
        Self {
            bench,
            session,
            mode,
            manner,
            apply,
            request,
            verifies,
            repair: Repair { most: repairs as usize },
            mended: Vec::new(),
            began: Instant::now(),
            nudged: false,
            verified: None,
            open,
            model,
        }
    }

    /// Words have come, and no calls. What she is told before they count as the answer; nothing where they do.
    pub async fn after_words(
        &mut self,
        words: &str,
        acting: &mut Acting<'_>,
        log: &TurnLog,
    ) -> Option<String> {
        if !matches!(self.mode, CodeMode::Agent | CodeMode::Repair) {
            return None;
        }
        self.take_files(words, acting).await;
        let overlay = self.session.overlay();
        if overlay.changes().is_empty() {
            let wanted = self.mode == CodeMode::Repair || prompting::wants_change(&self.request);
            return (wanted && !std::mem::replace(&mut self.nudged, true))
                .then(|| prompting::nudge(self.manner).to_owned());
        }
        if !self.verifies
            || self.verified.as_ref().is_some_and(|(seen, _)| seen.changes() == overlay.changes())
        {
            return None;
        }
        let changed: Vec<WorkspacePath> = overlay.changes().keys().cloned().collect();
        let verified =
            self.bench.verify(&self.session, &changed, log.cancelled(), &|event| log.push(event)).await;
        self.verified = Some((overlay, verified.report));
        match self.repair.next(&self.mended, verified.verdict.as_ref()?) {
            Next::Repair(ask) => {
                self.mended.push(ask.fingerprint);
                Some(ask.to_string())
            }
            Next::StopSame | Next::StopEnough | Next::StopBeyond | Next::Done => None,
        }
    }

    /// Files that the words hold as a whole are written like by a call: they pass the gate.
    async fn take_files(&self, words: &str, acting: &mut Acting<'_>) {
        let files = fences::files(words);
        // Who has tools writes code into the answer to show it.
        if self.manner == Manner::Tools || files.is_empty() {
            return;
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
    }

    /// Ends the run: proposes what it changed, lets it land where that was asked for, and says how it went.
    pub async fn end(self, inner: &Inner, log: &TurnLog, words: &str, ok: bool) -> Vec<PlanStep> {
        if !self.model.is_empty() {
            self.note_formats(inner).await;
        }
        let overlay = self.session.overlay();
        let mut summary = first_words(words);
        let mut proposal = None;
        let report = self
            .verified
            .as_ref()
            .filter(|(seen, _)| seen.changes() == overlay.changes())
            .map(|(_, report)| report);
        let mut requires_approval = false;
        let open = self.open.as_ref();
        if let Some((id, _)) = open.filter(|(_, before)| before.changes() == overlay.changes()) {
            // Nothing was added to what waits already.
            (proposal, requires_approval) = (Some(*id), true);
        } else if !overlay.changes().is_empty() {
            match self.propose(inner, log, &overlay, &summary, report).await {
                Ok(id) => {
                    proposal = Some(id);
                    requires_approval = true;
                    if let Some((before, _)) = open {
                        self.bench.supersede(log.user, *before).await;
                    }
                    let failed = report.is_some_and(|report| report.outcome == VerifyOutcome::Failed);
                    if self.apply == ApplyMode::Auto && ok && !failed {
                        match self.bench.apply_all(log.user, id).await {
                            Ok(()) => requires_approval = false,
                            Err(error) => summary = format!("{summary} It could not be applied: {error}."),
                        }
                    }
                }
                Err(error) => summary = format!("{summary} The changes could not be kept: {error}."),
            }
        } else if let Some((before, _)) = open {
            self.bench.supersede(log.user, *before).await;
        }
        let verified = report.is_none_or(|report| report.outcome != VerifyOutcome::Failed);
        let changes = overlay.changes().iter();
        let diffs = changes.map(|(path, change)| CodeDiff {
            path: path.to_string(),
            diff: FileDiff::of(change.before.as_deref(), change.after.as_deref()).to_unified(path),
        });
        let actions = self.session.actions().into_iter().map(|action| CodeAction {
            name: action.tool.to_owned(),
            strategy: action.strategy().map(|strategy| strategy.name().to_owned()),
            path: action.path.map(|path| path.to_string()),
            ok: action.ok,
        });
        log.push(Event::Meta(CodeMeta {
            ok: ok && verified,
            summary,
            files: overlay.changes().keys().map(ToString::to_string).collect(),
            diffs: diffs.collect(),
            actions: actions.collect(),
            duration_ms: u32::try_from(self.began.elapsed().as_millis()).unwrap_or(u32::MAX),
            proposal_id: proposal,
            requires_approval,
        }));
        if self.mode == CodeMode::Plan { steps(words) } else { Vec::new() }
    }

    /// How the model's edits went, by their form.
    async fn note_formats(&self, inner: &Inner) {
        for (format, tries) in self.session.tries() {
            for number in 0..tries.made {
                let failed = number < tries.refused;
                if let Err(error) = inner.store.note_code_format(&self.model, format.name(), failed).await {
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
            self.request.lines().next().unwrap_or_default().chars().take(LONGEST_TITLE).collect();
        let meta = ProposalMeta {
            conversation: Some(log.conversation),
            message: Some(log.message),
            turn: Some(log.id),
            title,
            summary: summary.to_owned(),
        };
        let id = self.bench.propose(log.user, overlay, meta, report).await?;
        let files = brief(overlay);
        log.push(Event::Proposal { id, files });
        let failed = report.filter(|report| report.outcome == VerifyOutcome::Failed);
        self.bench.note(log.user, summary, overlay, failed).await;
        inner.feed.tell(log.user, protocol::Push::CodeChanged { root: self.bench.root() });
        Ok(id)
    }
}

/// The first paragraph, in short.
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

/// A plan, to be carried out.
fn steps(words: &str) -> Vec<PlanStep> {
    let steps = prompting::checklist(words).into_iter();
    steps.map(|title| PlanStep { title, status: StepStatus::Pending }).collect()
}
