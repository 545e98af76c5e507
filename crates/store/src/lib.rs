//! Storage for all data: one SQLite file with its schema, migrations, and typed queries.
//!
//! This is the only crate that contains SQL. It knows nothing of HTTP, models or prompts: it stores what other crates
//! give it, and answers only to the owner of a row. Another user's id yields [`StoreError::NotFound`], like an id that
//! never existed.
//!
//! Writes go through one connection on a thread of its own, reads through a few read-only ones, so that neither waits
//! for the other.
//!
//! Incognito conversations are in a second database of the same format, which is in memory only. So all queries work
//! for them too, and nothing reaches the disk. Ids are 63-bit numbers that increase with time, and the highest bit
//! tells which of the two databases a row is in. Lists by time thus need no index of their own.
//!
//! Start with [`Store`]; a conversation grows by [`Store::begin_turn`] and [`Store::finish_turn`].

mod accounts;
mod acts;
mod approvals;
mod attachments;
mod backup;
mod check;
mod chores;
mod code;
mod code_index;
mod connection;
mod conversations;
mod entries;
mod epochs;
mod error;
mod events;
mod export;
mod facts;
mod file_state;
mod forget;
mod fragments;
mod given;
mod grants;
mod import;
mod list;
mod maintenance;
mod messages;
mod personalities;
mod readers;
mod recover;
mod remembered;
mod rounds;
pub mod sample;
mod schema;
mod search;
mod store;
mod stored;
mod turn_rows;
mod turns;
mod values;
mod vectors;
mod view;
mod writer;

pub use accounts::SecretHash;
pub use approvals::McpApproval;
pub use attachments::{Attachment, NewAttachment};
pub use check::CheckReport;
pub use chores::PendingHistoryChange;
pub use code::{
    CodeFileInfo, CodeProposal, FormatRecord, NewCheckpoint, NewCodeNote, NewProposal, ProposalQuery,
    ProposalTransition, PruneResult, StoredCheckpoint, StoredCodeFile, StoredCodeNote, StoredCodeRoot,
    WrittenFile,
};
pub use code_index::{
    CodeBatch, CodeIndex, CodeIndexError, CodeVector, CodeWords, ContentHash, IndexFile, IndexFileKind,
    IndexOutlines, IndexSymbol, NewIndexFile, NewIndexSymbol, WordWeights,
};
pub use conversations::NewConversation;
pub use entries::{NewEntry, SavedEntry};
pub use epochs::{EpochSummary, NewPromptEpoch, PromptEpoch};
pub use error::{ObjectKind, StoreError};
pub use events::StoredEvents;
pub use export::{ExportedAttachment, ExportedConversation, ExportedMessage};
pub use facts::{Doubt, FactUpdate, FactUsage, NewFact, StoredFact, StoredFactChange};
pub use file_state::FileState;
pub use forget::{Redact, Redacted, RemovedItems, redact_value};
pub use given::AnswerHash;
pub use import::ImportResult;
pub use list::ListQuery;
pub use messages::PathMessage;
pub use personalities::{StoredPersonality, StoredTraitChange};
pub use remembered::{MemoryChange, MemoryChanges, RecallableMessage, RecallableSummary, RecalledMemory};
pub use rounds::{Round, RoundCall, RoundResult};
pub use store::{Store, is_incognito};
pub use turns::{BeginTurnResult, FinishedTurn, MessageTarget, NewTurn, Turn};
pub use vectors::StoredVector;
