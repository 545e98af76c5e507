/// Ends a streamed text before the first stop string, however the text is chunked.
///
/// A possible beginning of a stop string is held back until it is decided, so that no part of one is ever shown.
#[derive(Debug, Clone, Default)]
pub struct StopFilter {
    stops: Vec<String>,
    held: String,
    stopped: bool,
}

/// The text that the filter lets through for one chunk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilteredText {
    pub text: String,
    /// True once a stop string has been found: nothing passes after it.
    pub stopped: bool,
}

impl StopFilter {
    /// Creates a filter. Empty strings are ignored, since they would match everywhere.
    pub fn new(stops: &[String]) -> Self {
        let stops = stops.iter().filter(|stop| !stop.is_empty()).cloned().collect();
        Self { stops, held: String::new(), stopped: false }
    }

    pub fn push(&mut self, piece: &str) -> FilteredText {
        if self.stopped {
            return FilteredText { text: String::new(), stopped: true };
        }
        if self.stops.is_empty() {
            return FilteredText { text: piece.to_owned(), stopped: false };
        }
        self.held.push_str(piece);
        if let Some(at) = self.stops.iter().filter_map(|stop| self.held.find(stop.as_str())).min() {
            self.stopped = true;
            self.held.truncate(at);
            return FilteredText { text: std::mem::take(&mut self.held), stopped: true };
        }
        let unclear = self.unclear();
        let rest = self.held.split_off(self.held.len() - unclear);
        FilteredText { text: std::mem::replace(&mut self.held, rest), stopped: false }
    }

    /// Returns the held text at the end of the stream.
    pub fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }

    /// Returns the number of bytes at the end of the held text that may begin a stop string.
    fn unclear(&self) -> usize {
        let beginnings = |stop: &str| {
            let ends: Vec<usize> = stop.char_indices().map(|(at, _)| at).skip(1).collect();
            ends.into_iter().rev().find(|&end| self.held.ends_with(&stop[..end])).unwrap_or(0)
        };
        self.stops.iter().map(|stop| beginnings(stop)).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Utf8Joiner;

    fn filtered(stops: &[&str], pieces: &[&str]) -> (String, bool) {
        let stops: Vec<_> = stops.iter().map(ToString::to_string).collect();
        let mut filter = StopFilter::new(&stops);
        let mut text = String::new();
        let mut stopped = false;
        for piece in pieces {
            let passed = filter.push(piece);
            text.push_str(&passed.text);
            stopped = passed.stopped;
        }
        (text + &filter.finish(), stopped)
    }

    #[test]
    fn a_stop_string_ends_the_text() {
        let cases: &[(&[&str], &[&str], &str, bool)] = &[
            (&["END"], &["one END two"], "one ", true),
            (&["END"], &["one E", "N", "D two"], "one ", true),
            (&["END"], &["one EN", "E EN"], "one ENE EN", false),
            (&["aab"], &["aa", "ab"], "a", true),
            (&["\n\n", "\nUser:"], &["hi\n", "Us", "er: no"], "hi", true),
            (&["\nUser:", "\n"], &["hi\nUs"], "hi", true),
            (&["🌙"], &["night 🌙 day"], "night ", true),
            (&["", "x"], &["abc"], "abc", false),
            (&[], &["abc"], "abc", false),
            (&["END"], &["END", "more", "END"], "", true),
        ];
        for (stops, pieces, expected, stopped) in cases {
            assert_eq!(
                filtered(stops, pieces),
                ((*expected).to_owned(), *stopped),
                "{stops:?} in {pieces:?}"
            );
        }
    }

    #[test]
    fn it_does_not_matter_at_which_byte_the_text_is_cut() {
        let whole = "Guten Abend 🌙, здравствуй<|im_end|> and the rest";
        for first in 0..=whole.len() {
            for second in first..=whole.len() {
                let bytes = whole.as_bytes();
                let mut joiner = Utf8Joiner::default();
                let mut filter = StopFilter::new(&["<|im_end|>".to_owned(), "<|end".to_owned()]);
                let mut text = String::new();
                for piece in [&bytes[..first], &bytes[first..second], &bytes[second..]] {
                    let passed = filter.push(&joiner.push(piece));
                    assert!(!passed.text.contains('<'), "cut at {first} and {second}");
                    text.push_str(&passed.text);
                }
                text.push_str(&filter.finish());
                assert_eq!(text, "Guten Abend 🌙, здравствуй", "cut at {first} and {second}");
            }
        }
    }

    #[test]
    fn only_what_is_unclear_is_held_back() {
        let mut filter = StopFilter::new(&["<stop>".to_owned()]);
        assert_eq!(filter.push("a <st").text, "a ");
        assert_eq!(filter.push("r").text, "<str");
        assert_eq!(filter.push("<stop>").text, "");
    }
}
