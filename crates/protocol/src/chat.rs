use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{AttachmentId, ConversationId, MessageId, TurnId, Usage};

/// `POST /api/chat/stream` and `POST /api/chat`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct ChatRequest {
    pub message: String,
    /// Without one, the conversation that was opened last goes on.
    #[serde(alias = "conversation_id", default)]
    pub conversation_id: Option<ConversationId>,
    /// The message that this one replaces: the two become branches beside each other.
    #[serde(alias = "edit_of", default)]
    pub edit_of: Option<MessageId>,
    #[serde(default)]
    #[ts(as = "Option<Vec<AttachmentUpload>>")]
    pub attachments: Vec<AttachmentUpload>,
    /// Chosen by the client, so that a message sent twice over a bad line is one turn.
    #[serde(alias = "client_message_id", default)]
    pub client_message_id: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttachmentUpload {
    pub name: String,
    pub mime: String,
    /// Base 64.
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

/// The answer of `POST /api/chat`: the same turn, gathered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChatReply {
    pub response: String,
    pub conversation_id: ConversationId,
    pub turn_id: TurnId,
    pub message_id: MessageId,
}

/// `POST /api/chats/{id}/regenerate`: another answer beside this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RegenerateRequest {
    #[serde(alias = "message_id")]
    pub message_id: MessageId,
}

/// `POST /api/chat/stop`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StopRequest {
    #[serde(alias = "turn_id")]
    pub turn_id: TurnId,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct StopReply {
    /// False when the turn had already ended.
    pub stopped: bool,
}

/// A turn that runs, or ran.
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

/// *Why did you say that?*: what she saw, and what it cost.
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

/// One piece of the prompt, in the order in which the model read it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Fragment {
    pub kind: FragmentKind,
    /// Where it came from, in a few words: `soul/identity.md`, `message`, `summary`.
    pub source: String,
    pub text: String,
    pub tokens: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FragmentKind {
    Soul,
    /// How tools are called, and which there are.
    Tools,
    /// The names of the skills.
    Skills,
    Date,
    /// How she is, in words.
    Tone,
    Summary,
    /// Earlier messages of the branch, told in full. Their words are in the conversation itself.
    History,
    Context,
    User,
    Assistant,
    /// What tools brought in the course of the answer.
    Results,
}

/// Milliseconds spent in each part of the turn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Timings {
    /// Waiting for an earlier turn of the same conversation.
    pub queued_ms: u32,
    pub context_ms: u32,
    /// From the finished prompt to the first token.
    pub prefill_ms: u32,
    pub decode_ms: u32,
}
