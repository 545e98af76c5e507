//! Receives messages from a server, with limits and in order.
//!
//! Each request of the server becomes a task whose answer waits to be read, so a server that asks endlessly and never
//! reads would exhaust memory. Progress notifications are handled here, since a separate task might report progress
//! after the answer.

use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::future::BoxFuture;
use rmcp::RoleClient;
use rmcp::model::{JsonRpcMessage, RequestId, ServerNotification};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::time::Instant;

use crate::server_calls::ServerCalls;
use crate::server_process::ConnectionEnd;

/// The most requests that are unanswered, or whose answers are unread.
const MOST_OPEN: usize = 64;
/// The most requests within [`REQUEST_TIME`], answered or not.
const MOST_REQUESTS: usize = 1_000;
const REQUEST_TIME: Duration = Duration::from_secs(10);

type Sent = TxJsonRpcMessage<RoleClient>;
type Received = RxJsonRpcMessage<RoleClient>;

/// A transport of any kind. One type for all keeps the protocol's loop from being compiled once for each.
pub trait AnyTransport: Send + 'static {
    fn send_message(&mut self, message: Sent) -> BoxFuture<'static, Result<(), TransportError>>;
    fn next_message(&mut self) -> BoxFuture<'_, Option<Received>>;
    fn close_connection(&mut self) -> BoxFuture<'_, Result<(), TransportError>>;
}

/// The failure of a transport, with its own error as the source.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct TransportError(#[source] Box<dyn Error + Send + Sync>);

impl<T: Transport<RoleClient> + 'static> AnyTransport for T {
    fn send_message(&mut self, message: Sent) -> BoxFuture<'static, Result<(), TransportError>> {
        let sending = Transport::send(self, message);
        Box::pin(async move { sending.await.map_err(|error| TransportError(Box::new(error))) })
    }

    fn next_message(&mut self) -> BoxFuture<'_, Option<Received>> {
        Box::pin(Transport::receive(self))
    }

    fn close_connection(&mut self) -> BoxFuture<'_, Result<(), TransportError>> {
        Box::pin(async { Transport::close(self).await.map_err(|error| TransportError(Box::new(error))) })
    }
}

/// A transport that ends the connection if the server sends too many requests.
pub struct LimitedTransport {
    transport: Box<dyn AnyTransport>,
    calls: Arc<ServerCalls>,
    open: Arc<OpenRequests>,
    request_rate: RequestRate,
    end: Arc<ConnectionEnd>,
}

impl LimitedTransport {
    pub fn new(transport: Box<dyn AnyTransport>, calls: Arc<ServerCalls>, end: Arc<ConnectionEnd>) -> Self {
        Self { transport, calls, open: Arc::default(), request_rate: RequestRate::default(), end }
    }
}

impl Transport<RoleClient> for LimitedTransport {
    type Error = TransportError;

