//! Inline elements: emphasis, code, links.

use super::marks::{InlineMarks, LONGEST_MARK, run};
use crate::painter::{AnsiColour, TextStyle};
use crate::wrap::StyledText;

/// The deepest nesting of elements. InlineMarks further inside are text, so that no line exhausts the stack.
const DEEPEST: usize = 16;

/// The part of a line that can be parsed so far.
#[derive(Debug, PartialEq, Eq)]
pub struct ParsedText {
    pub spans: Vec<StyledText>,
    /// The number of bytes of the text that the spans cover.
    pub used: usize,
}

/// Parses a complete text.
pub fn spans(text: &str, style: TextStyle, styled: bool) -> Vec<StyledText> {
    parse(text, None, true, style, styled).spans
}

/// Parses `text`, which follows the character `before`. Unless the line is `complete`, stops in front of anything that
/// further text could change. Without styles, the backticks of code are kept, to set it apart from the text around it.
pub fn parse(text: &str, before: Option<char>, complete: bool, style: TextStyle, styled: bool) -> ParsedText {
    let marks = InlineMarks::new(text, complete);
    let (end, depth, angle) = (text.len(), 0, 0);
    let mut parser =
        Parser { text, marks, styled, at: 0, end, complete, depth, before, angle, spans: Vec::new() };
    parser.run(style);
    ParsedText { spans: parser.spans, used: parser.at }
}

struct Parser<'a> {
    text: &'a str,
    marks: InlineMarks,
    styled: bool,
    at: usize,
    /// The end of the text, or of the element that is being parsed.
    end: usize,
    complete: bool,
    /// The number of elements around the current position.
    depth: usize,
    before: Option<char>,
    /// The first space or closing angle bracket from some earlier position on.
    angle: usize,
    spans: Vec<StyledText>,
}

/// The result of reading a mark.
enum Found {
    /// An element that ends at this position.
    Until(usize),
    /// Plain text.
    Nothing,
    /// Undecided until more text arrives.
    Unclear,
}

