//! `perigee code`: code requests for a folder, and edits or patches on behalf of other programs.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context as _;
use chat::code::{CodeOptions, CodeSession};
use chat::{ConfirmationPolicy, OutputFormat};
use clap::Args;
use config::Folders;
use edits::{Closest, Edit, Receipt};
use host::RootDir;
use protocol::{ApplyMode, CodeMode, ConversationId, MAX_MESSAGE_BYTES};
use serde::{Deserialize, Serialize};
use workspace::{Overlay, PatchedFile, PatchingError, WriteJournal};

use super::print_json;
use crate::connect::with_client;
use crate::lazy_model::ModelLoading;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  perigee code                              work in this folder; /help shows the commands there
  perigee code \"The total is too low: fix it\"
  perigee code --mode ask \"Where are prices added up?\"
  perigee code --apply auto \"Add a test for the empty basket\"
  perigee code --undo                       undo the last change
  perigee code --apply-edit < edit.json
  git diff | perigee code --apply-patch ../other-clone

Nothing is written before you have approved it, except with --apply auto.
Exit code: 0 if the request succeeded and the tests pass, 1 if not, 130 after
Ctrl-C.

An edit is {\"file\": …, \"content\": …, \"edits\": [{\"old\": …, \"new\": …,
\"replace_all\": false}]}. It is applied only where its old text is found; if
it is not found, the answer names the closest match.")]
pub struct CodeCommandOptions {
    /// The request; `-` reads it from standard input.
    request: Vec<String>,
    /// The workspace; by default the current folder.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Change files, only answer, only plan, or fix an error.
    #[arg(long, value_enum, default_value_t = Mode::Agent)]
    mode: Mode,
    /// The file to work on; by default Luna finds it.
    #[arg(long, value_name = "FILE")]
    focus: Option<String>,
    /// Review the changes first (ask), or write them at once (auto).
    #[arg(long, value_enum)]
    apply: Option<Apply>,
    /// Continue this conversation.
    #[arg(long, value_name = "ID")]
    conversation: Option<ConversationId>,
    /// Answer yes to every confirmation request; changes are still shown.
    #[arg(long, conflicts_with = "no")]
    yes: bool,
    /// Answer no to every confirmation request.
    #[arg(long)]
    no: bool,
    /// Print each event as JSON, one per line.
    #[arg(long)]
    json: bool,
    /// Review the open proposal again.
    #[arg(long, group = "action")]
    review: bool,
    /// Undo the last change.
    #[arg(long, group = "action")]
    undo: bool,
    /// Redo the last undone change.
    #[arg(long, group = "action")]
    redo: bool,
    /// Build and test the workspace.
    #[arg(long, group = "action")]
    verify: bool,
    /// Read a text and its edits as JSON, and print the result.
    #[arg(long, group = "action")]
    apply_edit: bool,
    /// Read a patch and apply it to the files below DIR, completely or not at all.
    #[arg(long, value_name = "DIR", group = "action")]
    apply_patch: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Mode {
    Agent,
    #[value(alias = "chat")]
    Ask,
    Plan,
    Repair,
}

impl From<Mode> for CodeMode {
    fn from(mode: Mode) -> Self {
        match mode {
            Mode::Agent => Self::Agent,
            Mode::Ask => Self::Ask,
            Mode::Plan => Self::Plan,
            Mode::Repair => Self::Repair,
        }
    }
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Apply {
    Ask,
    Auto,
}

impl From<Apply> for ApplyMode {
    fn from(apply: Apply) -> Self {
        match apply {
            Apply::Ask => Self::Ask,
            Apply::Auto => Self::Auto,
        }
    }
}

/// The input limit in bytes, far above any file to edit.
const LONGEST: u64 = 64 << 20;

#[derive(Debug, Deserialize)]
struct EditInput {
    #[serde(default)]
    file: String,
    content: String,
    edits: Vec<EditEntry>,
}

#[derive(Debug, Deserialize)]
struct EditEntry {
    #[serde(alias = "old_string")]
    old: String,
    #[serde(alias = "new_string")]
    new: String,
    #[serde(default)]
    replace_all: bool,
}

#[derive(Debug, Serialize)]
struct Refusal {
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

pub async fn run(folders: &Folders, options: CodeCommandOptions) -> anyhow::Result<ExitCode> {
    if options.apply_edit {
        return edit(&read_input(LONGEST)?);
    }
    if let Some(folder) = &options.apply_patch {
        return patch(folders, folder, &read_input(LONGEST)?);
    }
    let has_action = options.review || options.undo || options.redo || options.verify;
    let request = if has_action { None } else { request(&options)? };
    let folder = options.root.unwrap_or_else(|| PathBuf::from("."));
    let code_options = CodeOptions {
        mode: options.mode.into(),
        focus: options.focus,
        apply: options.apply.map(Into::into),
        conversation: options.conversation,
    };
    let (format, policy) = (OutputFormat::of(options.json), ConfirmationPolicy::of(options.yes, options.no));
    with_client(folders, ModelLoading::AtOnce, async |client| {
        let mut session = CodeSession::open(client, &folder, code_options, format, policy).await?;
        match request {
            Some(text) => return session.ask(text).await,
            None if options.verify => return session.verify().await,
            None if options.review => return session.review().await,
            None if options.undo => session.undo().await?,
            None if options.redo => session.redo().await?,
            None => return chat::code::talk(session, &folders.home).await,
        }
        Ok(ExitCode::SUCCESS)
    })
    .await
}

/// Returns the request, or `None` if the user will type it.
fn request(options: &CodeCommandOptions) -> anyhow::Result<Option<String>> {
    let from_input = matches!(options.request.as_slice(), [only] if only == "-");
    if !from_input && !options.request.is_empty() {
        return Ok(Some(options.request.join(" ")));
    }
    if !from_input && terminal::is_interactive() {
        anyhow::ensure!(!options.json, "--json needs a request");
        return Ok(None);
    }
    let text = read_input(MAX_MESSAGE_BYTES as u64 + 1)?.trim().to_owned();
    anyhow::ensure!(!text.is_empty(), "there is no request: perigee code REQUEST");
    Ok(Some(text))
}

fn read_input(longest: u64) -> anyhow::Result<String> {
    let mut input = String::new();
    let stdin = std::io::stdin().lock();
    stdin.take(longest).read_to_string(&mut input).context("the input could not be read")?;
    Ok(input)
}

fn edit(input: &str) -> anyhow::Result<ExitCode> {
    let input_edit: EditInput = serde_json::from_str(input).context("the input is not an edit")?;
    let several = input_edit.edits.len() > 1;
    let edits: Vec<Edit> = input_edit
        .edits
        .into_iter()
        .map(|EditEntry { old, new, replace_all }| Edit { old, new, replace_all })
        .collect();
    anyhow::ensure!(!edits.is_empty(), "the input contains no edit");
    match edits::apply_all(&input_edit.content, &edits) {
        Ok((content, receipts)) => print_json(&Edited { ok: true, content, receipts }),
        Err((number, refusal)) => {
            let which = if several { format!("edit {}: ", number + 1) } else { String::new() };
            let file =
                if input_edit.file.is_empty() { String::new() } else { format!("{}: ", input_edit.file) };
            refuse(format!("{file}{which}{refusal}"), refusal.closest)
        }
    }
}

fn patch(folders: &Folders, folder: &Path, input: &str) -> anyhow::Result<ExitCode> {
    let journal = WriteJournal::new(folders.home.join("code_journal"));
    // Reverts what an interrupted earlier run left half done.
    journal.recover();
    let root = Arc::new(RootDir::open(folder)?);
    let mut overlay = Overlay::new(root);
    let files = match workspace::apply_patch(&mut overlay, input, |_| Ok(())) {
        Ok(files) => files,
        Err(PatchingError::Refused { path, hunk, refusal }) => {
            return refuse(format!("{path}, hunk {hunk}: {refusal}"), refusal.closest);
        }
        Err(error) => return refuse(error.to_string(), None),
    };
    if let Err(error) = overlay.write_to_disk(&journal) {
        return refuse(error.to_string(), None);
    }
    print_json(&Patched { ok: true, files })
}

fn refuse(error: String, closest: Option<Closest>) -> anyhow::Result<ExitCode> {
    print_json(&Refusal { ok: false, error, closest })?;
    Ok(ExitCode::FAILURE)
}
