//! Changes values in the text of a file and keeps comments, order, spacing and line ends.
//!
//! Existing values are edited in the text itself; the parser libraries add what is missing.

use serde_json::Value;

use self::list::rendered;
pub(crate) use self::text::EditError;
use self::text::{LocatedValue, spliced};
use crate::document::{BYTE_ORDER_MARK, Format};

mod json;
mod list;
mod text;
mod toml;

/// A setting's path in the file with its new value, or `None` to remove it.
pub(crate) struct Change {
    pub(crate) path: Vec<String>,
    pub(crate) value: Option<Value>,
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
        Some(LocatedValue { elements: Some(_), .. }) if list::is_of_texts(value) => {
            set_list(format, text, path, value)
        }
        Some(LocatedValue { span, .. }) => Ok(spliced(text, &span, &rendered(format, value))),
        None => match format {
            Format::Toml => toml::insert(text, path, value),
            Format::Json => json::insert(text, path, value),
        },
    }
}

fn find(format: Format, text: &str, path: &[&str]) -> Result<Option<LocatedValue>, EditError> {
    match format {
        Format::Toml => toml::find(text, path),
        Format::Json => json::find(text, path),
    }
}

fn set_list(format: Format, text: &str, path: &[&str], value: &Value) -> Result<String, EditError> {
    let mut text = text.to_owned();
    while let Some(LocatedValue { span, elements: Some(elements) }) = find(format, &text, path)? {
        match list::step(format, &text, &span, &elements, value) {
            Some(changed) => text = changed,
            None => break,
        }
    }
    Ok(text)
}

pub(crate) use toml::value as toml_value;

#[cfg(test)]
#[path = "edit_tests.rs"]
mod tests;
