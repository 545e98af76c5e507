//! The vector store: texts that the companion or the user saves under a name, found again by meaning.

mod delete;
mod list;
mod save;
mod search;

use std::sync::Arc;

use tools::{Tool, tool};

use crate::Memory;

/// Provides the tools of the vector store.
pub fn tools(memory: &Memory) -> Result<Vec<Arc<dyn Tool>>, String> {
    Ok(vec![
        Arc::new(tool(save::VectorSave(memory.clone()))?),
        Arc::new(tool(search::VectorSearch(memory.clone()))?),
        Arc::new(tool(delete::VectorDelete(memory.clone()))?),
        Arc::new(tool(list::VectorList(memory.clone()))?),
    ])
}

#[cfg(test)]
#[path = "entries_tests.rs"]
mod tests;
