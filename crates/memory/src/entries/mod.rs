//! The vector store: what she or the user saves under a name, found again by what it means.

mod delete;
mod list;
mod save;
mod search;

use std::sync::Arc;

use tools::{Tool, tool};

use crate::Memory;

/// Lumina's tools, by their names and parameters.
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
