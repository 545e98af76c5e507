//! Streaming Markdown for the terminal.
//!
//! A line break in the text is a line break on the screen. Text appears word by word; only what further text could
//! still change (an open emphasis, a table) is held back until it is certain. Printed text is never redrawn, so nothing
//! flickers, and everything stays in the scrollback. The time is linear in the length of the text, whatever is in it.
//!
//! A general parser such as `pulldown-cmark` needs a whole block before it knows what is in it, so that an answer would
//! appear paragraph by paragraph instead of word by word; that is why this reader is our own.

mod inline;
mod line;
mod marks;
mod table;

use crate::clean::clean;
use crate::painter::{AnsiColour, Painter, TextStyle};
use crate::screen::Screen;
use crate::wrap::{StyledText, WordWrapper};
use inline::{ParsedText, spans};
use line::{LineStart, ListMarker, MarkdownLineKind};

/// The most bytes of a line that are held back. Marks that far away from each other do not belong together.
const LONGEST_HELD: usize = 1000;

/// Renders a text that arrives in pieces of any size.
pub struct MarkdownRenderer {
    painter: Painter,
    width: usize,
    wrapper: WordWrapper,
    /// Text received but not yet shown; always within one line.
    rest: String,
    state: State,
    /// A pending blank line, printed only once text follows.
    blank: bool,
    /// True if anything has been shown.
    begun: bool,
}

enum State {
    LineStart,
    /// Inside a line of known kind.
    Text {
        style: TextStyle,
        before: Option<char>,
    },
    Code {
        fence: char,
        length: usize,
        indent: usize,
    },
    /// Rows that may form a table, or do so from the second on.
    Table {
        rows: Vec<String>,
        indent: Vec<StyledText>,
    },
}

impl MarkdownRenderer {
    pub fn new(screen: Screen) -> Self {
        let width = screen.text_width();
        Self {
            painter: screen.painter,
            width,
            wrapper: WordWrapper::new(screen.painter, width),
            rest: String::new(),
            state: State::LineStart,
            blank: false,
            begun: false,
        }
    }

    /// Adds a piece of text and returns what can be printed.
    pub fn push(&mut self, text: &str) -> String {
        let text = clean(text).replace('\t', "    ");
        let mut out = String::new();
        for (place, piece) in text.split('\n').enumerate() {
            if place > 0 {
                self.advance(true, &mut out);
            }
            self.rest.push_str(piece);
        }
        self.advance(false, &mut out);
        out
    }

    /// Ends the text and returns the rest, with a final line break if anything was shown.
    pub fn finish(mut self) -> String {
        let mut out = String::new();
        if !self.rest.is_empty() || matches!(self.state, State::Text { .. }) {
            self.advance(true, &mut out);
        }
        match std::mem::replace(&mut self.state, State::LineStart) {
            State::Table { rows, indent } => self.end_table(&rows, &indent, &mut out),
            State::Code { .. } => self.end_code(),
            State::LineStart | State::Text { .. } => {}
        }
        out.push_str(&self.wrapper.take());
        out
    }

    /// Renders as much as possible of the line in `rest`; all of it if the line is `complete`.
    fn advance(&mut self, complete: bool, out: &mut String) {
        match &mut self.state {
            State::LineStart => self.start(complete, out),
            State::Text { .. } => self.text(complete),
            State::Code { fence, length, indent } => {
                if !complete {
                    return;
                }
                let line = std::mem::take(&mut self.rest);
                if line::closes(&line, *fence, *length) {
                    self.state = State::LineStart;
                    self.end_code();
                } else {
                    let spare = line.len() - line.trim_start_matches(' ').len();
                    let text = format!("  {}", &line[spare.min(*indent)..]);
                    self.raw(TextStyle::coloured(AnsiColour::Cyan), &text);
                }
            }
            State::Table { rows, indent } => {
                let start = line::start(&self.rest, complete);
                let Some(start) = start else { return };
                let row = &self.rest[start.length..];
                if start.kind == MarkdownLineKind::Row && (rows.len() != 1 || table::is_ruler(row)) {
                    rows.push(row.to_owned());
                    self.rest.clear();
                    return;
                }
                let (rows, indent) = (std::mem::take(rows), std::mem::take(indent));
                self.state = State::LineStart;
                self.end_table(&rows, &indent, out);
                self.start(complete, out);
            }
        }
        out.push_str(&self.wrapper.take());
    }

