//! Runs the stages one after the other until one fails.

use async_trait::async_trait;

use crate::diagnostic::Diagnostic;
use crate::fingerprint;
use crate::parse::diagnostics;
use crate::parse::{missing, missing_module};
use crate::path_resolver::PathResolver;
use crate::plan::{PlannedStage, StageKind, Toolchain};
use crate::report::{FailureReport, find_cause};
use crate::terminal_lines;

/// The sizes in bytes of the beginning and the end of an output that are kept for parsing.
const HEAD: usize = 512 << 10;
const TAIL: usize = 1 << 20;
/// The maximum number of bytes streamed while a command runs.
const MOST_STREAMED: usize = 1 << 20;
/// The exit code of a shell for a program that was not found.
const NOT_FOUND: i32 = 127;
/// The exit code of pytest and unittest if there are no tests.
const NO_TESTS: i32 = 5;

/// The end of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommandExit {
    /// The exit code, or `None` if a signal ended the command.
    pub code: Option<i32>,
    pub timed_out: bool,
}

/// Receives the output of a command in pieces.
pub type OutputSink<'a> = dyn FnMut(&str) + Send + 'a;

/// Runs commands.
#[async_trait]
pub trait CommandRunner: Send + Sync {
    /// Runs a shell command in a folder relative to the root and passes its output to `out`. The error says for the
    /// user why it could not be started.
    async fn run(&self, folder: &str, command: &str, out: &mut OutputSink<'_>)
    -> Result<CommandExit, String>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StageOutcome {
    Passed,
    Failed,
    TimedOut,
    /// A required program is not installed.
    Missing {
        program: String,
    },
    /// There was nothing to verify, which does not count as a pass.
    Nothing,
    /// The command could not be started.
    NotRun {
        why: String,
    },
}

/// A progress event of the verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerifyProgress {
    StageStarted(PlannedStage),
    /// A line as a terminal would show it.
    Output(String),
    StageEnded {
        stage: PlannedStage,
        outcome: StageOutcome,
        diagnostics: Vec<Diagnostic>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerifyResult {
    pub outcome: StageOutcome,
    /// The stages that passed.
    pub passed: Vec<PlannedStage>,
    /// The stage that failed.
    pub stage: Option<PlannedStage>,
    pub diagnostics: Vec<Diagnostic>,
    pub report: Option<FailureReport>,
}

impl VerifyResult {
    fn of(outcome: StageOutcome, passed: Vec<PlannedStage>) -> Self {
        Self { outcome, passed, stage: None, diagnostics: Vec::new(), report: None }
    }
}

/// Runs the stages and stops at the first failure. The exit status decides, never the output.
pub async fn run_stages(
    stages: &[PlannedStage],
    paths: &PathResolver<'_>,
    runner: &dyn CommandRunner,
    notify: &(dyn Fn(VerifyProgress) + Send + Sync),
) -> VerifyResult {
    let mut passed = Vec::new();
    for stage in stages {
        notify(VerifyProgress::StageStarted(stage.clone()));
        let mut output = Output::new(notify);
        let ended = runner.run(&stage.folder, &stage.command, &mut |text| output.add(text)).await;
        let output = output.into_text();
        let outcome = outcome(stage, ended, &output);
        let found = match outcome {
            StageOutcome::Failed | StageOutcome::TimedOut => {
                diagnostics(stage.toolchain, &output, &paths.folder(&stage.folder))
            }
            _ => Vec::new(),
        };
        let (stage, diagnostics) = (stage.clone(), found.clone());
        notify(VerifyProgress::StageEnded { stage: stage.clone(), outcome: outcome.clone(), diagnostics });
        match outcome {
            StageOutcome::Passed => passed.push(stage),
            StageOutcome::Nothing => {}
            outcome => {
                let report = Some(report(&outcome, &stage, &found, &output));
                return VerifyResult { outcome, passed, stage: Some(stage), diagnostics: found, report };
            }
        }
    }
    let outcome = if passed.is_empty() { StageOutcome::Nothing } else { StageOutcome::Passed };
    VerifyResult::of(outcome, passed)
}

fn outcome(stage: &PlannedStage, ended: Result<CommandExit, String>, output: &str) -> StageOutcome {
    let ended = match ended {
        Ok(ended) => ended,
        Err(why) => return StageOutcome::NotRun { why },
    };
    match ended.code {
        _ if ended.timed_out => StageOutcome::TimedOut,
        Some(0) => StageOutcome::Passed,
        Some(NOT_FOUND) => StageOutcome::Missing { program: not_found(stage, output) },
        Some(NO_TESTS) if stage.kind == StageKind::Test && stage.toolchain == Toolchain::Python => {
            StageOutcome::Nothing
        }
        // A missing module that the command runs with `-m` counts as a missing program.
        Some(_) => match sole_line(output).and_then(missing_module) {
            Some(module) if stage.command.contains(&format!("-m {module}")) => {
                StageOutcome::Missing { program: module.to_owned() }
            }
            _ => StageOutcome::Failed,
        },
        None => StageOutcome::Failed,
    }
}

/// Returns the last program that the shell reported as missing, or else the first one of the command.
fn not_found(stage: &PlannedStage, output: &str) -> String {
    let lines = terminal_lines::lines(output);
    let named = lines.iter().rev().find_map(|line| missing(line).map(str::to_owned));
    let words = || stage.command.split_whitespace().filter(|word| !word.contains('='));
    named.or_else(|| words().next().map(str::to_owned)).unwrap_or_default()
}

fn sole_line(output: &str) -> Option<&str> {
    let mut lines = output.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.next().filter(|_| lines.next().is_none())
}

fn report(
    outcome: &StageOutcome,
    stage: &PlannedStage,
    diagnostics: &[Diagnostic],
    output: &str,
) -> FailureReport {
    let message = match outcome {
        StageOutcome::TimedOut => "it took too long and was ended".to_owned(),
        StageOutcome::Missing { program } => format!("{program} is not installed here"),
        StageOutcome::NotRun { why } => why.clone(),
        _ => return find_cause(diagnostics, output),
    };
    let headline = format!("`{}`: {message}", terminal_lines::cut(&stage.command, 120));
    let hint = match outcome {
        StageOutcome::Missing { program } => Some(format!(
            "Install {program}, or what the project needs to have it, and verify again. Or set another command in \
             the settings."
        )),
        _ => None,
    };
    let lines = terminal_lines::lines(output);
    let last = lines.len().saturating_sub(crate::report::EXCERPT_LINES);
    let last: Vec<String> = lines[last..].iter().map(|line| terminal_lines::cut(line, 240)).collect();
    let fingerprint = fingerprint::of([headline.as_str()]);
    FailureReport {
        headline,
        excerpt: last.join("\n"),
        problem: diagnostics.first().cloned(),
        fingerprint,
        hint,
    }
}

/// Splits output into lines for streaming, and keeps its beginning and end.
struct Output<'a> {
    notify: &'a (dyn Fn(VerifyProgress) + Send + Sync),
    /// The current incomplete line.
    open: String,
    streamed: usize,
    head: String,
    tail: String,
    left_out: bool,
}

impl<'a> Output<'a> {
    fn new(notify: &'a (dyn Fn(VerifyProgress) + Send + Sync)) -> Self {
        Self {
            notify,
            open: String::new(),
            streamed: 0,
            head: String::new(),
            tail: String::new(),
            left_out: false,
        }
    }

    fn add(&mut self, text: &str) {
        self.keep(text);
        for piece in text.split_inclusive('\n') {
            // The rest of an endless line is dropped.
            if self.open.len() < terminal_lines::LONGEST_LINE * 4 || piece.ends_with('\n') {
                self.open.push_str(&terminal_lines::cut(
                    piece.trim_end_matches('\n'),
                    terminal_lines::LONGEST_LINE * 4,
                ));
            }
            if piece.ends_with('\n') {
                self.stream_line();
            }
        }
    }

    fn keep(&mut self, text: &str) {
        let room = HEAD.saturating_sub(self.head.len());
        let split =
            (0..=room.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        // Once text was added to the tail, the head must not grow any more.
        let split = if self.tail.is_empty() { split } else { 0 };
        let (first, rest) = text.split_at(split);
        self.head.push_str(first);
        self.tail.push_str(rest);
        if self.tail.len() > TAIL * 2 {
            let from = self.tail.len() - TAIL;
            let from = (from..self.tail.len()).find(|at| self.tail.is_char_boundary(*at)).unwrap_or(from);
            self.tail.drain(..from);
            self.left_out = true;
        }
    }

    fn stream_line(&mut self) {
        let line =
            terminal_lines::lines(&std::mem::take(&mut self.open)).into_iter().next().unwrap_or_default();
        let before = self.streamed;
        self.streamed += line.len() + 1;
        if self.streamed <= MOST_STREAMED {
            (self.notify)(VerifyProgress::Output(line));
        } else if before <= MOST_STREAMED {
            (self.notify)(VerifyProgress::Output("[more is printed than is shown]".to_owned()));
        }
    }

    fn into_text(mut self) -> String {
        if !self.open.is_empty() {
            self.stream_line();
        }
        let gap = if self.left_out { "\n" } else { "" };
        format!("{}{gap}{}", self.head, self.tail)
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
