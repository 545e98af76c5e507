//! Checks of the whole installation, with instructions for fixing problems.
//!
//! The checks need no server, but query the one that runs, if any. They change nothing, and must finish whatever state
//! the data folder is in: a failed check is a finding, never an error.

mod database;
mod folder;
mod machine;
mod meaning;
mod model;
mod service;
mod settings;

use config::{Environment, Flags, Folders, LiveConfig};
use serde::Serialize;

use crate::client::Client;
use crate::terminal::{Colour, Flow, Screen, Span, Style, clean, count};

/// The depth of the model check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Checks that the model exists and is intact.
    Usual,
    /// Loads the model and generates tokens.
    Deep,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Ok,
    Warn,
    Fail,
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// A stable identifier, for programs.
    pub id: &'static str,
    pub level: Level,
    pub message: String,
    /// Instructions for fixing the problem, if there is one.
    pub mend: Option<String>,
}

impl Check {
    fn ok(id: &'static str, message: impl Into<String>) -> Self {
        Self { id, level: Level::Ok, message: message.into(), mend: None }
    }

    fn warn(id: &'static str, message: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { id, level: Level::Warn, message: message.into(), mend: Some(mend.into()) }
    }

    fn fail(id: &'static str, message: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { id, level: Level::Fail, message: message.into(), mend: Some(mend.into()) }
    }
}

/// The results of all checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    pub checks: Vec<Check>,
}

/// The data that the checks use.
struct Patient {
    folders: Folders,
    config: LiveConfig,
    /// The running server, if it responds.
    server: Option<Client>,
}

pub async fn examine(folders: &Folders, depth: Depth) -> Report {
    let config = LiveConfig::open(folders.clone(), Environment::of_process(), Flags::default());
    let mut patient = Patient { folders: folders.clone(), config, server: None };
    let mut checks = folder::checks(&patient);
    let (running, server) = service::running(&patient).await;
    patient.server = server;
    checks.extend(running);
    checks.extend(settings::checks(&patient));
    checks.extend(database::checks(&patient).await);
    checks.extend(service::checks(&patient));
    checks.extend(machine::checks(&patient).await);
    checks.extend(model::checks(&patient, depth).await);
    checks.extend(meaning::checks(&patient).await);
    Report { checks }
}

impl Report {
    pub fn worst(&self) -> Level {
        self.checks.iter().map(|check| check.level).max().unwrap_or(Level::Ok)
    }

    /// Formats the report for the user.
    pub fn show(&self, screen: Screen) -> String {
        let mut out = String::new();
        for Check { level, message, mend, .. } in &self.checks {
            let (mark, style) = match level {
                Level::Ok => ("✓ ", Style::coloured(Colour::Green)),
                Level::Warn => ("! ", Style::coloured(Colour::Yellow)),
                Level::Fail => ("✗ ", Style { bold: true, ..Style::coloured(Colour::Red) }),
            };
            let indent = [Span::new(Style::PLAIN, "  ")];
            let mut flow = Flow::new(screen.paint, screen.width.unwrap_or(usize::MAX));
            flow.begin(&[Span::new(style, mark)], &indent);
            flow.text(Style::PLAIN, &clean(message));
            flow.end_line();
            if let Some(mend) = mend {
                flow.begin(&indent, &indent);
                flow.text(Style::DIM, &clean(mend));
                flow.end_line();
            }
            out.push_str(&flow.take());
        }
        format!("{out}\n{}\n", self.summary())
    }

    fn summary(&self) -> String {
        let number = |level: Level| self.checks.iter().filter(|check| check.level == level).count();
        let known = |warnings: usize| format!("{} to know about", count(warnings, "thing"));
        match (number(Level::Fail), number(Level::Warn)) {
            (0, 0) => "All is well.".to_owned(),
            (0, warnings) => format!("It works, with {}.", known(warnings)),
            (failures, 0) => format!("{} to fix.", count(failures, "thing")),
            (failures, warnings) => format!("{} to fix, and {}.", count(failures, "thing"), known(warnings)),
        }
    }
}

#[cfg(test)]
#[path = "mod_tests.rs"]
mod tests;
