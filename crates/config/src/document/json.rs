use jsonc_parser::ast::{self, ObjectProp};
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value;

use super::tree::{ParseError, SettingEntry, SettingNode, number, position};

/// The parser options: comments and trailing commas, as Lumina's own reader accepts, and nothing looser.
pub(crate) fn options() -> ParseOptions {
    ParseOptions {
        allow_comments: true,
        allow_loose_object_property_names: false,
        allow_trailing_commas: true,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    }
}

pub(super) fn parse(text: &str) -> Result<Vec<SettingEntry>, ParseError> {
    match root(text)? {
        None => Ok(Vec::new()),
        Some(ast::Value::Object(object)) => Ok(entries(&object)),
        Some(other) => Err(ParseError {
            reason: "the settings should be between { and }".into(),
            at: position(text, other.start()),
        }),
    }
}

pub(crate) fn root(text: &str) -> Result<Option<ast::Value<'_>>, ParseError> {
    match parse_to_ast(text, &CollectOptions::default(), &options()) {
        Ok(parsed) => Ok(parsed.value),
        Err(error) => {
            let mut reason = error.kind().to_string();
            if let Some(first) = reason.get_mut(..1) {
                first.make_ascii_lowercase();
            }
            Err(ParseError { reason, at: position(text, error.range().start) })
        }
    }
}

fn entries(object: &ast::Object<'_>) -> Vec<SettingEntry> {
    let entry = |property: &ObjectProp<'_>| {
        let node = match &property.value {
            ast::Value::Object(inner) => SettingNode::Table(entries(inner)),
            other => SettingNode::Leaf { value: value(other), at: other.start() },
        };
        SettingEntry { key: property.name.as_str().to_owned(), at: property.start(), node }
    };
    object.properties.iter().map(entry).collect()
}

fn value(found: &ast::Value<'_>) -> Value {
    match found {
        ast::Value::StringLit(text) => Value::String(text.value.to_string()),
        ast::Value::NumberLit(digits) => serde_json::from_str(digits.value)
            .unwrap_or_else(|_| digits.value.parse().map_or(Value::Null, number)),
        ast::Value::BooleanLit(switch) => Value::Bool(switch.value),
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::Array(list) => list.elements.iter().map(value).collect(),
        ast::Value::Object(object) => {
            let pairs = object.properties.iter();
            Value::Object(pairs.map(|pair| (pair.name.as_str().to_owned(), value(&pair.value))).collect())
        }
    }
}
