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
const RECONNECT_LIMIT: Duration = Duration::from_secs(10);

/// Tracks clients that reconnect to a stream that was cut.
#[derive(Default)]
pub struct Reconnections {
    reconnected: Arc<Notify>,
}

/// The connection of one request and its response.
#[derive(Clone)]
pub struct RequestConnection {
    cut: CancellationToken,
    reconnected: Arc<Notify>,
    is_reconnection: bool,
}

impl Reconnections {
    /// Creates the connection and stores it in the request's extensions, where tools find it.
    pub fn register(&self, request: &mut Request) -> RequestConnection {
        let connection = RequestConnection {
            cut: CancellationToken::new(),
            reconnected: Arc::clone(&self.reconnected),
            is_reconnection: request.headers().contains_key("last-event-id"),
        };
        request.extensions_mut().insert(connection.clone());
        connection
    }
}

impl RequestConnection {
    /// Ends the response stream while the tool call goes on, and waits until the client asks for the rest.
    pub async fn cut_until_reconnected(&self) {
        let mut back = Box::pin(self.reconnected.notified());
        back.as_mut().enable();
        self.cut.cancel();
        drop(tokio::time::timeout(RECONNECT_LIMIT, back).await);
    }

    /// Returns the response with a body that ends when the connection is cut.
    pub fn wrap(self, response: impl IntoResponse) -> Response {
        if self.is_reconnection {
            self.reconnected.notify_waiters();
        }
        let cut = self.cut;
        response
            .into_response()
            .map(|body| Body::from_stream(body.into_data_stream().take_until(cut.cancelled_owned())))
    }
}
