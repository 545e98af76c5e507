//! Receives messages from a server, with limits and in order.
//!
//! Each request of the server becomes a task whose answer waits to be read, so a server that asks endlessly and never
//! reads would exhaust memory. Progress notifications are handled here, since a separate task might report progress
//! after the answer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rmcp::RoleClient;
use rmcp::model::{JsonRpcMessage, RequestId, ServerNotification};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::time::Instant;

use crate::calls::Calls;
use crate::pipe::End;

/// The most requests that are unanswered, or whose answers are unread.
const MOST_OPEN: usize = 64;
/// The most requests within [`ASKED_TIME`], answered or not.
const MOST_ASKED: usize = 1_000;
const ASKED_TIME: Duration = Duration::from_secs(10);

/// A transport that ends the connection if the server sends too many requests.
pub struct Incoming<T> {
    way: T,
    calls: Arc<Calls>,
    open: Arc<Open>,
    asked: Asked,
    end: Arc<End>,
}

impl<T> Incoming<T> {
    pub fn new(way: T, calls: Arc<Calls>, end: Arc<End>) -> Self {
        Self { way, calls, open: Arc::default(), asked: Asked::default(), end }
    }
}

impl<T: Transport<RoleClient>> Transport<RoleClient> for Incoming<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleClient>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let answered = match &item {
            JsonRpcMessage::Response(answer) => Some(answer.id.clone()),
            JsonRpcMessage::Error(answer) => answer.id.clone(),
            _ => None,
        };
        let open = Arc::clone(&self.open);
        let sending = self.way.send(item);
        async move {
            let sent = sending.await;
            if let Some(id) = answered {
                open.end(&id);
            }
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleClient>> {
        let message = self.way.receive().await?;
        match &message {
            JsonRpcMessage::Request(request) => {
                let open = self.open.begin(request.id.clone());
                if open > MOST_OPEN || self.asked.is_too_much() {
                    self.end.set("it asked without end, so it was stopped");
                    return None;
                }
            }
            JsonRpcMessage::Notification(told) => match &told.notification {
                // A cancelled request gets no answer.
                ServerNotification::CancelledNotification(told) => {
                    if let Some(id) = &told.params.request_id {
                        self.open.end(id);
                    }
                }
                ServerNotification::ProgressNotification(told) => self.calls.progressed(&told.params),
                _ => {}
            },
            _ => {}
        }
        Some(message)
    }

    async fn close(&mut self) -> Result<(), Self::Error> {
        self.way.close().await
    }
}

/// The ids of the open requests. A server may use the same id more than once.
#[derive(Default)]
struct Open(Mutex<Vec<RequestId>>);

impl Open {
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

struct Asked {
    since: Instant,
    count: usize,
}

impl Default for Asked {
    fn default() -> Self {
        Self { since: Instant::now(), count: 0 }
    }
}

impl Asked {
    fn is_too_much(&mut self) -> bool {
        if self.since.elapsed() > ASKED_TIME {
            *self = Self::default();
        }
        self.count += 1;
        self.count > MOST_ASKED
    }
}

#[cfg(test)]
mod tests {
    use rmcp::transport::async_rw::AsyncRwTransport;
    use tokio::io::{AsyncWriteExt as _, sink};

    use super::*;

    /// Returns the number of messages received and whether the connection was ended.
    async fn heard(said: &[&str], answered: bool) -> (usize, bool) {
        let (mut theirs, ours) = tokio::io::duplex(1 << 20);
        let end: Arc<End> = Arc::default();
        let mut way =
            Incoming::new(AsyncRwTransport::new_client(ours, sink()), Arc::default(), Arc::clone(&end));
        for line in said {
            theirs.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        }
        drop(theirs);
        let mut count = 0;
        while let Some(message) = way.receive().await {
            count += 1;
            if let (true, JsonRpcMessage::Request(asked)) = (answered, message) {
                let answer = rmcp::model::ClientResult::EmptyResult(rmcp::model::EmptyObject {});
                way.send(JsonRpcMessage::response(answer, asked.id)).await.unwrap();
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
        for (said, answered, expected) in [
            (vec![ping; MOST_OPEN], false, (MOST_OPEN, false)),
            (vec![ping; MOST_OPEN + 1], false, (MOST_OPEN, true)),
            (vec![ping; MOST_ASKED], true, (MOST_ASKED, false)),
            (vec![ping; MOST_ASKED + 1], true, (MOST_ASKED, true)),
            (pairs(MOST_ASKED), false, (2 * MOST_ASKED, false)),
            (pairs(MOST_ASKED + 1), false, (2 * MOST_ASKED, true)),
            // A cancellation with the id of no open request changes nothing.
            ([other, ping].repeat(MOST_OPEN), false, (2 * MOST_OPEN, false)),
            ([other, ping].repeat(MOST_OPEN + 1), false, (2 * MOST_OPEN + 1, true)),
            (vec![note; 5_000], false, (5_000, false)),
        ] {
            assert_eq!(heard(&said, answered).await, expected, "{} of {}", said.len(), said[0]);
        }
    }
}
