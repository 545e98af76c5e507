use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{
    Act, AttachmentInfo, ConversationId, ErrorCode, Event, MemoryItem, MessageId, PinnedAct, PlanStep,
    StopReason, TurnId, TurnInfo, Usage,
};

/// A conversation as a row of the list. Times are RFC 3339, in UTC.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatSummary {
    pub id: ConversationId,
    pub title: String,
    pub created_at: String,
    pub updated_at: String,
    pub pinned: bool,
    pub folder: Option<String>,
    pub tags: Vec<String>,
    pub message_count: u32,
    /// The beginning of the last message.
    pub preview: String,
    /// It is remembered by nobody, and gone when it is closed.
    pub incognito: bool,
}

/// `GET /api/chats`: newest first, pinned before all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatList {
    pub chats: Vec<ChatSummary>,
    /// Give it back as `?cursor=` for the next page.
    pub next: Option<String>,
    /// The conversation that a message without `conversationId` goes to.
    pub current: Option<ConversationId>,
    pub folders: Vec<FolderCount>,
    /// Most used first.
    pub tags: Vec<TagCount>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FolderCount {
    pub name: String,
    pub chats: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TagCount {
    pub name: String,
    pub chats: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct NewChatRequest {
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub folder: Option<String>,
    #[serde(default)]
    pub incognito: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoadChatRequest {
    pub id: ConversationId,
}

/// `PATCH /api/chats/{id}`: what is absent stays; an empty folder takes the conversation out of its folder.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct ChatPatch {
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub pinned: Option<bool>,
    #[serde(default)]
    pub folder: Option<String>,
    #[serde(default)]
    pub tags: Option<Vec<String>>,
}

/// A conversation opened: the messages of the branch that is shown, oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatView {
    pub chat: ChatSummary,
    pub messages: Vec<Message>,
    /// Earlier messages exist: ask again with `?before=` this id.
    pub before: Option<MessageId>,
    /// The turn that is running in this conversation, to be resumed.
    pub live: Option<TurnInfo>,
    pub summary: Option<SummaryMark>,
    /// Of all branches, oldest first.
    pub pinned: Vec<PinnedAct>,
}

/// Messages up to `upTo` reach the model as this summary; here they stay in full.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SummaryMark {
    pub up_to: MessageId,
    pub text: String,
}

/// One message of the shown branch. `siblings` are the branches at this point, itself included.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    pub id: MessageId,
    pub parent: Option<MessageId>,
    pub role: Role,
    pub content: String,
    pub reasoning: Option<String>,
    pub created_at: String,
    pub status: MessageStatus,
    pub stop_reason: Option<StopReason>,
    /// Why the answer failed, where it did.
    pub error: Option<String>,
    pub error_code: Option<ErrorCode>,
    pub model: Option<String>,
    pub turn_id: Option<TurnId>,
    /// What the answer cost, once it has ended.
    pub usage: Option<Usage>,
    pub attachments: Vec<AttachmentInfo>,
    pub siblings: Vec<MessageId>,
    /// What she did in the course of the answer, in order.
    pub acts: Vec<Act>,
    pub plan: Vec<PlanStep>,
    /// What she remembered for it, best first.
    pub memory: Vec<MemoryItem>,
    /// What work on code told beside its words: `context`, `verify`, `proposal` and `meta`, without their longest parts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Event>>")]
    pub work: Vec<Event>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Role {
    User,
    Assistant,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum MessageStatus {
    /// Still being written.
    Streaming,
    Complete,
    /// Ended early: stopped by the user, or cut off.
    Partial,
    Failed,
}

/// `POST /api/chats/{id}/branch`: show the branch that holds this message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BranchRequest {
    #[serde(alias = "message_id")]
    pub message_id: MessageId,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchResults {
    pub hits: Vec<SearchHit>,
    pub next: Option<String>,
}

/// A message, or a title, that matches. `snippet` is plain text; `marks` are the matches in it as pairs of
/// start and end, counted in UTF-16 units as JavaScript counts them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SearchHit {
    pub chat: ConversationId,
    pub title: String,
    pub message: Option<MessageId>,
    pub role: Option<Role>,
    pub created_at: String,
    pub snippet: String,
    pub marks: Vec<(u32, u32)>,
}
