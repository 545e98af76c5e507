use std::collections::VecDeque;

/// Keeps the first bytes and drops the rest.
pub(super) struct FirstBytes {
    bytes: Vec<u8>,
    limit: usize,
    truncated: bool,
}

impl FirstBytes {
    pub(super) fn new(limit: usize) -> Self {
        Self { bytes: Vec::new(), limit, truncated: false }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = self.limit - self.bytes.len();
        self.truncated |= bytes.len() > room;
        self.bytes.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    pub(super) fn truncated(&self) -> bool {
        self.truncated
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Keeps the last bytes and drops the rest.
pub(super) struct LastBytes {
    bytes: VecDeque<u8>,
    limit: usize,
}

impl LastBytes {
    pub(super) fn new(limit: usize) -> Self {
        Self { bytes: VecDeque::new(), limit }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend(bytes);
        let excess = self.bytes.len().saturating_sub(self.limit);
        self.bytes.drain(..excess);
    }

    pub(super) fn into_text(self) -> String {
        String::from_utf8_lossy(&Vec::from(self.bytes)).trim().to_owned()
    }
}
