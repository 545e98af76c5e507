//! Memory of users and conversations.
//!
//! [`recall`] is pure: it ranks. [`files`] are the Markdown files that the companion and the user keep. [`Memory`]
//! combines everything on top of the store: its state in memory follows every database change before it answers.
//!
//! Start with [`Memory`].

// The tests create files of their own.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod carry;
mod entries;
pub mod files;
mod folders;
mod knowledge;
mod library;
mod memory;
mod reader;
pub mod recall;
mod redaction;
mod secrets;
mod version;

pub use folders::OwnFolders;
pub use knowledge::{FactQuery, Findings, Proposed, Replaced, StatusFilter, Tidied};
pub use memory::{
    Embedded, EmbeddingSource, Fits, Hold, MOST, Memory, MemoryError, MemoryParts, Names, NamesOf,
    NoEmbeddings, Reading, Recall, Recalled,
};
pub use reader::{Author, Reader};
pub use redaction::{MARK, Needles, Redaction};
pub use secrets::Secrets;

use std::sync::Arc;

use ::tools::Tool;

/// Provides the memory tools. Fails if one of them is defined incorrectly.
pub fn tools(memory: &Memory) -> Result<Vec<Arc<dyn Tool>>, String> {
    Ok(files::tools(memory.shelf())?.into_iter().chain(entries::tools(memory)?).collect())
}
