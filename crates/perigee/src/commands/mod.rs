//! One file per command. Those that need a server take a [`Client`], which works alike for a running and an own server.

pub mod backup;
pub mod chat;
pub mod code;
pub mod completions;
pub mod config;
pub mod dialect;
pub mod doctor;
pub mod export;
pub mod health;
pub mod import;
pub mod mcp;
mod mcp_made;
pub mod memory;
pub mod models;
pub mod open;
pub mod part_file;
pub mod persona;
pub mod processes;
mod progress;
pub mod restore;
pub mod sandbox;
pub mod serve;
pub mod skills;
pub mod token;
pub mod tools;
pub mod users;

use std::fmt::Write as _;
use std::process::ExitCode;

use ::config::Folders;
use serde::Serialize;
use tokio::signal::unix::{SignalKind, signal};

use crate::acp;
use crate::cli::{Cli, Command};
use crate::client::Client;
use crate::on_demand::Loading;
use crate::terminal;

/// The exit code that a shell reports for a program ended by Ctrl-C.
pub const INTERRUPTED: u8 = 130;
pub const TERMINATED: u8 = 143;

pub async fn run(cli: Cli) -> anyhow::Result<ExitCode> {
    // These commands need no data folder.
    match &cli.command {
        Command::Completions(options) => return Ok(completions::run(options)),
        Command::Dialect(options) => return dialect::run(options),
        _ => {}
    }
    let folders = crate::house::folders(cli.home.as_deref())?;
    match cli.command {
        Command::Mcp(options) => mcp::run(&folders, options).await,
        Command::Persona(options) => persona::run(&folders, options).await,
        Command::Sandbox(options) => sandbox::run(&folders, options).await,
        Command::Serve(options) => serve::run(folders, options).await,
        Command::Open(options) => open::run(&folders, options).await,
        Command::Acp => acp::run(&folders).await,
        Command::Code(options) => code::run(&folders, options).await,
        Command::Chat(options) => chat::run(&folders, options).await,
        Command::Models(options) => {
            attended(&folders, async |client| models::run(client, options).await).await
        }
        Command::Processes(options) => {
            with_server(&folders, async |client| processes::run(client, options).await).await
        }
        Command::Tools(options) => {
            with_server(&folders, async |client| tools::run(client, options).await).await
        }
        Command::Skills(options) => {
            with_server(&folders, async |client| skills::run(client, options).await).await
        }
        Command::Token(options) => token::run(&folders, options).await,
        Command::Users(options) => {
            with_server(&folders, async |client| users::run(client, options).await).await
        }
        Command::Health(options) => health::run(&folders, options).await,
        Command::Doctor(options) => doctor::run(&folders, options).await,
        Command::Memory(options) => {
            with_server(&folders, async |client| memory::run(client, options).await).await
        }
        Command::Config(options) => {
            with_server(&folders, async |client| config::run(client, options).await).await
        }
        Command::Backup(options) => {
            with_server(&folders, async |client| backup::run(client, options).await).await
        }
        Command::Restore(options) => restore::run(&folders, options).await,
        Command::Export(options) => {
            with_server(&folders, async |client| export::run(client, options).await).await
        }
        Command::Import(options) => {
            with_server(&folders, async |client| import::run(client, options).await).await
        }
        Command::Completions(options) => Ok(completions::run(&options)),
        Command::Dialect(options) => dialect::run(&options),
    }
}

/// Runs a command against the server. Ctrl-C stops it cleanly.
async fn with_server(
    folders: &Folders,
    command: impl AsyncFnOnce(&Client) -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    attended(folders, async |client| unless_interrupted(command(client)).await).await
}

/// Runs a command that handles Ctrl-C itself.
async fn attended(
    folders: &Folders,
    command: impl AsyncFnOnce(&Client) -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    let client = Client::connect(folders, Loading::WhenNeeded).await?;
    let done = command(&client).await;
    client.close().await?;
    done
}

async fn unless_interrupted(
    work: impl Future<Output = anyhow::Result<ExitCode>>,
) -> anyhow::Result<ExitCode> {
    tokio::select! {
        done = work => done,
        code = interrupted() => Ok(ExitCode::from(code)),
    }
}

/// Waits for SIGINT or SIGTERM and returns the matching exit code. Signals count from the call on, even before the
/// future is polled.
pub fn interrupted() -> impl Future<Output = u8> {
    let signals = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    async move {
        let (Ok(mut interrupt), Ok(mut terminate)) = signals else { return std::future::pending().await };
        tokio::select! {
            _ = interrupt.recv() => INTERRUPTED,
            _ = terminate.recv() => TERMINATED,
        }
    }
}

/// Waits for SIGTERM, which counts from the call on.
pub fn terminated() -> impl Future<Output = ()> {
    let terminate = signal(SignalKind::terminate());
    async move {
        match terminate {
            Ok(mut terminate) => drop(terminate.recv().await),
            Err(_) => std::future::pending().await,
        }
    }
}

/// Prints a value in its wire format, for programs.
fn print_json(value: &impl Serialize) -> anyhow::Result<ExitCode> {
    terminal::print(&format!("{}\n", serde_json::to_string_pretty(value)?));
    Ok(ExitCode::SUCCESS)
}

/// Percent-encodes a name for use in a URL path.
pub fn in_path(name: &str) -> String {
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}
