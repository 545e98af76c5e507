use jiff::Timestamp;
use protocol::{ConversationId, FactCategory, FactChangeKind, FactId, FactStatus, MessageId, Origin};
use serde::{Deserialize, Serialize};

/// The properties of a fact when it is learned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewFact {
    pub category: FactCategory,
    pub status: FactStatus,
    /// The subject; empty for the user.
    pub subject: String,
    pub slot: Option<String>,
    pub value: String,
    pub content: String,
    pub quote: Option<String>,
    pub confidence: f32,
    pub importance: f32,
    pub valid_from: Option<Timestamp>,
    pub valid_to: Option<Timestamp>,
    pub expires_at: Option<Timestamp>,
    pub private: bool,
    /// True if it does not fade, as when the user wrote it down.
    pub lasting: bool,
    pub conversation: Option<ConversationId>,
    pub message: Option<MessageId>,
    pub imported_from: Option<String>,
    pub origins: Vec<Origin>,
}

/// A stored fact. The caller determines whether it has faded or expired since.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredFact {
    pub id: FactId,
    #[serde(flatten)]
    pub said: NewFact,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    pub use_count: u32,
    pub said_count: u32,
    pub untold: bool,
    pub superseded_by: Option<FactId>,
    /// The message that mentions a change without stating clearly what changed.
    #[serde(default)]
    pub doubted_by: Option<MessageId>,
    /// The title of the conversation it came from, while that exists.
    #[serde(skip)]
    pub title: Option<String>,
    /// The message that puts it in doubt, while that exists.
    #[serde(skip)]
    pub doubt: Option<Doubt>,
    /// The values it had before it was changed by hand.
    #[serde(skip)]
    pub put_right: Vec<String>,
}

/// The message that puts a fact in doubt.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    pub message: MessageId,
    pub conversation: ConversationId,
    pub at: Timestamp,
    pub words: String,
    pub origins: Vec<Origin>,
}

/// A change of a fact.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredFactChange {
    pub fact: FactId,
    pub at: Timestamp,
    pub kind: FactChangeKind,
    pub before: Option<StoredFact>,
    pub other: Option<FactId>,
    pub other_content: Option<String>,
}
