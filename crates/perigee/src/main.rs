//! The program: its command line, and the assembly of all parts.
//!
//! `serve` holds the data folder and answers over HTTP. Every other command is a client of it; if no server runs, the
//! command starts the same server in its own process for as long as it needs it.
//!
//! Start with `house.rs`, where the parts are joined, and `commands/`, with one file per command.

// A command line writes to the terminal.
#![allow(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod acp;
mod chat;
mod cli;
mod client;
mod coding;
mod commands;
mod doctor;
mod embeddings;
mod engine_loader;
mod first_start;
mod hands;
mod house;
mod log;
mod markdown;
mod on_demand;
mod terminal;
mod token;
mod used_home;

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
    let code = runtime.block_on(commands::run(cli));
    // A thread blocked on the terminal or a slow disk must not delay the exit.
    runtime.shutdown_timeout(std::time::Duration::from_secs(2));
    code
}
