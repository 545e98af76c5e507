use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::painter::{Painter, TextStyle};
use crate::screen::Screen;

/// A text in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StyledText {
    pub style: TextStyle,
    pub text: String,
}

impl StyledText {
    pub fn new(style: TextStyle, text: impl Into<String>) -> Self {
        Self { style, text: text.into() }
    }
}

/// A line ready to be printed, and its width in columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct WrappedLine {
    pub text: String,
    pub width: usize,
}

/// Wraps text word by word to a given width. Output that was taken never changes, so a growing text can be shown as it
/// arrives.
#[derive(Debug)]
pub struct WordWrapper {
    painter: Painter,
    width: usize,
    /// The finished lines and the current one.
    lines: Vec<WrappedLine>,
    /// The part of `lines` already taken: whole lines, and bytes of the next.
    taken: (usize, usize),
    continuation: WrappedLine,
    /// True if the current line contains a word.
    started: bool,
    space: bool,
    word: Vec<StyledText>,
}

impl WordWrapper {
    pub fn new(painter: Painter, width: usize) -> Self {
        Self {
            painter,
            width: width.max(1),
            lines: vec![WrappedLine::default()],
            taken: (0, 0),
            continuation: WrappedLine::default(),
            started: false,
            space: false,
            word: Vec::new(),
        }
    }

    /// Starts a line with the prefix `first`, and `rest` for each continuation line.
    pub fn begin(&mut self, first: &[StyledText], rest: &[StyledText]) {
        // Text needs room beside its prefix, even on a very narrow screen.
        let room = self.width - LEAST_ROOM.min(self.width.div_ceil(2));
        self.continuation = self.prefix(rest, room);
        let first = self.prefix(first, room);
        let line = self.current_line();
        line.text.push_str(&first.text);
        line.width += first.width;
        self.started = false;
        self.space = false;
    }

    fn prefix(&self, spans: &[StyledText], room: usize) -> WrappedLine {
        let mut line = WrappedLine::default();
        for span in spans {
            for character in span.text.chars() {
                let width = character.width().unwrap_or(0);
                if line.width + width > room {
                    return line;
                }
                self.painter.write(&mut line.text, span.style, character.encode_utf8(&mut [0; 4]));
                line.width += width;
            }
        }
        line
    }

    pub fn text(&mut self, style: TextStyle, text: &str) {
        for character in text.chars() {
            if character == ' ' || character == '\t' || character == '\n' {
                self.end_word();
                self.space = true;
                continue;
            }
            if self.may_break_before(character) {
                self.end_word();
            }
            match self.word.last_mut() {
                Some(span) if span.style == style => span.text.push(character),
                _ => self.word.push(StyledText::new(style, character)),
            }
        }
    }

    /// Wide characters allow a break between any two. Joined characters count as one.
    fn may_break_before(&self, character: char) -> bool {
        let before = self.word.last().and_then(|span| span.text.chars().next_back());
        let wide = |character: char| character.width() == Some(2);
        let joined = character.width() == Some(0) || before == Some('\u{200d}');
        !joined && (wide(character) || before.is_some_and(wide))
    }

    /// Moves the pending word into a line.
    pub fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if word.is_empty() {
            return;
        }
        let width: usize = word.iter().map(|span| span.text.width()).sum();
        let space = usize::from(self.space && self.started);
        if self.started && self.current_line().width + space + width > self.width {
            self.start_line();
        } else if space == 1 {
            let line = self.current_line();
            line.text.push(' ');
            line.width += 1;
        }
        self.space = false;
        for span in &word {
            self.write_word(span);
        }
    }

    /// Appends text without wrapping.
    pub fn literal(&mut self, style: TextStyle, text: &str) {
        self.end_word();
        self.write(style, text, text.width());
    }

    /// Ends the current line.
    pub fn end_line(&mut self) {
        self.end_word();
        self.lines.push(WrappedLine::default());
        self.started = false;
        self.space = false;
    }

    /// Returns the output since the last call.
    pub fn take(&mut self) -> String {
        let mut out = String::new();
        let last = self.lines.len() - 1;
        for (place, line) in self.lines.iter().enumerate().skip(self.taken.0) {
            let from = if place == self.taken.0 { self.taken.1 } else { 0 };
            out.push_str(line.text.get(from..).unwrap_or_default());
            if place < last {
                out.push('\n');
            }
        }
        // Lines already taken are no longer needed.
        self.lines.drain(..last);
        self.taken = (0, self.lines[0].text.len());
        out
    }

    fn write_word(&mut self, span: &StyledText) {
        let whole = span.text.width();
        if self.current_line().width + whole <= self.width {
            return self.write(span.style, &span.text, whole);
        }
        let mut piece = String::new();
        let mut piece_width = 0;
        for character in span.text.chars() {
            let width = character.width().unwrap_or(0);
            // A word longer than the line is split at the line's end.
            if self.current_line().width + piece_width + width > self.width
                && (self.started || piece_width > 0)
            {
                self.write(span.style, &piece, piece_width);
                piece.clear();
                piece_width = 0;
                self.start_line();
            }
            piece.push(character);
            piece_width += width;
        }
        self.write(span.style, &piece, piece_width);
    }

    fn write(&mut self, style: TextStyle, text: &str, width: usize) {
        let painter = self.painter;
        let line = self.current_line();
        painter.write(&mut line.text, style, text);
        line.width += width;
        self.started = true;
    }

    fn start_line(&mut self) {
        self.lines.push(self.continuation.clone());
        self.started = false;
    }

    fn current_line(&mut self) -> &mut WrappedLine {
        if self.lines.is_empty() {
            self.lines.push(WrappedLine::default());
        }
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }
}

