use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use client::Client;
use jiff::Zoned;
use serde::{Deserialize, Serialize};
use terminal::{StatusLine, bytes, clean_line, count, print_line};

use crate::commands::print_json;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee backup ~/perigee.tar.gz   one file with everything that cannot be recreated
  perigee backup /mnt/stick         a file in this folder, with the date in its name

The server may keep running. Models are left out, since you can download them
again. The token and the keys in the settings are included, so keep the file
to yourself.")]
pub struct BackupCommandOptions {
    /// The file to write; it must not exist. In a folder, the name contains the date.
    file: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Serialize)]
struct Request {
    path: PathBuf,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct BackupReply {
    path: PathBuf,
    version: String,
    created: String,
    files: u64,
    bytes: u64,
    archive_bytes: u64,
    skipped: Vec<Skipped>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Skipped {
    path: String,
    why: String,
}

pub async fn run(client: &Client, options: BackupCommandOptions) -> anyhow::Result<ExitCode> {
    let file = if options.file.is_dir() {
        options.file.join(format!("perigee-{}.tar.gz", Zoned::now().strftime("%Y-%m-%d-%H%M%S")))
    } else {
        options.file
    };
    let path =
        std::path::absolute(&file).with_context(|| format!("{} is not a valid path", file.display()))?;
    let mut status = StatusLine::on_stderr();
    status.show("Packing …");
    let backup: BackupReply = client.post("/api/backup", &Request { path }).await?;
    status.clear();
    if options.json {
        return print_json(&backup);
    }
    let files = count(usize::try_from(backup.files).unwrap_or(usize::MAX), "file");
    print_line!(
        "The backup {} has {files}, {}. Restore it with: perigee restore FILE",
        backup.path.display(),
        bytes(backup.archive_bytes)
    );
    for Skipped { path, why } in &backup.skipped {
        eprintln!("Left out: {} ({})", clean_line(path), clean_line(why));
    }
    Ok(ExitCode::SUCCESS)
}
