//! The tools for a workspace. Each works on a [`Session`] and passes the permission gate like any other tool.
//!
//! Tools that change files change only the overlay; nothing is written to disk before the user has reviewed it.

mod editing;
mod knowing;
mod looking;
mod moving;
mod terminal;

use std::fmt::Display;
use std::sync::Arc;

use protocol::Origin;
use serde_json::{Value, json};
use tools::{Output, Ruling, Tool, ToolError, blocking, tool};

use self::knowing::Knowing;
use self::terminal::RunTerminalCmd;
use crate::desk::Bench;
use crate::session::{Access, Action, Session};

/// The area shared by all tools that change files, so that their calls run one after the other.
const AREA: Option<&str> = Some("workspace");

/// Returns the file tools for a session.
pub fn tools(session: &Arc<Session>) -> Result<Vec<Arc<dyn Tool>>, String> {
    let of = || Arc::clone(session);
    Ok(vec![
        Arc::new(tool(looking::ReadFile(of()))?),
        Arc::new(tool(looking::ListFiles(of()))?),
        Arc::new(tool(looking::GlobFiles(of()))?),
        Arc::new(tool(looking::GrepFiles(of()))?),
        Arc::new(tool(looking::ViewDiff(of()))?),
        Arc::new(tool(editing::SearchReplace(of()))?),
        Arc::new(tool(editing::MultiEdit(of()))?),
        Arc::new(tool(editing::EditExistingFile(of()))?),
        Arc::new(tool(editing::WriteFile(of()))?),
        Arc::new(tool(moving::CreateNewFile(of()))?),
        Arc::new(tool(moving::DeleteFile(of()))?),
        Arc::new(tool(moving::RenameFile(of()))?),
        Arc::new(tool(editing::ApplyPatch(of()))?),
    ])
}

impl Bench {
    /// Returns all tools for a session in this workspace, the most useful first.
    pub fn tools(self: &Arc<Self>, session: &Arc<Session>) -> Result<Vec<Arc<dyn Tool>>, String> {
        let knowing = || Knowing { session: Arc::clone(session), bench: Arc::clone(self) };
        let mut all = tools(session)?;
        let more: [Arc<dyn Tool>; 4] = [
            Arc::new(tool(RunTerminalCmd { session: Arc::clone(session), bench: Arc::clone(self) })?),
            Arc::new(tool(knowing::CodebaseSearch(knowing()))?),
            Arc::new(tool(knowing::Symbols(knowing()))?),
            Arc::new(tool(knowing::ViewRepoMap(knowing()))?),
        ];
        all.extend(more);
        let rank = |tool: &Arc<dyn Tool>| {
            FIRST.iter().position(|name| *name == tool.spec().name).unwrap_or(FIRST.len())
        };
        all.sort_by_key(rank);
        Ok(all)
    }
}

/// The tools that come first if not all of them fit.
const FIRST: [&str; 8] = [
    "read_file",
    "search_replace",
    "grep",
    "write_file",
    "run_terminal_cmd",
    "list_files",
    "codebase_search",
    "edit_existing_file",
];
/// The read-only tools.
pub const LOOKING: [&str; 8] =
    ["read_file", "grep", "list_files", "glob", "codebase_search", "symbols", "view_repo_map", "view_diff"];

/// Adds other names that models use for an argument.
fn also_called(schema: &mut schemars::Schema, names: &[&str]) {
    schema.insert("x-alias".to_owned(), json!(names));
}

fn path_names(schema: &mut schemars::Schema) {
    also_called(schema, &["file", "file_path", "filepath", "filename", "target_file", "relative_path"]);
}

fn content_names(schema: &mut schemars::Schema) {
    also_called(schema, &["text", "contents", "code", "changes", "code_edit", "new_content"]);
}

fn old_names(schema: &mut schemars::Schema) {
    also_called(schema, &["old", "old_text", "search", "old_str", "find"]);
}

fn new_names(schema: &mut schemars::Schema) {
    also_called(schema, &["new", "new_text", "replace", "new_str", "replacement"]);
}

/// Refuses the call if the session is read-only.
fn only_reading(session: &Session) -> Ruling {
    match session.access() {
        Access::Change => Ruling::None,
        Access::Read => Ruling::Refuse(
            "Nothing is changed in this mode. Say what should be changed, and the user can ask for it."
                .to_owned(),
        ),
    }
}

/// Runs file work on a separate thread. A failure may repeat the content or names of files, so it is returned as an
/// output with their origin, which an error cannot carry.
async fn at(
    session: &Arc<Session>,
    work: impl FnOnce(&Session) -> Result<Output, ToolError> + Send + 'static,
) -> Result<Output, ToolError> {
    let session = Arc::clone(session);
    blocking::in_background(move || match work(&session) {
        Err(ToolError::Impossible(why)) => Ok(Output { failed: true, ..from_files(&session, why) }),
        done => done,
    })
    .await
}

fn impossible(error: impl Display) -> ToolError {
    ToolError::Impossible(tools::capital(&error.to_string()))
}

/// Returns an output with the workspace as its origin: instructions in the files may be followed there and nowhere
/// else.
fn from_files(session: &Session, text: impl Into<String>) -> Output {
    let origins = vec![Origin::Workspace(session.workspace().path().display().to_string())];
    Output { origins, ..Output::text(text) }
}

/// Records a failed edit in the session and passes the result on.
fn noted<T>(
    session: &Session,
    tool: &'static str,
    path: Option<&str>,
    done: Result<T, ToolError>,
) -> Result<T, ToolError> {
    let path = path.and_then(|path| crate::WorkspacePath::parse(path).ok());
    if done.is_err() {
        session.note(Action { tool, path, ok: false, receipts: Vec::new() });
    }
    done
}

/// Joins up to `most` lines and appends the number of the remaining ones.
fn listed(lines: impl Iterator<Item = String>, most: usize) -> String {
    let mut lines: Vec<String> = lines.collect();
    let more = lines.len().saturating_sub(most);
    lines.truncate(most);
    if more > 0 {
        lines.push(format!("[and {more} more]"));
    }
    lines.join("\n")
}

/// Shortens an argument for the log.
fn brief(value: &Value) -> String {
    let text = value.to_string();
    text.char_indices().nth(120).map_or(text.clone(), |(end, _)| format!("{}…", &text[..end]))
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
