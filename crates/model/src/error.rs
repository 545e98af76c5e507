use protocol::ErrorCode;

/// The reason why a model did not respond or stopped responding. The messages are shown to users.
#[derive(Debug, Clone, thiserror::Error)]
pub enum ModelError {
    #[error("there is no model yet: {0}")]
    None(String),
    #[error("{0}")]
    Unreachable(String),
    /// The server responded in an unknown format (an HTML page, for example).
    #[error("{0}")]
    Nonsense(String),
    #[error("{0}")]
    Refused(String),
    #[error(
        "the prompt has {needed} tokens and the model's context holds {limit}: shorten the message or start a new conversation"
    )]
    ContextFull { needed: u32, limit: u32 },
    /// The stream broke after it had begun; the text before that is kept.
    #[error("{0}")]
    Cut(String),
    #[error("{0}")]
    Failed(String),
}

impl ModelError {
    pub fn code(&self) -> ErrorCode {
        match self {
            ModelError::None(_) => ErrorCode::NoModel,
            ModelError::Unreachable(_) | ModelError::Nonsense(_) | ModelError::Cut(_) => {
                ErrorCode::ModelUnreachable
            }
            ModelError::ContextFull { .. } => ErrorCode::ContextFull,
            ModelError::Refused(_) | ModelError::Failed(_) => ErrorCode::ModelFailed,
        }
    }
}
