use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{
    BodyState, ChatSummary, ConversationId, Download, Expression, IndexState, MessageId, ModelState, TurnId,
    Viseme, WaitingConfirmation,
};

/// What the server sends over `/ws`. Each message carries a `seq` beside these fields; a client that comes
/// back with `?lastSeq=` gets what it missed, or `resync` where that is no longer known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "action", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Push {
    /// First on every connection.
    #[serde(rename_all = "camelCase")]
    Hello {
        client_id: String,
        version: String,
    },
    /// Too much was missed: load everything anew.
    Resync,
    ChatChanged {
        chat: ChatSummary,
    },
    ChatDeleted {
        id: ConversationId,
    },
    /// Which conversation a message without an id goes to.
    ChatOpened {
        id: Option<ConversationId>,
    },
    /// Another tab, the terminal or a schedule began a turn: resume it to watch.
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
    /// Older messages of this conversation reach the model as a summary from here on.
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
    /// She waits for a yes or a no.
    ConfirmationAsked {
        waiting: WaitingConfirmation,
    },
    ConfirmationSettled {
        id: String,
    },
    PermissionsChanged,
    /// There are other tools than before, or other servers that bring them.
    ToolsChanged,
    /// Facts, files or entries are not what they were.
    MemoryChanged,
    /// Something was forgotten: a mark may stand in any message.
    Forgotten,
    PersonalityChanged,
    /// The index of a workspace has got further.
    CodeIndex {
        root: String,
        index: IndexState,
    },
    /// Workspaces, proposals or files are not what they were.
    CodeChanged {
        root: String,
    },
    /// Bodies, animations or backgrounds are not what they were.
    BodyChanged,
    /// Her body plays an animation.
    Play {
        animation: String,
    },
    SetBackground {
        filename: String,
    },
    /// Her face shows it for a while.
    Expression {
        expression: Expression,
        /// From 0 to 1.
        intensity: f32,
    },
    State {
        state: BodyState,
    },
    /// Whether this client is the one that she is heard from: the one that was looked at last.
    Speaker {
        speaks: bool,
    },
    /// She uses a tool.
    #[serde(rename_all = "camelCase")]
    ToolCall {
        conversation_id: ConversationId,
        name: String,
        #[ts(type = "unknown")]
        arguments: serde_json::Value,
    },
    /// What she has said, whole.
    #[serde(rename_all = "camelCase")]
    Chat {
        conversation_id: ConversationId,
        turn_id: TurnId,
        content: String,
    },
    /// What she says, to be heard, piece by piece.
    #[serde(rename_all = "camelCase")]
    Audio {
        turn_id: TurnId,
        /// A WAV file in base64.
        data: String,
        text: String,
        visemes: Vec<Viseme>,
    },
}

/// What a client sends over `/ws`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "action", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum ClientMessage {
    /// Whether its page can be seen. The one that says so last speaks.
    Presence { visible: bool },
}
