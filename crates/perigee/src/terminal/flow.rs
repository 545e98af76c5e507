use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::terminal::{Paint, Screen, Style};

/// A text in one style.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    pub style: Style,
    pub text: String,
}

impl Span {
    pub fn new(style: Style, text: impl Into<String>) -> Self {
        Self { style, text: text.into() }
    }
}

/// A line ready to be printed, and its width in columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    pub text: String,
    pub width: usize,
}

/// Wraps text word by word to a given width. Output that was taken never changes, so a growing text can be shown as it
/// arrives.
#[derive(Debug)]
pub struct Flow {
    paint: Paint,
    width: usize,
    /// The finished lines and the current one.
    lines: Vec<Line>,
    /// The part of `lines` already taken: whole lines, and bytes of the next.
    given: (usize, usize),
    hang: Line,
    /// True if the current line contains a word.
    started: bool,
    space: bool,
    word: Vec<Span>,
}

impl Flow {
    pub fn new(paint: Paint, width: usize) -> Self {
        Self {
            paint,
            width: width.max(1),
            lines: vec![Line::default()],
            given: (0, 0),
            hang: Line::default(),
            started: false,
            space: false,
            word: Vec::new(),
        }
    }

    /// Starts a line with the prefix `first`, and `rest` for each continuation line.
    pub fn begin(&mut self, first: &[Span], rest: &[Span]) {
        // Text needs room beside its prefix, even on a very narrow screen.
        let room = self.width - LEAST_ROOM.min(self.width.div_ceil(2));
        self.hang = self.prefix(rest, room);
        let first = self.prefix(first, room);
        let line = self.growing();
        line.text.push_str(&first.text);
        line.width += first.width;
        self.started = false;
        self.space = false;
    }

    fn prefix(&self, spans: &[Span], room: usize) -> Line {
        let mut line = Line::default();
        for span in spans {
            for letter in span.text.chars() {
                let width = letter.width().unwrap_or(0);
                if line.width + width > room {
                    return line;
                }
                self.paint.write(&mut line.text, span.style, letter.encode_utf8(&mut [0; 4]));
                line.width += width;
            }
        }
        line
    }

    pub fn text(&mut self, style: Style, text: &str) {
        for letter in text.chars() {
            if letter == ' ' || letter == '\t' || letter == '\n' {
                self.end_word();
                self.space = true;
                continue;
            }
            if self.may_break_before(letter) {
                self.end_word();
            }
            match self.word.last_mut() {
                Some(span) if span.style == style => span.text.push(letter),
                _ => self.word.push(Span::new(style, letter)),
            }
        }
    }

    /// Wide characters allow a break between any two. Joined characters count as one.
    fn may_break_before(&self, letter: char) -> bool {
        let before = self.word.last().and_then(|span| span.text.chars().next_back());
        let wide = |letter: char| letter.width() == Some(2);
        let joined = letter.width() == Some(0) || before == Some('\u{200d}');
        !joined && (wide(letter) || before.is_some_and(wide))
    }

    /// Moves the pending word into a line.
    pub fn end_word(&mut self) {
        let word = std::mem::take(&mut self.word);
        if word.is_empty() {
            return;
        }
        let width: usize = word.iter().map(|span| span.text.width()).sum();
        let space = usize::from(self.space && self.started);
        if self.started && self.growing().width + space + width > self.width {
            self.turn();
        } else if space == 1 {
            let line = self.growing();
            line.text.push(' ');
            line.width += 1;
        }
        self.space = false;
        for span in &word {
            self.place(span);
        }
    }

    /// Appends text without wrapping.
    pub fn literal(&mut self, style: Style, text: &str) {
        self.end_word();
        self.write(style, text, text.width());
    }

    /// Ends the current line.
    pub fn end_line(&mut self) {
        self.end_word();
        self.lines.push(Line::default());
        self.started = false;
        self.space = false;
    }

