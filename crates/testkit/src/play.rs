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

/// A request as the server got it.
#[derive(Debug, Clone)]
pub struct Recorded {
    pub method: String,
    /// With the query, if there was one.
    pub path: String,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Recorded {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("a header of plain text"))
    }

    /// The body as JSON; `null` where it is not.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }
}

/// What goes over the socket, one piece at a time.
#[derive(Debug, Clone)]
pub(crate) enum Frame {
    Bytes(Vec<u8>),
    Wait(Gate),
    Pause(Duration),
    /// The same piece for ever.
    Endless(Vec<u8>),
    /// The connection breaks.
    Cut,
    /// The connection stays open and nothing comes.
    Silence,
}

/// What a server of this kit remembers of its clients.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clients {
    requests: Arc<Mutex<Vec<Recorded>>>,
    arrived: watch::Sender<usize>,
    hung_up: watch::Sender<usize>,
}

impl Clients {
    pub(crate) async fn record(&self, request: Request) -> Recorded {
        let (head, body) = request.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await.unwrap_or_default().to_vec();
        let path = head.uri.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string);
        let recorded = Recorded { method: head.method.to_string(), path, headers: head.headers, body };
        self.requests.lock().unwrap().push(recorded.clone());
        self.arrived.send_modify(|count| *count += 1);
        recorded
    }

    pub(crate) fn requests(&self) -> Vec<Recorded> {
        self.requests.lock().unwrap().clone()
    }

    pub(crate) async fn wait_for(&self, wanted: impl Fn(&[Recorded]) -> bool) {
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

    /// Stands for one answer: dropped before its end, it counts as a client that hung up.
    pub(crate) fn answer(&self) -> Answer {
        Answer { clients: self.clone(), ended: false }
    }
}

pub(crate) struct Answer {
    clients: Clients,
    ended: bool,
}

impl Answer {
    /// Ends an answer that is sent in one piece.
    pub(crate) fn end(mut self) {
        self.ended = true;
    }

    /// Never answers, and notices when the client gives up.
    pub(crate) async fn never(self) -> Infallible {
        pending().await
    }

    pub(crate) fn play(self, frames: Vec<Frame>) -> Body {
        Body::from_stream(stream::unfold((self, VecDeque::from(frames)), async |(mut answer, mut frames)| {
            loop {
                // Lets hyper put the last piece on the socket before this one follows, or breaks the line.
                tokio::task::yield_now().await;
                let item: io::Result<Bytes> = match frames.pop_front() {
                    Some(Frame::Bytes(bytes)) => Ok(bytes.into()),
                    Some(Frame::Wait(gate)) => {
                        gate.pass().await;
                        continue;
                    }
                    Some(Frame::Pause(time)) => {
                        tokio::time::sleep(time).await;
                        continue;
                    }
                    Some(Frame::Endless(bytes)) => {
                        frames.push_front(Frame::Endless(bytes.clone()));
                        Ok(bytes.into())
                    }
                    Some(Frame::Cut) => {
                        answer.ended = true;
                        frames.clear();
                        Err(io::Error::other("cut by the script"))
                    }
                    Some(Frame::Silence) => pending().await,
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

impl Drop for Answer {
    fn drop(&mut self) {
        if !self.ended {
            self.clients.hung_up.send_modify(|count| *count += 1);
        }
    }
}
