//! What stands in the library, and what it is known by.

use jiff::Timestamp;
use protocol::{ConversationId, FactId, MemoryKind, MessageId, Origin, Role};
use sha2::{Digest, Sha256};
use store::SavedEntry;

/// What something is kept under.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Key {
    pub kind: MemoryKind,
    /// The id of its row, or a number made of its text.
    pub item: i64,
}

impl Key {
    pub fn message(id: MessageId) -> Self {
        Self { kind: MemoryKind::Message, item: id.get() }
    }

    pub fn fact(id: FactId) -> Self {
        Self { kind: MemoryKind::Fact, item: id.get() }
    }
}

/// What stands at a place of the index.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shelved {
    /// Its words are in the store.
    Message {
        id: MessageId,
        conversation: ConversationId,
        role: Role,
        /// How many letters of it tell something of the user's.
        told: Option<usize>,
    },
    Summary {
        conversation: ConversationId,
        up_to: MessageId,
        at: Timestamp,
        text: String,
        origins: Vec<Origin>,
    },
    File {
        name: String,
        item: i64,
        at: Timestamp,
        text: String,
        origins: Vec<Origin>,
    },
    Entry(SavedEntry),
}

impl Shelved {
    pub fn key(&self) -> Key {
        match self {
            Shelved::Message { id, .. } => Key::message(*id),
            Shelved::Summary { conversation, .. } => summary_key(*conversation),
            Shelved::File { item, .. } => Key { kind: MemoryKind::File, item: *item },
            Shelved::Entry(saved) => Key { kind: MemoryKind::Entry, item: saved.row },
        }
    }

    /// Its words, unless they are in the store.
    pub fn text(&self) -> Option<String> {
        match self {
            Shelved::Message { .. } => None,
            Shelved::Summary { text, .. } | Shelved::File { text, .. } => Some(text.clone()),
            Shelved::Entry(saved) => Some(saved.entry.content.clone()),
        }
    }
}

pub fn summary_key(conversation: ConversationId) -> Key {
    Key { kind: MemoryKind::Summary, item: conversation.get() }
}

/// A number for a piece of a file: the same for the same words under the same name.
pub fn file_key(name: &str, piece: &str) -> Key {
    let mut hash = Sha256::new();
    hash.update(name);
    hash.update([0]);
    hash.update(piece);
    let bytes: [u8; 32] = hash.finalize().into();
    let number = bytes.first_chunk::<8>().map_or(0, |first| i64::from_le_bytes(*first));
    Key { kind: MemoryKind::File, item: number & i64::MAX }
}
