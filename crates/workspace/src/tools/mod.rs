//! The tools for a workspace. Each works on an [`EditSession`] and passes the permission gate like any other tool.
//!
//! Tools that change files change only the overlay; nothing is written to disk before the user has reviewed it.

mod common;
mod edit_tools;
mod file_tools;
mod index_tools;
mod read_tools;
mod terminal_tool;

use std::sync::Arc;

use tools::{Tool, tool};

use self::index_tools::IndexToolParts;
use self::terminal_tool::TerminalTool;
use crate::edit_session::EditSession;
use crate::open_workspaces::WorkspaceSession;

/// Returns the file tools for a session.
pub fn tools(session: &Arc<EditSession>) -> Result<Vec<Arc<dyn Tool>>, String> {
    let of = || Arc::clone(session);
    Ok(vec![
        Arc::new(tool(read_tools::ReadFileTool(of()))?),
        Arc::new(tool(read_tools::ListFilesTool(of()))?),
        Arc::new(tool(read_tools::GlobTool(of()))?),
        Arc::new(tool(read_tools::GrepTool(of()))?),
        Arc::new(tool(read_tools::ViewDiffTool(of()))?),
        Arc::new(tool(edit_tools::SearchReplaceTool(of()))?),
        Arc::new(tool(edit_tools::MultiEditTool(of()))?),
        Arc::new(tool(edit_tools::EditExistingFileTool(of()))?),
        Arc::new(tool(edit_tools::WriteFileTool(of()))?),
        Arc::new(tool(file_tools::CreateNewFileTool(of()))?),
        Arc::new(tool(file_tools::DeleteFileTool(of()))?),
        Arc::new(tool(file_tools::RenameFileTool(of()))?),
        Arc::new(tool(edit_tools::ApplyPatchTool(of()))?),
    ])
}

impl WorkspaceSession {
    /// Returns all tools for a session in this workspace, the most useful first.
    pub fn tools(self: &Arc<Self>, session: &Arc<EditSession>) -> Result<Vec<Arc<dyn Tool>>, String> {
        let parts = || IndexToolParts { session: Arc::clone(session), workspace: Arc::clone(self) };
        let mut all = tools(session)?;
        let more: [Arc<dyn Tool>; 4] = [
            Arc::new(tool(TerminalTool { session: Arc::clone(session), workspace: Arc::clone(self) })?),
            Arc::new(tool(index_tools::CodebaseSearchTool(parts()))?),
            Arc::new(tool(index_tools::SymbolsTool(parts()))?),
            Arc::new(tool(index_tools::ViewRepoMapTool(parts()))?),
        ];
        all.extend(more);
        let rank = |tool: &Arc<dyn Tool>| {
            PREFERRED.iter().position(|name| *name == tool.spec().name).unwrap_or(PREFERRED.len())
        };
        all.sort_by_key(rank);
        Ok(all)
    }
}

/// The tools that come first if not all of them fit.
const PREFERRED: [&str; 8] = [
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
pub const READ_ONLY_TOOLS: [&str; 8] =
    ["read_file", "grep", "list_files", "glob", "codebase_search", "symbols", "view_repo_map", "view_diff"];

#[cfg(test)]
#[path = "tools_tests.rs"]
mod tests;
