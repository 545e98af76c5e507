use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{
    ChatSummary, ConversationId, Download, IndexState, MessageId, ModelState, TurnId, WaitingConfirmation,
};

/// What the server sends over `/ws`. Each message carries a `seq` beside these fields; a client that comes
/// back with `?lastSeq=` gets what it missed, or `resync` where that is no longer known.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "action", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum Push {
    /// First on every connection.
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
    TurnStarted {
        conversation_id: ConversationId,
        turn_id: TurnId,
        message_id: MessageId,
    },
    TurnEnded {
        conversation_id: ConversationId,
        turn_id: TurnId,
        message_id: MessageId,
    },
    /// Older messages of this conversation reach the model as a summary from here on.
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
}
