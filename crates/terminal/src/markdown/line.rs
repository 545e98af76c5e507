//! Classification of a line.

/// The block structure at the start of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The quote depth.
    pub quotes: usize,
    pub indent: usize,
    pub kind: Kind,
    /// The number of bytes before the text.
    pub length: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    Blank,
    Text,
    Heading(usize),
    Item(Marker),
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
pub enum Marker {
    Bullet,
    /// A number, with its full stop or bracket.
    Number(String),
    Task {
        done: bool,
    },
}

/// The most digits in a list number; anything longer is text.
const LONGEST_NUMBER: usize = 9;

/// Parses the start of a line; `None` if more of it is needed.
pub fn start(line: &str, complete: bool) -> Option<Start> {
    let mut quotes = 0;
    let mut at = 0;
    loop {
        let rest = &line[at..];
        let indent = rest.len() - rest.trim_start_matches(' ').len();
        let body = &rest[indent..];
        if let Some(after) = body.strip_prefix('>') {
            if after.is_empty() && !complete {
                return None;
            }
            quotes += 1;
            at += indent + 1 + usize::from(after.starts_with(' '));
            continue;
        }
        let (kind, length) = kind(body, complete)?;
        // An empty line within a quote still belongs to the quote.
        let kind = if kind == Kind::Blank && quotes > 0 { Kind::Text } else { kind };
        return Some(Start { quotes, indent, kind, length: at + indent + length });
    }
}

fn kind(body: &str, complete: bool) -> Option<(Kind, usize)> {
    let Some(first) = body.chars().next() else { return complete.then_some((Kind::Blank, 0)) };
    let run = body.len() - body.trim_start_matches(first).len();
    let after = &body[run..];
    let text = Some((Kind::Text, 0));
    match first {
        '#' if after.is_empty() && !complete => None,
        '#' if run <= 6 && (after.starts_with(' ') || after.is_empty()) => {
            let gap = after.len() - after.trim_start_matches(' ').len();
            Some((Kind::Heading(run), run + gap))
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
                Some((Kind::Fence { fence: first, length: run, label }, 0))
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
                    return Some((Kind::Rule, 0));
                }
            }
            if first == '_' || run != 1 {
                return text;
            }
            item(body, 1, Marker::Bullet, complete)
        }
        '0'..='9' => {
            let digits = body.len() - body.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
            match body[digits..].chars().next() {
                None if complete => text,
                None => None,
                Some(mark @ ('.' | ')')) if digits <= LONGEST_NUMBER => {
                    item(body, digits + 1, Marker::Number(format!("{}{mark}", &body[..digits])), complete)
                }
                Some(_) => text,
            }
        }
        '|' if !complete => None,
        '|' => Some((Kind::Row, 0)),
        _ => text,
    }
}

/// Parses a list item, whose marker must be followed by a space, and the box of a task.
fn item(body: &str, marker_length: usize, marker: Marker, complete: bool) -> Option<(Kind, usize)> {
    let after = &body[marker_length..];
    if after.is_empty() {
        return if complete { Some((Kind::Item(marker), marker_length)) } else { None };
    }
    let Some(text) = after.strip_prefix(' ') else { return Some((Kind::Text, 0)) };
    let text_at = body.len() - text.trim_start_matches(' ').len();
    let text = &body[text_at..];
    for (mark, done) in [("[ ] ", false), ("[x] ", true), ("[X] ", true)] {
        if text.starts_with(mark) && marker == Marker::Bullet {
            return Some((Kind::Item(Marker::Task { done }), text_at + mark.len()));
        }
        if mark.starts_with(text) && !complete {
            return None;
        }
    }
    Some((Kind::Item(marker), text_at))
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
        let fence = |fence, length, label: &str| Kind::Fence { fence, length, label: label.into() };
        for (line, kind, length) in [
            ("", Kind::Blank, 0),
            ("   ", Kind::Blank, 3),
            ("Hello", Kind::Text, 0),
            ("# One", Kind::Heading(1), 2),
            ("###   Three", Kind::Heading(3), 6),
            ("#tag", Kind::Text, 0),
            ("####### seven", Kind::Text, 0),
            ("- item", Kind::Item(Marker::Bullet), 2),
            ("  * item", Kind::Item(Marker::Bullet), 4),
            ("+ item", Kind::Item(Marker::Bullet), 2),
            ("- [x] done", Kind::Item(Marker::Task { done: true }), 6),
            ("- [ ] open", Kind::Item(Marker::Task { done: false }), 6),
            ("- [link](x)", Kind::Item(Marker::Bullet), 2),
            ("12. item", Kind::Item(Marker::Number("12.".into())), 4),
            ("3) item", Kind::Item(Marker::Number("3)".into())), 3),
            ("3.14 is pi", Kind::Text, 0),
            ("2026", Kind::Text, 0),
            ("**bold** text", Kind::Text, 0),
            ("*italic* text", Kind::Text, 0),
            ("-5 degrees", Kind::Text, 0),
            ("---", Kind::Rule, 0),
            ("* * *", Kind::Rule, 0),
            ("__init__", Kind::Text, 0),
            ("```rust ignore", fence('`', 3, "rust"), 0),
            ("~~~~", fence('~', 4, ""), 0),
            ("```inline``` code", Kind::Text, 0),
            ("`code` first", Kind::Text, 0),
            ("| a | b |", Kind::Row, 0),
            ("月", Kind::Text, 0),
        ] {
            let found = start(line, true).unwrap();
            assert_eq!((found.kind, found.length), (kind, length), "{line}");
        }
    }

    #[test]
    fn a_quote_is_counted_and_read_on() {
        let found = start("> > - item", true).unwrap();
        assert_eq!((found.quotes, found.kind, found.length), (2, Kind::Item(Marker::Bullet), 6));
        assert_eq!(start(">", true).unwrap().kind, Kind::Text);
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
