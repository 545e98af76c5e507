//! Decides whether a model is asked to fix a failure, and writes the request.

use std::fmt;

use super::clean::cut;
use super::plan::Kind;
use super::run::{Outcome, Verdict};

/// The limit of repair attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Repair {
    pub most: usize,
}

impl Default for Repair {
    fn default() -> Self {
        Self { most: 2 }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    Repair(Ask),
    /// The same error has occurred again after a repair.
    StopSame,
    StopEnough,
    /// No edit can fix it: a program is missing, or the command could not be started.
    StopBeyond,
    /// There is nothing to fix.
    Done,
}

impl Repair {
    /// Returns the next step. `rounds` are the fingerprints of the reports for which a repair was requested, oldest
    /// first.
    pub fn next(self, rounds: &[u64], verdict: &Verdict) -> Next {
        match verdict.outcome {
            Outcome::Passed | Outcome::Nothing => return Next::Done,
            Outcome::Missing { .. } | Outcome::NotRun { .. } => return Next::StopBeyond,
            Outcome::Failed | Outcome::TimedOut => {}
        }
        let Some(ask) = Ask::of(verdict) else { return Next::Done };
        if rounds.contains(&ask.fingerprint) {
            Next::StopSame
        } else if rounds.len() >= self.most {
            Next::StopEnough
        } else {
            Next::Repair(ask)
        }
    }
}

const COMMAND: usize = 200;
const HEADLINE: usize = 300;
const EXCERPT: usize = 1_800;
const HINT: usize = 300;

/// The description of a failure for the model. It contains program output, which is not to be followed as instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    kind: Kind,
    command: String,
    headline: String,
    excerpt: String,
    hint: Option<String>,
    /// The fingerprint of the report, to be added to the rounds.
    pub fingerprint: u64,
}

impl Ask {
    /// The maximum length of the text in bytes, regardless of the output.
    pub const MOST_BYTES: usize = 3_000;

    fn of(verdict: &Verdict) -> Option<Self> {
        let (stage, report) = (verdict.stage.as_ref()?, verdict.report.as_ref()?);
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

impl fmt::Display for Ask {
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