impl Parser<'_> {
    fn run(&mut self, style: TextStyle) {
        while let Some(first) = self.rest().chars().next() {
            let found = match first {
                '\\' => self.escape(style),
                '`' => self.code(style),
                '*' | '_' => self.emphasis(first, style),
                '~' => self.strikethrough(style),
                '[' => self.link(self.at, style),
                '!' => self.image(style),
                '<' => self.address(style),
                '&' => self.entity(style),
                _ => Found::Nothing,
            };
            let end = match found {
                Found::Until(end) => end,
                Found::Unclear if !self.complete => return,
                Found::Nothing | Found::Unclear => {
                    let marks = "\\`*_~[!<&";
                    let rest = self.rest();
                    // A run of the same mark is read as one, so that its second half does not open another element.
                    let own = if "*_~`".contains(first) { run(rest, first) } else { first.len_utf8() };
                    let length = rest[own..]
                        .find(|character| marks.contains(character))
                        .map_or(rest.len(), |more| own + more);
                    let end = self.at + length;
                    self.add(style, &self.text[self.at..end]);
                    end
                }
            };
            self.before = self.text[self.at..end].chars().next_back();
            self.at = end;
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..self.end]
    }

    fn add(&mut self, style: TextStyle, text: &str) {
        match self.spans.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text),
            _ => self.spans.push(StyledText::new(style, text)),
        }
    }

    /// Parses the text of an element.
    fn inner(&mut self, from: usize, to: usize, style: TextStyle) {
        let around = (self.at, self.end, self.before, self.complete);
        (self.at, self.end, self.before, self.complete) = (from, to, None, true);
        self.depth += 1;
        self.run(style);
        self.depth -= 1;
        (self.at, self.end, self.before, self.complete) = around;
    }

    fn escape(&mut self, style: TextStyle) -> Found {
        match self.rest()[1..].chars().next() {
            None => Found::Unclear,
            Some(character) if character.is_ascii_punctuation() => {
                self.add(style, character.encode_utf8(&mut [0; 4]));
                Found::Until(self.at + 2)
            }
            Some(_) => Found::Nothing,
        }
    }

    fn code(&mut self, style: TextStyle) -> Found {
        let ticks = run(self.rest(), '`');
        let Some(close) = self.marks.code_end(self.at, ticks, self.end) else { return Found::Unclear };
        let code = &self.text[self.at + ticks..close];
        let bare = code
            .strip_prefix(' ')
            .and_then(|code| code.strip_suffix(' '))
            .filter(|code| !code.trim().is_empty());
        let code = bare.unwrap_or(code);
        let shown = if self.styled { code.to_owned() } else { format!("`{code}`") };
        self.add(TextStyle { colour: Some(AnsiColour::Cyan), ..style }, &shown);
        Found::Until(close + ticks)
    }

    fn emphasis(&mut self, mark: char, style: TextStyle) -> Found {
        let count = run(self.rest(), mark);
        let Some(next) = self.rest()[count..].chars().next() else { return Found::Unclear };
        let within_word = mark == '_' && self.before.is_some_and(char::is_alphanumeric);
        if next.is_whitespace() || within_word || count > LONGEST_MARK || self.depth == DEEPEST {
            return Found::Nothing;
        }
        let from = self.at + count;
        let Some(close) = self.marks.emphasis_end(mark, count, from, self.end) else { return Found::Unclear };
        let style = match count {
            1 => TextStyle { italic: true, ..style },
            2 => TextStyle { bold: true, ..style },
            _ => TextStyle { bold: true, italic: true, ..style },
        };
        self.inner(from, close, style);
        Found::Until(close + count)
    }

    fn strikethrough(&mut self, style: TextStyle) -> Found {
        let rest = self.rest();
        if rest == "~" {
            return Found::Unclear;
        }
        let Some(inside) = rest.strip_prefix("~~").filter(|_| self.depth < DEEPEST) else {
            return Found::Nothing;
        };
        let Some(length) = inside.find("~~") else { return Found::Unclear };
        let from = self.at + 2;
        self.inner(from, from + length, TextStyle { struck: true, ..style });
        Found::Until(from + length + 2)
    }

    /// Parses `[label](target "title")`.
    fn link(&mut self, opening: usize, style: TextStyle) -> Found {
        if self.depth == DEEPEST {
            return Found::Nothing;
        }
        let Some(label_end) = self.marks.closing_bracket(opening, self.end) else { return Found::Unclear };
        let target_start = label_end + 1;
        match self.text[target_start..self.end].chars().next() {
            Some('(') => {}
            None => return Found::Unclear,
            Some(_) => return Found::Nothing,
        }
        let Some(target_end) = self.marks.closing_bracket(target_start, self.end) else {
            return Found::Unclear;
        };
        let target = self.text[target_start + 1..target_end].split_whitespace().next().unwrap_or_default();
        let target = target.trim_start_matches('<').trim_end_matches('>');
        let label = &self.text[opening + 1..label_end];
        self.inner(opening + 1, label_end, TextStyle { underlined: true, ..style });
        if target != label && !target.is_empty() {
            self.add(style, " ");
            self.add(TextStyle { dim: true, ..style }, &format!("({target})"));
        }
        Found::Until(target_end + 1)
    }

    fn image(&mut self, style: TextStyle) -> Found {
        match self.rest()[1..].chars().next() {
            None => Found::Unclear,
            Some('[') => self.link(self.at + 1, style),
            Some(_) => Found::Nothing,
        }
    }

    /// Reads a URL in angle brackets.
    fn address(&mut self, style: TextStyle) -> Found {
        let rest = self.rest();
        let schemes = ["<https://", "<http://", "<mailto:"];
        if !schemes.iter().any(|scheme| rest.starts_with(scheme)) {
            let may_be = schemes.iter().any(|scheme| scheme.starts_with(rest));
            return if may_be { Found::Unclear } else { Found::Nothing };
        }
        if self.angle <= self.at {
            let found = self.text[self.at..].find(['>', ' ']);
            self.angle = found.map_or(self.text.len(), |found| self.at + found);
        }
        if self.angle >= self.end {
            return Found::Unclear;
        }
        if self.text[self.angle..].starts_with(' ') {
            return Found::Nothing;
        }
        self.add(TextStyle { underlined: true, ..style }, &self.text[self.at + 1..self.angle]);
        Found::Until(self.angle + 1)
    }

    fn entity(&mut self, style: TextStyle) -> Found {
        let rest = self.rest();
        for (name, letter) in ENTITIES {
            if rest.starts_with(name) {
                self.add(style, letter);
                return Found::Until(self.at + name.len());
            }
        }
        if ENTITIES.iter().any(|(name, _)| name.starts_with(rest)) { Found::Unclear } else { Found::Nothing }
    }
}

const ENTITIES: [(&str, &str); 6] =
    [("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " ")];

#[cfg(test)]
#[path = "inline_tests.rs"]
mod tests;
