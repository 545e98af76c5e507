use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use host::{EntryKind, RootError};
use protocol::Risk;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Effect, Invocation, ToolError, ToolOutput};

use super::super::words::size;
use super::grants::{FolderGrants, GrantedPath};
use tools::blocking::{FolderLocks, failed, in_background};

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
enum Mode {
    #[default]
    Create,
    Replace,
    Append,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(extend("x-pipe" = ["path", "content"]))]
pub struct Arguments {
    /// In a granted folder.
    path: String,
    content: String,
    /// `create` refuses a file that is there.
    #[serde(default)]
    mode: Mode,
}

/// The `write_file` tool.
pub struct WriteFile {
    pub grants: Arc<FolderGrants>,
    pub locks: Arc<FolderLocks>,
}

const LARGEST_CONTENT: usize = 1 << 20;
const LARGEST_FILE: u64 = 8 << 20;

#[async_trait]
impl Ability for WriteFile {
    type Arguments = Arguments;
    const NAME: &'static str = "write_file";
    const AREA: Option<&'static str> = Some("files");
    const ABOUT: &'static str = "Writes a text file in a folder that the user granted.";
    const ASKED_BY: &'static [&'static str] = &["file", "write a file", "save it to a file", "create a file"];
    const RISK: Risk = Risk::Risky;
    const EFFECTS: &'static [Effect] = &[Effect::Changes, Effect::OwnersMachine];
    const TAGS: &'static [&'static str] = &["WORKSPACE_WRITE"];

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let (grants, locks) = (Arc::clone(&self.grants), Arc::clone(&self.locks));
        let private = Arc::clone(&invocation.folder);
        in_background(move || {
            let opened = grants.open(&private)?;
            let place = opened.place(&arguments.path)?;
            locks.with(place.root.path(), || put(&place, &arguments.content, arguments.mode))
        })
        .await
    }
}

fn put(place: &GrantedPath<'_>, content: &str, mode: Mode) -> Result<ToolOutput, ToolError> {
    let shown = place.shown();
    let impossible = |why: &str| Err(ToolError::Impossible(format!("{shown} {why}.")));
    if content.len() > LARGEST_CONTENT {
        return impossible("would be too long: at most 1 MB is written at once");
    }
    if place.path.file_name().is_none() {
        return impossible("is a folder. Name a file in it");
    }
    // Files in `.git` can make git run programs.
    if place.path.iter().any(|part| part.eq_ignore_ascii_case(".git")) {
        return impossible("belongs to git, and I leave that alone");
    }
    let found = place.root.metadata(&place.path).map_err(failed)?;
    match (found.map(|found| found.kind), mode) {
        (Some(EntryKind::File), Mode::Create) => {
            return impossible("is there already. Use the mode replace or append if that is wanted");
        }
        (Some(EntryKind::Folder), _) => return impossible("is a folder"),
        (Some(EntryKind::Link | EntryKind::Other), _) => return impossible("is a link or no plain file"),
        (None | Some(EntryKind::File), _) => {}
    }
    let before = match mode {
        Mode::Append => earlier(place)?,
        Mode::Create | Mode::Replace => Vec::new(),
    };
    if before.len() as u64 + content.len() as u64 > LARGEST_FILE {
        return impossible("would be larger than 8 MB");
    }
    if let Some(folder) = place.path.parent().filter(|folder| *folder != Path::new("")) {
        place.root.create_dirs(folder).map_err(failed)?;
    }
    let bytes = [before.as_slice(), content.as_bytes()].concat();
    place.root.write(&place.path, &bytes).map_err(failed)?;
    Ok(ToolOutput::text(format!("{shown} is written ({}).", size(bytes.len() as u64))))
}

fn earlier(place: &GrantedPath<'_>) -> Result<Vec<u8>, ToolError> {
    match place.root.read(&place.path, LARGEST_FILE) {
        Ok(bytes) => Ok(bytes),
        Err(error) if error.is_not_found() => Ok(Vec::new()),
        Err(RootError::TooLarge { .. }) => {
            Err(ToolError::Impossible(format!("{} is larger than 8 MB.", place.shown())))
        }
        Err(error) => Err(failed(error)),
    }
}
