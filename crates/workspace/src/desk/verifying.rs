//! Builds and tests with the changes of a session, before any of them is applied.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Instant;

use async_trait::async_trait;
use protocol::{Event, VerifyError, VerifyOutcome, VerifyReport, VerifyStage, VerifyStep};
use tokio_util::sync::CancellationToken;

use super::bench::Bench;
use crate::overlay::Overlay;
use crate::path::WorkspacePath;
use crate::session::Session;
use crate::verify::{
    self, Ended, Ground, Kind, Look, Out, Outcome, Problem, Runner, Scope, Stage, Told, Verdict,
};

/// The number of bytes kept of a stage's output, taken from its end.
const MOST_OUTPUT: usize = 8_000;
/// The maximum number of errors shown per stage.
const MOST_ERRORS: usize = 50;

/// A verdict and its report for the user.
#[derive(Debug, Clone)]
pub struct Verified {
    pub verdict: Option<Verdict>,
    pub report: VerifyReport,
}

impl Bench {
    /// Builds and tests, and streams the output. The exit code decides the verdict.
    pub async fn verify(
        &self,
        session: &Session,
        changed: &[WorkspacePath],
        cancel: &CancellationToken,
        tell: &(dyn Fn(Event) + Send + Sync),
    ) -> Verified {
        let settings = self.settings();
        let overlay = session.overlay();
        let stages = verify::plan(&Laid { overlay: &overlay }, &settings.configured, changed, Scope::Changed);
        let steps = Mutex::new(Steps::default());
        let told = |told: Told| {
            let mut steps = steps.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(event) = steps.take(told) {
                tell(event);
            }
        };
        let runner = Held { bench: self, session };
        let (root, copies) = (self.root(), self.copies());
        let ground = Ground::new(&root).copied(&copies);
        let verdict = tokio::select! {
            verdict = verify::verify(&stages, &ground, &runner, &told) => Some(verdict),
            () = cancel.cancelled() => None,
        };
        let steps = steps.into_inner().unwrap_or_else(PoisonError::into_inner).done;
        let report = VerifyReport {
            outcome: verdict.as_ref().map_or(VerifyOutcome::Stopped, |verdict| outcome(&verdict.outcome)),
            summary: summary(verdict.as_ref(), &steps),
            steps,
        };
        Verified { verdict, report }
    }
}

/// The current files with the changes of a session.
struct Laid<'a> {
    overlay: &'a Overlay,
}

impl Look for Laid<'_> {
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
        let mut names = Look::list(&**self.overlay.root(), folder);
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

struct Held<'a> {
    bench: &'a Bench,
    session: &'a Session,
}

#[async_trait]
impl Runner for Held<'_> {
    async fn run(&self, folder: &str, command: &str, out: &mut Out<'_>) -> Result<Ended, String> {
        let limit = self.bench.settings().stage;
        // Files written by a build are not part of the changes.
        let before = self.session.overlay();
        let ran = self.bench.run(self.session, folder, command, limit, out).await;
        self.session.replace_overlay(before);
        let ran = ran.map_err(|error| error.to_string())?;
        Ok(Ended { code: ran.code, timed_out: ran.timed_out })
    }
}

#[derive(Default)]
struct Steps {
    done: Vec<VerifyStep>,
    output: String,
    began: Option<Instant>,
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

    fn take(&mut self, told: Told) -> Option<Event> {
        match told {
            Told::Began(stage) => {
                self.output.clear();
                self.began = Some(Instant::now());
                self.stage = Some(kind(stage.kind));
                let output = format!("$ {}\n", in_folder(&stage));
                Some(Event::Verify { stage: kind(stage.kind), ok: None, output, errors: Vec::new() })
            }
            Told::Output(line) => {
                self.print(&line);
                let stage = self.stage?;
                Some(Event::Verify { stage, ok: None, output: format!("{line}\n"), errors: Vec::new() })
            }
            Told::Ended { stage, outcome, problems } => {
                let errors: Vec<VerifyError> = problems.iter().take(MOST_ERRORS).map(error).collect();
                let ok = outcome == Outcome::Passed;
                let ms = self.began.map_or(0, |began| began.elapsed().as_millis());
                if let Some(why) = why_not(&outcome) {
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
fn why_not(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::NotRun { why } => Some(format!("It could not be run: {why}.")),
        Outcome::Missing { program } => Some(format!("{program} is not on this machine.")),
        Outcome::TimedOut => Some("It took too long and was ended.".to_owned()),
        Outcome::Passed | Outcome::Failed | Outcome::Nothing => None,
    }
}

fn in_folder(stage: &Stage) -> String {
    if stage.folder.is_empty() {
        stage.command.clone()
    } else {
        format!("{} (in {})", stage.command, stage.folder)
    }
}

fn kind(kind: Kind) -> VerifyStage {
    match kind {
        Kind::Build => VerifyStage::Build,
        Kind::Test => VerifyStage::Test,
        Kind::Run => VerifyStage::Run,
    }
}

fn error(problem: &Problem) -> VerifyError {
    VerifyError {
        file: problem.file.clone(),
        line: problem.line,
        column: problem.column,
        message: problem.message.clone(),
    }
}

fn outcome(outcome: &Outcome) -> VerifyOutcome {
    match outcome {
        Outcome::Passed => VerifyOutcome::Passed,
        Outcome::Failed => VerifyOutcome::Failed,
        Outcome::TimedOut => VerifyOutcome::TimedOut,
        Outcome::Missing { .. } | Outcome::NotRun { .. } => VerifyOutcome::Missing,
        Outcome::Nothing => VerifyOutcome::Nothing,
    }
}

/// Returns a one-sentence summary for the user.
fn summary(verdict: Option<&Verdict>, steps: &[VerifyStep]) -> String {
    let Some(verdict) = verdict else { return "It was stopped.".to_owned() };
    let last = steps.last().map_or_else(String::new, |step| format!("`{}`", step.command));
    match &verdict.outcome {
        Outcome::Passed => {
            let commands: Vec<String> = steps.iter().map(|step| format!("`{}`", step.command)).collect();
            format!("{} passed.", commands.join(" and "))
        }
        Outcome::Failed => {
            let headline =
                verdict.report.as_ref().map(|report| format!(": {}", report.headline)).unwrap_or_default();
            format!("{last} failed{headline}")
        }
        Outcome::TimedOut => format!("{last} took too long and was ended."),
        Outcome::Missing { program } => format!("{program} is not on this machine, so {last} could not run."),
        Outcome::NotRun { why } => format!("It could not be run: {why}."),
        Outcome::Nothing => "There is nothing here that could be built or tested.".to_owned(),
    }
}
