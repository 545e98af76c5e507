//! Read-only tools.

use std::fmt::Write as _;
use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Invocation, ToolError, ToolOutput};

use super::common::{AREA, also_called, from_files, impossible, in_background, listed, path_names};
use crate::diff::FileDiff;
use crate::edit_session::EditSession;
use crate::listing::Glob;
use crate::path::WorkspacePath;
use crate::search::GrepQuery;

/// The maximum number of listed names; `MOST_HITS` is that of search results.
const MOST_NAMES: usize = 200;
const MOST_HITS: usize = 60;
/// The maximum number of context lines around a match; more are better read with `read_file`.
const MOST_CONTEXT: usize = 10;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct ReadFileArguments {
    /// The file, from the root of the workspace on.
    #[schemars(transform = path_names)]
    path: String,
    /// The first line, counted from 1.
    #[schemars(transform = from_names)]
    from: Option<usize>,
    /// The last line.
    #[schemars(transform = to_names)]
    to: Option<usize>,
}

fn from_names(schema: &mut schemars::Schema) {
    also_called(schema, &["start_line", "start", "offset", "line_start"]);
}

fn to_names(schema: &mut schemars::Schema) {
    also_called(schema, &["end_line", "end", "line_end"]);
}

/// The `read_file` tool.
pub struct ReadFileTool(pub Arc<EditSession>);

#[async_trait]
impl Ability for ReadFileTool {
    type Arguments = ReadFileArguments;
    const NAME: &'static str = "read_file";
    const ABOUT: &'static str =
        "Reads a file of the workspace, with line numbers. Of a long one, name the lines.";
    const AREA: Option<&'static str> = AREA;
    const OUTPUT_LIMIT: usize = 60_000;

    async fn run(&self, arguments: ReadFileArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        in_background(&self.0, move |session| {
            let path = session.readable(&arguments.path).map_err(impossible)?;
            let overlay = session.overlay();
            let shown = overlay.numbered_lines(&path, arguments.from, arguments.to).map_err(|error| {
                let alike = alike(session, &path);
                if alike.is_empty() {
                    impossible(error)
                } else {
                    impossible(format!("{error}. Did you mean {alike}?"))
                }
            })?;
            if shown.total == 0 {
                return Ok(from_files(session, format!("{path} is empty.")));
            }
            let (first, last) = (*shown.lines.start(), *shown.lines.end());
            let rest = if last < shown.total {
                format!("\n[lines {first} to {last} of {}]", shown.total)
            } else {
                String::new()
            };
            Ok(from_files(session, format!("{path}\n{}{rest}", shown.text)))
        })
        .await
    }
}

