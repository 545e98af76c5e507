//! JSON as Python writes it: with a space after each comma and colon, and without HTML escapes.

use minijinja::value::{Kwargs, Value as JinjaValue};
use minijinja::{Error, ErrorKind};
use serde::Serialize;
use serde_json::Value;
use serde_json::ser::{Formatter, PrettyFormatter};

/// The maximum indent in spaces; templates use less.
const DEEPEST_INDENT: usize = 16;

/// The `tojson` filter.
#[allow(clippy::needless_pass_by_value, reason = "the signature of a filter")]
pub fn tojson(value: &JinjaValue, indent: Option<JinjaValue>, options: Kwargs) -> Result<JinjaValue, Error> {
    let failed = |error: serde_json::Error| {
        Error::new(ErrorKind::InvalidOperation, format!("this is not valid JSON: {error}"))
    };
    let indent = match indent {
        Some(indent) => Some(indent),
        None => options.get::<Option<JinjaValue>>("indent")?,
    };
    let indent = indent.and_then(|indent| indent.as_usize()).filter(|indent| *indent > 0);
    let is_ascii = options.get::<Option<bool>>("ensure_ascii")?.unwrap_or(false);
    let separators = options.get::<Option<Vec<String>>>("separators")?;
    let sorts = options.get::<Option<bool>>("sort_keys")?.unwrap_or(false);
    let mut value = serde_json::to_value(value).map_err(failed)?;
    if sorts {
        value.sort_all_objects();
    }
    let text = match indent {
        Some(indent) => indented(&value, indent.min(DEEPEST_INDENT)),
        None => one_line(&value, separators),
    };
    let text = text.map_err(failed)?;
    Ok(JinjaValue::from_safe_string(if is_ascii { ascii(&text) } else { text }))
}

fn indented(value: &Value, indent: usize) -> Result<String, serde_json::Error> {
    let indent = " ".repeat(indent);
    write(value, PrettyFormatter::with_indent(indent.as_bytes()))
}

fn one_line(value: &Value, separators: Option<Vec<String>>) -> Result<String, serde_json::Error> {
    let mut separators = separators.unwrap_or_default().into_iter();
    let between = separators.next().unwrap_or_else(|| ", ".to_owned());
    let after_key = separators.next().unwrap_or_else(|| ": ".to_owned());
    write(value, SpacedFormatter { between, after_key })
}

fn write(value: &Value, formatter: impl Formatter) -> Result<String, serde_json::Error> {
    let mut bytes = Vec::new();
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, formatter))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn ascii(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for next in text.chars() {
        if next.is_ascii() {
            escaped.push(next);
            continue;
        }
        for unit in next.encode_utf16(&mut [0; 2]) {
            escaped.push_str("\\u");
            for shift in [12, 8, 4, 0] {
                let digit = u32::from(*unit >> shift & 0xf);
                escaped.extend(char::from_digit(digit, 16));
            }
        }
    }
    escaped
}

struct SpacedFormatter {
    between: String,
    after_key: String,
}

impl Formatter for SpacedFormatter {
    fn begin_array_value<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        if first { Ok(()) } else { writer.write_all(self.between.as_bytes()) }
    }

    fn begin_object_key<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        if first { Ok(()) } else { writer.write_all(self.between.as_bytes()) }
    }

    fn begin_object_value<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        writer.write_all(self.after_key.as_bytes())
    }
}
