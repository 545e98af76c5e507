//! What she remembers of people and of what was said.
//!
//! [`recall`] is pure: it ranks. [`files`] are the Markdown files that she and the user keep. [`Memory`] holds it all
//! together over the store: what it has in memory follows every change of the database before it answers.
//!
//! Start with [`Memory`].

// The tests lay out files of their own.
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
pub mod vectors;
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

/// The tools that remember. Fails where one of them is made wrongly.
pub fn tools(memory: &Memory) -> Result<Vec<Arc<dyn Tool>>, String> {
    Ok(files::tools(memory.shelf())?.into_iter().chain(entries::tools(memory)?).collect())
}
