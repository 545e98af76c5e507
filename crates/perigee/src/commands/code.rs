//! `perigee code`: changes to code, as other programs ask for them.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use config::Folders;
use edits::{Closest, Edit, Receipt};
use host::RootDir;
use serde::{Deserialize, Serialize};
use workspace::{Journal, Overlay, PatchedFile, PatchingError};

use super::print_json;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee code --apply-edit < edit.json
  git diff | perigee code --apply-patch ../other-clone

An edit is {\"file\": …, \"content\": …, \"edits\": [{\"old\": …, \"new\": …,
\"replace_all\": false}]}. It lands in the one place that is meant, or
nowhere; then the answer says what comes closest.")]
#[group(required = true, multiple = false)]
pub struct Options {
    /// Read a text and edits to it as JSON, and print what becomes of it.
    #[arg(long)]
    apply_edit: bool,
    /// Read a patch, and apply all of it to the files below DIR, or none.
    #[arg(long, value_name = "DIR")]
    apply_patch: Option<PathBuf>,
}

/// More is nothing that somebody edits.
const LONGEST: u64 = 64 << 20;

#[derive(Debug, Deserialize)]
struct Asked {
    #[serde(default)]
    file: String,
    content: String,
    edits: Vec<AskedEdit>,
}

#[derive(Debug, Deserialize)]
struct AskedEdit {
    #[serde(alias = "old_string")]
    old: String,
    #[serde(alias = "new_string")]
    new: String,
    #[serde(default)]
    replace_all: bool,
}

#[derive(Debug, Serialize)]
struct Refused {
    ok: bool,
    error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    closest: Option<Closest>,
}

#[derive(Debug, Serialize)]
struct Edited {
    ok: bool,
    content: String,
    receipts: Vec<Receipt>,
}

#[derive(Debug, Serialize)]
struct Patched {
    ok: bool,
    files: Vec<PatchedFile>,
}

pub fn run(folders: &Folders, options: &Options) -> anyhow::Result<ExitCode> {
    let mut input = String::new();
    std::io::stdin()
        .lock()
        .take(LONGEST)
        .read_to_string(&mut input)
        .context("the input could not be read")?;
    match &options.apply_patch {
        Some(folder) => patch(folders, folder, &input),
        None => edit(&input),
    }
}

fn edit(input: &str) -> anyhow::Result<ExitCode> {
    let asked: Asked = serde_json::from_str(input).context("the input is no edit")?;
    let several = asked.edits.len() > 1;
    let edits: Vec<Edit> = asked
        .edits
        .into_iter()
        .map(|AskedEdit { old, new, replace_all }| Edit { old, new, replace_all })
        .collect();
    anyhow::ensure!(!edits.is_empty(), "there is no edit in it");
    match edits::apply_all(&asked.content, &edits) {
        Ok((content, receipts)) => print_json(&Edited { ok: true, content, receipts }),
        Err((number, refusal)) => {
            let which = if several { format!("edit {}: ", number + 1) } else { String::new() };
            let file = if asked.file.is_empty() { String::new() } else { format!("{}: ", asked.file) };
            refuse(format!("{file}{which}{refusal}"), refusal.closest)
        }
    }
}

fn patch(folders: &Folders, folder: &Path, input: &str) -> anyhow::Result<ExitCode> {
    let journal = Journal::new(folders.home.join("code").join("journal"));
    // What an earlier one left half done.
    journal.recover();
    let root = Arc::new(RootDir::open(folder)?);
    let mut overlay = Overlay::new(root);
    let files = match workspace::patch(&mut overlay, input) {
        Ok(files) => files,
        Err(PatchingError::Refused { path, hunk, refusal }) => {
            return refuse(format!("{path}, hunk {hunk}: {refusal}"), refusal.closest);
        }
        Err(error) => return refuse(error.to_string(), None),
    };
    if let Err(error) = overlay.land(&journal) {
        return refuse(error.to_string(), None);
    }
    print_json(&Patched { ok: true, files })
}

fn refuse(error: String, closest: Option<Closest>) -> anyhow::Result<ExitCode> {
    print_json(&Refused { ok: false, error, closest })?;
    Ok(ExitCode::FAILURE)
}
