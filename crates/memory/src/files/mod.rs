//! Memory files: Markdown in a folder of its own, with each change recorded in a git repository.

mod create;
mod delete;
mod edit;
mod forgetting;
mod history;
mod list;
mod memory_files;
mod name;
mod patch;
mod program_lines;
mod read;
mod repository_swap;
mod user_files;

use std::sync::Arc;

use tools::{Tool, ToolError, tool};

pub use forgetting::{ForgottenFiles, HistoryChanges, repository_of, unpacked};
pub(crate) use memory_files::{FileText, FileWithHistory, MemoryFiles};
pub(crate) use program_lines::ProgramLines;
pub(crate) use user_files::{MemoryFileStamp, UserMemoryFiles};

/// Returns the error for a file that does not exist.
pub(crate) fn missing(written: &str) -> ToolError {
    name::MemoryName::read(written).map_or_else(|error| error, |name| memory_files::no_memory(&name))
}

pub(crate) fn tools(files: &Arc<MemoryFiles>) -> Result<Vec<Arc<dyn Tool>>, String> {
    Ok(vec![
        Arc::new(tool(create::MemoryCreate(Arc::clone(files)))?),
        Arc::new(tool(read::MemoryRead(Arc::clone(files)))?),
        Arc::new(tool(edit::MemoryEdit(Arc::clone(files)))?),
        Arc::new(tool(patch::MemoryPatch(Arc::clone(files)))?),
        Arc::new(tool(delete::MemoryDelete(Arc::clone(files)))?),
        Arc::new(tool(list::MemoryList(Arc::clone(files)))?),
    ])
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