/// Suggests files of the same name in other folders.
fn alike(session: &EditSession, path: &WorkspacePath) -> String {
    let name = path.as_str().rsplit('/').next().unwrap_or_default().to_owned();
    let overlay = session.overlay();
    let files = session.workspace().files_over(&overlay);
    if files.iter().any(|file| file.path == *path) {
        return String::new();
    }
    let same = files.iter().filter(|file| file.path.as_str().rsplit('/').next() == Some(name.as_str()));
    same.take(3).map(|file| file.path.to_string()).collect::<Vec<_>>().join(" or ")
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct ListFilesArguments {
    /// A folder; without one, the whole workspace.
    #[schemars(transform = folder_names)]
    folder: Option<String>,
}

fn folder_names(schema: &mut schemars::Schema) {
    also_called(schema, &["path", "dir", "directory"]);
}

/// The `list_files` tool.
pub struct ListFilesTool(pub Arc<EditSession>);

#[async_trait]
impl Ability for ListFilesTool {
    type Arguments = ListFilesArguments;
    const NAME: &'static str = "list_files";
    const ABOUT: &'static str = "Lists the files of a folder and of those in it. Ignored ones are left out.";
    const AREA: Option<&'static str> = AREA;
    const OUTPUT_LIMIT: usize = 20_000;

    async fn run(&self, arguments: ListFilesArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        in_background(&self.0, move |session| {
            let folder =
                arguments.folder.as_deref().map(|folder| folder.trim_matches('/')).unwrap_or_default();
            let folder = match folder {
                "" | "." => None,
                folder => Some(WorkspacePath::parse(folder).map_err(impossible)?),
            };
            let mut files = session.workspace().files_over(&session.overlay());
            if let Some(folder) = &folder {
                let inside = format!("{folder}/");
                files.retain(|file| file.path.as_str().starts_with(&inside));
            }
            if files.is_empty() {
                let place = folder.map_or_else(|| "the workspace".to_owned(), |folder| folder.to_string());
                return Ok(ToolOutput::text(format!("There are no files in {place}.")));
            }
            let names: Vec<String> = files.into_iter().map(|file| file.path.to_string()).collect();
            Ok(from_files(session, outline(&names)))
        })
        .await
    }
}

/// Lists file names; folders with too many files are shown with their number.
fn outline(names: &[String]) -> String {
    if names.len() <= MOST_NAMES {
        return names.join("\n");
    }
    let mut folders: Vec<(String, usize)> = Vec::new();
    for name in names {
        let top = name.split_once('/').map_or_else(|| name.clone(), |(top, _)| format!("{top}/"));
        match folders.last_mut() {
            Some((last, count)) if *last == top => *count += 1,
            _ => folders.push((top, 1)),
        }
    }
    let lines = folders
        .into_iter()
        .map(|(name, count)| if name.ends_with('/') { format!("{name} ({count} files)") } else { name });
    format!("{} files. List a folder to see what is in it:\n{}", names.len(), listed(lines, MOST_NAMES))
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct GlobArguments {
    /// `*.rs`, `src/**/*.ts`.
    pattern: String,
}

/// The `glob` tool.
pub struct GlobTool(pub Arc<EditSession>);

#[async_trait]
impl Ability for GlobTool {
    type Arguments = GlobArguments;
    const NAME: &'static str = "glob";
    const ABOUT: &'static str = "Finds files by a pattern of their names, such as src/**/*.rs.";
    const AREA: Option<&'static str> = AREA;

    async fn run(&self, arguments: GlobArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        in_background(&self.0, move |session| {
            let glob = Glob::new(&arguments.pattern).map_err(impossible)?;
            let files = session.workspace().files_over(&session.overlay());
            let names: Vec<String> = files
                .iter()
                .filter(|file| glob.matches(&file.path))
                .map(|file| file.path.to_string())
                .collect();
            if names.is_empty() {
                return Ok(ToolOutput::text(format!("No file is named like {}.", arguments.pattern)));
            }
            Ok(from_files(session, listed(names.into_iter(), MOST_NAMES)))
        })
        .await
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct GrepArguments {
    /// A regular expression.
    #[schemars(transform = pattern_names)]
    pattern: String,
    /// Only in files of such names: `*.rs`, `src/**`.
    #[schemars(transform = glob_names)]
    glob: Option<String>,
    ignore_case: Option<bool>,
    /// The pattern is plain words.
    literal: Option<bool>,
    /// So many lines around each.
    context: Option<usize>,
}

fn pattern_names(schema: &mut schemars::Schema) {
    also_called(schema, &["query", "regex", "search"]);
}

fn glob_names(schema: &mut schemars::Schema) {
    also_called(schema, &["path", "include", "file", "files"]);
}

/// The `grep` tool.
pub struct GrepTool(pub Arc<EditSession>);

#[async_trait]
impl Ability for GrepTool {
    type Arguments = GrepArguments;
    const NAME: &'static str = "grep";
    const ABOUT: &'static str = "Searches the files for a regular expression, and tells the lines.";
    const AREA: Option<&'static str> = AREA;
    const OUTPUT_LIMIT: usize = 20_000;

    async fn run(&self, arguments: GrepArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        in_background(&self.0, move |session| {
            let glob = arguments.glob.filter(|glob| !matches!(glob.trim_matches('/'), "" | "." | "*" | "**"));
            // A folder stands for all files in it.
            let glob = glob.map(|glob| if glob.ends_with('/') { format!("{glob}**") } else { glob });
            let grep = GrepQuery {
                pattern: arguments.pattern,
                literal: arguments.literal.unwrap_or_default(),
                ignore_case: arguments.ignore_case.unwrap_or_default(),
                glob,
                context: arguments.context.unwrap_or_default().min(MOST_CONTEXT),
                limit: MOST_HITS,
            };
            let found = session.workspace().grep(&session.overlay(), &grep).map_err(impossible)?;
            if found.hits.is_empty() {
                return Ok(ToolOutput::text(format!("Nothing in the files matches {}.", grep.pattern)));
            }
            let mut text = String::new();
            let mut file = None;
            for hit in &found.hits {
                if file != Some(&hit.path) {
                    let _ = writeln!(text, "{}", hit.path);
                    file = Some(&hit.path);
                }
                let sign = if hit.matches { ':' } else { '-' };
                let _ = writeln!(text, "{:>5}{sign} {}", hit.line, hit.text);
            }
            if found.more {
                let _ = writeln!(text, "[there are more: look for something narrower]");
            }
            Ok(from_files(session, text))
        })
        .await
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct ViewDiffArguments {
    /// A file; without one, all that changed.
    #[schemars(transform = path_names)]
    path: Option<String>,
}

/// The `view_diff` tool.
pub struct ViewDiffTool(pub Arc<EditSession>);

#[async_trait]
impl Ability for ViewDiffTool {
    type Arguments = ViewDiffArguments;
    const NAME: &'static str = "view_diff";
    const ABOUT: &'static str = "Shows what was changed in this run so far.";
    const AREA: Option<&'static str> = AREA;
    const OUTPUT_LIMIT: usize = 40_000;

    async fn run(&self, arguments: ViewDiffArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        in_background(&self.0, move |session| {
            let only =
                arguments.path.map(|path| WorkspacePath::parse(&path).map_err(impossible)).transpose()?;
            let overlay = session.overlay();
            let changes =
                overlay.changes().iter().filter(|(path, _)| only.as_ref().is_none_or(|only| only == *path));
            let diffs: Vec<String> = changes
                .map(|(path, change)| {
                    FileDiff::of(change.before.as_deref(), change.after.as_deref()).to_unified(path)
                })
                .collect();
            if diffs.is_empty() {
                return Ok(ToolOutput::text("Nothing was changed yet."));
            }
            Ok(from_files(session, diffs.join("\n")))
        })
        .await
    }
}
