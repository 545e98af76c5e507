//! `cargo xtask`: from a fresh clone to a running Perigee and passing tests.
//!
//! It installs, builds, starts and tests the project, and checks the repository's rules. It knows only the names of
//! packages and files and has no dependencies, so it compiles in seconds. Start with [`args::Task`].
#![allow(
    clippy::disallowed_methods,
    reason = "`host` guards the product; this tool stands outside and alone"
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

use args::Task;
use failure::Outcome;
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

fn perform(terminal: &Terminal) -> Outcome<ExitCode> {
    let task = Task::parse(env::args().skip(1))?;
    let repo = Repo::find()?;
    match task {
        Task::Run { serve } => tasks::run(&serve, &repo, terminal)?,
        Task::Test(selection) => return tiers::test(&selection, &repo, terminal),
        Task::Dev { serve } => dev::dev(&serve, &repo, terminal)?,
        Task::Codegen => tasks::codegen(&repo, terminal)?,
        Task::Tidy(part) => return tidy::check(part, &repo, terminal),
        Task::Bench { arguments } => tasks::bench(arguments, &repo, terminal)?,
        Task::Help => terminal.conclude(args::HELP),
    }
    Ok(ExitCode::SUCCESS)
}
