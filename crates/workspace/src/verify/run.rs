//! Runs the stages one after the other until one fails.

use async_trait::async_trait;

use super::clean;
use super::parse::{missing, missing_module};
use super::plan::{Kind, Stage, Toolchain};
use super::problem::{Ground, Problem};
use super::report::{Report, first_real};
use super::{fingerprint, problems};

/// The sizes in bytes of the beginning and the end of an output that are kept for parsing.
const HEAD: usize = 512 << 10;
const TAIL: usize = 1 << 20;
/// The maximum number of bytes streamed while a command runs.
const TOLD: usize = 1 << 20;
/// The exit code of a shell for a program that was not found.
const NOT_FOUND: i32 = 127;
/// The exit code of pytest and unittest if there are no tests.
const NO_TESTS: i32 = 5;

/// The end of a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// The exit code, or `None` if a signal ended the command.
    pub code: Option<i32>,
    pub timed_out: bool,
}

/// Receives the output of a command in pieces.
pub type Out<'a> = dyn FnMut(&str) + Send + 'a;

/// Runs commands.
#[async_trait]
pub trait Runner: Send + Sync {
    /// Runs a shell command in a folder relative to the root and passes its output to `out`. The error says for the
    /// user why it could not be started.
    async fn run(&self, folder: &str, command: &str, out: &mut Out<'_>) -> Result<Ended, String>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
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
pub enum Told {
    Began(Stage),
    /// A line as a terminal would show it.
    Output(String),
    Ended {
        stage: Stage,
        outcome: Outcome,
        problems: Vec<Problem>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub outcome: Outcome,
    /// The stages that passed.
    pub passed: Vec<Stage>,
    /// The stage that failed.
    pub stage: Option<Stage>,
    pub problems: Vec<Problem>,
    pub report: Option<Report>,
}

impl Verdict {
    fn of(outcome: Outcome, passed: Vec<Stage>) -> Self {
        Self { outcome, passed, stage: None, problems: Vec::new(), report: None }
    }
}

/// Runs the stages and stops at the first failure. The exit status decides, never the output.
pub async fn verify(
    stages: &[Stage],
    ground: &Ground<'_>,
    runner: &dyn Runner,
    tell: &(dyn Fn(Told) + Send + Sync),
) -> Verdict {
    let mut passed = Vec::new();
    for stage in stages {
        tell(Told::Began(stage.clone()));
        let mut output = Output::new(tell);
        let ended = runner.run(&stage.folder, &stage.command, &mut |text| output.add(text)).await;
        let output = output.into_text();
        let outcome = outcome(stage, ended, &output);
        let found = match outcome {
            Outcome::Failed | Outcome::TimedOut => {
                problems(stage.toolchain, &output, &ground.folder(&stage.folder))
            }
            _ => Vec::new(),
        };
        let (stage, problems) = (stage.clone(), found.clone());
        tell(Told::Ended { stage: stage.clone(), outcome: outcome.clone(), problems });
        match outcome {
            Outcome::Passed => passed.push(stage),
            Outcome::Nothing => {}
            outcome => {
                let report = Some(report(&outcome, &stage, &found, &output));
                return Verdict { outcome, passed, stage: Some(stage), problems: found, report };
            }
        }
    }
    let outcome = if passed.is_empty() { Outcome::Nothing } else { Outcome::Passed };
    Verdict::of(outcome, passed)
}

fn outcome(stage: &Stage, ended: Result<Ended, String>, output: &str) -> Outcome {
    let ended = match ended {
        Ok(ended) => ended,
        Err(why) => return Outcome::NotRun { why },
    };
    match ended.code {
        _ if ended.timed_out => Outcome::TimedOut,
        Some(0) => Outcome::Passed,
        Some(NOT_FOUND) => Outcome::Missing { program: not_found(stage, output) },
        Some(NO_TESTS) if stage.kind == Kind::Test && stage.toolchain == Toolchain::Python => {
            Outcome::Nothing
        }
        // A missing module that the command runs with `-m` counts as a missing program.
        Some(_) => match sole_line(output).and_then(missing_module) {
            Some(module) if stage.command.contains(&format!("-m {module}")) => {
                Outcome::Missing { program: module.to_owned() }
            }
            _ => Outcome::Failed,
        },
        None => Outcome::Failed,
    }
}

/// Returns the last program that the shell reported as missing, or else the first one of the command.
fn not_found(stage: &Stage, output: &str) -> String {
    let lines = clean::lines(output);
    let named = lines.iter().rev().find_map(|line| missing(line).map(str::to_owned));
    let words = || stage.command.split_whitespace().filter(|word| !word.contains('='));
    named.or_else(|| words().next().map(str::to_owned)).unwrap_or_default()
}

fn sole_line(output: &str) -> Option<&str> {
    let mut lines = output.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.next().filter(|_| lines.next().is_none())
}

fn report(outcome: &Outcome, stage: &Stage, problems: &[Problem], output: &str) -> Report {
    let said = match outcome {
        Outcome::TimedOut => "it took too long and was ended".to_owned(),
        Outcome::Missing { program } => format!("{program} is not installed here"),
        Outcome::NotRun { why } => why.clone(),
        _ => return first_real(problems, output),
    };
    let headline = format!("`{}`: {said}", clean::cut(&stage.command, 120));
    let hint = match outcome {
        Outcome::Missing { program } => Some(format!(
            "Install {program}, or what the project needs to have it, and verify again. Or set another command in \
             the settings."
        )),
        _ => None,
    };
    let lines = clean::lines(output);
    let last = lines.len().saturating_sub(super::report::EXCERPT_LINES);
    let last: Vec<String> = lines[last..].iter().map(|line| clean::cut(line, 240)).collect();
    let fingerprint = fingerprint::of([headline.as_str()]);
    Report { headline, excerpt: last.join("\n"), problem: problems.first().cloned(), fingerprint, hint }
}

/// Splits output into lines for streaming, and keeps its beginning and end.
struct Output<'a> {
    tell: &'a (dyn Fn(Told) + Send + Sync),
    /// The current incomplete line.
    open: String,
    told: usize,
    head: String,
    tail: String,
    left_out: bool,
}

impl<'a> Output<'a> {
    fn new(tell: &'a (dyn Fn(Told) + Send + Sync)) -> Self {
        Self { tell, open: String::new(), told: 0, head: String::new(), tail: String::new(), left_out: false }
    }

    fn add(&mut self, text: &str) {
        self.keep(text);
        for piece in text.split_inclusive('\n') {
            // The rest of an endless line is dropped.
            if self.open.len() < clean::LONGEST_LINE * 4 || piece.ends_with('\n') {
                self.open.push_str(&clean::cut(piece.trim_end_matches('\n'), clean::LONGEST_LINE * 4));
            }
            if piece.ends_with('\n') {
                self.tell_line();
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

    fn tell_line(&mut self) {
        let line = clean::lines(&std::mem::take(&mut self.open)).into_iter().next().unwrap_or_default();
        let before = self.told;
        self.told += line.len() + 1;
        if self.told <= TOLD {
            (self.tell)(Told::Output(line));
        } else if before <= TOLD {
            (self.tell)(Told::Output("[more is printed than is shown]".to_owned()));
        }
    }

    fn into_text(mut self) -> String {
        if !self.open.is_empty() {
            self.tell_line();
        }
        let gap = if self.left_out { "\n" } else { "" };
        format!("{}{gap}{}", self.head, self.tail)
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