    /// Returns the output since the last call.
    pub fn take(&mut self) -> String {
        let mut out = String::new();
        let last = self.lines.len() - 1;
        for (place, line) in self.lines.iter().enumerate().skip(self.given.0) {
            let from = if place == self.given.0 { self.given.1 } else { 0 };
            out.push_str(line.text.get(from..).unwrap_or_default());
            if place < last {
                out.push('\n');
            }
        }
        // Lines already taken are no longer needed.
        self.lines.drain(..last);
        self.given = (0, self.lines[0].text.len());
        out
    }

    fn place(&mut self, span: &Span) {
        let whole = span.text.width();
        if self.growing().width + whole <= self.width {
            return self.write(span.style, &span.text, whole);
        }
        let mut piece = String::new();
        let mut piece_width = 0;
        for letter in span.text.chars() {
            let width = letter.width().unwrap_or(0);
            // A word longer than the line is split at the line's end.
            if self.growing().width + piece_width + width > self.width && (self.started || piece_width > 0) {
                self.write(span.style, &piece, piece_width);
                piece.clear();
                piece_width = 0;
                self.turn();
            }
            piece.push(letter);
            piece_width += width;
        }
        self.write(span.style, &piece, piece_width);
    }

    fn write(&mut self, style: Style, text: &str, width: usize) {
        let paint = self.paint;
        let line = self.growing();
        paint.write(&mut line.text, style, text);
        line.width += width;
        self.started = true;
    }

    fn turn(&mut self) {
        self.lines.push(self.hang.clone());
        self.started = false;
    }

    fn growing(&mut self) -> &mut Line {
        if self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        let last = self.lines.len() - 1;
        &mut self.lines[last]
    }
}

/// The least number of columns for text beside a prefix; half the width on very narrow screens.
const LEAST_ROOM: usize = 12;

/// Wraps a complete text into lines.
pub fn wrap(paint: Paint, width: usize, spans: &[Span]) -> Vec<Line> {
    let mut flow = Flow::new(paint, width);
    for span in spans {
        flow.text(span.style, &span.text);
    }
    flow.end_word();
    flow.lines
}

/// Wraps a text for reading, with a final line break.
pub fn paragraph(screen: Screen, style: Style, text: &str) -> String {
    let mut flow = Flow::new(screen.paint, screen.measure());
    for line in text.lines() {
        flow.text(style, line);
        flow.end_line();
    }
    flow.take()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrapped(width: usize, text: &str) -> Vec<String> {
        let lines = wrap(Paint::new(false), width, &[Span::new(Style::PLAIN, text)]);
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
            Span::new(Style::PLAIN, "say "),
            Span::new(Style::BOLD, "hello"),
            Span::new(Style::PLAIN, ", you"),
        ];
        let lines = wrap(Paint::new(true), 10, &spans);
        assert_eq!(lines[0].text, "say \u{1b}[1mhello\u{1b}[0m,");
        assert_eq!(lines[0].width, 10);
        assert_eq!(lines[1].text, "you");
    }

    #[test]
    fn a_growing_text_is_given_out_once() {
        let mut flow = Flow::new(Paint::new(false), 12);
        let bullet = [Span::new(Style::PLAIN, "• ")];
        flow.begin(&bullet, &[Span::new(Style::PLAIN, "  ")]);
        let mut out = flow.take();
        for piece in ["He", "llo wo", "rld, ", "this goes", " on", " and on"] {
            flow.text(Style::PLAIN, piece);
            out.push_str(&flow.take());
        }
        flow.end_line();
        out.push_str(&flow.take());
        assert_eq!(out, "• Hello\n  world,\n  this goes\n  on and on\n");
    }

    #[test]
    fn a_prefix_leaves_room_for_the_text() {
        let mut flow = Flow::new(Paint::new(false), 20);
        let deep = [Span::new(Style::PLAIN, " ".repeat(60))];
        flow.begin(&deep, &deep);
        flow.text(Style::PLAIN, "word");
        flow.end_line();
        assert_eq!(flow.take(), format!("{}word\n", " ".repeat(10)));
    }
}
