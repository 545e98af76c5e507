use std::io::{self, ErrorKind};

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use companion::CompanionError;
use memory::MemoryError;
use protocol::{ApiError, ErrorCode};
use serde::Serialize;
use serde_json::{Value, json};
use store::StoreError;
use tools::ToolError;

/// The reason why a request was refused or failed.
#[derive(Debug)]
pub struct Refusal {
    pub code: ErrorCode,
    pub message: String,
}

/// The result of a handler.
pub type HandlerResult<T> = Result<T, Refusal>;

impl Refusal {
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(ErrorCode::BadRequest, message)
    }

    pub fn not_found(what: &str) -> Self {
        Self::new(ErrorCode::NotFound, format!("there is no such {what}"))
    }

    /// Creates a refusal with this code, unless storage is full, which is not the caller's fault.
    pub fn because(code: ErrorCode, error: &(dyn std::error::Error + 'static)) -> Self {
        let chain = std::iter::successors(Some(error), |error| error.source());
        let mut files = chain.filter_map(|error| error.downcast_ref::<io::Error>());
        let is_full = files.any(|file| {
            matches!(file.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
        });
        Self::new(if is_full { ErrorCode::Internal } else { code }, error.to_string())
    }

    pub fn status(&self) -> StatusCode {
        match self.code {
            ErrorCode::BadRequest | ErrorCode::ContextFull => StatusCode::BAD_REQUEST,
            ErrorCode::Unauthorized => StatusCode::UNAUTHORIZED,
            ErrorCode::Forbidden => StatusCode::FORBIDDEN,
            ErrorCode::NotFound => StatusCode::NOT_FOUND,
            ErrorCode::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            ErrorCode::Conflict => StatusCode::CONFLICT,
            ErrorCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            ErrorCode::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
            ErrorCode::NoModel | ErrorCode::ShuttingDown => StatusCode::SERVICE_UNAVAILABLE,
            ErrorCode::ModelUnreachable | ErrorCode::ModelFailed | ErrorCode::ServiceUnreachable => {
                StatusCode::BAD_GATEWAY
            }
            ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

impl Refusal {
    /// Returns the error in the format of OpenAI clients.
    pub fn openai_json(&self) -> Value {
        json!({"error": {"message": self.message, "type": "api_error", "param": null, "code": self.code}})
    }

    pub fn for_openai(self) -> Response {
        answer(self.status(), self.openai_json())
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        answer(self.status(), ApiError { code: self.code, message: self.message })
    }
}

fn answer(status: StatusCode, body: impl Serialize) -> Response {
    let mut response = (status, Json(body)).into_response();
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

impl From<CompanionError> for Refusal {
    fn from(error: CompanionError) -> Self {
        Self::new(error.code(), error.to_string())
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        CompanionError::from(error).into()
    }
}

impl From<MemoryError> for Refusal {
    fn from(error: MemoryError) -> Self {
        CompanionError::from(error).into()
    }
}

impl From<ToolError> for Refusal {
    fn from(error: ToolError) -> Self {
        MemoryError::from(error).into()
    }
}

#[cfg(test)]
mod tests {
    use host::FileError;

    use super::*;

    #[test]
    fn a_full_disk_is_nobodys_fault_who_asked() {
        for (kind, code) in [
            (ErrorKind::StorageFull, ErrorCode::Internal),
            (ErrorKind::QuotaExceeded, ErrorCode::Internal),
            (ErrorKind::FileTooLarge, ErrorCode::Internal),
            (ErrorKind::NotFound, ErrorCode::Conflict),
        ] {
            let file = FileError::new("write", "/permissions.json", io::Error::from(kind));
            let refusal = Refusal::because(ErrorCode::Conflict, &file);
            assert_eq!(refusal.code, code, "{kind}");
            assert!(refusal.message.contains("/permissions.json"), "{}", refusal.message);
        }
        assert!(Refusal::from(StoreError::DiskFull).status().is_server_error());
    }
}
