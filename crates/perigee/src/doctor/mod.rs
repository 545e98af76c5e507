//! Checks of the whole installation, with instructions for fixing problems.
//!
//! The checks need no server, but query the one that runs, if any. They change nothing, and must finish whatever state
//! the data folder is in: a failed check is a finding, never an error.

mod check;
mod database;
mod embeddings;
mod folder;
mod installation;
mod machine;
mod model;
mod service;
mod settings;

use config::{Environment, Flags, Folders, LiveConfig};
use serde::Serialize;
use terminal::{AnsiColour, Screen, StyledText, TextStyle, WordWrapper, clean, count};

pub use check::{CheckDepth, CheckLevel, DoctorCheck};
use installation::Installation;

/// The results of all checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DoctorReport {
    pub checks: Vec<DoctorCheck>,
}

pub async fn examine(folders: &Folders, depth: CheckDepth) -> DoctorReport {
    let config = LiveConfig::open(folders.clone(), Environment::of_process(), Flags::default());
    let mut installation = Installation { folders: folders.clone(), config, server: None };
    let mut checks = folder::checks(&installation);
    let (running, server) = service::running(&installation).await;
    installation.server = server;
    checks.extend(running);
    checks.extend(settings::checks(&installation));
    checks.extend(database::checks(&installation).await);
    checks.extend(service::checks(&installation));
    checks.extend(machine::checks(&installation).await);
    checks.extend(model::checks(&installation, depth).await);
    checks.extend(embeddings::checks(&installation).await);
    DoctorReport { checks }
}

impl DoctorReport {
    pub fn worst(&self) -> CheckLevel {
        self.checks.iter().map(|check| check.level).max().unwrap_or(CheckLevel::Ok)
    }

    /// Formats the report for the user.
    pub fn render(&self, screen: Screen) -> String {
        let mut out = String::new();
        for DoctorCheck { level, message, mend, .. } in &self.checks {
            let (mark, style) = match level {
                CheckLevel::Ok => ("✓ ", TextStyle::coloured(AnsiColour::Green)),
                CheckLevel::Warn => ("! ", TextStyle::coloured(AnsiColour::Yellow)),
                CheckLevel::Fail => ("✗ ", TextStyle { bold: true, ..TextStyle::coloured(AnsiColour::Red) }),
            };
            let indent = [StyledText::new(TextStyle::PLAIN, "  ")];
            let mut wrapper = WordWrapper::new(screen.painter, screen.width.unwrap_or(usize::MAX));
            wrapper.begin(&[StyledText::new(style, mark)], &indent);
            wrapper.text(TextStyle::PLAIN, &clean(message));
            wrapper.end_line();
            if let Some(mend) = mend {
                wrapper.begin(&indent, &indent);
                wrapper.text(TextStyle::DIM, &clean(mend));
                wrapper.end_line();
            }
            out.push_str(&wrapper.take());
        }
        format!("{out}\n{}\n", self.summary())
    }

    fn summary(&self) -> String {
        let number = |level: CheckLevel| self.checks.iter().filter(|check| check.level == level).count();
        let known = |warnings: usize| format!("{} to know about", count(warnings, "thing"));
        match (number(CheckLevel::Fail), number(CheckLevel::Warn)) {
            (0, 0) => "Everything is fine.".to_owned(),
            (0, warnings) => format!("It works, with {}.", known(warnings)),
            (failures, 0) => format!("{} to fix.", count(failures, "thing")),
            (failures, warnings) => format!("{} to fix, and {}.", count(failures, "thing"), known(warnings)),
        }
    }
}

#[cfg(test)]
#[path = "mod_tests.rs"]
mod tests;
