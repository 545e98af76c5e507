use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{ConversationId, FactId, MessageId, Origin};

/// What a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FactCategory {
    Personal,
    Preference,
    Relationship,
    Event,
    Goal,
    Health,
    /// What holds for a while: a trip, a project, guests.
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

/// Whether a fact counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FactStatus {
    Current,
    /// It came from words of others, and waits for a yes.
    Unconfirmed,
    /// Something newer holds instead: `supersededBy`.
    Superseded,
    /// It held until `validTo` or `expiresAt`.
    Expired,
    /// It was uncertain and never came up again.
    Faded,
    /// It says the same as another: `supersededBy`.
    Merged,
}

/// Where a fact came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum FactSource {
    /// Somebody said it. The title is the conversation's.
    #[serde(rename_all = "camelCase")]
    Conversation { conversation_id: ConversationId, message_id: MessageId, title: String },
    /// The user wrote it down.
    Person,
    /// It came with a file: its name.
    Import { name: String },
    /// Another program wrote it down.
    Program { name: String },
}

/// Something that she knows. Times are RFC 3339, in UTC; confidence and importance lie between 0 and 1.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fact {
    pub id: FactId,
    pub category: FactCategory,
    /// Whom it is about; empty for the user.
    pub subject: String,
    /// A sentence that can stand alone.
    pub content: String,
    /// The words that it was taken from.
    pub quote: Option<String>,
    pub source: FactSource,
    /// As it is today: it fades while nobody speaks of it.
    pub confidence: f32,
    /// How fast: the days after which half of its confidence is gone, where it fades at all.
    pub half_life_days: Option<u32>,
    pub importance: f32,
    pub created_at: String,
    pub updated_at: String,
    pub last_used_at: Option<String>,
    pub use_count: u32,
    pub valid_from: Option<String>,
    pub valid_to: Option<String>,
    pub expires_at: Option<String>,
    /// It never leaves this machine, and is told to nobody but the user.
    pub private: bool,
    pub status: FactStatus,
    pub superseded_by: Option<FactId>,
    /// A later message that may have changed it. Until somebody says whether it did, she does not state it.
    pub doubt: Option<FactDoubt>,
    /// Whose words it rests on, beside the user's.
    pub origins: Vec<Origin>,
}

/// A message that speaks of a change, in words out of which nothing could be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FactDoubt {
    pub conversation_id: ConversationId,
    pub message_id: MessageId,
    /// RFC 3339, in UTC.
    pub at: String,
    pub words: String,
}

/// `GET /api/memory`: newest first, or best first where something is searched for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FactList {
    pub facts: Vec<Fact>,
    /// Give it back as `?cursor=` for the next page.
    pub next: Option<String>,
    /// How many current facts each category has, whatever is searched for.
    pub categories: Vec<CategoryCount>,
    /// How many wait for a yes.
    pub unconfirmed: u32,
    pub total: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CategoryCount {
    pub category: FactCategory,
    pub facts: u32,
}

/// `POST /api/memory`.
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
    /// How sure it is, from 0 to 1; what is written by hand is nearly sure.
    #[serde(default)]
    pub confidence: Option<f32>,
    #[serde(default)]
    pub private: bool,
    /// A day, `2026-05-01`, or a moment.
    #[serde(default)]
    pub valid_from: Option<String>,
    #[serde(default)]
    pub expires_at: Option<String>,
}

/// `PATCH /api/memory/{id}`: what is absent stays; an empty `expiresAt` means never, an empty `subject` the user.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(optional_fields)]
pub struct FactPatch {
    #[serde(default)]
    pub content: Option<String>,
    /// Whom it is about.
    #[serde(default)]
    pub subject: Option<String>,
    #[serde(default)]
    pub category: Option<FactCategory>,
    #[serde(default)]
    pub importance: Option<f32>,
    /// How sure it is, from 0 to 1.
    #[serde(default)]
    pub confidence: Option<f32>,
    #[serde(default)]
    pub private: Option<bool>,
    #[serde(default)]
    pub expires_at: Option<String>,
    /// A yes or no to a fact that waits for one or is in doubt, or one brought back that had faded.
    #[serde(default)]
    pub confirmed: Option<bool>,
}

