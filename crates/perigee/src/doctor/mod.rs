//! Looks at everything, and says how to mend what is wrong.
//!
//! It needs no server, and asks the one that runs where there is one. It changes nothing, and it must come to an
//! end whatever state the data folder is in: a check that fails is a finding, never an error.

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

/// How much is asked of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Whether it is there and whole.
    Usual,
    /// It is loaded, and has to say a word.
    Deep,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Ok,
    Warn,
    Fail,
}

/// One thing that was looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Stays the same, for programs.
    pub id: &'static str,
    pub level: Level,
    pub message: String,
    /// What to do, where something is to be done.
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

/// All that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    pub checks: Vec<Check>,
}

/// What the checks look at.
struct Patient {
    folders: Folders,
    config: LiveConfig,
    /// The server that runs, and answers.
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

    /// For people.
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
