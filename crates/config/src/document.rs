//! Parses a settings file into a tree with source positions. JSON and TOML give the same tree.

use std::ops::Range;

use serde_json::{Map, Number, Value};
use thiserror::Error;

mod json;
mod toml;

/// Larger files are refused without being read: no hand-written settings file is this big.
pub(crate) const LARGEST: usize = 256 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Toml,
    /// JSON with comments and trailing commas.
    Json,
}

/// A position in a file, counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// The reason why a text could not be parsed, with its position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{reason}")]
pub(crate) struct ParseError {
    pub(crate) reason: String,
    pub(crate) at: Position,
}

/// The text of a file with its parsed entries.
#[derive(Default)]
pub(crate) struct Document {
    text: String,
    pub(crate) entries: Vec<SettingEntry>,
}

impl Document {
    pub(crate) fn position(&self, offset: usize) -> Position {
        position(&self.text, offset)
    }
}

/// A key of the file with its value. Offsets are bytes from the start of the text.
pub(crate) struct SettingEntry {
    pub(crate) key: String,
    /// The offset of the key.
    pub(crate) at: usize,
    pub(crate) node: SettingNode,
}

pub(crate) enum SettingNode {
    Table(Vec<SettingEntry>),
    Leaf { value: Value, at: usize },
}

impl SettingNode {
    pub(crate) fn to_value(&self) -> Value {
        match self {
            Self::Leaf { value, .. } => value.clone(),
            Self::Table(entries) => {
                let pairs = entries.iter().map(|entry| (entry.key.clone(), entry.node.to_value()));
                Value::Object(pairs.collect::<Map<_, _>>())
            }
        }
    }
}

/// Parses the bytes of a file.
pub(crate) fn parse(format: Format, bytes: &[u8]) -> Result<Document, ParseError> {
    let text = text_of(bytes)?;
    let entries = match format {
        Format::Toml => toml::parse(text)?,
        Format::Json => json::parse(text)?,
    };
    Ok(Document { text: text.to_owned(), entries })
}

/// A byte order mark. Some editors write one, and neither format allows it.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{feff}";

fn text_of(bytes: &[u8]) -> Result<&str, ParseError> {
    if bytes.len() > LARGEST {
        let reason = format!("it has more than {LARGEST} bytes");
        return Err(ParseError { reason, at: Position { line: 1, column: 1 } });
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)),
        Err(error) => {
            let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            Err(ParseError { reason: "this byte is not UTF-8 text".into(), at: position(&good, good.len()) })
        }
    }
}

/// Converts a byte offset to a line and column.
pub(crate) fn position(text: &str, offset: usize) -> Position {
    let before = text.get(..offset).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).saturating_add(1);
    Position {
        line: count(before.bytes().filter(|byte| *byte == b'\n').count()),
        column: count(before[line_start..].chars().count()),
    }
}

/// Converts a number to JSON. One that JSON cannot represent becomes text, which no number setting accepts.
fn number(value: f64) -> Value {
    Number::from_f64(value).map_or_else(|| Value::String(value.to_string()), Value::Number)
}

pub(crate) use json::{options as json_options, root as json_root};
pub(crate) type Span = Range<usize>;