/// `POST /api/memory/merge`: the facts become one, the first of them, which says `content` or what it said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct MergeFactsRequest {
    pub ids: Vec<FactId>,
    #[serde(default)]
    pub content: Option<String>,
}

/// `GET /api/memory/{id}/history`: what happened to a fact, oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FactHistory {
    pub changes: Vec<FactChange>,
    /// Whether `POST /api/memory/{id}/undo` has something to take back.
    pub can_undo: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FactChange {
    pub at: String,
    pub kind: FactChangeKind,
    /// Said before it, where the words changed.
    pub before: Option<String>,
    /// What else became otherwise.
    pub changed: Vec<FactDifference>,
    /// The other fact of a merge or a contradiction.
    pub other: Option<FactId>,
    pub other_content: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", tag = "what")]
pub enum FactDifference {
    /// Whom it is about; empty for the user.
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
    /// When it ends, if it does.
    Expiry {
        from: Option<String>,
        to: Option<String>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FactChangeKind {
    Learned,
    /// It was said again, and is surer now.
    Repeated,
    Edited,
    Confirmed,
    /// Something newer took its place.
    Superseded,
    /// It took the place of something older.
    Replaced,
    /// Another fact that said the same went into it, or it into another.
    Merged,
    Expired,
    /// A message spoke of a change, and not clearly of which.
    Doubted,
    Faded,
    /// It was sure for long, and does not fade any more.
    Promoted,
    /// A change was taken back.
    Undone,
}

/// What kind of thing was remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum MemoryKind {
    Fact,
    Message,
    Summary,
    File,
    /// Of the vector store.
    Entry,
}

/// Something that was remembered for a message, with where it stands and how well it fits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryItem {
    pub kind: MemoryKind,
    /// The fact's or message's id, the file's name, or the entry's id.
    pub id: String,
    pub text: String,
    /// Who said it, or whom it is about; empty for the user.
    pub who: String,
    /// When it was said or learned.
    pub at: Option<String>,
    pub score: f32,
    /// What the score is made of, largest first: `words`, `meaning`, `person`, `day`, `importance`, `recency`.
    pub parts: Vec<ScorePart>,
    pub conversation_id: Option<ConversationId>,
    pub message_id: Option<MessageId>,
    /// The conversation's title.
    pub title: Option<String>,
    pub origins: Vec<Origin>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScorePart {
    pub name: String,
    pub value: f32,
}

/// `GET /api/memory/recall?q=`: what would be recalled for this message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RecallReply {
    pub items: Vec<MemoryItem>,
    /// Nothing came near enough to be an answer: an honest *I don't know that*.
    pub refused: bool,
    /// All that the user said so far is among the items, since it is little enough to be read whole. It comes also where
    /// nothing of it answers.
    pub whole: bool,
    /// Conversations are being read in. Until then they are found by their words.
    pub reading: Option<ReadingProgress>,
    pub millis: f32,
}

/// How many of so many texts can be found by what they mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReadingProgress {
    pub done: usize,
    pub of: usize,
}

/// `POST /api/memory/forget`: a fact, a message, or words wherever they stand. Without `confirm`, nothing is
/// removed, and the report says what would be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct ForgetRequest {
    #[serde(default)]
    pub fact: Option<FactId>,
    #[serde(default)]
    pub message: Option<MessageId>,
    #[serde(default)]
    pub words: Option<String>,
    /// Words of the report that are to be looked for, too.
    #[serde(default)]
    pub also: Vec<String>,
    /// Words of the report that are to stay.
    #[serde(default)]
    pub leave: Vec<String>,
    #[serde(default)]
    pub confirm: bool,
}

