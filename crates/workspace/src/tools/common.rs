//! Common parts of the tools: running file work in the background, results with their origin, and names of arguments.

use std::fmt::Display;
use std::sync::Arc;

use protocol::Origin;
use serde_json::{Value, json};
use tools::{Ruling, ToolError, ToolOutput, blocking};

use crate::edit_session::{EditAccess, EditSession, RecordedEdit};

/// The area shared by all tools that change files, so that their calls run one after the other.
pub const AREA: Option<&str> = Some("workspace");

/// Adds other names that models use for an argument.
pub fn also_called(schema: &mut schemars::Schema, names: &[&str]) {
    schema.insert("x-alias".to_owned(), json!(names));
}

pub fn path_names(schema: &mut schemars::Schema) {
    also_called(schema, &["file", "file_path", "filepath", "filename", "target_file", "relative_path"]);
}

pub fn content_names(schema: &mut schemars::Schema) {
    also_called(schema, &["text", "contents", "code", "changes", "code_edit", "new_content"]);
}

pub fn old_names(schema: &mut schemars::Schema) {
    also_called(schema, &["old", "old_text", "search", "old_str", "find"]);
}

pub fn new_names(schema: &mut schemars::Schema) {
    also_called(schema, &["new", "new_text", "replace", "new_str", "replacement"]);
}

/// Refuses the call if the session is read-only.
pub fn only_reading(session: &EditSession) -> Ruling {
    match session.access() {
        EditAccess::Change => Ruling::None,
        EditAccess::Read => Ruling::Refuse(
            "Nothing is changed in this mode. Say what should be changed, and the user can ask for it."
                .to_owned(),
        ),
    }
}

/// Runs file work on a separate thread. A failure may repeat the content or names of files, so it is returned as an
/// output with their origin, which an error cannot carry.
pub async fn in_background(
    session: &Arc<EditSession>,
    work: impl FnOnce(&EditSession) -> Result<ToolOutput, ToolError> + Send + 'static,
) -> Result<ToolOutput, ToolError> {
    let session = Arc::clone(session);
    blocking::in_background(move || match work(&session) {
        Err(ToolError::Impossible(why)) => Ok(ToolOutput { failed: true, ..from_files(&session, why) }),
        done => done,
    })
    .await
}

pub fn impossible(error: impl Display) -> ToolError {
    ToolError::Impossible(tools::capital(&error.to_string()))
}

/// Returns an output with the workspace as its origin: instructions in the files may be followed there and nowhere
/// else.
pub fn from_files(session: &EditSession, text: impl Into<String>) -> ToolOutput {
    let origins = vec![Origin::Workspace(session.workspace().path().display().to_string())];
    ToolOutput { origins, ..ToolOutput::text(text) }
}

/// Records a failed edit in the session and passes the result on.
pub fn record_failure<T>(
    session: &EditSession,
    tool: &'static str,
    path: Option<&str>,
    done: Result<T, ToolError>,
) -> Result<T, ToolError> {
    let path = path.and_then(|path| crate::WorkspacePath::parse(path).ok());
    if done.is_err() {
        session.record_edit(RecordedEdit { tool, path, ok: false, receipts: Vec::new() });
    }
    done
}

/// Joins up to `most` lines and appends the number of the remaining ones.
pub fn listed(lines: impl Iterator<Item = String>, most: usize) -> String {
    let mut lines: Vec<String> = lines.collect();
    let more = lines.len().saturating_sub(most);
    lines.truncate(most);
    if more > 0 {
        lines.push(format!("[and {more} more]"));
    }
    lines.join("\n")
}

/// Shortens an argument for the log.
pub fn brief(value: &Value) -> String {
    let text = value.to_string();
    text.char_indices().nth(120).map_or(text.clone(), |(end, _)| format!("{}…", &text[..end]))
}
