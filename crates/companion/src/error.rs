use memory::MemoryError;
use model::ModelError;
use protocol::ErrorCode;
use store::StoreError;
use tools::ToolError;

/// The reason why a turn could not begin or a conversation could not be accessed.
#[derive(Debug, thiserror::Error)]
pub enum CompanionError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error("the message is empty: write something, or attach a file")]
    EmptyMessage,
    #[error("the message has {bytes} bytes, and {limit} is the most: attach it as a file instead")]
    MessageTooLong { bytes: usize, limit: usize },
    #[error("{name} has {bytes} bytes, and {limit} is the most for an attachment")]
    AttachmentTooLarge { name: String, bytes: usize, limit: usize },
    #[error("a message can carry {limit} attachments at the most")]
    TooManyAttachments { limit: usize },
    #[error("{0} is not base 64")]
    BadAttachment(String),
    #[error("the events of this turn are no longer kept: open its conversation to read the answer")]
    EventsGone,
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The request cannot be fulfilled as it was made.
    #[error("{0}")]
    Refused(String),
    #[error("{0}")]
    Failed(String),
    #[error("Perigee is stopping: your message was not taken. Send it again in a moment")]
    ShuttingDown,
}

impl CompanionError {
    /// Creates the error for a request that cannot be fulfilled, with the text of its reason.
    #[expect(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
    pub(crate) fn refused(reason: impl ToString) -> Self {
        Self::Refused(reason.to_string())
    }

    pub fn code(&self) -> ErrorCode {
        match self {
            CompanionError::Store(error) | CompanionError::Memory(MemoryError::Store(error)) => stored(error),
            CompanionError::Memory(
                MemoryError::Files(ToolError::Impossible(_)) | MemoryError::Invalid(_),
            )
            | CompanionError::Refused(_)
            | CompanionError::EmptyMessage
            | CompanionError::BadAttachment(_) => ErrorCode::BadRequest,
            CompanionError::Memory(MemoryError::NotYours(_)) => ErrorCode::Forbidden,
            CompanionError::Memory(MemoryError::Files(_)) | CompanionError::Failed(_) => ErrorCode::Internal,
            CompanionError::Model(error) => error.code(),
            CompanionError::EventsGone => ErrorCode::NotFound,
            CompanionError::MessageTooLong { .. }
            | CompanionError::AttachmentTooLarge { .. }
            | CompanionError::TooManyAttachments { .. } => ErrorCode::TooLarge,
            CompanionError::ShuttingDown => ErrorCode::ShuttingDown,
        }
    }
}

fn stored(error: &StoreError) -> ErrorCode {
    match error {
        StoreError::NotFound(_) => ErrorCode::NotFound,
        StoreError::NotYours(_) => ErrorCode::Forbidden,
        StoreError::Conflict(_) => ErrorCode::Conflict,
        StoreError::Invalid(_) => ErrorCode::BadRequest,
        StoreError::Closed => ErrorCode::ShuttingDown,
        _ => ErrorCode::Internal,
    }
}
