//! The items of a user's memory and their keys.

use jiff::Timestamp;
use protocol::{ConversationId, FactId, MemoryKind, MessageId, Origin, Role};
use sha2::{Digest, Sha256};
use store::{RecallableMessage, SavedEntry};

use crate::recall::is_mere_question;

/// The key of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct ItemKey {
    pub kind: MemoryKind,
    /// The id of its row, or a hash of its text.
    pub item: i64,
}

impl ItemKey {
    pub fn message(id: MessageId) -> Self {
        Self { kind: MemoryKind::Message, item: id.get() }
    }

    pub fn fact(id: FactId) -> Self {
        Self { kind: MemoryKind::Fact, item: id.get() }
    }
}

/// An item at a position of the index.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RecallItem {
    /// A message; its text is in the store.
    Message {
        id: MessageId,
        conversation: ConversationId,
        role: Role,
        /// The number of characters that state something about the user, if it does.
        stated_chars: Option<usize>,
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

impl RecallItem {
    pub fn key(&self) -> ItemKey {
        match self {
            RecallItem::Message { id, .. } => ItemKey::message(*id),
            RecallItem::Summary { conversation, .. } => summary_key(*conversation),
            RecallItem::File { item, .. } => ItemKey { kind: MemoryKind::File, item: *item },
            RecallItem::Entry(saved) => ItemKey { kind: MemoryKind::Entry, item: saved.row },
        }
    }

    /// Returns the text, unless it is in the store.
    pub fn text(&self) -> Option<String> {
        match self {
            RecallItem::Message { .. } => None,
            RecallItem::Summary { text, .. } | RecallItem::File { text, .. } => Some(text.clone()),
            RecallItem::Entry(saved) => Some(saved.entry.content.clone()),
        }
    }
}

pub fn summary_key(conversation: ConversationId) -> ItemKey {
    ItemKey { kind: MemoryKind::Summary, item: conversation.get() }
}

/// Returns the key of a file piece: the same for the same text under the same name.
pub fn file_key(name: &str, piece: &str) -> ItemKey {
    let mut hash = Sha256::new();
    hash.update(name);
    hash.update([0]);
    hash.update(piece);
    let bytes: [u8; 32] = hash.finalize().into();
    let number = bytes.first_chunk::<8>().map_or(0, |first| i64::from_le_bytes(*first));
    ItemKey { kind: MemoryKind::File, item: number & i64::MAX }
}

/// Returns the number of characters of a message that state something about the user. The companion's messages do not
/// count: they are based on the user's or on other content, and are longer. Imported role-play and mere questions do
/// not count either.
pub(super) fn stated_chars(message: &RecallableMessage) -> Option<usize> {
    let tells = message.role == Role::User && !message.is_foreign && !is_mere_question(&message.content);
    tells.then(|| message.content.chars().count())
}
