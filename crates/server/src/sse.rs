use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use companion::TurnLog;
use futures_util::{Stream, StreamExt, stream};
use protocol::EventId;

use crate::state::StreamEndSignals;

/// The interval of comment lines, which keep a quiet connection from being taken for dead.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The maximum number of ready events that are sent in one write.
const MOST_PER_WRITE: usize = 64;

/// Streams a turn as server-sent events, from the event after `after` to its last.
pub fn turn(log: &Arc<TurnLog>, after: u32, ends: StreamEndSignals) -> Response {
    let turn = log.id;
    let lines = log.follow(after).ready_chunks(MOST_PER_WRITE).map(move |events| {
        let mut text = String::new();
        for (seq, event) in events {
            let data = serde_json::to_string(&event).unwrap_or_default();
            // Writing to a string cannot fail.
            let _ = write!(text, "id: {}\ndata: {data}\n\n", EventId { turn, seq });
        }
        text
    });
    response(lines, ends)
}

/// Returns a response of server-sent events. It ends with the stream, or earlier through `ends`.
pub fn response(lines: impl Stream<Item = String> + Send + 'static, ends: StreamEndSignals) -> Response {
    let body = stream::unfold((lines.boxed(), ends), |(mut lines, ends)| async move {
        // The order matters: a revoked caller gets nothing more, but a stopping server still sends a `done` that is
        // ready.
        let text = tokio::select! {
            biased;
            () = ends.withdrawn.cancelled() => return None,
            line = lines.next() => line?,
            () = ends.closing.cancelled() => return None,
            () = tokio::time::sleep(HEARTBEAT) => ": \n\n".to_owned(),
        };
        Some((Ok::<_, Infallible>(Bytes::from(text)), (lines, ends)))
    });
    let headers = [(CONTENT_TYPE, "text/event-stream"), (CACHE_CONTROL, "no-store")];
    (headers, Body::from_stream(body)).into_response()
}
