use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use reqwest::Response;

/// The maximum length of a line in bytes, far above any legitimate one.
pub(crate) const LONGEST_LINE: usize = 1 << 20;
/// The maximum length of a body in bytes, far above any legitimate one.
const LONGEST_BODY: usize = 64 << 20;

/// The reason why a body could not be read further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LineError {
    /// The connection broke.
    Broken,
    TooLong,
}

/// Splits a byte stream into lines, however it is chunked, and buffers no more than one line's limit.
#[derive(Debug, Default)]
struct LineBuffer {
    bytes: Vec<u8>,
    /// The start of the next line.
    start: usize,
    /// The position up to which no line end was found.
    searched: usize,
    seen: usize,
}

impl LineBuffer {
    fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        self.seen = self.seen.saturating_add(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    fn next(&mut self) -> Result<Option<String>, LineError> {
        let found = self.bytes[self.searched..].iter().position(|&byte| byte == b'\n');
        let end = found.map_or(self.bytes.len(), |found| self.searched + found);
        if end - self.start > LONGEST_LINE || self.seen > LONGEST_BODY {
            return Err(LineError::TooLong);
        }
        if found.is_none() {
            self.searched = end;
            return Ok(None);
        }
        let line = text(&self.bytes[self.start..end]);
        self.start = end + 1;
        self.searched = self.start;
        Ok(Some(line))
    }

    /// Returns the last line, which needs no line end.
    fn rest(&mut self) -> Option<String> {
        let rest = self.bytes.split_off(self.start);
        *self = Self { seen: self.seen, ..Self::default() };
        (!rest.is_empty()).then(|| text(&rest))
    }
}

/// Decodes a complete line. Invalid bytes cannot come from chunking, so they are the server's own and become U+FFFD.
fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line.strip_suffix(b"\r").unwrap_or(line)).into_owned()
}

/// The lines of a response, read as they arrive.
pub(crate) struct ResponseLines {
    body: BoxStream<'static, Result<Vec<u8>, LineError>>,
    buffer: LineBuffer,
}

impl ResponseLines {
    pub(crate) fn of(response: Response) -> Self {
        let pieces = response.bytes_stream();
        let body =
            pieces.map(|piece| piece.map(|bytes| bytes.to_vec()).map_err(|_| LineError::Broken)).boxed();
        Self { body, buffer: LineBuffer::default() }
    }

    /// Returns the next line; `None` once the server has ended the response properly.
    ///
    /// Cancel safe: dropping the future loses no data.
    pub(crate) async fn next(&mut self) -> Result<Option<String>, LineError> {
        loop {
            if let Some(line) = self.buffer.next()? {
                return Ok(Some(line));
            }
            match self.body.next().await {
                Some(bytes) => self.buffer.push(&bytes?),
                None => return Ok(self.buffer.rest()),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(pieces: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Result<Vec<String>, LineError> {
        let mut buffer = LineBuffer::default();
        let mut lines = Vec::new();
        for piece in pieces {
            buffer.push(piece.as_ref());
            while let Some(line) = buffer.next()? {
                lines.push(line);
            }
        }
        lines.extend(buffer.rest());
        Ok(lines)
    }

    #[test]
    fn lines_do_not_depend_on_where_the_bytes_are_cut() {
        let text = "data: {\"a\":\"Mond 🌙\"}\r\n\r\ndata: é\n: ping\n\nlast";
        let expected = ["data: {\"a\":\"Mond 🌙\"}", "", "data: é", ": ping", "", "last"];
        for size in 1..=text.len() {
            assert_eq!(lines(text.as_bytes().chunks(size)).unwrap(), expected, "in pieces of {size}");
        }
    }

    #[test]
    fn broken_characters_stay_in_their_line() {
        assert_eq!(lines([&b"a\xffb\n\xf0\x9f\nc"[..]]).unwrap(), ["a\u{fffd}b", "\u{fffd}", "c"]);
    }

    #[test]
    fn a_line_may_be_long_but_not_endless() {
        let long = vec![b'x'; LONGEST_LINE];
        assert_eq!(lines([&long[..], b"\n"]).unwrap()[0].len(), LONGEST_LINE);
        assert_eq!(lines([&long[..], b"x"]), Err(LineError::TooLong));
        let mut line = long;
        line[LONGEST_LINE - 1] = b'\n';
        assert_eq!(lines(vec![line; LONGEST_BODY / LONGEST_LINE + 1]), Err(LineError::TooLong));
    }
}
