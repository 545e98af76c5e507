use jsonc_parser::ast;
use jsonc_parser::common::Ranged;
use jsonc_parser::cst::{CstInputValue, CstRootNode};
use serde_json::Value;

use super::text::{EditError, Element, ListElement, LocatedValue, without};
use crate::document::{Format, ParseError, json_options, json_root, position};

pub(super) fn find(text: &str, path: &[&str]) -> Result<Option<LocatedValue>, EditError> {
    let Some(ast::Value::Object(root)) = json_root(text)? else { return Ok(None) };
    let mut object = &root;
    let mut path = path.iter().peekable();
    while let Some(part) = path.next() {
        match object
            .properties
            .iter()
            .find(|property| property.name.as_str() == *part)
            .map(|found| &found.value)
        {
            Some(ast::Value::Object(inner)) => object = inner,
            Some(value) if path.peek().is_none() => {
                let elements = value.as_array().map(|list| list.elements.iter().map(element).collect());
                return Ok(Some(LocatedValue { span: value.start()..value.end(), elements }));
            }
            _ => return Ok(None),
        }
    }
    Ok(None)
}

fn element(value: &ast::Value<'_>) -> Element {
    let text = value.as_string_lit().map(|text| text.value.to_string());
    Element { span: value.start()..value.end(), text }
}

/// Removes every property with this path, since JSON allows duplicate keys.
pub(super) fn remove(text: &str, path: &[&str]) -> Result<String, EditError> {
    let mut text = text.to_owned();
    loop {
        let spot = match json_root(&text)? {
            Some(ast::Value::Object(object)) => last_spot(&object, path),
            _ => None,
        };
        match spot {
            Some(spot) => text = without(Format::Json, &text, &spot),
            None => return Ok(text),
        }
    }
}

fn last_spot(object: &ast::Object<'_>, path: &[&str]) -> Option<ListElement> {
    let (first, rest) = path.split_first()?;
    let properties = &object.properties;
    let mut named =
        properties.iter().enumerate().rev().filter(|(_, property)| property.name.as_str() == *first);
    named.find_map(|(index, property)| match &property.value {
        ast::Value::Object(inner) if !rest.is_empty() => last_spot(inner, rest),
        _ if rest.is_empty() => Some(ListElement {
            span: property.start()..property.end(),
            previous_end: index.checked_sub(1).map(|before| properties[before].end()),
            next_start: properties.get(index + 1).map_or(object.end() - 1, Ranged::start),
        }),
        _ => None,
    })
}

pub(super) fn insert(text: &str, path: &[&str], setting: &Value) -> Result<String, EditError> {
    let Some((last, parents)) = path.split_last() else { return Ok(text.to_owned()) };
    let root = CstRootNode::parse(text, &json_options()).map_err(|error| {
        let at = position(text, error.range().start);
        EditError::Broken(ParseError { reason: error.kind().to_string(), at })
    })?;
    let not_a_table = |part: &str| EditError::NotATable(part.to_owned());
    let mut object = root.object_value_or_create().ok_or_else(|| not_a_table(last))?;
    for part in parents {
        object = object.object_value_or_create(part).ok_or_else(|| not_a_table(part))?;
    }
    if object.get(last).is_some() {
        return Err(not_a_table(last));
    }
    object.append(last, input(setting));
    Ok(root.to_string())
}

fn input(setting: &Value) -> CstInputValue {
    match setting {
        Value::Null => CstInputValue::Null,
        Value::Bool(switch) => CstInputValue::Bool(*switch),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(pairs) => {
            CstInputValue::Object(pairs.iter().map(|(key, value)| (key.clone(), input(value))).collect())
        }
    }
}
