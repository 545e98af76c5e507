use std::sync::Arc;

use async_trait::async_trait;
use host::{EntryKind, RootError};
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Effect, Invocation, Origin, ToolError, ToolOutput};

use super::grants::{FolderGrants, GrantedPath};
use tools::blocking::{failed, in_background};
use tools::{LineRange, page};

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// In a granted folder.
    path: String,
    /// The line to begin with; the first is 1.
    offset: Option<usize>,
    /// How many lines.
    limit: Option<usize>,
}

/// The `read_file` tool.
pub struct ReadFile(pub Arc<FolderGrants>);

/// The largest file read, in bytes.
const LARGEST: u64 = 8 << 20;

#[async_trait]
impl Ability for ReadFile {
    type Arguments = Arguments;
    const NAME: &'static str = "read_file";
    const AREA: Option<&'static str> = Some("files");
    const ABOUT: &'static str = "Reads a text file in a folder that the user granted.";
    const ASKED_BY: &'static [&'static str] = &[
        "file",
        "read the file",
        "my document",
        "datei",
        "fichier",
        "archivo",
        "fichero",
        "arquivo",
        "ficheiro",
        "bestand",
    ];
    const EFFECTS: &'static [Effect] =
        &[Effect::ReadsPrivate, Effect::BringsUntrusted, Effect::OwnersMachine];
    const TAGS: &'static [&'static str] = &["WORKSPACE_READ"];

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let (grants, private) = (Arc::clone(&self.0), Arc::clone(&invocation.folder));
        in_background(move || {
            let opened = grants.open(&private)?;
            let place = opened.place(&arguments.path)?;
            let text = text_of(&place)?;
            let lines = LineRange { offset: arguments.offset, limit: arguments.limit };
            let shown = if text.is_empty() { "[The file is empty.]".to_owned() } else { page(&text, lines) };
            Ok(ToolOutput { origins: vec![Origin::File(place.shown())], ..ToolOutput::text(shown) })
        })
        .await
    }
}

fn text_of(place: &GrantedPath<'_>) -> Result<String, ToolError> {
    let impossible = |why: &str| ToolError::Impossible(format!("{} {why}.", place.shown()));
    let bytes = place.root.read(&place.path, LARGEST).map_err(|error| match error {
        RootError::TooLarge { .. } => impossible("is larger than 8 MB, which is more than I read"),
        RootError::NotAFile(_) => {
            let found = place.root.metadata(&place.path).ok().flatten();
            match found.map(|found| found.kind) {
                Some(EntryKind::Folder) => impossible("is a folder; list_files shows what is in it"),
                _ => impossible("is not a file"),
            }
        }
        error if error.is_not_found() => impossible("is not there; list_files shows what is"),
        error => failed(error),
    })?;
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => Ok(text.to_owned()),
        _ => Err(impossible("is not text")),
    }
}
