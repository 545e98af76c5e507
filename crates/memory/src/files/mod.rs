//! Memory files: Markdown in a folder of its own, with each change recorded in a git repository.

mod create;
mod delete;
mod edit;
mod forgetting;
mod history;
mod list;
mod name;
mod own;
mod patch;
mod read;
mod shelf;

use std::sync::Arc;

use tools::{Tool, ToolError, tool};

pub use forgetting::{ForgottenFiles, HistoryChanges, repository_of, unpacked};
pub(crate) use own::OwnWords;
pub(crate) use shelf::{FileText, Memories, Shelf, Stamp, Viewed};

/// Returns the error for a file that does not exist.
pub(crate) fn missing(written: &str) -> ToolError {
    name::MemoryName::read(written).map_or_else(|error| error, |name| shelf::no_memory(&name))
}

/// The memories folder, relative to a user's folder.
const FOLDER: &str = "memories";

pub(crate) fn tools(shelf: &Arc<Shelf>) -> Result<Vec<Arc<dyn Tool>>, String> {
    Ok(vec![
        Arc::new(tool(create::MemoryCreate(Arc::clone(shelf)))?),
        Arc::new(tool(read::MemoryRead(Arc::clone(shelf)))?),
        Arc::new(tool(edit::MemoryEdit(Arc::clone(shelf)))?),
        Arc::new(tool(patch::MemoryPatch(Arc::clone(shelf)))?),
        Arc::new(tool(delete::MemoryDelete(Arc::clone(shelf)))?),
        Arc::new(tool(list::MemoryList(Arc::clone(shelf)))?),
    ])
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
