use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use protocol::ConversationId;
use serde::{Deserialize, Serialize};

use crate::client::Client;
use crate::commands::print_json;
use crate::terminal::{StatusLine, count, say};

#[derive(Debug, Args)]
#[command(after_help = "Example:
  perigee import perigee-export-2026-05-01.json

All of it comes in, or nothing. Conversations that are here already stay as
they are; what is imported comes beside them.")]
pub struct Options {
    /// A JSON file written by `perigee export`.
    file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize, Deserialize)]
struct Imported {
    conversations: Vec<ConversationId>,
    messages: usize,
}

pub async fn run(client: &Client, options: Options) -> anyhow::Result<ExitCode> {
    let shown = options.file.display();
    let file = std::fs::File::open(&options.file).with_context(|| format!("{shown} cannot be read"))?;
    let mut status = StatusLine::new();
    status.show("Importing …");
    let imported: Imported = client.upload("/api/import", file).await.context("nothing was imported")?;
    status.clear();
    if options.json {
        return print_json(&imported);
    }
    let chats = count(imported.conversations.len(), "conversation");
    say!("{chats} with {} came in.", count(imported.messages, "message"));
    Ok(ExitCode::SUCCESS)
}
