//! Messages sent to the companion, and the explanation of a reply.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{AttachmentId, ConversationId, MessageId, TurnId, Usage};

/// The length limit of a message, in bytes.
pub const MAX_MESSAGE_BYTES: usize = 256 * 1024;
/// The size limit of an attachment, in bytes.
pub const MAX_ATTACHMENT_BYTES: usize = 16 * 1024 * 1024;
/// The maximum number of attachments to a message.
pub const MAX_ATTACHMENTS: usize = 10;

/// The request body of `POST /api/chat/stream` and `POST /api/chat`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct ChatRequest {
    pub message: String,
    /// The conversation of the message. If absent, it is the one opened last, or a new one if none is open.
    #[serde(alias = "conversation_id", default)]
    pub conversation_id: Option<ConversationId>,
    /// The message that this one replaces. Both are kept, as branches of the conversation.
    #[serde(alias = "edit_of", default)]
    pub edit_of: Option<MessageId>,
    #[serde(default)]
    #[ts(as = "Option<Vec<AttachmentUpload>>")]
    pub attachments: Vec<AttachmentUpload>,
    /// An id chosen by the client. A message that is sent again with the same id, for example after a lost connection,
    /// does not start another turn.
    #[serde(alias = "client_message_id", default)]
    pub client_message_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttachmentUpload {
    pub name: String,
    pub mime: String,
    /// The content of the file, in Base64.
    pub data: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttachmentInfo {
    pub id: AttachmentId,
    pub name: String,
    pub mime: String,
    pub bytes: u32,
}

/// The response of `POST /api/chat`: the complete reply, sent at the end of the turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatReply {
    pub response: String,
    pub conversation_id: ConversationId,
    pub turn_id: TurnId,
    pub message_id: MessageId,
}

/// The request body of `POST /api/chats/{id}/regenerate`, which creates another reply as a sibling of this message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegenerateRequest {
    #[serde(alias = "message_id")]
    pub message_id: MessageId,
}

/// The request body of `POST /api/chat/stop`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StopRequest {
    #[serde(alias = "turn_id")]
    pub turn_id: TurnId,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StopReply {
    /// False if the turn had already ended.
    pub stopped: bool,
}

/// A running or ended turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TurnInfo {
    pub turn_id: TurnId,
    pub conversation_id: ConversationId,
    pub message_id: MessageId,
    pub status: TurnStatus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum TurnStatus {
    Running,
    Ended,
}

/// The explanation of a reply (*Why did you say that?*): the prompt that the model read, and the cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Why {
    pub turn_id: TurnId,
    pub message_id: MessageId,
    pub model: String,
    pub fragments: Vec<Fragment>,
    pub usage: Usage,
    pub timings: Timings,
}

/// One piece of the prompt. The pieces are listed in the order in which the model read them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fragment {
    pub kind: FragmentKind,
    /// The source, in a few words: `soul/identity.md`, `message`, `summary`.
    pub source: String,
    pub text: String,
    pub tokens: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FragmentKind {
    Soul,
    /// The available tools, and how to call them.
    Tools,
    /// The names of the skills.
    Skills,
    Date,
    /// The companion's current personality, in words.
    Tone,
    Summary,
    /// Earlier messages of the branch, in full. The text is empty here, because it is in the conversation itself.
    History,
    Context,
    User,
    Assistant,
    /// Results of tool calls made for the reply.
    Results,
}

/// The time spent in each part of the turn, in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Timings {
    /// The wait for an earlier turn of the same conversation.
    pub queued_ms: u32,
    pub context_ms: u32,
    /// The time from the finished prompt to the first token.
    pub prefill_ms: u32,
    pub decode_ms: u32,
}