/// What forgetting removed, or would remove.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ForgetReport {
    /// False for what has only been looked up.
    pub done: bool,
    /// The words that are looked for.
    pub words: Vec<String>,
    /// Words that would say it, too, and mean other things elsewhere: they stay, unless they are asked for.
    pub offered: Vec<OfferedWords>,
    pub removed: Vec<ForgottenPlace>,
    /// Files and their history go after this moment.
    pub history_until: Option<String>,
    /// Backups are as they were made.
    pub backups: Vec<BackupCopy>,
    /// Where the words were found afterwards, in files of the data folder: nothing, if all went well.
    pub found: Vec<String>,
    /// Answers that are being written, and other work that may have read the words: what it writes is looked through
    /// when it ends.
    pub running: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferedWords {
    pub words: String,
    /// How many conversations have them.
    pub conversations: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ForgottenPlace {
    /// `facts`, `messages`, `summaries`, `prompts`, `events`, `audit`, `vectors`, `files`, `state`.
    pub place: String,
    pub count: u32,
    /// The beginning of what stood there, for what has only been looked up.
    pub example: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackupCopy {
    pub file: String,
    pub made_at: String,
}

/// `POST /api/memory/import`: what came in.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryImportReply {
    /// What the file was taken for: `perigee`, `markdown`, `chatgpt`, `sillytavern`.
    pub format: String,
    pub facts: u32,
    pub conversations: u32,
    pub messages: u32,
    pub entries: u32,
    pub files: u32,
    /// What was there already.
    pub known: u32,
    pub problems: Vec<String>,
}

/// One day of the memory's timeline, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryDay {
    /// `2026-05-01`.
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

/// `GET /api/memory/timeline?before=`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Timeline {
    pub days: Vec<MemoryDay>,
    pub next: Option<String>,
}

/// `GET /api/memory/files`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryFileList {
    pub files: Vec<MemoryFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryFile {
    pub name: String,
    pub bytes: u32,
    pub changed_at: String,
    /// Whose words are in it, beside the user's and hers.
    pub origins: Vec<Origin>,
}

/// `GET /api/memory/files/{name}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryFileView {
    pub file: MemoryFile,
    pub content: String,
    /// Newest first.
    pub history: Vec<MemoryFileChange>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryFileChange {
    /// Give it to `POST /api/memory/files/{name}/restore`.
    pub id: String,
    pub at: String,
    pub what: String,
    /// What the file said after the change; absent where it was deleted.
    pub content: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RestoreMemoryFileRequest {
    pub id: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WriteMemoryFileRequest {
    pub content: String,
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

/// `GET /api/vector`: newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VectorEntryList {
    pub entries: Vec<VectorEntry>,
    pub total: u32,
}

/// `POST /api/vector`, and `PUT /api/vector/{id}`, where the id stands in the address. Without an id, one is made.
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
    /// Whose words it has, of one that is brought back; those that it had stay in any case.
    #[serde(default)]
    pub origins: Option<Vec<Origin>>,
    /// When it was made, of one that is brought back.
    #[serde(default)]
    pub created_at: Option<String>,
}

/// One side of how she is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Dimension {
    Mood,
    Energy,
    Formality,
    Humor,
    SupportNeed,
    Verbosity,
    Depth,
    QuestionFrequency,
}

/// `GET /api/personality`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Personality {
    pub traits: Vec<Trait>,
    /// What the model reads of it.
    pub tone: String,
    /// Whether `POST /api/personality/undo` has something to take back.
    pub can_undo: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Trait {
    pub dimension: Dimension,
    /// From 0.05 to 0.95.
    pub value: f32,
    /// Where it is pulled back to.
    pub rest: f32,
    pub locked: bool,
    /// What moved it, oldest first.
    pub moves: Vec<TraitMove>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TraitMove {
    pub at: String,
    pub value: f32,
    /// In a few words: “you laughed”.
    pub why: String,
    pub conversation_id: Option<ConversationId>,
    pub message_id: Option<MessageId>,
}

/// `PATCH /api/personality`: what is absent stays.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonalityPatch {
    pub traits: Vec<TraitPatch>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct TraitPatch {
    pub dimension: Dimension,
    #[serde(default)]
    pub value: Option<f32>,
    #[serde(default)]
    pub locked: Option<bool>,
}
