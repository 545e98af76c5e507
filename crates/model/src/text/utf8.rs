/// Decodes UTF-8 that arrives in chunks, where a character may be split across several of them.
#[derive(Debug, Default)]
pub struct Utf8Joiner {
    held: Vec<u8>,
}

impl Utf8Joiner {
    /// Returns the complete characters so far. Invalid bytes become U+FFFD.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.held.extend_from_slice(bytes);
        let mut text = String::with_capacity(self.held.len());
        let mut kept = 0;
        for chunk in self.held.utf8_chunks() {
            text.push_str(chunk.valid());
            kept += chunk.valid().len();
            let broken = chunk.invalid();
            let at_the_end = kept + broken.len() == self.held.len();
            if broken.is_empty() || (at_the_end && may_go_on(broken)) {
                break;
            }
            text.push('\u{fffd}');
            kept += broken.len();
        }
        self.held.drain(..kept);
        text
    }

    /// Returns U+FFFD if the stream ended within a character.
    pub fn finish(&mut self) -> String {
        let cut = !std::mem::take(&mut self.held).is_empty();
        if cut { '\u{fffd}'.to_string() } else { String::new() }
    }
}

/// Returns true if the bytes are the beginning of a valid character.
fn may_go_on(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.error_len().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_does_not_depend_on_where_it_is_cut() {
        let whole = "Mond 🌙, lune, 月, قمر";
        for size in 1..=whole.len() {
            let mut joiner = Utf8Joiner::default();
            let mut text: String = whole.as_bytes().chunks(size).map(|bytes| joiner.push(bytes)).collect();
            text.push_str(&joiner.finish());
            assert_eq!(text, whole, "in pieces of {size}");
        }
    }

    #[test]
    fn broken_bytes_do_not_stop_the_text() {
        let mut joiner = Utf8Joiner::default();
        assert_eq!(joiner.push(b"a\xff\xfeb\xf0\x9f"), "a\u{fffd}\u{fffd}b");
        assert_eq!(joiner.push(b"c"), "\u{fffd}c");
        assert_eq!(joiner.push(b"\xe2\x82"), "");
        assert_eq!(joiner.finish(), "\u{fffd}");
        assert_eq!(joiner.finish(), "");
    }
}
