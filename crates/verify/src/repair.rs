//! Decides whether a model is asked to fix a failure, and writes the request.

use std::fmt;

use crate::plan::StageKind;
use crate::run::{StageOutcome, VerifyResult};
use crate::terminal_lines::cut;

/// The limit of repair attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepairPolicy {
    pub most: usize,
}

impl Default for RepairPolicy {
    fn default() -> Self {
        Self { most: 2 }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RepairDecision {
    Repair(RepairRequest),
    /// The same error has occurred again after a repair.
    SameError,
    LimitReached,
    /// No edit can fix it: a program is missing, or the command could not be started.
    NotFixable,
    /// There is nothing to fix.
    NothingToFix,
}

impl RepairPolicy {
    /// Decides about the next step. `rounds` are the fingerprints of the reports for which a repair was requested, oldest
    /// first.
    pub fn decide(self, rounds: &[u64], result: &VerifyResult) -> RepairDecision {
        match result.outcome {
            StageOutcome::Passed | StageOutcome::Nothing => return RepairDecision::NothingToFix,
            StageOutcome::Missing { .. } | StageOutcome::NotRun { .. } => return RepairDecision::NotFixable,
            StageOutcome::Failed | StageOutcome::TimedOut => {}
        }
        let Some(request) = RepairRequest::of(result) else { return RepairDecision::NothingToFix };
        if rounds.contains(&request.fingerprint) {
            RepairDecision::SameError
        } else if rounds.len() >= self.most {
            RepairDecision::LimitReached
        } else {
            RepairDecision::Repair(request)
        }
    }
}

const COMMAND: usize = 200;
const HEADLINE: usize = 300;
const EXCERPT: usize = 1_800;
const HINT: usize = 300;

/// The description of a failure for the model. It contains program output, which is not to be followed as instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepairRequest {
    kind: StageKind,
    command: String,
    headline: String,
    excerpt: String,
    hint: Option<String>,
    /// The fingerprint of the report, to be added to the rounds.
    pub fingerprint: u64,
}

impl RepairRequest {
    /// The maximum length of the text in bytes, regardless of the output.
    pub const MOST_BYTES: usize = 3_000;

    fn of(result: &VerifyResult) -> Option<Self> {
        let (stage, report) = (result.stage.as_ref()?, result.report.as_ref()?);
        Some(Self {
            kind: stage.kind,
            command: cut(&in_folder(&stage.command, &stage.folder), COMMAND),
            headline: cut(&report.headline, HEADLINE),
            excerpt: cut(&report.excerpt, EXCERPT),
            hint: report.hint.as_deref().map(|hint| cut(hint, HINT)),
            fingerprint: report.fingerprint,
        })
    }
}

fn in_folder(command: &str, folder: &str) -> String {
    if folder.is_empty() { format!("`{command}`") } else { format!("`{command}` in {folder}") }
}

impl fmt::Display for RepairRequest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, command) = (self.kind.as_str(), &self.command);
        writeln!(out, "After your changes the {kind} fails: {command}")?;
        writeln!(out, "{}", self.headline)?;
        if !self.excerpt.is_empty() {
            // The output must not be able to close the code fence around it.
            let fence = if self.excerpt.contains("```") { "`````" } else { "```" };
            let mut excerpt = self.excerpt.clone();
            while excerpt.contains("`````") {
                excerpt = excerpt.replace("`````", "````");
            }
            writeln!(out, "{fence}text\n{excerpt}\n{fence}")?;
        }
        if let Some(hint) = &self.hint {
            writeln!(out, "The user is told: {hint} Do without what is missing where that is right.")?;
        }
        write!(
            out,
            "Find the cause, and put it right with the smallest change. Do not weaken a test to pass it."
        )
    }
}

#[cfg(test)]
#[path = "repair_tests.rs"]
mod tests;
