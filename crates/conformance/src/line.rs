//! The line that a call came in by, which a tool can hang up before it has answered.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// A reader that stays away for longer is not waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// Knows when somebody comes back to a stream that was cut.
#[derive(Default)]
pub struct Switchboard {
    return_of_a_reader: Arc<Notify>,
}

/// One request and its response.
#[derive(Clone)]
pub struct Line {
    hung_up: CancellationToken,
    return_of_a_reader: Arc<Notify>,
    is_return: bool,
}

impl Switchboard {
    /// Puts the line beside its request, where a tool finds it.
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
    /// Ends the response's stream while the call goes on, and waits until the reader asks for the rest.
    pub async fn drop_reader(&self) {
        let mut back = Box::pin(self.return_of_a_reader.notified());
        back.as_mut().enable();
        self.hung_up.cancel();
        drop(tokio::time::timeout(PATIENCE, back).await);
    }

    /// The response, as long as nobody hangs up.
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
