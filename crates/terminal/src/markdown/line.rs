//! Classification of a line.

/// The block structure at the start of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineStart {
    /// The quote depth.
    pub quotes: usize,
    pub indent: usize,
    pub kind: MarkdownLineKind,
    /// The number of bytes before the text.
    pub length: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkdownLineKind {
    Blank,
    Text,
    Heading(usize),
    Item(ListMarker),
    Rule,
    Fence {
        fence: char,
        length: usize,
        label: String,
    },
    /// A line that begins with a pipe character.
    Row,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListMarker {
    Bullet,
    /// A number, with its full stop or bracket.
    Number(String),
    Task {
        done: bool,
    },
}

/// The most digits in a list number; anything longer is text.
const LONGEST_NUMBER: usize = 9;
/// The deepest quote; further marks are text.
const DEEPEST_QUOTE: usize = 16;
/// The length in bytes after which the start of a line is text if nothing else is certain.
const LONGEST_START: usize = 1000;

/// Parses the start of a line; `None` if more of it is needed.
pub fn start(line: &str, complete: bool) -> Option<LineStart> {
    let mut quotes = 0;
    let mut at = 0;
    loop {
        let rest = &line[at..];
        let indent = rest.len() - rest.trim_start_matches(' ').len();
        let body = &rest[indent..];
        if let Some(after) = body.strip_prefix('>').filter(|_| quotes < DEEPEST_QUOTE) {
            if after.is_empty() && !complete {
                return None;
            }
            quotes += 1;
            at += indent + 1 + usize::from(after.starts_with(' '));
            continue;
        }
        // A table needs its whole row.
        let is_text = || rest.len() > LONGEST_START && !body.starts_with('|');
        let (kind, length) =
            kind(body, complete).or_else(|| is_text().then_some((MarkdownLineKind::Text, 0)))?;
        // An empty line within a quote still belongs to the quote.
        let kind = if kind == MarkdownLineKind::Blank && quotes > 0 { MarkdownLineKind::Text } else { kind };
        return Some(LineStart { quotes, indent, kind, length: at + indent + length });
    }
}

fn kind(body: &str, complete: bool) -> Option<(MarkdownLineKind, usize)> {
    let Some(first) = body.chars().next() else { return complete.then_some((MarkdownLineKind::Blank, 0)) };
    let run = body.len() - body.trim_start_matches(first).len();
    let after = &body[run..];
    let text = Some((MarkdownLineKind::Text, 0));
    match first {
        '#' if after.is_empty() && !complete => None,
        '#' if run <= 6 && (after.starts_with(' ') || after.is_empty()) => {
            let gap = after.len() - after.trim_start_matches(' ').len();
            Some((MarkdownLineKind::Heading(run), run + gap))
        }
        '`' | '~' if run >= 3 => {
            // The label ends with the line; if it contains backticks, this is inline code.
            if !complete {
                return None;
            }
            let label = after.split_whitespace().next().unwrap_or_default().to_owned();
            if after.contains('`') {
                text
            } else {
                Some((MarkdownLineKind::Fence { fence: first, length: run, label }, 0))
            }
        }
        '`' | '~' if after.is_empty() && !complete => None,
        '-' | '*' | '_' | '+' => {
            let only_marks = body.chars().all(|letter| letter == first || letter == ' ');
            let marks = body.chars().filter(|letter| *letter == first).count();
            if only_marks && first != '+' {
                if !complete && (after.is_empty() || marks > 1) {
                    return None;
                }
                if complete && marks >= 3 {
                    return Some((MarkdownLineKind::Rule, 0));
                }
            }
            if first == '_' || run != 1 {
                return text;
            }
            item(body, 1, ListMarker::Bullet, complete)
        }
        '0'..='9' => {
            let digits = body.len() - body.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
            match body[digits..].chars().next() {
                None if complete => text,
                None => None,
                Some(mark @ ('.' | ')')) if digits <= LONGEST_NUMBER => {
                    item(body, digits + 1, ListMarker::Number(format!("{}{mark}", &body[..digits])), complete)
                }
                Some(_) => text,
            }
        }
        '|' if !complete => None,
        '|' => Some((MarkdownLineKind::Row, 0)),
        _ => text,
    }
}

/// Parses a list item, whose marker must be followed by a space, and the box of a task.
fn item(
    body: &str,
    marker_length: usize,
    marker: ListMarker,
    complete: bool,
) -> Option<(MarkdownLineKind, usize)> {
    let after = &body[marker_length..];
    if after.is_empty() {
        return if complete { Some((MarkdownLineKind::Item(marker), marker_length)) } else { None };
    }
    let Some(text) = after.strip_prefix(' ') else { return Some((MarkdownLineKind::Text, 0)) };
    let text_at = body.len() - text.trim_start_matches(' ').len();
    let text = &body[text_at..];
    for (mark, done) in [("[ ] ", false), ("[x] ", true), ("[X] ", true)] {
        if text.starts_with(mark) && marker == ListMarker::Bullet {
            return Some((MarkdownLineKind::Item(ListMarker::Task { done }), text_at + mark.len()));
        }
        if mark.starts_with(text) && !complete {
            return None;
        }
    }
    Some((MarkdownLineKind::Item(marker), text_at))
}

/// Returns true if this line closes a code block.
pub fn closes(line: &str, fence: char, length: usize) -> bool {
    let line = line.trim();
    line.chars().count() >= length && line.chars().all(|letter| letter == fence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_line_is_known_by_its_beginning() {
        let fence =
            |fence, length, label: &str| MarkdownLineKind::Fence { fence, length, label: label.into() };
        for (line, kind, length) in [
            ("", MarkdownLineKind::Blank, 0),
            ("   ", MarkdownLineKind::Blank, 3),
            ("Hello", MarkdownLineKind::Text, 0),
            ("# One", MarkdownLineKind::Heading(1), 2),
            ("###   Three", MarkdownLineKind::Heading(3), 6),
            ("#tag", MarkdownLineKind::Text, 0),
            ("####### seven", MarkdownLineKind::Text, 0),
            ("- item", MarkdownLineKind::Item(ListMarker::Bullet), 2),
            ("  * item", MarkdownLineKind::Item(ListMarker::Bullet), 4),
            ("+ item", MarkdownLineKind::Item(ListMarker::Bullet), 2),
            ("- [x] done", MarkdownLineKind::Item(ListMarker::Task { done: true }), 6),
            ("- [ ] open", MarkdownLineKind::Item(ListMarker::Task { done: false }), 6),
            ("- [link](x)", MarkdownLineKind::Item(ListMarker::Bullet), 2),
            ("12. item", MarkdownLineKind::Item(ListMarker::Number("12.".into())), 4),
            ("3) item", MarkdownLineKind::Item(ListMarker::Number("3)".into())), 3),
            ("3.14 is pi", MarkdownLineKind::Text, 0),
            ("2026", MarkdownLineKind::Text, 0),
            ("**bold** text", MarkdownLineKind::Text, 0),
            ("*italic* text", MarkdownLineKind::Text, 0),
            ("-5 degrees", MarkdownLineKind::Text, 0),
            ("---", MarkdownLineKind::Rule, 0),
            ("* * *", MarkdownLineKind::Rule, 0),
            ("__init__", MarkdownLineKind::Text, 0),
            ("```rust ignore", fence('`', 3, "rust"), 0),
            ("~~~~", fence('~', 4, ""), 0),
            ("```inline``` code", MarkdownLineKind::Text, 0),
            ("`code` first", MarkdownLineKind::Text, 0),
            ("| a | b |", MarkdownLineKind::Row, 0),
            ("月", MarkdownLineKind::Text, 0),
        ] {
            let found = start(line, true).unwrap();
            assert_eq!((found.kind, found.length), (kind, length), "{line}");
        }
    }

    #[test]
    fn a_quote_is_counted_and_read_on() {
        let found = start("> > - item", true).unwrap();
        assert_eq!(
            (found.quotes, found.kind, found.length),
            (2, MarkdownLineKind::Item(ListMarker::Bullet), 6)
        );
        assert_eq!(start(">", true).unwrap().kind, MarkdownLineKind::Text);
    }

    #[test]
    fn what_is_not_clear_yet_waits() {
        for line in
            ["", " ", "#", "-", "--", "- [", "*", "**", "`", "```", "```ru", "1", "12.", "|", "| a", ">"]
        {
            assert_eq!(start(line, false), None, "{line:?}");
        }
        for line in ["H", "# T", "- i", "**b", "`c", "1. i", "1x", "> q", "- [l"] {
            assert!(start(line, false).is_some(), "{line:?}");
        }
    }

    #[test]
    fn a_block_ends_with_its_own_marks() {
        assert!(closes("```", '`', 3) && closes("  ````  ", '`', 3));
        assert!(!closes("``", '`', 3) && !closes("~~~", '`', 3) && !closes("```rust", '`', 3));
    }
}
