//! The memory: facts, recall, the timeline, and the vector store.

mod files;
mod forget;
mod personality;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;
use utoipa::ToSchema;

pub use self::files::*;
pub use self::forget::*;
pub use self::personality::*;
use crate::{ConversationId, FactId, MessageId, Origin};

/// The category of a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FactCategory {
    Personal,
    Preference,
    Relationship,
    Event,
    Goal,
    Health,
    /// Something temporary: a trip, a project, guests.
    Context,
    Behaviour,
}

impl FactCategory {
    pub const ALL: [Self; 8] = [
        Self::Personal,
        Self::Preference,
        Self::Relationship,
        Self::Event,
        Self::Goal,
        Self::Health,
        Self::Context,
        Self::Behaviour,
    ];
}

/// The status of a fact. Only current facts count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FactStatus {
    Current,
    /// It comes from untrusted content or a program, and waits for the user's confirmation.
    Unconfirmed,
    /// A newer fact has replaced it: `supersededBy`.
    Superseded,
    /// It was true until `validTo` or `expiresAt`.
    Expired,
    /// It was uncertain and was not mentioned again, or the user rejected it.
    Faded,
    /// It was merged into another fact that says the same: `supersededBy`.
    Merged,
}

/// The source of a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum FactSource {
    /// A message. `title` is the title of the conversation.
    #[serde(rename_all = "camelCase")]
    Conversation { conversation_id: ConversationId, message_id: MessageId, title: String },
    /// Entered by the user.
    Person,
    /// Imported from a file of this name.
    Import { name: String },
    /// Entered by another program.
    Program { name: String },
}

/// A fact in the memory. Times are RFC 3339, in UTC; confidence and importance are between 0 and 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    pub id: FactId,
    pub category: FactCategory,
    /// The person that the fact is about; empty for the user.
    pub subject: String,
    /// The fact as a self-contained sentence.
    pub content: String,
    /// The text from which the fact was taken; `null` if there is none.
    pub quote: Option<String>,
    pub source: FactSource,
    /// The confidence as of today. It fades while the fact is not mentioned.
    pub confidence: f32,
    /// The number of days after which half of the confidence is lost; `null` if it does not fade.
    pub half_life_days: Option<u32>,
    pub importance: f32,
    pub created_at: String,
    pub updated_at: String,
    pub last_used_at: Option<String>,
    pub use_count: u32,
    pub valid_from: Option<String>,
    pub valid_to: Option<String>,
    pub expires_at: Option<String>,
    /// True if the fact never leaves this machine and is shown to nobody but the user.
    pub private: bool,
    pub status: FactStatus,
    pub superseded_by: Option<FactId>,
    /// A later message that may have made the fact untrue; `null` if there is none. The companion does not state the
    /// fact until the user decides.
    pub doubt: Option<FactDoubt>,
    /// The origins of untrusted content on which the fact is based, beside the user's own words.
    pub origins: Vec<Origin>,
}

/// A message that mentions a change, in words from which no fact could be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FactDoubt {
    pub conversation_id: ConversationId,
    pub message_id: MessageId,
    /// The time of the message: RFC 3339, in UTC.
    pub at: String,
    pub words: String,
}

/// The response of `GET /api/memory`: newest first, or best match first with `?q=`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FactList {
    pub facts: Vec<Fact>,
    /// The value of `?cursor=` for the next page; `null` on the last page.
    pub next: Option<String>,
    /// The number of current facts in each category, regardless of the search.
    pub categories: Vec<CategoryCount>,
    /// The number of facts that wait for the user's confirmation.
    pub unconfirmed: u32,
    pub total: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CategoryCount {
    pub category: FactCategory,
    pub facts: u32,
}

/// The request body of `POST /api/memory`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct NewFactRequest {
    pub content: String,
    #[serde(default)]
    pub category: Option<FactCategory>,
    #[serde(default)]
    pub subject: Option<String>,
    #[serde(default)]
    pub importance: Option<f32>,
    /// The confidence, from 0 to 1. If absent, a fact that the user writes down gets 0.95.
    #[serde(default)]
    pub confidence: Option<f32>,
    #[serde(default)]
    pub private: bool,
    /// A day such as `2026-05-01`, or a timestamp.
    #[serde(default)]
    pub valid_from: Option<String>,
    #[serde(default)]
    pub expires_at: Option<String>,
}

/// The request body of `PATCH /api/memory/{id}`. Absent fields stay as they are. An empty `expiresAt` means never, and
/// an empty `subject` means the user.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(optional_fields)]
pub struct FactPatch {
    #[serde(default)]
    pub content: Option<String>,
    /// The person that the fact is about.
    #[serde(default)]
    pub subject: Option<String>,
    #[serde(default)]
    pub category: Option<FactCategory>,
    #[serde(default)]
    pub importance: Option<f32>,
    /// The confidence, from 0 to 1.
    #[serde(default)]
    pub confidence: Option<f32>,
    #[serde(default)]
    pub private: Option<bool>,
    #[serde(default)]
    pub expires_at: Option<String>,
    /// The decision on a fact that is unconfirmed or in doubt: true confirms it, false rejects it. True also restores a
    /// fact that has faded.
    #[serde(default)]
    pub confirmed: Option<bool>,
}

/// The request body of `POST /api/memory/merge`. The facts are merged into the first one, whose text becomes `content`,
/// or stays as it is if `content` is absent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct MergeFactsRequest {
    pub ids: Vec<FactId>,
    #[serde(default)]
    pub content: Option<String>,
}

