//! The program: its command line, and the place where the parts are joined.
//!
//! `serve` holds the data folder and answers over HTTP. Every other command is a client of it; if no server runs, the
//! command starts the same server in its own process for as long as it needs it (`connect.rs`). What a conversation in
//! the terminal or an editor looks like is not decided here, but in the crates `chat` and `acp`.
//!
//! Start with [`app::App`], where the parts are joined; `commands/` has one file per command.

// A command line writes to the terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod app;
mod cli;
mod commands;
mod connect;
mod doctor;
mod embeddings;
mod engine_loader;
mod lazy_model;
mod log;
mod lost_database;
mod program_commands;
mod starter_models;
mod token;
mod tool_registry;

use std::process::ExitCode;

use clap::Parser as _;

use crate::cli::Cli;

fn main() -> ExitCode {
    sandbox::launch_if_asked();
    log::catch_panics();
    let cli = Cli::parse();
    match run(cli) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("perigee: {}", terminal::clean(&format!("{error:#}")));
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    model::install_crypto();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let code = runtime.block_on(cli.run());
    // A thread blocked on the terminal or a slow disk must not delay the exit.
    runtime.shutdown_timeout(std::time::Duration::from_secs(2));
    code
}