    fn send(&mut self, item: Sent) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let answered = match &item {
            JsonRpcMessage::Response(answer) => Some(answer.id.clone()),
            JsonRpcMessage::Error(answer) => answer.id.clone(),
            _ => None,
        };
        let open = Arc::clone(&self.open);
        let sending = self.transport.send_message(item);
        async move {
            let sent = sending.await;
            if let Some(id) = answered {
                open.end(&id);
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<Received> {
        let message = self.transport.next_message().await?;
        match &message {
            JsonRpcMessage::Request(request) => {
                let open = self.open.begin(request.id.clone());
                if open > MOST_OPEN || self.request_rate.exceeds_limit() {
                    self.end.set("it asked without end, so it was stopped");
                    return None;
                }
            }
            JsonRpcMessage::Notification(notification) => match &notification.notification {
                // A cancelled request gets no answer.
                ServerNotification::CancelledNotification(cancelled) => {
                    if let Some(id) = &cancelled.params.request_id {
                        self.open.end(id);
                    }
                }
                ServerNotification::ProgressNotification(progress) => {
                    self.calls.report_progress(&progress.params);
                }
                _ => {}
            },
            _ => {}
        }
        Some(message)
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.transport.close_connection().await
    }
}

/// The ids of the open requests. A server may use the same id more than once.
#[derive(Default)]
struct OpenRequests(Mutex<Vec<RequestId>>);

impl OpenRequests {
    /// Adds a request and returns the number of open ones.
    fn begin(&self, id: RequestId) -> usize {
        let mut open = self.ids();
        open.push(id);
        open.len()
    }

    /// Removes a request. A server may cancel one that has been answered already, or that it never sent.
    fn end(&self, id: &RequestId) {
        let mut open = self.ids();
        if let Some(place) = open.iter().position(|open| open == id) {
            open.swap_remove(place);
        }
    }

    fn ids(&self) -> MutexGuard<'_, Vec<RequestId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct RequestRate {
    since: Instant,
    count: usize,
}

impl Default for RequestRate {
    fn default() -> Self {
        Self { since: Instant::now(), count: 0 }
    }
}

impl RequestRate {
    fn exceeds_limit(&mut self) -> bool {
        if self.since.elapsed() > REQUEST_TIME {
            *self = Self::default();
        }
        self.count += 1;
        self.count > MOST_REQUESTS
    }
}

#[cfg(test)]
mod tests {
    use rmcp::transport::async_rw::AsyncRwTransport;
    use tokio::io::{AsyncWriteExt as _, sink};

    use super::*;

    /// Returns the number of messages received and whether the connection was ended.
    async fn received(messages: &[&str], answered: bool) -> (usize, bool) {
        let (mut theirs, ours) = tokio::io::duplex(1 << 20);
        let end: Arc<ConnectionEnd> = Arc::default();
        let lines = AsyncRwTransport::new_client(ours, sink());
        let mut transport = LimitedTransport::new(Box::new(lines), Arc::default(), Arc::clone(&end));
        for line in messages {
            theirs.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        }
        drop(theirs);
        let mut count = 0;
        while let Some(message) = transport.receive().await {
            count += 1;
            if let (true, JsonRpcMessage::Request(request)) = (answered, message) {
                let answer = rmcp::model::ClientResult::EmptyResult(rmcp::model::EmptyObject {});
                transport.send(JsonRpcMessage::response(answer, request.id)).await.unwrap();
            }
        }
        (count, end.token.is_cancelled())
    }

    #[tokio::test]
    async fn who_asks_without_end_is_stopped() {
        let ping = r#"{"jsonrpc": "2.0", "id": 1, "method": "ping"}"#;
        let cancel = r#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}"#;
        let note = r#"{"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}"#;
        let pairs = |count: usize| [ping, cancel].repeat(count);
        let other = r#"{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}"#;
        for (messages, answered, expected) in [
            (vec![ping; MOST_OPEN], false, (MOST_OPEN, false)),
            (vec![ping; MOST_OPEN + 1], false, (MOST_OPEN, true)),
            (vec![ping; MOST_REQUESTS], true, (MOST_REQUESTS, false)),
            (vec![ping; MOST_REQUESTS + 1], true, (MOST_REQUESTS, true)),
            (pairs(MOST_REQUESTS), false, (2 * MOST_REQUESTS, false)),
            (pairs(MOST_REQUESTS + 1), false, (2 * MOST_REQUESTS, true)),
            // A cancellation with the id of no open request changes nothing.
            ([other, ping].repeat(MOST_OPEN), false, (2 * MOST_OPEN, false)),
            ([other, ping].repeat(MOST_OPEN + 1), false, (2 * MOST_OPEN + 1, true)),
            (vec![note; 5_000], false, (5_000, false)),
        ] {
            assert_eq!(
                received(&messages, answered).await,
                expected,
                "{} of {}",
                messages.len(),
                messages[0]
            );
        }
    }
}
