use anyhow::Context as _;
use protocol::Event;
use reqwest::Response;

/// The longest event in bytes, which this server never exceeds.
const LONGEST_EVENT: usize = 16 * 1024 * 1024;

/// The events of a turn, as they arrive.
pub struct EventStream {
    response: Response,
    parser: EventParser,
}

/// An event with its id and its JSON text.
#[derive(Debug, Clone, PartialEq)]
pub struct TurnEvent {
    pub id: String,
    pub json: String,
    pub event: Event,
}

impl EventStream {
    pub fn new(response: Response) -> Self {
        Self { response, parser: EventParser::default() }
    }

    /// Returns the next event, or `None` when the connection has closed, cleanly or not.
    pub async fn next(&mut self) -> anyhow::Result<Option<TurnEvent>> {
        loop {
            while let Some((id, json)) = self.parser.next() {
                // Events of an unknown kind, from a newer server, are skipped.
                if let Ok(event) = serde_json::from_str(&json) {
                    return Ok(Some(TurnEvent { id, json, event }));
                }
            }
            let Some(bytes) = self.response.chunk().await.context("the connection to the server broke")?
            else {
                return Ok(None);
            };
            self.parser.push(&bytes);
            anyhow::ensure!(self.parser.pending.len() < LONGEST_EVENT, "the server's answer cannot be read");
        }
    }
}

/// Assembles events from bytes that may be split anywhere.
#[derive(Default)]
pub(crate) struct EventParser {
    pending: Vec<u8>,
    id: String,
    data: String,
}

impl EventParser {
    pub(crate) fn push(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    pub(crate) fn next(&mut self) -> Option<(String, String)> {
        let mut from = 0;
        let mut found = None;
        while let Some(end) = self.pending[from..].iter().position(|byte| *byte == b'\n') {
            let line = String::from_utf8_lossy(&self.pending[from..from + end]);
            let line = line.trim_end_matches('\r');
            from += end + 1;
            if line.is_empty() {
                let data = std::mem::take(&mut self.data);
                if !data.is_empty() {
                    found = Some((self.id.clone(), data));
                    break;
                }
            } else if let Some(id) = line.strip_prefix("id:") {
                id.trim().clone_into(&mut self.id);
            } else if let Some(data) = line.strip_prefix("data:") {
                if !self.data.is_empty() {
                    self.data.push('\n');
                }
                self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
            }
        }
        self.pending.drain(..from);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_found_however_the_bytes_are_cut() {
        let text = ": \n\nid: t:1\ndata: {\"a\":\"é\"}\n\nid: t:2\r\ndata: x\r\ndata: y\r\n\r\ndata: cut";
        for size in 1..text.len() {
            let mut parser = EventParser::default();
            let mut found = Vec::new();
            for piece in text.as_bytes().chunks(size) {
                parser.push(piece);
                while let Some(event) = parser.next() {
                    found.push(event);
                }
            }
            let expected = [("t:1", "{\"a\":\"é\"}"), ("t:2", "x\ny")];
            assert_eq!(
                found,
                expected.map(|(id, data)| (id.to_owned(), data.to_owned())),
                "pieces of {size}"
            );
        }
    }
}
