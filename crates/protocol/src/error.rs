//! Error responses.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// The body of every error response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ApiError {
    pub code: ErrorCode,
    /// A text for the user: what happened, what was kept, and what to do.
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
    /// Too many wrong tokens are being tried from the same machine.
    TooManyRequests,
    /// No model is set up. The message says how to get one.
    NoModel,
    /// The model server does not respond, or its response is invalid.
    ModelUnreachable,
    /// The model refused or failed.
    ModelFailed,
    /// Another service does not respond, or its response is invalid: a map server or Spotify, for example.
    ServiceUnreachable,
    /// The conversation or the message does not fit into the model's context.
    ContextFull,
    /// The server is shutting down.
    ShuttingDown,
    Internal,
}
