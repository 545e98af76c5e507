use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// A JSON answer, which no cache keeps.
pub struct Json<T>(pub T);

impl<T: Serialize> IntoResponse for Json<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(bytes) => {
                ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], bytes).into_response()
            }
            Err(error) => {
                crate::error::Refusal::new(protocol::ErrorCode::Internal, error.to_string()).into_response()
            }
        }
    }
}
