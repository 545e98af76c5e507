use store::StoreError;

use super::server_files::ServerFilesError;

pub const NOT_APPROVED: &str = "it is not what you approved, so it needs your approval again";

/// The reason why something cannot be done with a generated server.
#[derive(Debug, thiserror::Error)]
pub enum GeneratedServerError {
    #[error("{0}")]
    Draft(String),
    #[error("there is no server named {0}")]
    Unknown(String),
    #[error(
        "there is a server named {0} already. Choose another name, or change that one with mcp_server_edit"
    )]
    Taken(String),
    #[error("it has changed since you were shown it. Look at it again")]
    Changed,
    #[error("{0}")]
    Off(String),
    #[error(transparent)]
    Files(#[from] ServerFilesError),
    #[error(transparent)]
    Store(#[from] StoreError),
}
