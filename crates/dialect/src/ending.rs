//! Searches a stream for closing texts.

use std::borrow::Cow;

/// Detects the first of several closing texts, character by character.
#[derive(Debug)]
pub struct EndingSearch {
    texts: Vec<Closing>,
    /// The text that may be the beginning of a closing text.
    begun: String,
}

#[derive(Debug)]
struct Closing {
    text: Cow<'static, str>,
    /// The number of matched bytes.
    matched: usize,
    first: char,
    /// True if its first character does not occur again in it.
    is_simple: bool,
}

impl EndingSearch {
    /// Creates the search for one closing text.
    pub fn new(text: impl Into<Cow<'static, str>>) -> Self {
        Self::any([text])
    }

    /// Creates the search for the first of several closing texts.
    pub fn any<T: Into<Cow<'static, str>>>(texts: impl IntoIterator<Item = T>) -> Self {
        let texts = texts.into_iter().filter_map(|text| Closing::new(text.into()));
        Self { texts: texts.collect(), begun: String::new() }
    }

    /// Takes the next character. Returns the index of the text that it completes.
    pub fn feed(&mut self, next: char) -> Option<usize> {
        let mut ended = None;
        for (place, closing) in self.texts.iter_mut().enumerate() {
            if closing.feed(next) {
                ended = ended.or(Some(place));
            }
        }
        if ended.is_some() {
            self.texts.iter_mut().for_each(|closing| closing.matched = 0);
        }
        ended
    }

    /// Like [`Self::feed`], and passes text that belongs to no closing text to `pass`.
    pub fn pass(&mut self, next: char, pass: impl FnOnce(&str)) -> Option<usize> {
        let ended = self.feed(next);
        if ended.is_some() {
            self.begun.clear();
            return ended;
        }
        self.begun.push(next);
        let held = self.texts.iter().map(|closing| closing.matched).max().unwrap_or(0);
        let passed = self.begun.len() - held;
        if passed > 0 {
            pass(&self.begun[..passed]);
            self.begun.drain(..passed);
        }
        None
    }

    /// Returns the text held back by [`Self::pass`].
    pub fn begun(&self) -> &str {
        &self.begun
    }

    /// Returns the number of bytes before the first character that may begin a closing text.
    pub fn clear_of(&self, text: &str) -> usize {
        match self.texts.as_slice() {
            [only] => text.find(only.first),
            texts => text.find(|next: char| texts.iter().any(|closing| closing.first == next)),
        }
        .unwrap_or(text.len())
    }

    /// Returns the length of a closing text, by its index.
    pub fn length(&self, place: usize) -> usize {
        self.texts.get(place).map_or(0, |closing| closing.text.len())
    }
}

impl Closing {
    fn new(text: Cow<'static, str>) -> Option<Self> {
        let first = text.chars().next()?;
        let is_simple = !text[first.len_utf8()..].contains(first);
        Some(Self { text, matched: 0, first, is_simple })
    }

    fn feed(&mut self, next: char) -> bool {
        if self.matched == 0 && next != self.first {
            return false;
        }
        loop {
            if self.text[self.matched..].starts_with(next) {
                self.matched += next.len_utf8();
                return self.matched == self.text.len();
            }
            if self.matched == 0 {
                return false;
            }
            if self.is_simple {
                self.matched = if next == self.first { next.len_utf8() } else { 0 };
                return false;
            }
            // The end of the text read so far may be the beginning of the closing text.
            let read = &self.text[..self.matched];
            let shorter =
                read.char_indices().skip(1).find(|(place, _)| self.text.starts_with(&read[*place..]));
            self.matched = shorter.map_or(0, |(place, _)| read.len() - place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_closing_text_is_found_wherever_it_begins() {
        let cases = [
            ("</think>", "a </thin</think>b", Some((0, 16))),
            ("aab", "aaab", Some((0, 4))),
            ("[/T]", "[/[/T]", Some((0, 6))),
            ("◁/think▷", "x◁◁/think▷", Some((0, "x◁◁/think▷".len()))),
            ("</a>", "</b>", None),
        ];
        for (closing, text, expected) in cases {
            let mut ending = EndingSearch::any([closing, "<other>"]);
            let mut feed = |(place, next): (usize, char)| {
                ending.feed(next).map(|which| (which, place + next.len_utf8()))
            };
            assert_eq!(text.char_indices().find_map(&mut feed), expected, "{text}");
        }
    }
}
