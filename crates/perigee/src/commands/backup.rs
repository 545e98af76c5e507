use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use jiff::Zoned;
use serde::{Deserialize, Serialize};

use crate::client::Client;
use crate::commands::print_json;
use crate::terminal::{StatusLine, bytes, clean_line, count, say};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee backup ~/perigee.tar.gz   one file with everything that cannot be made again
  perigee backup /mnt/stick         into a folder, with the date in its name

The server may go on meanwhile. Models are not in it: they can be had again.
The token and the keys of the settings are, so keep the file to yourself.")]
pub struct Options {
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
struct Made {
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

pub async fn run(client: &Client, options: Options) -> anyhow::Result<ExitCode> {
    let file = if options.file.is_dir() {
        options.file.join(format!("perigee-{}.tar.gz", Zoned::now().strftime("%Y-%m-%d-%H%M%S")))
    } else {
        options.file
    };
    let path =
        std::path::absolute(&file).with_context(|| format!("{} is not a valid path", file.display()))?;
    let mut status = StatusLine::new();
    status.show("Packing …");
    let made: Made = client.post("/api/backup", &Request { path }).await?;
    status.clear();
    if options.json {
        return print_json(&made);
    }
    let files = count(usize::try_from(made.files).unwrap_or(usize::MAX), "file");
    say!(
        "{} holds {files}, {}. Go back to it with: perigee restore FILE",
        made.path.display(),
        bytes(made.archive_bytes)
    );
    for Skipped { path, why } in &made.skipped {
        eprintln!("Left out: {} ({})", clean_line(path), clean_line(why));
    }
    Ok(ExitCode::SUCCESS)
}
