//! The connection of a request, which a tool can cut before it has answered.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The maximum time to wait for a disconnected client to return.
const PATIENCE: Duration = Duration::from_secs(10);

/// Tracks clients that reconnect to a stream that was cut.
#[derive(Default)]
pub struct Switchboard {
    return_of_a_reader: Arc<Notify>,
}

/// The connection of one request and its response.
#[derive(Clone)]
pub struct Line {
    hung_up: CancellationToken,
    return_of_a_reader: Arc<Notify>,
    is_return: bool,
}

impl Switchboard {
    /// Creates the connection and stores it in the request's extensions, where tools find it.
    pub fn take_up(&self, request: &mut Request) -> Line {
        let line = Line {
            hung_up: CancellationToken::new(),
            return_of_a_reader: Arc::clone(&self.return_of_a_reader),
            is_return: request.headers().contains_key("last-event-id"),
        };
        request.extensions_mut().insert(line.clone());
        line
    }
}

impl Line {
    /// Ends the response stream while the tool call goes on, and waits until the client asks for the rest.
    pub async fn drop_reader(&self) {
        let mut back = Box::pin(self.return_of_a_reader.notified());
        back.as_mut().enable();
        self.hung_up.cancel();
        drop(tokio::time::timeout(PATIENCE, back).await);
    }

    /// Returns the response with a body that ends when the connection is cut.
    pub fn carry(self, response: impl IntoResponse) -> Response {
        if self.is_return {
            self.return_of_a_reader.notify_waiters();
        }
        let hung_up = self.hung_up;
        response
            .into_response()
            .map(|body| Body::from_stream(body.into_data_stream().take_until(hung_up.cancelled_owned())))
    }
}
