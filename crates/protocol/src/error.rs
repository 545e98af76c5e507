use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// The body of every answer that is not a success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiError {
    pub code: ErrorCode,
    /// What happened, what was kept, and what to do: in words for a person.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ErrorCode {
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    Conflict,
    TooLarge,
    UnsupportedMediaType,
    /// Too many tokens are being tried.
    TooManyRequests,
    /// No model is set up: the message says how to get one.
    NoModel,
    /// The model's server does not answer, or answers nonsense.
    ModelUnreachable,
    /// The model refused or failed.
    ModelFailed,
    /// Another service that was asked does not answer, or answers nonsense: a map's server, Spotify.
    ServiceUnreachable,
    /// The conversation or the message does not fit into the model's context.
    ContextFull,
    /// The server is stopping.
    ShuttingDown,
    Internal,
}
