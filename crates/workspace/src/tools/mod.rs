//! What she can do in a workspace: each a tool that works on a [`Session`] and passes the gate like any other.
//!
//! Those that change something change the overlay alone, so that the disk is as it was until somebody has looked.

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

/// What the files are called together, so that of two calls that change them one waits for the other.
const AREA: Option<&str> = Some("workspace");

/// All tools for a session.
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
    /// All tools for a session here, the most useful first.
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

/// Where not all have room, these come first.
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
/// Those that only look.
pub const LOOKING: [&str; 8] =
    ["read_file", "grep", "list_files", "glob", "codebase_search", "symbols", "view_repo_map", "view_diff"];

/// Other names that models use for an argument.
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

/// What is said where nothing may change.
fn only_reading(session: &Session) -> Ruling {
    match session.access() {
        Access::Change => Ruling::None,
        Access::Read => Ruling::Refuse(
            "Nothing is changed in this mode. Say what should be changed, and the user can ask for it."
                .to_owned(),
        ),
    }
}

/// Does something with the files, away from those who wait for other things. A refusal repeats what stands in them, and
/// what they are called: it is told with whose words those are, which an error does not know.
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

/// What stands in the files may be followed there, and nowhere else.
fn from_files(session: &Session, text: impl Into<String>) -> Output {
    let origins = vec![Origin::Workspace(session.workspace().path().display().to_string())];
    Output { origins, ..Output::text(text) }
}

/// Notes what was done, and how it went.
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

/// Up to so many of them, and a word about the rest.
fn listed(lines: impl Iterator<Item = String>, most: usize) -> String {
    let mut lines: Vec<String> = lines.collect();
    let more = lines.len().saturating_sub(most);
    lines.truncate(most);
    if more > 0 {
        lines.push(format!("[and {more} more]"));
    }
    lines.join("\n")
}

/// An argument as the log has it: short.
fn brief(value: &Value) -> String {
    let text = value.to_string();
    text.char_indices().nth(120).map_or(text.clone(), |(end, _)| format!("{}…", &text[..end]))
}

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
