use std::collections::VecDeque;
use std::convert::Infallible;
use std::future::pending;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::HeaderMap;
use futures_util::stream;
use serde_json::Value;
use tokio::sync::watch;

use crate::Gate;

/// A request as received by the server.
#[derive(Debug, Clone)]
pub struct RecordedRequest {
    pub method: String,
    /// The path, with the query if there was one.
    pub path: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl RecordedRequest {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("a header of plain text"))
    }

    /// Returns the body as JSON, or `null` if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }
}

/// A piece of output for the socket.
#[derive(Debug, Clone)]
pub(crate) enum OutputPiece {
    Bytes(Vec<u8>),
    Wait(Gate),
    Pause(Duration),
    /// Repeats the same piece for ever.
    Endless(Vec<u8>),
    /// Breaks the connection.
    Cut,
    /// Keeps the connection open and sends nothing.
    Silence,
}

/// A server's record of its clients.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClientRecords {
    requests: Arc<Mutex<Vec<RecordedRequest>>>,
    arrived: watch::Sender<usize>,
    hung_up: watch::Sender<usize>,
}

impl ClientRecords {
    pub(crate) async fn record(&self, request: Request) -> RecordedRequest {
        let (head, body) = request.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default().to_vec();
        let path = head.uri.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string);
        let recorded = RecordedRequest { method: head.method.to_string(), path, headers: head.headers, body };
        self.requests.lock().unwrap().push(recorded.clone());
        self.arrived.send_modify(|count| *count += 1);
        recorded
    }

    pub(crate) fn requests(&self) -> Vec<RecordedRequest> {
        self.requests.lock().unwrap().clone()
    }

    pub(crate) async fn wait_for(&self, wanted: impl Fn(&[RecordedRequest]) -> bool) {
        let mut arrived = self.arrived.subscribe();
        while !wanted(&self.requests()) {
            arrived.changed().await.expect("the server holds the sender");
        }
    }

    pub(crate) async fn hung_up(&self, times: usize) {
        self.hung_up
            .subscribe()
            .wait_for(|count| *count >= times)
            .await
            .expect("the server holds the sender");
    }

    /// Tracks one answer; if dropped before its end, it counts as a disconnected client.
    pub(crate) fn answer(&self) -> TrackedAnswer {
        TrackedAnswer { clients: self.clone(), ended: false }
    }
}

pub(crate) struct TrackedAnswer {
    clients: ClientRecords,
    ended: bool,
}

impl TrackedAnswer {
    /// Marks the end of an answer that was sent in one piece.
    pub(crate) fn end(mut self) {
        self.ended = true;
    }

    /// Never answers, but notices when the client disconnects.
    pub(crate) async fn never(self) -> Infallible {
        pending().await
    }

    pub(crate) fn play(self, frames: Vec<OutputPiece>) -> Body {
        Body::from_stream(stream::unfold((self, VecDeque::from(frames)), async |(mut answer, mut frames)| {
            loop {
                // Lets hyper write the previous piece to the socket before the next one or the break.
                tokio::task::yield_now().await;
                let item: io::Result<Bytes> = match frames.pop_front() {
                    Some(OutputPiece::Bytes(bytes)) => Ok(bytes.into()),
                    Some(OutputPiece::Wait(gate)) => {
                        gate.pass().await;
                        continue;
                    }
                    Some(OutputPiece::Pause(time)) => {
                        tokio::time::sleep(time).await;
                        continue;
                    }
                    Some(OutputPiece::Endless(bytes)) => {
                        frames.push_front(OutputPiece::Endless(bytes.clone()));
                        Ok(bytes.into())
                    }
                    Some(OutputPiece::Cut) => {
                        answer.ended = true;
                        frames.clear();
                        Err(io::Error::other("cut by the script"))
                    }
                    Some(OutputPiece::Silence) => pending().await,
                    None => {
                        answer.ended = true;
                        return None;
                    }
                };
                return Some((item, (answer, frames)));
            }
        }))
    }
}

impl Drop for TrackedAnswer {
    fn drop(&mut self) {
        if !self.ended {
            self.clients.hung_up.send_modify(|count| *count += 1);
        }
    }
}
