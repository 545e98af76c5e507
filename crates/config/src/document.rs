//! Parses a settings file into a tree with source positions. JSON and TOML give the same tree.

use std::ops::Range;

mod json;
mod toml;
mod tree;

/// Larger files are refused without being read: no hand-written settings file is this big.
pub(crate) const LARGEST: usize = 256 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Toml,
    /// JSON with comments and trailing commas.
    Json,
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

pub(crate) use json::{options as json_options, root as json_root};
pub(crate) use tree::{ParseError, Position, SettingEntry, SettingNode, position};
pub(crate) type Span = Range<usize>;
