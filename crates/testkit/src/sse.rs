use std::pin::Pin;

use futures_util::stream::{Stream, StreamExt};
use serde_json::Value;

/// One event of a `text/event-stream`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SseEvent {
    pub id: Option<String>,
    pub event: Option<String>,
    pub data: String,
}

impl SseEvent {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.data)
            .unwrap_or_else(|error| panic!("{error} in event data {:?}", self.data))
    }
}

/// Parses bytes as they arrive and returns complete events.
#[derive(Debug, Default)]
pub struct SseParser {
    buffer: Vec<u8>,
    event: SseEvent,
    has_data: bool,
    /// The number of comment lines (`: ping`), which keep an idle connection alive.
    pub comments: usize,
}

impl SseParser {
    pub fn push(&mut self, bytes: &[u8]) -> Vec<SseEvent> {
        self.buffer.extend_from_slice(bytes);
        let mut events = Vec::new();
        while let Some(end) = self.buffer.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.buffer.drain(..=end).collect();
            let line = std::str::from_utf8(&line).expect("an event stream is UTF-8");
            let line = line.trim_end_matches(['\r', '\n']);
            if line.is_empty() {
                let event = std::mem::take(&mut self.event);
                if std::mem::take(&mut self.has_data) {
                    events.push(event);
                }
            } else {
                self.line(line);
            }
        }
        events
    }

    fn line(&mut self, line: &str) {
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value).to_owned();
        match field {
            "" => self.comments += 1,
            "id" => self.event.id = Some(value),
            "event" => self.event.event = Some(value),
            "data" => {
                if self.has_data {
                    self.event.data.push('\n');
                }
                self.has_data = true;
                self.event.data.push_str(&value);
            }
            _ => {}
        }
    }
}

/// Reads the events of a response body one at a time.
pub struct SseStream<S> {
    bytes: Pin<Box<S>>,
    parser: SseParser,
    ready: std::collections::VecDeque<SseEvent>,
}

impl<S, B, E> SseStream<S>
where
    S: Stream<Item = Result<B, E>>,
    B: AsRef<[u8]>,
{
    pub fn new(bytes: S) -> Self {
        Self {
            bytes: Box::pin(bytes),
            parser: SseParser::default(),
            ready: std::collections::VecDeque::new(),
        }
    }

    /// Returns the next event, or `None` once the connection has ended, cleanly or not.
    pub async fn next(&mut self) -> Option<SseEvent> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            match self.bytes.next().await {
                Some(Ok(bytes)) => self.ready.extend(self.parser.push(bytes.as_ref())),
                Some(Err(_)) | None => return None,
            }
        }
    }

    /// Returns all events up to the end of the connection.
    pub async fn rest(mut self) -> Vec<SseEvent> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_the_same_however_the_bytes_arrive() {
        let text =
            ": ping\n\nid: t:1\nevent: token\ndata: {\"a\":\"é\"}\n\nid: t:2\r\ndata: x\r\ndata: y\r\n\r\n";
        let expected = vec![
            SseEvent { id: Some("t:1".into()), event: Some("token".into()), data: "{\"a\":\"é\"}".into() },
            SseEvent { id: Some("t:2".into()), event: None, data: "x\ny".into() },
        ];
        for size in 1..text.len() {
            let mut parser = SseParser::default();
            let events: Vec<_> = text.as_bytes().chunks(size).flat_map(|bytes| parser.push(bytes)).collect();
            assert_eq!(events, expected, "in pieces of {size}");
            assert_eq!(parser.comments, 1);
        }
    }
}
