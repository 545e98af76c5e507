//! Builds and tests with the changes of a session, before any of them is applied.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Instant;

use async_trait::async_trait;
use protocol::{Event, VerifyError, VerifyOutcome, VerifyReport, VerifyStage, VerifyStep};
use tokio_util::sync::CancellationToken;
use verify::{
    CommandExit, CommandRunner, Diagnostic, OutputSink, PathResolver, PlannedStage, ProjectFiles, StageKind,
    StageOutcome, TestScope, VerifyProgress, VerifyResult,
};

use super::WorkspaceSession;
use crate::edit_session::EditSession;
use crate::overlay::Overlay;
use crate::path::WorkspacePath;

/// The number of bytes kept of a stage's output, taken from its end.
const MOST_OUTPUT: usize = 8_000;
/// The maximum number of errors shown per stage.
const MOST_ERRORS: usize = 50;

/// The result of building and testing, and its report for the user.
#[derive(Debug, Clone)]
pub struct Verification {
    /// The result, or `None` if the verification was stopped.
    pub result: Option<VerifyResult>,
    pub report: VerifyReport,
}

impl WorkspaceSession {
    /// Builds and tests, and streams the output. The exit codes decide the outcome.
    pub async fn verify(
        &self,
        session: &EditSession,
        changed: &[WorkspacePath],
        cancel: &CancellationToken,
        tell: &(dyn Fn(Event) + Send + Sync),
    ) -> Verification {
        let settings = self.settings();
        let overlay = session.overlay();
        let changed: Vec<&str> = changed.iter().map(WorkspacePath::as_str).collect();
        let stages = verify::plan(
            &OverlaidFiles { overlay: &overlay },
            &settings.commands,
            &changed,
            TestScope::Changed,
        );
        let steps = Mutex::new(Steps::default());
        let notify = |progress: VerifyProgress| {
            let mut steps = steps.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(event) = steps.record(progress) {
                tell(event);
            }
        };
        let runner = SessionRunner { workspace: self, session };
        let (root, copy) = (self.root(), self.copy_folder());
        let paths = PathResolver::new(&root).copied(&copy);
        let result = tokio::select! {
            result = verify::run_stages(&stages, &paths, &runner, &notify) => Some(result),
            () = cancel.cancelled() => None,
        };
        let steps = steps.into_inner().unwrap_or_else(PoisonError::into_inner).done;
        let report = VerifyReport {
            outcome: result.as_ref().map_or(VerifyOutcome::Stopped, |result| outcome(&result.outcome)),
            summary: summary(result.as_ref(), &steps),
            steps,
        };
        Verification { result, report }
    }
}

/// The current files with the changes of a session.
struct OverlaidFiles<'a> {
    overlay: &'a Overlay,
}

impl ProjectFiles for OverlaidFiles<'_> {
    fn text(&self, path: &str) -> Option<String> {
        let path = WorkspacePath::parse(path).ok()?;
        match self.overlay.changes().get(&path) {
            Some(change) => String::from_utf8(change.after.clone()?).ok(),
            None => self.overlay.root().text(path.as_str()),
        }
    }

    fn has(&self, path: &str) -> bool {
        let Ok(path) = WorkspacePath::parse(path) else { return path.is_empty() };
        if let Some(change) = self.overlay.changes().get(&path) {
            return change.after.is_some();
        }
        let inside = format!("{path}/");
        let mut changes = self.overlay.changes().iter();
        self.overlay.root().has(path.as_str())
            || changes.any(|(other, change)| change.after.is_some() && other.as_str().starts_with(&inside))
    }

    fn list(&self, folder: &str) -> Vec<String> {
        let mut names = ProjectFiles::list(&**self.overlay.root(), folder);
        let inside = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        for (path, change) in self.overlay.changes() {
            let Some(rest) = path.as_str().strip_prefix(&inside) else { continue };
            let name = rest.split('/').next().unwrap_or_default().to_owned();
            let is_file = !rest.contains('/');
            if change.after.is_some() && !names.contains(&name) {
                names.push(name);
            } else if change.after.is_none() && is_file {
                names.retain(|other| *other != name);
            }
        }
        names.sort_unstable();
        names
    }
}

/// Runs the commands of a verification with the changes of an edit session.
struct SessionRunner<'a> {
    workspace: &'a WorkspaceSession,
    session: &'a EditSession,
}

#[async_trait]
impl CommandRunner for SessionRunner<'_> {
    async fn run(
        &self,
        folder: &str,
        command: &str,
        out: &mut OutputSink<'_>,
    ) -> Result<CommandExit, String> {
        let limit = self.workspace.settings().stage;
        // Files written by a build are not part of the changes.
        let before = self.session.overlay();
        let outcome = self.workspace.run(self.session, folder, command, limit, out).await;
        self.session.replace_overlay(before);
        let outcome = outcome.map_err(|error| error.to_string())?;
        Ok(CommandExit { code: outcome.code, timed_out: outcome.timed_out })
    }
}

