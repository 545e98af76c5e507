//! Memory of users and conversations: what is remembered of a user, found again for a question, and taken out again when
//! it is to be forgotten.
//!
//! The crate turns messages into facts, keeps them in order, recalls facts and messages, keeps memory files, and imports
//! and exports all of it. It knows no turn, no prompt and no language model: it is given the embedding model, and it
//! returns items. What is written in the database is up to `store`, what a sentence says about a life up to `facts`.
//!
//! Start with [`Memory`].
//!
//! # Who may know what
//!
//! Every query names a [`Recipient`], which has no default, and what it returns has passed that recipient's privacy
//! filter, so no caller can forget to ask. Whoever writes something down is an [`Author`]: what a program says waits for
//! the user. Whoever changes what is known of a user holds [`FactsLock`]: a row that was read is written back before
//! anybody else reads it, and a message is read once more before facts are learned from it, since parts of it may have
//! been forgotten by then.
//!
//! # Modules
//!
//! - `memory`: the parts of [`Memory`] that recall, embed, and follow the changes of the store. Everything that can be
//!   recalled is in memory (`user_memory`), and follows every change of the database before it answers.
//! - [`recall`]: pure ranking of items for a question.
//! - `knowledge`: facts, as they are learned, edited, and maintained.
//! - [`files`]: the Markdown files that the companion and the user keep, with a history.
//! - `entries`: the tools of the vector store.
//! - `import_export`: everything remembered as one document, and chats of other programs.
//! - `secrets` and `access`: what is private, and who may see it.
//! - `redaction`: finds the words that are to be forgotten.

// The tests create files of their own.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod access;
mod embedding_source;
mod entries;
pub mod files;
mod folders;
mod import_export;
mod knowledge;
mod memory;
pub mod recall;
mod redaction;
mod secrets;
mod speaker_names;
mod user_memory;
mod version;

pub use access::{Author, Recipient};
pub use embedding_source::{EmbeddedTexts, EmbeddingSource, NoEmbeddings};
pub use folders::UserFolders;
pub use knowledge::{FactMaintenance, FactQuery, MessageFindings, ProposedFact, ReplacedFact, StatusFilter};
pub use memory::{
    DEFAULT_RECALL_LIMIT, EmbeddingProgress, FactsLock, FitsPrompt, Memory, MemoryError, MemoryParts,
    RecallRequest, RecallResult,
};
pub use redaction::{FORGOTTEN_MARK, Needles, Redaction};
pub use secrets::Secrets;
pub use speaker_names::{SpeakerNames, SpeakerNamesOf};

use std::sync::Arc;

use ::tools::Tool;

/// Provides the memory tools. Fails if one of them is defined incorrectly.
pub fn tools(memory: &Memory) -> Result<Vec<Arc<dyn Tool>>, String> {
    Ok(files::tools(memory.memory_files())?.into_iter().chain(entries::tools(memory)?).collect())
}
