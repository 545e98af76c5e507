//! The tree of a settings file, and positions in its text.

use serde_json::{Map, Number, Value};
use thiserror::Error;

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
pub(super) fn number(value: f64) -> Value {
    Number::from_f64(value).map_or_else(|| Value::String(value.to_string()), Value::Number)
}