#[derive(Default)]
struct Steps {
    done: Vec<VerifyStep>,
    output: String,
    started: Option<Instant>,
    stage: Option<VerifyStage>,
}

impl Steps {
    fn print(&mut self, line: &str) {
        self.output.push_str(line);
        self.output.push('\n');
        if self.output.len() > 2 * MOST_OUTPUT {
            let from = self.output.ceil_char_boundary(self.output.len() - MOST_OUTPUT);
            self.output.drain(..from);
        }
    }

    fn record(&mut self, progress: VerifyProgress) -> Option<Event> {
        match progress {
            VerifyProgress::StageStarted(stage) => {
                self.output.clear();
                self.started = Some(Instant::now());
                self.stage = Some(kind(stage.kind));
                let output = format!("$ {}\n", in_folder(&stage));
                Some(Event::Verify { stage: kind(stage.kind), ok: None, output, errors: Vec::new() })
            }
            VerifyProgress::Output(line) => {
                self.print(&line);
                let stage = self.stage?;
                Some(Event::Verify { stage, ok: None, output: format!("{line}\n"), errors: Vec::new() })
            }
            VerifyProgress::StageEnded { stage, outcome, diagnostics } => {
                let errors: Vec<VerifyError> = diagnostics.iter().take(MOST_ERRORS).map(error).collect();
                let ok = outcome == StageOutcome::Passed;
                let ms = self.started.map_or(0, |started| started.elapsed().as_millis());
                if let Some(why) = missing_output_reason(&outcome) {
                    self.print(&why);
                }
                let from = self.output.ceil_char_boundary(self.output.len().saturating_sub(MOST_OUTPUT));
                let output = self.output[from..].to_owned();
                let command = in_folder(&stage);
                // The last event repeats the whole output, so it is complete for a client that missed the others.
                let whole = format!("$ {command}\n{output}");
                self.done.push(VerifyStep {
                    stage: kind(stage.kind),
                    command,
                    ok,
                    output,
                    errors: errors.clone(),
                    duration_ms: u32::try_from(ms).unwrap_or(u32::MAX),
                });
                Some(Event::Verify { stage: kind(stage.kind), ok: Some(ok), output: whole, errors })
            }
        }
    }
}

/// Returns the reason why a stage has no output or incomplete output.
fn missing_output_reason(outcome: &StageOutcome) -> Option<String> {
    match outcome {
        StageOutcome::NotRun { why } => Some(format!("It could not be run: {why}.")),
        StageOutcome::Missing { program } => Some(format!("{program} is not on this machine.")),
        StageOutcome::TimedOut => Some("It took too long and was ended.".to_owned()),
        StageOutcome::Passed | StageOutcome::Failed | StageOutcome::Nothing => None,
    }
}

fn in_folder(stage: &PlannedStage) -> String {
    if stage.folder.is_empty() {
        stage.command.clone()
    } else {
        format!("{} (in {})", stage.command, stage.folder)
    }
}

fn kind(kind: StageKind) -> VerifyStage {
    match kind {
        StageKind::Build => VerifyStage::Build,
        StageKind::Test => VerifyStage::Test,
        StageKind::Run => VerifyStage::Run,
    }
}

fn error(diagnostic: &Diagnostic) -> VerifyError {
    VerifyError {
        file: diagnostic.file.clone(),
        line: diagnostic.line,
        column: diagnostic.column,
        message: diagnostic.message.clone(),
    }
}

fn outcome(outcome: &StageOutcome) -> VerifyOutcome {
    match outcome {
        StageOutcome::Passed => VerifyOutcome::Passed,
        StageOutcome::Failed => VerifyOutcome::Failed,
        StageOutcome::TimedOut => VerifyOutcome::TimedOut,
        StageOutcome::Missing { .. } | StageOutcome::NotRun { .. } => VerifyOutcome::Missing,
        StageOutcome::Nothing => VerifyOutcome::Nothing,
    }
}

/// Returns a one-sentence summary for the user.
fn summary(result: Option<&VerifyResult>, steps: &[VerifyStep]) -> String {
    let Some(result) = result else { return "It was stopped.".to_owned() };
    let last = steps.last().map_or_else(String::new, |step| format!("`{}`", step.command));
    match &result.outcome {
        StageOutcome::Passed => {
            let commands: Vec<String> = steps.iter().map(|step| format!("`{}`", step.command)).collect();
            format!("{} passed.", commands.join(" and "))
        }
        StageOutcome::Failed => {
            let headline =
                result.report.as_ref().map(|report| format!(": {}", report.headline)).unwrap_or_default();
            format!("{last} failed{headline}")
        }
        StageOutcome::TimedOut => format!("{last} took too long and was ended."),
        StageOutcome::Missing { program } => {
            format!("{program} is not on this machine, so {last} could not run.")
        }
        StageOutcome::NotRun { why } => format!("It could not be run: {why}."),
        StageOutcome::Nothing => "There is nothing here that could be built or tested.".to_owned(),
    }
}
