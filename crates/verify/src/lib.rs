//! Checks whether a project still builds and passes its tests after a change, and finds the reason if not.
//!
//! Start with [`plan`], which inspects a project and returns the stages to run. [`run_stages`] runs them one after the
//! other; [`diagnostics`] parses what they print, and [`find_cause`] picks the problem to fix first. A [`RepairPolicy`]
//! decides whether a model is asked to fix it.
//!
//! The crate runs no command and writes no file: the caller provides a [`CommandRunner`] and the [`ProjectFiles`], which
//! may be on disk or not written yet. It does not know about proposals, models or conversations. The exit status alone
//! decides whether a stage has passed; what it prints only explains the failure.

// Tests create a project on disk and run commands in it.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod diagnostic;
mod fingerprint;
mod hint;
mod parse;
mod path_resolver;
mod paths;
mod plan;
mod project_files;
mod repair;
mod report;
mod run;
mod terminal_lines;

pub use diagnostic::{Diagnostic, Severity, Significance};
pub use parse::diagnostics;
pub use path_resolver::PathResolver;
pub use plan::{ConfiguredCommands, PlannedStage, StageKind, TestScope, Toolchain, plan};
pub use project_files::ProjectFiles;
pub use repair::{RepairDecision, RepairPolicy, RepairRequest};
pub use report::{FailureReport, find_cause};
pub use run::{
    CommandExit, CommandRunner, OutputSink, StageOutcome, VerifyProgress, VerifyResult, run_stages,
};
