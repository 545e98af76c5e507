//! Memory files: Markdown in a folder of its own, each change kept in a git repository of its own.

mod create;
mod delete;
mod edit;
mod history;
mod list;
mod name;
mod patch;
mod read;
mod shelf;

use std::sync::Arc;

use host::Clock;
use tools::{Tool, tool};

/// Within a user's folder.
const FOLDER: &str = "memories";

pub fn tools(clock: &Arc<dyn Clock>) -> Result<Vec<Arc<dyn Tool>>, String> {
    let shelf = shelf::Shelf::new(Arc::clone(clock));
    Ok(vec![
        Arc::new(tool(create::MemoryCreate(Arc::clone(&shelf)))?),
        Arc::new(tool(read::MemoryRead(Arc::clone(&shelf)))?),
        Arc::new(tool(edit::MemoryEdit(Arc::clone(&shelf)))?),
        Arc::new(tool(patch::MemoryPatch(Arc::clone(&shelf)))?),
        Arc::new(tool(delete::MemoryDelete(Arc::clone(&shelf)))?),
        Arc::new(tool(list::MemoryList(shelf))?),
    ])
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
