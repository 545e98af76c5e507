//! Opens an application, a web address or a file with the desktop.

mod applications;
mod desktop_entry;
mod target;

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use host::EntryKind;
use protocol::{Command, Risk};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tools::{Ability, Effect, Invocation, ToolError, ToolOutput};

use super::super::files::{FolderGrants, GrantedPath};
use super::environment::{DesktopEnvironment, LaunchResult, Platform, ProgramCall};
use target::OpenTarget;
use tools::blocking::in_background;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// The name of an application, a web address, or a file in a granted folder.
    target: String,
}

/// The `open` tool.
pub struct OpenTool {
    pub desktop: Arc<dyn DesktopEnvironment>,
    pub grants: Arc<FolderGrants>,
}

/// Extensions of documents and media. Opening any other file may execute it.
#[rustfmt::skip]
const EXTENSIONS: &[&str] = &[
    "avi", "bmp", "csv", "doc", "docx", "epub", "flac", "gif", "heic", "ics", "jpeg", "jpg", "json", "log", "m4a", "md", "mkv",
    "mov", "mp3", "mp4", "odp", "ods", "odt", "ogg", "opus", "pdf", "png", "ppt", "pptx", "rtf", "svg", "tif", "tiff", "toml",
    "tsv", "txt", "vcf", "wav", "webm", "webp", "xls", "xlsx", "xml", "yaml", "yml", "zip",
];

#[async_trait]
impl Ability for OpenTool {
    type Arguments = Arguments;
    const NAME: &'static str = "open";
    const ABOUT: &'static str = "Opens an application, a web address, or a file with the desktop.";
    const ASKED_BY: &'static [&'static str] = &["open", "launch", "start the app", "start the program"];
    const RISK: Risk = Risk::Risky;
    const EFFECTS: &'static [Effect] = &[Effect::SendsOut, Effect::OwnersMachine];
    const TAGS: &'static [&'static str] = &["LAUNCH", "BROWSE"];
    const ADDRESS: Option<&'static str> = Some("target");

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let written = arguments.target.trim();
        let (path, name) = match OpenTarget::read(written)? {
            OpenTarget::Address(url) => return Ok(self.open_address(written, &url).await),
            OpenTarget::Path(path) => (path, None),
            OpenTarget::Name(name) => (name.clone(), Some(name)),
        };
        match (self.found(path, invocation).await?, name) {
            (Found::Openable(path), _) => self.open_file(written, &path).await,
            (Found::Nothing(_), Some(name)) => self.open_application(&name).await,
            (Found::Nothing(why) | Found::Refused(why), _) => Err(why),
        }
    }
}

/// The result of looking up a path.
enum Found {
    /// A file or folder with this absolute path.
    Openable(String),
    Refused(ToolError),
    Nothing(ToolError),
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Application,
    Address,
    File,
}

impl OpenTool {
    async fn open_address(&self, written: &str, url: &str) -> ToolOutput {
        let trouble = match self.open_with_default(url).await {
            Ok(()) => return shown(written, Kind::Address, true, Some(url), format!("{url} is opened.")),
            Err(trouble) => trouble,
        };
        // The link is shown on the page, so the turn continues.
        let said = format!("{trouble} The link is offered on the page instead.");
        shown(written, Kind::Address, false, Some(url), said)
    }

    async fn open_file(&self, written: &str, path: &str) -> Result<ToolOutput, ToolError> {
        self.open_with_default(path).await.map_err(ToolError::Unavailable)?;
        Ok(shown(written, Kind::File, true, None, format!("{path} is opened.")))
    }

    async fn open_application(&self, name: &str) -> Result<ToolOutput, ToolError> {
        if !self.desktop.has_display() {
            let said = format!("There is no desktop on this machine, so {name} cannot be opened.");
            return Ok(shown(name, Kind::Application, false, None, said));
        }
        let (call, called) = self.application(name).await?;
        match self.desktop.launch(call).await {
            Ok(LaunchResult::Started) => {
                Ok(shown(name, Kind::Application, true, None, format!("{called} is opened.")))
            }
            Ok(LaunchResult::Failed) => Err(ToolError::Failed(format!("{called} could not be opened."))),
            Err(error) => Err(ToolError::Failed(format!("{called} could not be opened: {error}."))),
        }
    }

