use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use client::Client;
use protocol::ConversationId;
use serde::{Deserialize, Serialize};
use terminal::{StatusLine, count, print_line};

use crate::commands::print_json;

#[derive(Debug, Args)]
#[command(after_help = "Example:
  perigee import perigee-export-2026-05-01.json

Either everything is imported or nothing. Conversations that are already here
stay as they are; the imported ones are added.")]
pub struct ImportCommandOptions {
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

pub async fn run(client: &Client, options: ImportCommandOptions) -> anyhow::Result<ExitCode> {
    let shown = options.file.display();
    let file = std::fs::File::open(&options.file).with_context(|| format!("{shown} cannot be read"))?;
    let mut status = StatusLine::on_stderr();
    status.show("Importing …");
    let imported: Imported = client.upload("/api/import", file).await.context("nothing was imported")?;
    status.clear();
    if options.json {
        return print_json(&imported);
    }
    let chats = count(imported.conversations.len(), "conversation");
    print_line!("{chats} with {} imported.", count(imported.messages, "message"));
    Ok(ExitCode::SUCCESS)
}
