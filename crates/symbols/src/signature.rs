//! The signature of a definition in one line, and the attributes and comments before it.

use std::ops::Range;

use tree_sitter::Node;

use crate::Language;

const MOST_CHARS: usize = 200;
/// The maximum number of lines of a definition without a body that is shown whole.
const MOST_LINES: usize = 4;
/// The number of bytes before a definition in which the beginning of its line is searched.
const MOST_BEFORE: usize = 120;
/// The maximum number of lines of attributes and comments before a definition.
const MOST_LEADING: usize = 60;

/// Returns the signature and the lines of a definition.
pub fn of(node: Node<'_>, name: &Range<usize>, text: &str) -> (Box<str>, (u32, u32)) {
    let first = after_annotations(node);
    let (start, end) = (first.start_byte(), node.end_byte());
    let begin = line_start(text, start);
    let head = match body(node).filter(|body| *body > start) {
        Some(body) => text.get(begin..body).unwrap_or_default(),
        None => without_body(text.get(begin..end).unwrap_or_default()),
    };
    let ends = |c: char| c == '{' || c == ':' || c.is_whitespace();
    let line = in_one_line(head.trim_end_matches(ends), MOST_CHARS);
    // Joining parameters from separate lines leaves spaces inside the brackets.
    let shown = line.replace("( ", "(").replace(", )", ")").replace(" )", ")");
    let named = text.get(name.clone()).unwrap_or_default();
    let is_named_later = body(node).is_some_and(|body| name.start >= body);
    let signature = if is_named_later { format!("{shown} … {named}") } else { shown };
    let (from, to) = (first.start_position().row, node.end_position());
    // A node that ends at the start of a line ends on the line before.
    let to = if to.column == 0 && to.row > from { to.row - 1 } else { to.row };
    (signature.into(), (line_number(from), line_number(to)))
}

fn line_number(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX).saturating_add(1)
}

/// Returns the first part of a definition that is not an annotation.
fn after_annotations(node: Node<'_>) -> Node<'_> {
    let mut cursor = node.walk();
    if !cursor.goto_first_child() {
        return node;
    }
    let mut skipped = false;
    loop {
        match cursor.node().kind() {
            "decorator" | "annotation" | "marker_annotation" => skipped = true,
            "modifiers" if cursor.goto_first_child() => continue,
            _ if skipped => return cursor.node(),
            _ => return node,
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() || cursor.node() == node {
                return node;
            }
        }
    }
}

/// Returns the start of the body in bytes.
pub fn body(node: Node<'_>) -> Option<usize> {
    let inner = ["value", "right", "type"].iter().filter_map(|field| node.child_by_field_name(field));
    let mut bodies = std::iter::once(node).chain(inner).filter_map(|node| node.child_by_field_name("body"));
    // The fields of a tuple struct belong to its signature.
    bodies.next().filter(|body| body.kind() != "ordered_field_declaration_list").map(|body| body.start_byte())
}

fn without_body(text: &str) -> &str {
    let first = text.lines().next().unwrap_or_default();
    let opens = first.trim_end().ends_with('{');
    let is_short = text.match_indices('\n').nth(MOST_LINES - 1).is_none();
    if is_short && !opens { text } else { first }
}

/// Returns the start of a definition's line if only keywords such as `export` precede it there.
fn line_start(text: &str, start: usize) -> usize {
    let from = text.floor_char_boundary(start.saturating_sub(MOST_BEFORE));
    let before = text.get(from..start).unwrap_or_default();
    let line = match before.rfind('\n') {
        Some(at) => &before[at + 1..],
        None if from == 0 => before,
        None => return start,
    };
    if line.contains(['{', '}', ';', '"', '\'', '`']) || line.contains("*/") {
        start
    } else {
        start - line.len()
    }
}

/// Returns at most `most` characters of a text, with white space collapsed to single spaces.
pub fn in_one_line(text: &str, most: usize) -> Box<str> {
    let mut line = String::new();
    let mut count = 0;
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        let blank = usize::from(!line.is_empty());
        if blank == 1 {
            line.push(' ');
        }
        let room = most.saturating_sub(count + blank);
        match word.char_indices().nth(room) {
            None => line.push_str(word),
            Some((end, _)) => {
                line.push_str(&word[..end]);
                line.truncate(line.trim_end().len());
                line.push('…');
                break;
            }
        }
        count += blank + word.chars().count();
    }
    line.into()
}

/// Returns true if a function is marked as a test in its language.
pub fn is_test(language: Language, name: &str, node: Node<'_>, text: &str) -> bool {
    match language {
        Language::Rust => leading(language, text, node.start_byte()).any(is_test_attribute),
        Language::Java => {
            let head = text.get(node.byte_range()).unwrap_or_default().lines().take(MOST_LINES);
            let mut words = head.flat_map(|line| line.split(|c: char| c.is_whitespace() || c == '('));
            words.any(|word| {
                let name = word.strip_prefix('@').and_then(|path| path.rsplit('.').next());
                name.is_some_and(|name| name == "Test" || name == "ParameterizedTest")
            })
        }
        Language::Python => name.starts_with("test_"),
        Language::Go => ["Test", "Benchmark", "Fuzz"].iter().any(|word| {
            let rest = name.strip_prefix(word);
            rest.is_some_and(|rest| !rest.starts_with(char::is_lowercase)) && takes_testing(node, text)
        }),
        _ => false,
    }
}

fn takes_testing(node: Node<'_>, text: &str) -> bool {
    let parameters = node.child_by_field_name("parameters");
    parameters.and_then(|list| text.get(list.byte_range())).is_some_and(|list| list.contains("testing."))
}

/// Matches `#[test]`, `#[tokio::test]`, `#[rstest]`, `#[test_case(1)]`, but not `#[cfg(test)]`.
fn is_test_attribute(line: &str) -> bool {
    let path =
        line.strip_prefix("#[").and_then(|line| line.split(['(', ']', ' ']).next()).unwrap_or_default();
    let last = path.rsplit("::").next().unwrap_or(path);
    last == "test" || last == "rstest" || last == "test_case"
}

/// Returns the attribute and comment lines directly before a definition, nearest first.
pub fn leading(language: Language, text: &str, start: usize) -> impl Iterator<Item = &str> {
    let before = text.get(..start).unwrap_or_default();
    // The line of the definition itself is excluded.
    let before = before.rfind('\n').map_or("", |end| &before[..end]);
    let lines = before.rsplit('\n').map(str::trim).take(MOST_LEADING);
    lines.take_while(move |line| belongs_to_next(language, line))
}

fn belongs_to_next(language: Language, line: &str) -> bool {
    let begins = |marks: &[&str]| marks.iter().any(|mark| line.starts_with(mark));
    match language {
        Language::Rust => begins(&["//", "#[", "/*", "*"]) && !line.starts_with("//!"),
        Language::Python => begins(&["#", "@"]),
        Language::Bash => line.starts_with('#') && !line.starts_with("#!"),
        Language::Text => begins(&["//", "#", "*", "/*", "--", "@"]),
        Language::C | Language::Cpp => begins(&["//", "/*", "*", "[[", "template"]),
        _ => begins(&["//", "/*", "*", "@"]),
    }
}

#[cfg(test)]
#[path = "signature_tests.rs"]
mod tests;
