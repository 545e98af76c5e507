//! Changes values in the text of a file and keeps comments, order, spacing and line ends.
//!
//! Existing values are edited in the text itself; the parser libraries add what is missing.

use serde_json::Value;
use thiserror::Error;

use crate::document::{BYTE_ORDER_MARK, Format, ParseError, Span};

mod json;
mod list;
mod toml;

/// A setting's path in the file with its new value, or `None` to remove it.
pub(crate) struct Change {
    pub(crate) path: Vec<String>,
    pub(crate) value: Option<Value>,
}

#[derive(Debug, Error)]
pub(crate) enum EditError {
    #[error("at line {}, column {}: {}", .0.at.line, .0.at.column, .0.reason)]
    Broken(#[from] ParseError),
    #[error("`{0}` is not a table in the file")]
    NotATable(String),
}

pub(crate) fn edit(format: Format, text: &str, changes: &[Change]) -> Result<String, EditError> {
    let (mark, text) = text.strip_prefix(BYTE_ORDER_MARK).map_or(("", text), |rest| (BYTE_ORDER_MARK, rest));
    let mut text = text.to_owned();
    for Change { path, value } in changes {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        text = apply(format, &text, &path, value.as_ref())?;
    }
    Ok(format!("{mark}{text}"))
}

fn apply(format: Format, text: &str, path: &[&str], value: Option<&Value>) -> Result<String, EditError> {
    let Some(value) = value else {
        return match format {
            Format::Toml => toml::remove(text, path),
            Format::Json => json::remove(text, path),
        };
    };
    match find(format, text, path)? {
        Some(Found { elements: Some(_), .. }) if list::is_of_texts(value) => {
            set_list(format, text, path, value)
        }
        Some(Found { span, .. }) => Ok(spliced(text, &span, &rendered(format, value))),
        None => match format {
            Format::Toml => toml::insert(text, path, value),
            Format::Json => json::insert(text, path, value),
        },
    }
}

fn find(format: Format, text: &str, path: &[&str]) -> Result<Option<Found>, EditError> {
    match format {
        Format::Toml => toml::find(text, path),
        Format::Json => json::find(text, path),
    }
}

fn set_list(format: Format, text: &str, path: &[&str], value: &Value) -> Result<String, EditError> {
    let mut text = text.to_owned();
    while let Some(Found { span, elements: Some(elements) }) = find(format, &text, path)? {
        match list::step(format, &text, &span, &elements, value) {
            Some(changed) => text = changed,
            None => break,
        }
    }
    Ok(text)
}

/// A value located in the text.
struct Found {
    span: Span,
    /// The elements, if the value is a list, each with its text if it is a string.
    elements: Option<Vec<Element>>,
}

struct Element {
    span: Span,
    text: Option<String>,
}

fn rendered(format: Format, value: &Value) -> String {
    match format {
        Format::Toml => toml::value(value).to_string(),
        Format::Json => match value {
            Value::Array(items) => {
                let items: Vec<_> = items.iter().map(Value::to_string).collect();
                format!("[{}]", items.join(", "))
            }
            other => other.to_string(),
        },
    }
}

fn spliced(text: &str, span: &Span, replacement: &str) -> String {
    [&text[..span.start], replacement, &text[span.end..]].concat()
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Removes a span. A line left empty is removed as a whole; a comment after the span stays.
fn cut(text: &str, span: &Span) -> String {
    let start = line_start(text, span.start);
    let end = text[span.end..].find('\n').map_or(text.len(), |newline| span.end + newline + 1);
    let (before, after) = (&text[start..span.start], &text[span.end..end]);
    if before.trim().is_empty() && after.trim().is_empty() {
        return [&text[..start], &text[end..]].concat();
    }
    if before.trim().is_empty() {
        return [&text[..span.start], text[span.end..].trim_start_matches([' ', '\t'])].concat();
    }
    [text[..span.start].trim_end_matches([' ', '\t']), &text[span.end..]].concat()
}

/// An element of a comma-separated list.
pub(crate) struct ListElement {
    pub(crate) span: Span,
    /// The end of the previous element, if there is one.
    pub(crate) previous_end: Option<usize>,
    /// The start of the next element or of the closing bracket.
    pub(crate) next_start: usize,
}

/// Removes the element with the comma after it or, for the last element, the comma before it.
fn without(format: Format, text: &str, spot: &ListElement) -> String {
    let behind = comma(format, text, spot.span.end, spot.next_start);
    let before = spot.previous_end.and_then(|end| comma(format, text, end, spot.span.start));
    match (behind, before) {
        (Some(comma), _) if text[spot.span.end..comma].trim().is_empty() => {
            cut(text, &(spot.span.start..comma + 1))
        }
        // There is a comment between the element and its comma.
        (Some(comma), _) => cut(&cut(text, &(comma..comma + 1)), &spot.span),
        (None, Some(comma)) => spliced(&cut(text, &spot.span), &(comma..comma + 1), ""),
        (None, None) => cut(text, &spot.span),
    }
}

/// Finds the comma between two offsets, skipping comments.
fn comma(format: Format, text: &str, from: usize, to: usize) -> Option<usize> {
    let line_comment = if format == Format::Toml { "#" } else { "//" };
    let mut at = from;
    while at < to {
        let rest = &text[at..to];
        at += if rest.starts_with(',') {
            return Some(at);
        } else if rest.starts_with(line_comment) {
            rest.find('\n').unwrap_or(rest.len())
        } else if format == Format::Json && rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            rest.chars().next().map_or(1, char::len_utf8)
        };
    }
    None
}

pub(crate) use toml::value as toml_value;

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
