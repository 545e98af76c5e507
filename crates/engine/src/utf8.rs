/// Joins the bytes of tokens into text: a character may be spread over several tokens.
#[derive(Debug, Default)]
pub struct Utf8Joiner {
    held: Vec<u8>,
}

impl Utf8Joiner {
    /// What is complete so far. Bytes that can never become a character turn into U+FFFD.
    pub fn push(&mut self, bytes: &[u8]) -> String {
        self.held.extend_from_slice(bytes);
        let mut text = String::new();
        loop {
            match std::str::from_utf8(&self.held) {
                Ok(valid) => {
                    text.push_str(valid);
                    self.held.clear();
                    return text;
                }
                Err(error) => {
                    let (valid, rest) = self.held.split_at(error.valid_up_to());
                    text.push_str(&String::from_utf8_lossy(valid));
                    let Some(broken) = error.error_len() else {
                        self.held = rest.to_vec();
                        return text;
                    };
                    text.push('\u{fffd}');
                    self.held = rest[broken..].to_vec();
                }
            }
        }
    }

    /// What is left at the end: a character that was cut off.
    pub fn finish(&mut self) -> String {
        let text = if self.held.is_empty() { String::new() } else { "\u{fffd}".to_owned() };
        self.held.clear();
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_does_not_depend_on_where_it_is_cut() {
        let whole = "Mond 🌙, lune, 月, قمر";
        for cut in 0..=whole.len() {
            let (left, right) = whole.as_bytes().split_at(cut);
            let mut joiner = Utf8Joiner::default();
            let text = joiner.push(left) + &joiner.push(right) + &joiner.finish();
            assert_eq!(text, whole, "cut at {cut}");
        }
    }

    #[test]
    fn broken_bytes_do_not_stop_the_text() {
        let mut joiner = Utf8Joiner::default();
        let text = joiner.push(b"a\xff\xfeb\xf0\x9f") + &joiner.finish();
        assert_eq!(text, "a\u{fffd}\u{fffd}b\u{fffd}");
    }
}
