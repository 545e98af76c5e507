use serde_json::Value;

use super::text::{Element, ListElement, comma, line_start, spliced, without};
use super::toml;
use crate::document::{Format, Span};

pub(super) fn is_of_texts(value: &Value) -> bool {
    value.as_array().is_some_and(|items| items.iter().all(Value::is_string))
}

/// Takes one step from the list at `span` towards the wanted one; returns `None` once they match. Elements that are in
/// both keep their position and comments.
pub(super) fn step(
    format: Format,
    text: &str,
    span: &Span,
    elements: &[Element],
    value: &Value,
) -> Option<String> {
    let wanted: Vec<&str> = value.as_array()?.iter().filter_map(Value::as_str).collect();
    let old: Vec<Option<&str>> = elements.iter().map(|element| element.text.as_deref()).collect();
    let Some((removed, appended)) = steps(&old, &wanted) else {
        return Some(spliced(text, span, &rendered(format, value)));
    };
    if removed.is_empty() && appended.is_empty() {
        return None;
    }
    Some(match removed.last() {
        Some(&index) => {
            let spot = ListElement {
                span: elements[index].span.clone(),
                previous_end: index.checked_sub(1).map(|before| elements[before].span.end),
                next_start: elements.get(index + 1).map_or(span.end - 1, |next| next.span.start),
            };
            without(format, text, &spot)
        }
        None => append(format, text, span, elements.last().map(|last| &last.span), &appended),
    })
}

/// Returns the indices to remove and the elements to append that turn one list into the other without touching the
/// elements they share, or `None` if the order would differ.
pub(super) fn steps(old: &[Option<&str>], new: &[&str]) -> Option<(Vec<usize>, Vec<String>)> {
    let mut kept = 0;
    let mut removed = Vec::new();
    for (index, item) in old.iter().enumerate() {
        if kept < new.len() && *item == Some(new[kept]) {
            kept += 1;
        } else if item.is_some_and(|item| new[kept..].contains(&item)) {
            return None;
        } else {
            removed.push(index);
        }
    }
    Some((removed, new[kept..].iter().map(|item| (*item).to_owned()).collect()))
}

/// Appends elements, each on its own line if the last element has its own line.
fn append(format: Format, text: &str, brackets: &Span, last: Option<&Span>, items: &[String]) -> String {
    let items: Vec<_> = items.iter().map(|item| rendered(format, &Value::from(item.as_str()))).collect();
    let close = brackets.end - 1;
    let Some(last) = last else {
        return spliced(text, &(brackets.start + 1..brackets.start + 1), &items.join(", "));
    };
    let trailing_comma = comma(format, text, last.end, close);
    let last_line = line_start(text, last.start);
    let indent = &text[last_line..last.start];
    let close_line = line_start(text, close);
    if !indent.trim().is_empty() || close_line <= last.end {
        return spliced(text, &(last.end..last.end), &format!(", {}", items.join(", ")));
    }
    let newline = if text[..close_line].ends_with("\r\n") { "\r\n" } else { "\n" };
    let lines = items.join(&format!(",{newline}{indent}"));
    let comma_behind = if trailing_comma.is_some() { "," } else { "" };
    let longer = spliced(text, &(close_line..close_line), &format!("{indent}{lines}{comma_behind}{newline}"));
    if trailing_comma.is_some() { longer } else { spliced(&longer, &(last.end..last.end), ",") }
}

/// Writes a value in this format.
pub(super) fn rendered(format: Format, value: &Value) -> String {
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
