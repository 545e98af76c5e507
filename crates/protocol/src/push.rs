//! Messages over the WebSocket.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{
    BodyState, ChatSummary, ConversationId, Download, Expression, IndexState, MessageId, ModelState, TurnId,
    Viseme, WaitingConfirmation,
};

/// A message from the server over `/ws`. Beside these fields, each message has a `seq`. A client that reconnects with
/// `?lastSeq=` receives what it missed, or `resync` if that is no longer available.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "action", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Push {
    /// The first message on every connection.
    #[serde(rename_all = "camelCase")]
    Hello {
        client_id: String,
        version: String,
    },
    /// The client missed too much and has to load everything again.
    Resync,
    ChatChanged {
        chat: ChatSummary,
    },
    ChatDeleted {
        id: ConversationId,
    },
    /// The current conversation changed. A message without a conversation id goes to it; if `null`, such a message
    /// opens a new one.
    ChatOpened {
        id: Option<ConversationId>,
    },
    /// A turn started, for example in another tab, in the terminal or on a schedule. It can be resumed to follow its
    /// events.
    #[serde(rename_all = "camelCase")]
    TurnStarted {
        conversation_id: ConversationId,
        turn_id: TurnId,
        message_id: MessageId,
    },
    #[serde(rename_all = "camelCase")]
    TurnEnded {
        conversation_id: ConversationId,
        turn_id: TurnId,
        message_id: MessageId,
    },
    /// From now on, the model reads the messages of this conversation up to and including `upTo` as a summary.
    #[serde(rename_all = "camelCase")]
    ChatSummarised {
        conversation_id: ConversationId,
        up_to: MessageId,
    },
    Download {
        download: Download,
    },
    Model {
        current: ModelState,
    },
    ConfigChanged,
    /// A confirmation request waits for the user.
    ConfirmationAsked {
        waiting: WaitingConfirmation,
    },
    ConfirmationSettled {
        id: String,
    },
    PermissionsChanged,
    /// The tools, or the servers that provide them, changed.
    ToolsChanged,
    /// Facts, memory files or vector store entries changed.
    MemoryChanged,
    /// Content was forgotten. In any message, words may have been replaced by a mark.
    Forgotten,
    PersonalityChanged,
    /// The state of a workspace's index changed.
    CodeIndex {
        root: String,
        index: IndexState,
    },
    /// Workspaces, proposals or files changed.
    CodeChanged {
        root: String,
    },
    /// Avatars, animations or backgrounds changed.
    BodyChanged,
    /// The avatar plays an animation.
    Play {
        animation: String,
    },
    SetBackground {
        filename: String,
    },
    /// The avatar shows a facial expression for a while.
    Expression {
        expression: Expression,
        /// The intensity, from 0 to 1.
        intensity: f32,
    },
    State {
        state: BodyState,
    },
    /// Tells this client whether it plays the companion's voice. That is the client that the user looked at last.
    Speaker {
        speaks: bool,
    },
    /// A tool call started.
    #[serde(rename_all = "camelCase")]
    ToolCall {
        conversation_id: ConversationId,
        name: String,
        #[ts(type = "unknown")]
        arguments: serde_json::Value,
    },
    /// The complete text of a reply.
    #[serde(rename_all = "camelCase")]
    Chat {
        conversation_id: ConversationId,
        turn_id: TurnId,
        content: String,
    },
    /// A piece of a reply as speech.
    #[serde(rename_all = "camelCase")]
    Audio {
        turn_id: TurnId,
        /// A WAV file, in Base64.
        data: String,
        text: String,
        visemes: Vec<Viseme>,
    },
}

/// A message from a client over `/ws`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "action", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ClientMessage {
    /// The visibility of the client's page. The client that last reported a visible page plays the companion's voice.
    Presence { visible: bool },
}
