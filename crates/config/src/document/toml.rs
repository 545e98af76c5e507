use serde_json::Value;
use toml_edit::{Document, Item, TableLike};

use super::tree::{ParseError, SettingEntry, SettingNode, number, position};

pub(super) fn parse(text: &str) -> Result<Vec<SettingEntry>, ParseError> {
    let document = Document::parse(text).map_err(|error| ParseError {
        reason: error.message().lines().next().unwrap_or_default().to_owned(),
        at: position(text, error.span().map_or(0, |span| span.start)),
    })?;
    Ok(entries(document.as_table()))
}

fn entries(table: &dyn TableLike) -> Vec<SettingEntry> {
    let entry = |(key, item): (&str, &Item)| {
        let at = table.key(key).and_then(toml_edit::Key::span).map_or(0, |span| span.start);
        SettingEntry { key: key.to_owned(), at, node: node(item, at) }
    };
    table.iter().map(entry).collect()
}

fn node(item: &Item, key: usize) -> SettingNode {
    match item.as_table_like() {
        Some(table) => SettingNode::Table(entries(table)),
        None => SettingNode::Leaf { value: leaf(item), at: item.span().map_or(key, |span| span.start) },
    }
}

fn leaf(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(found) => value(found),
        Item::Table(table) => table_value(table),
        Item::ArrayOfTables(tables) => tables.iter().map(|table| table_value(table)).collect(),
    }
}

fn table_value(table: &dyn TableLike) -> Value {
    Value::Object(table.iter().map(|(key, item)| (key.to_owned(), leaf(item))).collect())
}

fn value(found: &toml_edit::Value) -> Value {
    match found {
        toml_edit::Value::String(text) => Value::String(text.value().clone()),
        toml_edit::Value::Integer(whole) => Value::from(*whole.value()),
        toml_edit::Value::Float(float) => number(*float.value()),
        toml_edit::Value::Boolean(switch) => Value::Bool(*switch.value()),
        toml_edit::Value::Datetime(time) => Value::String(time.value().to_string()),
        toml_edit::Value::Array(list) => list.iter().map(value).collect(),
        toml_edit::Value::InlineTable(table) => table_value(table),
    }
}