    /// Returns the call that starts the application, and its name.
    async fn application(&self, name: &str) -> Result<(ProgramCall, String), ToolError> {
        match self.desktop.platform() {
            Platform::Mac => return Ok((ProgramCall::new("open", ["-a", name]), name.to_owned())),
            Platform::Windows => return Ok((started(name), name.to_owned())),
            Platform::Unix => {}
        }
        let (desktop, wanted) = (Arc::clone(&self.desktop), name.to_owned());
        in_background(move || {
            let applications = applications::applications(&*desktop);
            match applications::choose(&applications, &wanted) {
                Ok(application) => {
                    let (program, arguments) = application.command.split_first().ok_or(ToolError::Stopped)?;
                    Ok((
                        ProgramCall::new(program.clone(), arguments.iter().cloned()),
                        application.name.clone(),
                    ))
                }
                Err(nearest) if nearest.is_empty() => {
                    Err(ToolError::Impossible(format!("There is no application called {wanted:?} here.")))
                }
                Err(nearest) => Err(ToolError::Impossible(format!(
                    "There is no application called {wanted:?} here. Did you mean {}?",
                    nearest.join(", ")
                ))),
            }
        })
        .await
    }

    /// Opens the target with the desktop's default application.
    async fn open_with_default(&self, what: &str) -> Result<(), String> {
        if !self.desktop.has_display() {
            return Err("There is no desktop on this machine.".to_owned());
        }
        let call = match self.desktop.platform() {
            Platform::Mac => ProgramCall::new("open", [what]),
            Platform::Windows => started(what),
            Platform::Unix if self.desktop.has("xdg-open") => ProgramCall::new("xdg-open", [what]),
            Platform::Unix => {
                return Err("Nothing can open it here. Install the package xdg-utils.".to_owned());
            }
        };
        match self.desktop.launch(call).await {
            Ok(LaunchResult::Started) => Ok(()),
            Ok(LaunchResult::Failed) => Err("The desktop could not open it.".to_owned()),
            Err(error) => Err(format!("The desktop could not open it: {error}.")),
        }
    }

    /// Looks up a path in the granted folders.
    async fn found(&self, path: String, invocation: &Invocation) -> Result<Found, ToolError> {
        let (grants, private) = (Arc::clone(&self.grants), Arc::clone(&invocation.folder));
        let platform = self.desktop.platform();
        in_background(move || {
            let found =
                grants.open(&private).and_then(|opened| Ok(check_openable(&opened.place(&path)?, platform)));
            Ok(found.unwrap_or_else(Found::Nothing))
        })
        .await
    }
}

fn check_openable(place: &GrantedPath<'_>, platform: Platform) -> Found {
    let shown = place.shown();
    let ending = Path::new(&shown).extension().map(|ending| ending.to_string_lossy().to_lowercase());
    let is_harmless = match place.root.metadata(&place.path).ok().flatten().map(|found| found.kind) {
        // On macOS an application is a folder with an extension.
        Some(EntryKind::Folder) => platform != Platform::Mac || ending.is_none(),
        Some(EntryKind::File) => ending.is_some_and(|ending| EXTENSIONS.contains(&ending.as_str())),
        Some(EntryKind::Link | EntryKind::Other) => false,
        None => return Found::Nothing(ToolError::Impossible(format!("{shown} is not there."))),
    };
    if is_harmless {
        return Found::Openable(shown);
    }
    Found::Refused(ToolError::Impossible(format!(
        "I open documents, pictures, sound and films only, and {shown} is none of these."
    )))
}

/// Opens a target on Windows with a fixed script that receives the target as a variable.
fn started(target: &str) -> ProgramCall {
    ProgramCall::powershell("Start-Process -FilePath $env:OPEN_TARGET").variable("OPEN_TARGET", target)
}

fn shown(target: &str, kind: Kind, opened: bool, url: Option<&str>, said: String) -> ToolOutput {
    let kind = match kind {
        Kind::Application => "app",
        Kind::Address => "url",
        Kind::File => "file",
    };
    let mut payload = json!({"target": target, "kind": kind, "opened": opened});
    if let Some(url) = url {
        payload["url"] = json!(url);
    }
    ToolOutput { command: Some(Command { action: OpenTool::NAME.into(), payload }), ..ToolOutput::text(said) }
}

#[cfg(test)]
#[path = "open_tests.rs"]
mod tests;
