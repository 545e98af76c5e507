//! One file per command. Those that need a server take a [`Client`], which works alike for a running server and for one
//! in this process.

pub mod backup;
pub mod chat;
pub mod code;
pub mod completions;
pub mod config;
pub mod dialect;
pub mod doctor;
mod download_progress;
pub mod export;
pub mod health;
pub mod import;
pub mod mcp;
mod mcp_approval;
pub mod memory;
pub mod models;
pub mod open;
pub mod persona;
pub mod processes;
pub mod restore;
pub mod sandbox;
pub mod serve;
pub mod skills;
pub mod token;
pub mod tools;
pub mod users;

use std::process::ExitCode;

use ::config::Folders;
use client::Client;
use serde::Serialize;

use crate::connect::{connect, with_client};
use crate::lazy_model::ModelLoading;

/// Runs a command against the server. Ctrl-C stops it cleanly.
pub async fn with_server(
    folders: &Folders,
    command: impl AsyncFnOnce(&Client) -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    let loading = ModelLoading::WhenNeeded;
    with_client(folders, loading, async |client| unless_interrupted(command(client)).await).await
}

/// Serves an editor on standard input and output.
pub async fn serve_editor(folders: &Folders) -> anyhow::Result<ExitCode> {
    let client = connect(folders, ModelLoading::AtOnce).await?;
    let print = |line: &str| terminal::print(&format!("{line}\n"));
    acp::serve(client, terminal::input_lines(), print).await?;
    Ok(ExitCode::SUCCESS)
}

async fn unless_interrupted(
    work: impl Future<Output = anyhow::Result<ExitCode>>,
) -> anyhow::Result<ExitCode> {
    tokio::select! {
        done = work => done,
        code = terminal::interrupted() => Ok(ExitCode::from(code)),
    }
}

/// Prints a value in its wire format, for programs.
fn print_json(value: &impl Serialize) -> anyhow::Result<ExitCode> {
    terminal::print(&format!("{}\n", serde_json::to_string_pretty(value)?));
    Ok(ExitCode::SUCCESS)
}
