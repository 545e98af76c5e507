//! Streaming Markdown for the terminal.
//!
//! A line break in the text is a line break on the screen. Text appears word by word; only what further text could
//! still change (an open emphasis, a table) is held back until it is certain. Printed text is never redrawn, so nothing
//! flickers, and everything stays in the scrollback.

mod inline;
mod line;
mod table;

use crate::terminal::{Colour, Flow, Paint, Screen, Span, Style, clean};
use inline::{Inline, spans};
use line::{Kind, Marker, Start};

/// Renders a text that arrives in pieces of any size.
pub struct Renderer {
    paint: Paint,
    width: usize,
    flow: Flow,
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
        style: Style,
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
        indent: Vec<Span>,
    },
}

impl Renderer {
    pub fn new(screen: Screen) -> Self {
        let width = screen.measure();
        Self {
            paint: screen.paint,
            width,
            flow: Flow::new(screen.paint, width),
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
        out.push_str(&self.flow.take());
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
                    self.raw(Style::coloured(Colour::Cyan), &text);
                }
            }
            State::Table { rows, indent } => {
                let start = line::start(&self.rest, complete);
                let Some(start) = start else { return };
                let row = &self.rest[start.length..];
                if start.kind == Kind::Row && (rows.len() != 1 || table::is_ruler(row)) {
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
        out.push_str(&self.flow.take());
    }

    fn start(&mut self, complete: bool, out: &mut String) {
        let Some(start) = line::start(&self.rest, complete) else { return };
        if start.kind == Kind::Blank {
            self.rest.clear();
            self.blank = self.begun;
            return;
        }
        if std::mem::take(&mut self.blank) {
            self.flow.end_line();
        }
        self.begun = true;
        let Start { quotes, indent, kind, length } = start;
        let bars = Span::new(Style::DIM, "▏ ".repeat(quotes));
        let gap = Span::new(Style::PLAIN, " ".repeat(indent));
        match kind {
            Kind::Fence { fence, length, label } => {
                self.rest.clear();
                self.state = State::Code { fence, length, indent };
                self.rule(&label);
            }
            Kind::Rule => {
                self.rest.clear();
                self.rule("");
            }
            Kind::Row => {
                let row = std::mem::take(&mut self.rest).split_off(length);
                self.state = State::Table { rows: vec![row], indent: vec![bars, gap] };
            }
            Kind::Heading(level) => {
                self.rest.drain(..length);
                let colour = (level <= 2).then_some(Colour::Cyan);
                let style = Style { bold: true, underlined: level == 1, colour, ..Style::PLAIN };
                // Without styles, a heading would look like any other line.
                let mark = if self.paint.is_on() { String::new() } else { format!("{} ", "#".repeat(level)) };
                let first = [bars.clone(), Span::new(style, mark)];
                self.begin(style, &first, &[bars], complete);
            }
            Kind::Item(marker) => {
                self.rest.drain(..length);
                let marker = match marker {
                    Marker::Bullet => "• ".to_owned(),
                    Marker::Number(number) => format!("{number} "),
                    Marker::Task { done: true } => "☑ ".to_owned(),
                    Marker::Task { done: false } => "☐ ".to_owned(),
                };
                let hang = Span::new(Style::PLAIN, " ".repeat(marker.chars().count()));
                let first = [bars.clone(), gap.clone(), Span::new(Style::DIM, marker)];
                self.begin(Style::PLAIN, &first, &[bars, gap, hang], complete);
            }
            Kind::Blank | Kind::Text => {
                self.rest.drain(..length);
                let prefix = [bars, gap];
                self.begin(Style::PLAIN, &prefix, &prefix, complete);
            }
        }
        out.push_str(&self.flow.take());
    }

    fn begin(&mut self, style: Style, first: &[Span], rest: &[Span], complete: bool) {
        self.flow.begin(first, rest);
        self.state = State::Text { style, before: None };
        self.text(complete);
    }

    fn text(&mut self, complete: bool) {
        let State::Text { style, before } = &mut self.state else { return };
        let Inline { spans, used } = inline::parse(&self.rest, *before, complete, *style, self.paint.is_on());
        *before = self.rest[..used].chars().next_back().or(*before);
        self.rest.drain(..used);
        for span in spans {
            self.flow.text(span.style, &span.text);
        }
        if complete {
            self.flow.end_line();
            self.state = State::LineStart;
        }
    }

    fn end_table(&mut self, rows: &[String], indent: &[Span], out: &mut String) {
        out.push_str(&self.flow.take());
        if rows.len() >= 2 {
            out.push_str(&table::show(rows, self.paint, self.width));
            return;
        }
        // A single line with pipe characters is text.
        for row in rows {
            self.flow.begin(indent, indent);
            for span in spans(row, Style::PLAIN, self.paint.is_on()) {
                self.flow.text(span.style, &span.text);
            }
            self.flow.end_line();
        }
        out.push_str(&self.flow.take());
    }

    fn end_code(&mut self) {
        self.rule("");
    }

    /// A dimmed horizontal rule, with a label in it.
    fn rule(&mut self, label: &str) {
        const LONGEST: usize = 40;
        let label = if label.is_empty() { String::new() } else { format!(" {label} ") };
        let room = self.width.min(LONGEST).saturating_sub(label.chars().count() + 2);
        self.raw(Style::DIM, &format!("──{label}{}", "─".repeat(room)));
    }

    /// A line without wrapping, so that code can be copied as it is.
    fn raw(&mut self, style: Style, text: &str) {
        self.flow.literal(style, text);
        self.flow.end_line();
    }
}

#[cfg(test)]
#[path = "mod_tests.rs"]
mod tests;
