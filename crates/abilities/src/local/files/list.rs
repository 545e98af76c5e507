use std::sync::Arc;

use async_trait::async_trait;
use host::{EntryInfo, EntryKind};
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Effect, Invocation, Origin, ToolError, ToolOutput};

use super::super::words::size;
use super::grants::{FolderGrants, GrantedFolders, GrantedPath};
use tools::blocking::{failed, in_background};

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// A granted folder, or one in it. Without it, all that is granted.
    path: Option<String>,
}

/// The `list_files` tool.
pub struct ListFiles(pub Arc<FolderGrants>);

const MOST_ENTRIES: usize = 200;

#[async_trait]
impl Ability for ListFiles {
    type Arguments = Arguments;
    const NAME: &'static str = "list_files";
    const AREA: Option<&'static str> = Some("files");
    const ABOUT: &'static str = "Lists the files in a folder that the user granted.";
    const ASKED_BY: &'static [&'static str] =
        &["list files", "list the files", "which files", "what files", "folder", "directory"];
    const EFFECTS: &'static [Effect] =
        &[Effect::ReadsPrivate, Effect::BringsUntrusted, Effect::OwnersMachine];

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let (grants, private) = (Arc::clone(&self.0), Arc::clone(&invocation.folder));
        in_background(move || {
            let opened = grants.open(&private)?;
            let path = arguments.path.unwrap_or_default();
            match wanted(&opened, path.trim())? {
                Some(place) => listed(&place),
                None => Ok(ToolOutput::text(format!("Granted folders: {}", opened.names()))),
            }
        })
        .await
    }
}

/// Returns the folder to list, or `None` if several are granted and the path names none of them.
fn wanted<'a>(opened: &'a GrantedFolders, path: &str) -> Result<Option<GrantedPath<'a>>, ToolError> {
    if !matches!(path, "" | "." | "./" | "/") {
        return opened.place(path).map(Some);
    }
    match opened.folders.as_slice() {
        [only] => Ok(Some(GrantedPath { root: &only.root, path: "".into() })),
        _ => Ok(None),
    }
}

fn listed(place: &GrantedPath<'_>) -> Result<ToolOutput, ToolError> {
    let entries = place.root.list(&place.path).map_err(|error| {
        let found = place.root.metadata(&place.path);
        match found {
            Ok(None) => ToolError::Impossible(format!("{} is not there.", place.shown())),
            Ok(Some(found)) if found.kind == EntryKind::File => {
                ToolError::Impossible(format!("{} is a file; read_file reads it.", place.shown()))
            }
            _ => failed(error),
        }
    })?;
    let mut lines = vec![format!("{}:", place.shown())];
    lines.extend(entries.iter().take(MOST_ENTRIES).map(|(name, info)| line(&name.to_string_lossy(), info)));
    match entries.len() {
        0 => lines.push("[The folder is empty.]".to_owned()),
        count if count > MOST_ENTRIES => lines.push(format!("[{} more are left out]", count - MOST_ENTRIES)),
        _ => {}
    }
    // File names are untrusted content too.
    Ok(ToolOutput { origins: vec![Origin::File(place.shown())], ..ToolOutput::text(lines.join("\n")) })
}

fn line(name: &str, info: &EntryInfo) -> String {
    let name: String = name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    match info.kind {
        EntryKind::Folder => format!("{name}/"),
        EntryKind::File => format!("{name} ({})", size(info.len)),
        EntryKind::Link => format!("{name} (a link)"),
        EntryKind::Other => format!("{name} (not a file)"),
    }
}
