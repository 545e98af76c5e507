use futures_util::stream::BoxStream;
use serde_json::Value;
use testkit::SseStream;

use super::soon;

/// One event of a turn, as received.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    pub id: String,
    pub data: Value,
}

impl Event {
    pub fn kind(&self) -> &str {
        self.data["type"].as_str().unwrap_or_default()
    }

    /// Returns a text field.
    pub fn field(&self, name: &str) -> &str {
        self.data[name].as_str().unwrap_or_else(|| panic!("no {name} in {}", self.data))
    }
}

/// The event stream of a turn.
pub struct Stream {
    events: SseStream<BoxStream<'static, Result<Vec<u8>, reqwest::Error>>>,
}

impl Stream {
    pub(super) fn new(bytes: BoxStream<'static, Result<Vec<u8>, reqwest::Error>>) -> Self {
        Self { events: SseStream::new(bytes) }
    }

    /// Returns the next event, or `None` once the connection has ended.
    pub async fn next(&mut self) -> Option<Event> {
        let event = soon("the next event", self.events.next()).await?;
        Some(Event { id: event.id.clone().unwrap_or_default(), data: event.json() })
    }

    /// Returns all events up to the first of this kind, which must arrive.
    pub async fn until(&mut self, kind: &str) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
            if events.last().is_some_and(|event| event.kind() == kind) {
                return events;
            }
        }
        panic!("no {kind} among {events:?}");
    }

    pub async fn take(&mut self, count: usize) -> Vec<Event> {
        let mut events = Vec::new();
        while events.len() < count {
            events.push(self.next().await.unwrap_or_else(|| panic!("it ended after {events:?}")));
        }
        events
    }

    pub async fn rest(mut self) -> Vec<Event> {
        let mut events = Vec::new();
        while let Some(event) = self.next().await {
            events.push(event);
        }
        events
    }

    /// Returns the text of the next message of a stream in OpenAI's format.
    pub async fn next_text(&mut self) -> Option<String> {
        soon("the next event", self.events.next()).await.map(|event| event.data)
    }
}

/// Returns the text of the answer.
pub fn text(events: &[Event]) -> String {
    events.iter().filter(|event| event.kind() == "token").map(|event| event.field("content")).collect()
}

/// Returns the kinds of the events in order. Consecutive tokens count as one, since the text may be split in any way.
pub fn kinds(events: &[Event]) -> Vec<&str> {
    let mut kinds: Vec<&str> = events.iter().map(Event::kind).collect();
    kinds.dedup();
    kinds
}
