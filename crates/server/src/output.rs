use std::fs::File;
use std::io::{self, Read as _};

use axum::body::Bytes;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{self, Stream};
use serde::Serialize;

/// A JSON response that is never cached.
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

/// The maximum number of bytes of a file in memory at once.
const PIECE: u64 = 256 * 1024;

/// Streams a file in pieces, so that a large one is never in memory as a whole.
pub fn read_piece_by_piece(file: File) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
    stream::unfold(Some(file), |file| async move {
        let file = file?;
        let read = tokio::task::spawn_blocking(move || {
            let mut piece = Vec::new();
            (&file).take(PIECE).read_to_end(&mut piece).map(|_| (piece, file))
        });
        match read.await.unwrap_or_else(|error| Err(io::Error::other(error))) {
            Ok((piece, _)) if piece.is_empty() => None,
            Ok((piece, file)) => Some((Ok(Bytes::from(piece)), Some(file))),
            Err(error) => Some((Err(error), None)),
        }
    })
}
