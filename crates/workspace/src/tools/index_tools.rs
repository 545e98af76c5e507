//! Tools that answer from the index: definitions, relations between files, and relevant files.

use std::fmt::Write as _;
use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use symbols::map::Focus;
use tools::{Ability, Invocation, ToolError, ToolOutput};

use super::common::{AREA, also_called, from_files, impossible, in_background, listed, path_names};
use crate::edit_session::EditSession;
use crate::open_workspaces::WorkspaceSession;
use crate::path::WorkspacePath;
use crate::relevance::{RelevanceRequest, RelevanceSources, find_relevant_files};

const MOST_SYMBOLS: usize = 100;
/// The maximum length of a repository map in characters, about four per token.
const MAP_LETTERS: usize = 12_000;
const MOST_RELEVANT: usize = 10;

/// The state shared by the tools that use the index.
pub struct IndexToolParts {
    pub session: Arc<EditSession>,
    pub workspace: Arc<WorkspaceSession>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct SymbolsArguments {
    /// A file, to see what it defines.
    #[schemars(transform = path_names)]
    path: Option<String>,
    /// A name, to see where it is defined.
    #[schemars(transform = name_names)]
    name: Option<String>,
}

fn name_names(schema: &mut schemars::Schema) {
    also_called(schema, &["symbol", "query"]);
}

/// The `symbols` tool.
pub struct SymbolsTool(pub IndexToolParts);

#[async_trait]
impl Ability for SymbolsTool {
    type Arguments = SymbolsArguments;
    const NAME: &'static str = "symbols";
    const ABOUT: &'static str = "Tells what a file defines, or where a name is defined.";
    const AREA: Option<&'static str> = AREA;
    const OUTPUT_LIMIT: usize = 12_000;

    async fn run(&self, arguments: SymbolsArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let IndexToolParts { session, workspace } = &self.0;
        workspace.ready().await.map_err(impossible)?;
        let workspace = Arc::clone(workspace);
        in_background(session, move |session| match (arguments.path, arguments.name) {
            (Some(path), _) => {
                let path = session.readable(&path).map_err(impossible)?;
                Ok(from_files(session, defined(session, &path)?))
            }
            (None, Some(name)) => {
                let found = workspace.index().find_symbol(&name, MOST_SYMBOLS).map_err(impossible)?;
                if found.is_empty() {
                    return Ok(ToolOutput::text(format!("Nothing named {name} is defined here. Try grep.")));
                }
                let lines = found
                    .iter()
                    .map(|symbol| format!("{}:{} {} {}", symbol.path, symbol.line, symbol.kind, symbol.name));
                Ok(from_files(session, listed(lines, MOST_SYMBOLS)))
            }
            (None, None) => Err(impossible("name a file or a symbol")),
        })
        .await
    }
}

/// Returns the definitions of a file with the session's changes.
fn defined(session: &EditSession, path: &WorkspacePath) -> Result<String, ToolError> {
    let bytes = session.overlay().read(path).map_err(impossible)?;
    let bytes = bytes.ok_or_else(|| impossible(format!("there is no file {path}")))?;
    let text = edits::TextFile::read(&bytes).map_err(|error| impossible(format!("{path}: {error}")))?.text;
    let language = symbols::Language::of(path.as_str(), text.lines().next().unwrap_or_default());
    let outline = symbols::outline(language, &text);
    if outline.definitions.is_empty() {
        return Ok(format!("{path} defines nothing that is known by name."));
    }
    let mut told = format!("{path}\n");
    for definition in outline.definitions.iter().take(MOST_SYMBOLS) {
        let _ = writeln!(told, "{:>5} | {}", definition.lines.0, definition.signature);
    }
    Ok(told)
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct RepoMapArguments {
    /// Files that matter most.
    focus: Option<Vec<String>>,
}

/// The `view_repo_map` tool.
pub struct ViewRepoMapTool(pub IndexToolParts);

#[async_trait]
impl Ability for ViewRepoMapTool {
    type Arguments = RepoMapArguments;
    const NAME: &'static str = "view_repo_map";
    const ABOUT: &'static str = "Shows the most important files and what they define.";
    const AREA: Option<&'static str> = AREA;
    const OUTPUT_LIMIT: usize = MAP_LETTERS + 2_000;

    async fn run(&self, arguments: RepoMapArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let IndexToolParts { session, workspace } = &self.0;
        workspace.ready().await.map_err(impossible)?;
        let workspace = Arc::clone(workspace);
        in_background(session, move |session| {
            let graph = workspace.index().graph().map_err(impossible)?;
            let recent = session.overlay().changes().keys().map(ToString::to_string).collect();
            let focus = Focus { files: arguments.focus.unwrap_or_default(), recent, ..Focus::default() };
            let map = graph.map(&focus, MAP_LETTERS, &|text| text.chars().count());
            if map.text.is_empty() {
                return Ok(ToolOutput::text("There is no code here that could be mapped."));
            }
            Ok(from_files(session, map.text))
        })
        .await
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct CodebaseSearchArguments {
    /// What is looked for, in words.
    query: String,
}

/// The `codebase_search` tool.
pub struct CodebaseSearchTool(pub IndexToolParts);

#[async_trait]
impl Ability for CodebaseSearchTool {
    type Arguments = CodebaseSearchArguments;
    const NAME: &'static str = "codebase_search";
    const ABOUT: &'static str = "Finds the files that have to do with something, and says why.";
    const AREA: Option<&'static str> = AREA;

    async fn run(&self, arguments: CodebaseSearchArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let IndexToolParts { session, workspace } = &self.0;
        workspace.ready().await.map_err(impossible)?;
        let workspace = Arc::clone(workspace);
        in_background(session, move |session| {
            let request = RelevanceRequest { text: &arguments.query, ..RelevanceRequest::default() };
            let found =
                find_relevant_files(workspace.index(), request, &RelevanceSources::default(), MOST_RELEVANT)
                    .map_err(impossible)?;
            if found.is_empty() {
                return Ok(ToolOutput::text(
                    "Nothing was found. Try grep with a word that stands in the code.",
                ));
            }
            let lines = found.iter().map(|file| {
                let reasons: Vec<String> = file.reasons.iter().take(3).map(ToString::to_string).collect();
                format!("{}: {}", file.path, reasons.join("; "))
            });
            Ok(from_files(session, listed(lines, MOST_RELEVANT)))
        })
        .await
    }
}
