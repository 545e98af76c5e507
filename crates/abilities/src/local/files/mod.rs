//! Tools for files in the granted folders.

mod grants;
mod list;
mod read;
mod write;

use std::sync::Arc;

use tools::{Tool, tool};

pub use grants::{FolderGrants, GrantedPath};

use tools::blocking::FolderLocks;

pub fn tools(grants: &Arc<FolderGrants>) -> Result<Vec<Arc<dyn Tool>>, String> {
    let locks = Arc::new(FolderLocks::default());
    Ok(vec![
        Arc::new(tool(read::ReadFile(Arc::clone(grants)))?),
        Arc::new(tool(list::ListFiles(Arc::clone(grants)))?),
        Arc::new(tool(write::WriteFile { grants: Arc::clone(grants), locks })?),
    ])
}

#[cfg(test)]
#[path = "files_tests.rs"]
mod tests;
