//! Conversations: lists, contents, branches and search.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{
    Act, AttachmentInfo, ConversationId, ErrorCode, Event, MemoryItem, MessageId, PinnedAct, PlanStep,
    StopReason, TurnId, TurnInfo, Usage,
};

/// A conversation as listed. Times are RFC 3339, in UTC.
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
    /// True for an incognito conversation: nothing is learned from it, and it is deleted when it is closed.
    pub incognito: bool,
}

/// The response of `GET /api/chats`: pinned conversations first, then the most recently changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatList {
    pub chats: Vec<ChatSummary>,
    /// The value of `?cursor=` for the next page; `null` on the last page.
    pub next: Option<String>,
    /// The conversation that receives a message without `conversationId`. If `null`, such a message opens a new one.
    pub current: Option<ConversationId>,
    pub folders: Vec<FolderCount>,
    /// The tags in use, most used first.
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

/// The request body of `PATCH /api/chats/{id}`. Absent fields stay as they are; an empty `folder` takes the
/// conversation out of its folder.
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

/// An open conversation with the messages of the active branch, oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatView {
    pub chat: ChatSummary,
    pub messages: Vec<Message>,
    /// The value of `?before=` for earlier messages; `null` if there are none.
    pub before: Option<MessageId>,
    /// The turn that is running in this conversation and can be resumed; `null` if there is none.
    pub live: Option<TurnInfo>,
    pub summary: Option<SummaryMark>,
    /// The pinned tool calls of all branches, oldest first.
    pub pinned: Vec<PinnedAct>,
}

/// A summary that the model reads in place of the messages up to and including `upTo`. The conversation still shows
/// these messages in full.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SummaryMark {
    pub up_to: MessageId,
    pub text: String,
}

/// A message of the active branch. `siblings` are the branches at this point, including this one.
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
    /// The error that ended the reply; `null` if it did not fail.
    pub error: Option<String>,
    pub error_code: Option<ErrorCode>,
    pub model: Option<String>,
    pub turn_id: Option<TurnId>,
    /// The cost of the reply; `null` until it has ended.
    pub usage: Option<Usage>,
    pub attachments: Vec<AttachmentInfo>,
    pub siblings: Vec<MessageId>,
    /// The tool calls made for the reply, in order.
    pub acts: Vec<Act>,
    pub plan: Vec<PlanStep>,
    /// The memories recalled for the reply, best first.
    pub memory: Vec<MemoryItem>,
    /// The events of work on code that are kept: `context`, `verify`, `proposal` and `meta`, without their longest
    /// parts. Absent if there are none.
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

/// The request body of `POST /api/chats/{id}/branch`, which makes the branch with this message the active one.
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

/// A message or title that matches a search. For a title, `message` and `role` are `null`. `snippet` is plain text;
/// `marks` are the matches in it as pairs of start and end, counted in UTF-16 code units as in JavaScript.
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