    fn start(&mut self, complete: bool, out: &mut String) {
        let Some(start) = line::start(&self.rest, complete) else { return };
        if start.kind == MarkdownLineKind::Blank {
            self.rest.clear();
            self.blank = self.begun;
            return;
        }
        if std::mem::take(&mut self.blank) {
            self.wrapper.end_line();
        }
        self.begun = true;
        let LineStart { quotes, indent, kind, length } = start;
        let bars = StyledText::new(TextStyle::DIM, "▏ ".repeat(quotes));
        let gap = StyledText::new(TextStyle::PLAIN, " ".repeat(indent));
        match kind {
            MarkdownLineKind::Fence { fence, length, label } => {
                self.rest.clear();
                self.state = State::Code { fence, length, indent };
                self.rule(&label);
            }
            MarkdownLineKind::Rule => {
                self.rest.clear();
                self.rule("");
            }
            MarkdownLineKind::Row => {
                let row = std::mem::take(&mut self.rest).split_off(length);
                self.state = State::Table { rows: vec![row], indent: vec![bars, gap] };
            }
            MarkdownLineKind::Heading(level) => {
                self.rest.drain(..length);
                let colour = (level <= 2).then_some(AnsiColour::Cyan);
                let style = TextStyle { bold: true, underlined: level == 1, colour, ..TextStyle::PLAIN };
                // Without styles, a heading would look like any other line.
                let mark =
                    if self.painter.is_on() { String::new() } else { format!("{} ", "#".repeat(level)) };
                let first = [bars.clone(), StyledText::new(style, mark)];
                self.begin(style, &first, &[bars], complete);
            }
            MarkdownLineKind::Item(marker) => {
                self.rest.drain(..length);
                let marker = match marker {
                    ListMarker::Bullet => "• ".to_owned(),
                    ListMarker::Number(number) => format!("{number} "),
                    ListMarker::Task { done: true } => "☑ ".to_owned(),
                    ListMarker::Task { done: false } => "☐ ".to_owned(),
                };
                let hang = StyledText::new(TextStyle::PLAIN, " ".repeat(marker.chars().count()));
                let first = [bars.clone(), gap.clone(), StyledText::new(TextStyle::DIM, marker)];
                self.begin(TextStyle::PLAIN, &first, &[bars, gap, hang], complete);
            }
            MarkdownLineKind::Blank | MarkdownLineKind::Text => {
                self.rest.drain(..length);
                let prefix = [bars, gap];
                self.begin(TextStyle::PLAIN, &prefix, &prefix, complete);
            }
        }
        out.push_str(&self.wrapper.take());
    }

    fn begin(&mut self, style: TextStyle, first: &[StyledText], rest: &[StyledText], complete: bool) {
        self.wrapper.begin(first, rest);
        self.state = State::Text { style, before: None };
        self.text(complete);
    }

    fn text(&mut self, complete: bool) {
        let State::Text { style, before } = &mut self.state else { return };
        let is_certain = complete || self.rest.len() > LONGEST_HELD;
        let ParsedText { spans, used } =
            inline::parse(&self.rest, *before, is_certain, *style, self.painter.is_on());
        *before = self.rest[..used].chars().next_back().or(*before);
        self.rest.drain(..used);
        for span in spans {
            self.wrapper.text(span.style, &span.text);
        }
        if complete {
            self.wrapper.end_line();
            self.state = State::LineStart;
        }
    }

    fn end_table(&mut self, rows: &[String], indent: &[StyledText], out: &mut String) {
        out.push_str(&self.wrapper.take());
        if rows.len() >= 2 {
            out.push_str(&table::render(rows, self.painter, self.width));
            return;
        }
        // A single line with pipe characters is text.
        for row in rows {
            self.wrapper.begin(indent, indent);
            for span in spans(row, TextStyle::PLAIN, self.painter.is_on()) {
                self.wrapper.text(span.style, &span.text);
            }
            self.wrapper.end_line();
        }
        out.push_str(&self.wrapper.take());
    }

    fn end_code(&mut self) {
        self.rule("");
    }

    /// A dimmed horizontal rule, with a label in it.
    fn rule(&mut self, label: &str) {
        const LONGEST: usize = 40;
        let label = if label.is_empty() { String::new() } else { format!(" {label} ") };
        let room = self.width.min(LONGEST).saturating_sub(label.chars().count() + 2);
        self.raw(TextStyle::DIM, &format!("──{label}{}", "─".repeat(room)));
    }

    /// A line without wrapping, so that code can be copied as it is.
    fn raw(&mut self, style: TextStyle, text: &str) {
        self.wrapper.literal(style, text);
        self.wrapper.end_line();
    }
}

#[cfg(test)]
#[path = "mod_tests.rs"]
mod tests;
