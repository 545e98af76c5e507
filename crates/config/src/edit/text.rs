//! Cuts and replaces pieces of a text.

use thiserror::Error;

use crate::document::{Format, ParseError, Span};

#[derive(Debug, Error)]
pub(crate) enum EditError {
    #[error("at line {}, column {}: {}", .0.at.line, .0.at.column, .0.reason)]
    Broken(#[from] ParseError),
    #[error("`{0}` is not a table in the file")]
    NotATable(String),
}

/// A value located in the text.
pub(super) struct LocatedValue {
    pub(super) span: Span,
    /// The elements, if the value is a list, each with its text if it is a string.
    pub(super) elements: Option<Vec<Element>>,
}

pub(super) struct Element {
    pub(super) span: Span,
    pub(super) text: Option<String>,
}

pub(super) fn spliced(text: &str, span: &Span, replacement: &str) -> String {
    [&text[..span.start], replacement, &text[span.end..]].concat()
}

pub(super) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Removes a span. A line left empty is removed as a whole; a comment after the span stays.
pub(super) fn cut(text: &str, span: &Span) -> String {
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
pub(super) struct ListElement {
    pub(super) span: Span,
    /// The end of the previous element, if there is one.
    pub(super) previous_end: Option<usize>,
    /// The start of the next element or of the closing bracket.
    pub(super) next_start: usize,
}

/// Removes the element with the comma after it or, for the last element, the comma before it.
pub(super) fn without(format: Format, text: &str, spot: &ListElement) -> String {
    let behind = comma(format, text, spot.span.end, spot.next_start);
    let before = spot.previous_end.and_then(|end| comma(format, text, end, spot.span.start));
    match (behind, before) {
        (Some(comma), _) if text[spot.span.end..comma].trim().is_empty() => {
            cut(text, &(spot.span.start..comma + 1))
        }
        // A comment stands between the element and its comma.
        (Some(comma), _) => cut(&cut(text, &(comma..comma + 1)), &spot.span),
        (None, Some(comma)) => spliced(&cut(text, &spot.span), &(comma..comma + 1), ""),
        (None, None) => cut(text, &spot.span),
    }
}

/// Finds the comma between two offsets, skipping comments.
pub(super) fn comma(format: Format, text: &str, from: usize, to: usize) -> Option<usize> {
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