/// The response of `GET /api/memory/{id}/history`: the changes to a fact, oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FactHistory {
    pub changes: Vec<FactChange>,
    /// True if `POST /api/memory/{id}/undo` can undo a change.
    pub can_undo: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FactChange {
    pub at: String,
    pub kind: FactChangeKind,
    /// The text of the fact before the change; `null` if there was none.
    pub before: Option<String>,
    /// Other changes beside the text.
    pub changed: Vec<FactDifference>,
    /// The other fact of a merge or a contradiction; `null` for other changes.
    pub other: Option<FactId>,
    pub other_content: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", tag = "what")]
pub enum FactDifference {
    /// The person that the fact is about; empty for the user.
    Subject {
        from: String,
        to: String,
    },
    Category {
        from: FactCategory,
        to: FactCategory,
    },
    Private {
        to: bool,
    },
    /// The time at which the fact expires; `null` means never.
    Expiry {
        from: Option<String>,
        to: Option<String>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FactChangeKind {
    Learned,
    /// It was stated again, and its confidence rose.
    Repeated,
    Edited,
    Confirmed,
    /// A newer fact replaced it.
    Superseded,
    /// It replaced an older fact.
    Replaced,
    /// Another fact that said the same was merged into it, or it was merged into another one.
    Merged,
    Expired,
    /// A message mentioned a change, but not clearly which.
    Doubted,
    Faded,
    /// It was certain for a long time, and no longer fades.
    Promoted,
    /// A change was undone.
    Undone,
}

/// The kind of a memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum MemoryKind {
    Fact,
    Message,
    Summary,
    File,
    /// An entry of the vector store.
    Entry,
}

/// A memory recalled for a message, with its source and how well it matches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryItem {
    pub kind: MemoryKind,
    /// The id of the fact, message or entry, the name of the file, or, for a summary, the id of the conversation.
    pub id: String,
    pub text: String,
    /// The person who said it, or whom it is about; empty for the user.
    pub who: String,
    /// The time at which it was said or learned: RFC 3339, in UTC.
    pub at: Option<String>,
    pub score: f32,
    /// The parts of the score: `words`, `meaning`, `person`, `day`, `telling`, `time` and `recency`, largest first; for
    /// a fact, `fact` and `importance`.
    pub parts: Vec<ScorePart>,
    pub conversation_id: Option<ConversationId>,
    pub message_id: Option<MessageId>,
    /// The title of the conversation; `null` if there is none.
    pub title: Option<String>,
    pub origins: Vec<Origin>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScorePart {
    pub name: String,
    pub value: f32,
}

/// The response of `GET /api/memory/recall?q=`: the memories that this message would recall.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecallReply {
    pub items: Vec<MemoryItem>,
    /// True if nothing matches well enough to be an answer: an honest *I don't know that*.
    pub refused: bool,
    /// True if the items include everything that the user has said so far, because it is short enough to be read as a
    /// whole. The items may then be listed even though none of them is an answer.
    pub whole: bool,
    /// The progress of embedding conversations; `null` if little or nothing is left to embed. Until then they are found
    /// by their words only.
    pub reading: Option<ReadingProgress>,
    pub millis: f32,
}

/// The progress of embedding: `done` of `of` texts can be found by their meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadingProgress {
    pub done: usize,
    pub of: usize,
}

/// The response of `POST /api/memory/import`: the number of imported items of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryImportReply {
    /// The detected format of the file: `perigee`, `markdown`, `chatgpt` or `sillytavern`.
    pub format: String,
    pub facts: u32,
    pub conversations: u32,
    pub messages: u32,
    pub entries: u32,
    pub files: u32,
    /// The number of items that were already known.
    pub known: u32,
    pub problems: Vec<String>,
}

/// One day of the memory's timeline. Its entries are listed newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryDay {
    /// The date, as in `2026-05-01`.
    pub day: String,
    pub entries: Vec<TimelineEntry>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TimelineEntry {
    pub at: String,
    pub kind: FactChangeKind,
    pub fact: Fact,
    pub before: Option<String>,
}

/// The response of `GET /api/memory/timeline?before=`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Timeline {
    pub days: Vec<MemoryDay>,
    pub next: Option<String>,
}

/// An entry of the vector store.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VectorEntry {
    pub id: String,
    pub content: String,
    #[ts(type = "Record<string, unknown>")]
    pub metadata: Map<String, Value>,
    pub created_at: String,
    pub updated_at: String,
    pub origins: Vec<Origin>,
}

/// The response of `GET /api/vector`: newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VectorEntryList {
    pub entries: Vec<VectorEntry>,
    pub total: u32,
}

/// The request body of `POST /api/vector` and of `PUT /api/vector/{id}`, where the id is in the path. Without an id,
/// one is generated.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct SaveVectorRequest {
    #[serde(default)]
    pub id: Option<String>,
    pub content: String,
    #[serde(default)]
    #[ts(type = "Record<string, unknown>")]
    pub metadata: Option<Map<String, Value>>,
    /// The origins of untrusted content in a restored entry. Origins that a replaced entry has are kept in any case.
    #[serde(default)]
    pub origins: Option<Vec<Origin>>,
    /// The original creation time of a restored entry.
    #[serde(default)]
    pub created_at: Option<String>,
}
