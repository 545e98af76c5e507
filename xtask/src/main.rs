//! `cargo xtask`: from a fresh clone to a running Perigee and passing tests.
//!
//! It installs, builds, starts and tests the project, and checks the repository's rules. It knows only the names of
//! packages and files and has no dependencies, so it compiles in seconds. Start with [`args::XtaskCommand`].
#![allow(
    clippy::disallowed_methods,
    reason = "the wrappers in `host` are for the product; this tool depends on no other crate"
)]

mod args;
mod dev;
mod failure;
mod json;
mod process;
mod repo;
mod rust;
#[cfg(test)]
mod scratch;
mod setup;
mod stamp;
mod tasks;
mod terminal;
mod tidy;
mod tiers;

use std::env;
use std::process::ExitCode;

use args::XtaskCommand;
use failure::TaskResult;
use repo::Repo;
use terminal::Terminal;

fn main() -> ExitCode {
    let terminal = Terminal::open();
    match perform(&terminal) {
        Ok(code) => code,
        Err(failure) => {
            terminal.say(failure.to_string());
            ExitCode::FAILURE
        }
    }
}

fn perform(terminal: &Terminal) -> TaskResult<ExitCode> {
    let task = XtaskCommand::parse(env::args().skip(1))?;
    let repo = Repo::find()?;
    match task {
        XtaskCommand::Run { serve } => tasks::run(&serve, &repo, terminal)?,
        XtaskCommand::Test(selection) => return tiers::test(&selection, &repo, terminal),
        XtaskCommand::Dev { serve } => dev::dev(&serve, &repo, terminal)?,
        XtaskCommand::Codegen => tasks::codegen(&repo, terminal)?,
        XtaskCommand::Tidy(part) => return tidy::check(part, &repo, terminal),
        XtaskCommand::Bench { arguments } => tasks::bench(arguments, &repo, terminal)?,
        XtaskCommand::Help => terminal.conclude(args::HELP),
    }
    Ok(ExitCode::SUCCESS)
}
