//! Inline elements: emphasis, code, links.

use crate::painter::{AnsiColour, TextStyle};
use crate::wrap::StyledText;

/// The part of a line that can be parsed so far.
#[derive(Debug, PartialEq, Eq)]
pub struct Inline {
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
pub fn parse(text: &str, before: Option<char>, complete: bool, style: TextStyle, styled: bool) -> Inline {
    let mut parser = Parser { text, complete, styled, at: 0, before, spans: Vec::new() };
    parser.run(style);
    Inline { spans: parser.spans, used: parser.at }
}

struct Parser<'a> {
    text: &'a str,
    complete: bool,
    styled: bool,
    at: usize,
    before: Option<char>,
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
                '~' => self.struck(style),
                '[' => self.link(self.at, style),
                '!' => self.picture(style),
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
                        .find(|letter| marks.contains(letter))
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
        &self.text[self.at..]
    }

    fn add(&mut self, style: TextStyle, text: &str) {
        match self.spans.last_mut() {
            Some(last) if last.style == style => last.text.push_str(text),
            _ => self.spans.push(StyledText::new(style, text)),
        }
    }

    fn inner(&mut self, text: &str, style: TextStyle) {
        for span in spans(text, style, self.styled) {
            self.add(span.style, &span.text);
        }
    }

    fn escape(&mut self, style: TextStyle) -> Found {
        match self.rest()[1..].chars().next() {
            None => Found::Unclear,
            Some(letter) if letter.is_ascii_punctuation() => {
                self.add(style, letter.encode_utf8(&mut [0; 4]));
                Found::Until(self.at + 2)
            }
            Some(_) => Found::Nothing,
        }
    }

    fn code(&mut self, style: TextStyle) -> Found {
        let rest = self.rest();
        let marks = run(rest, '`');
        let mut from = marks;
        while let Some(found) = rest[from..].find('`') {
            let at = from + found;
            let length = run(&rest[at..], '`');
            if at + length == rest.len() && !self.complete {
                return Found::Unclear;
            }
            if length == marks {
                let code = &rest[marks..at];
                let bare = code
                    .strip_prefix(' ')
                    .and_then(|code| code.strip_suffix(' '))
                    .filter(|code| !code.trim().is_empty());
                let code = bare.unwrap_or(code);
                let shown = if self.styled { code.to_owned() } else { format!("`{code}`") };
                let end = self.at + at + length;
                self.add(TextStyle { colour: Some(AnsiColour::Cyan), ..style }, &shown);
                return Found::Until(end);
            }
            from = at + length;
        }
        Found::Unclear
    }

    fn emphasis(&mut self, mark: char, style: TextStyle) -> Found {
        let rest = self.rest();
        let marks = run(rest, mark);
        let Some(next) = rest[marks..].chars().next() else { return Found::Unclear };
        let within_word = mark == '_' && self.before.is_some_and(char::is_alphanumeric);
        if next.is_whitespace() || within_word || marks > 3 {
            return Found::Nothing;
        }
        let Some(close) = closing(&rest[marks..], mark, marks, self.complete) else { return Found::Unclear };
        let style = match marks {
            1 => TextStyle { italic: true, ..style },
            2 => TextStyle { bold: true, ..style },
            _ => TextStyle { bold: true, italic: true, ..style },
        };
        let end = self.at + marks + close + marks;
        let inside = rest[marks..marks + close].to_owned();
        self.inner(&inside, style);
        Found::Until(end)
    }

    fn struck(&mut self, style: TextStyle) -> Found {
        let rest = self.rest();
        if rest == "~" {
            return Found::Unclear;
        }
        let Some(inside) = rest.strip_prefix("~~") else { return Found::Nothing };
        let Some(close) = inside.find("~~") else { return Found::Unclear };
        let (end, inside) = (self.at + close + 4, inside[..close].to_owned());
        self.inner(&inside, TextStyle { struck: true, ..style });
        Found::Until(end)
    }

    fn link(&mut self, from: usize, style: TextStyle) -> Found {
        let Some((label, target, end)) = bracketed(&self.text[from..]) else {
            return if may_become_link(&self.text[from..]) { Found::Unclear } else { Found::Nothing };
        };
        let (label, target) = (label.to_owned(), target.to_owned());
        self.inner(&label, TextStyle { underlined: true, ..style });
        if target != label && !target.is_empty() {
            self.add(style, " ");
            self.add(TextStyle { dim: true, ..style }, &format!("({target})"));
        }
        Found::Until(from + end)
    }

    fn picture(&mut self, style: TextStyle) -> Found {
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
        let Some(close) = rest.find(['>', ' ']) else { return Found::Unclear };
        if rest[close..].starts_with(' ') {
            return Found::Nothing;
        }
        let (end, target) = (self.at + close + 1, rest[1..close].to_owned());
        self.add(TextStyle { underlined: true, ..style }, &target);
        Found::Until(end)
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

/// Returns the number of marks at the start.
fn run(text: &str, mark: char) -> usize {
    text.len() - text.trim_start_matches(mark).len()
}

/// Returns the position of the marks that close an emphasis, ignoring marks in code and escaped ones.
fn closing(text: &str, mark: char, marks: usize, complete: bool) -> Option<usize> {
    let mut before = None;
    let mut at = 0;
    while let Some(letter) = text[at..].chars().next() {
        match letter {
            '\\' => at += 1 + text[at + 1..].chars().next().map_or(0, char::len_utf8),
            '`' => {
                let length = run(&text[at..], '`');
                let ticks = "`".repeat(length);
                at += length;
                at += text[at..].find(&ticks).map_or(0, |end| end + length);
            }
            _ if letter == mark => {
                let length = run(&text[at..], mark);
                let next = text[at + length..].chars().next();
                if next.is_none() && !complete {
                    return None;
                }
                let fits = length == marks || length >= 3 || (marks == 1 && length != 2);
                let inside_word = mark == '_' && next.is_some_and(char::is_alphanumeric);
                if fits
                    && length >= marks
                    && before.is_some_and(|letter: char| !letter.is_whitespace())
                    && !inside_word
                {
                    // In a longer run, the first marks belong to the inner emphasis.
                    return Some(at + (length - marks));
                }
                at += length;
            }
            _ => at += letter.len_utf8(),
        }
        before = text[..at].chars().next_back();
    }
    None
}

/// Parses `[label](target "title")` and returns the label, the target and the end.
fn bracketed(text: &str) -> Option<(&str, &str, usize)> {
    let label = balanced(text, '[', ']')?;
    let rest = &text[label + 1..];
    let target = if rest.starts_with('(') { balanced(rest, '(', ')')? } else { return None };
    let inside = rest[1..target].trim();
    let address = inside.split_whitespace().next().unwrap_or_default();
    let address = address.trim_start_matches('<').trim_end_matches('>');
    Some((&text[1..label], address, label + 1 + target + 1))
}

/// Returns true if further text could turn this into a link.
fn may_become_link(text: &str) -> bool {
    match balanced(text, '[', ']') {
        None => true,
        Some(label) => matches!(text[label + 1..].chars().next(), None | Some('(')),
    }
}

/// Returns the position of the bracket that closes the first one.
fn balanced(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        if std::mem::take(&mut escaped) {
            continue;
        }
        if letter == '\\' {
            escaped = true;
        } else if letter == open {
            depth += 1;
        } else if letter == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

#[cfg(test)]
#[path = "inline_tests.rs"]
mod tests;