/// The least number of columns for text beside a prefix; half the width on very narrow screens.
const LEAST_ROOM: usize = 12;

/// Wraps a complete text into lines.
pub fn wrap(painter: Painter, width: usize, spans: &[StyledText]) -> Vec<WrappedLine> {
    let mut wrapper = WordWrapper::new(painter, width);
    for span in spans {
        wrapper.text(span.style, &span.text);
    }
    wrapper.end_word();
    wrapper.lines
}

/// Wraps a text for reading, with a final line break.
pub fn paragraph(screen: Screen, style: TextStyle, text: &str) -> String {
    let mut wrapper = WordWrapper::new(screen.painter, screen.text_width());
    for line in text.lines() {
        wrapper.text(style, line);
        wrapper.end_line();
    }
    wrapper.take()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(width: usize, text: &str) -> Vec<String> {
        let lines = wrap(Painter::new(false), width, &[StyledText::new(TextStyle::PLAIN, text)]);
        lines.into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn words_are_set_into_lines() {
        for (width, text, expected) in [
            (10, "one two three", vec!["one two", "three"]),
            (7, "one two", vec!["one two"]),
            (6, "one two", vec!["one", "two"]),
            (4, "abcdefghij", vec!["abcd", "efgh", "ij"]),
            (5, "ab abcdefgh", vec!["ab", "abcde", "fgh"]),
            (6, "月が綺麗ですね", vec!["月が綺", "麗です", "ね"]),
            (3, "a月b", vec!["a月", "b"]),
            (2, "👩\u{200d}🚀", vec!["👩\u{200d}🚀"]),
            (10, "", vec![""]),
            (10, "  spaces   between ", vec!["spaces", "between"]),
        ] {
            assert_eq!(wrapped(width, text), expected, "{text}");
        }
    }

    #[test]
    fn a_word_of_several_styles_is_not_torn() {
        let spans = [
            StyledText::new(TextStyle::PLAIN, "say "),
            StyledText::new(TextStyle::BOLD, "hello"),
            StyledText::new(TextStyle::PLAIN, ", you"),
        ];
        let lines = wrap(Painter::new(true), 10, &spans);
        assert_eq!(lines[0].text, "say \u{1b}[1mhello\u{1b}[0m,");
        assert_eq!(lines[0].width, 10);
        assert_eq!(lines[1].text, "you");
    }

    #[test]
    fn a_growing_text_is_given_out_once() {
        let mut wrapper = WordWrapper::new(Painter::new(false), 12);
        let bullet = [StyledText::new(TextStyle::PLAIN, "• ")];
        wrapper.begin(&bullet, &[StyledText::new(TextStyle::PLAIN, "  ")]);
        let mut out = wrapper.take();
        for piece in ["He", "llo wo", "rld, ", "this goes", " on", " and on"] {
            wrapper.text(TextStyle::PLAIN, piece);
            out.push_str(&wrapper.take());
        }
        wrapper.end_line();
        out.push_str(&wrapper.take());
        assert_eq!(out, "• Hello\n  world,\n  this goes\n  on and on\n");
    }

    #[test]
    fn a_prefix_leaves_room_for_the_text() {
        let mut wrapper = WordWrapper::new(Painter::new(false), 20);
        let deep = [StyledText::new(TextStyle::PLAIN, " ".repeat(60))];
        wrapper.begin(&deep, &deep);
        wrapper.text(TextStyle::PLAIN, "word");
        wrapper.end_line();
        assert_eq!(wrapper.take(), format!("{}word\n", " ".repeat(10)));
    }
}
