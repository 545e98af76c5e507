//! Converts tables whose rows have another form.

use serde_json::{Map, Value};

use super::super::payload_schema::unpacked;

/// Converts rows that are objects to lists of cells in column order. A list of lists has its columns in the first row,
/// and so has a table in Markdown.
pub fn rows(data: Value) -> Value {
    match unpacked(unpacked(data, '{'), '[') {
        Value::Array(rows) if rows.len() > 1 && rows.iter().all(Value::is_array) => {
            let mut rows = rows.into_iter();
            let columns = rows.next().unwrap_or_default();
            Value::Object(Map::from_iter([
                ("columns".to_owned(), columns),
                ("rows".to_owned(), rows.collect::<Value>()),
            ]))
        }
        Value::Object(mut fields) => {
            let columns: Option<Vec<String>> =
                fields.get("columns").and_then(Value::as_array).map(|columns| {
                    columns.iter().map(|name| name.as_str().unwrap_or_default().to_owned()).collect()
                });
            match (columns, fields.get_mut("rows")) {
                (Some(columns), Some(Value::Array(rows))) => {
                    for row in rows {
                        in_order(row, &columns);
                    }
                    Value::Object(fields)
                }
                (None, Some(rows)) if is_objects(rows) => rows.take(),
                _ => Value::Object(fields),
            }
        }
        Value::String(text) => in_markdown(&text).unwrap_or(Value::String(text)),
        other => other,
    }
}

/// Reads a table in Markdown, with or without the line below its columns.
fn in_markdown(text: &str) -> Option<Value> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let is_rule = |line: &&str| line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    let mut rows = lines.filter(|line| !is_rule(line)).map(|line| {
        let cells = line.contains('|').then(|| line.trim_matches('|').split('|'))?;
        Some(cells.map(|cell| Value::from(cell.trim())).collect::<Value>())
    });
    let columns = rows.next()??;
    let rows: Vec<Value> = rows.collect::<Option<_>>()?;
    (!rows.is_empty())
        .then(|| Value::Object(Map::from_iter([("columns".into(), columns), ("rows".into(), rows.into())])))
}

/// Converts rows of a comparison that are written as in a table: `["Speed", 1, 2]`.
pub fn aspects(data: Value) -> Value {
    let mut data = unpacked(unpacked(data, '{'), '[');
    if let Some(Value::Array(rows)) = data.get_mut("rows") {
        for row in rows {
            if let Value::Array(cells) = row
                && let [label @ Value::String(_), values @ ..] = cells.as_slice()
            {
                *row = Value::Object(Map::from_iter([
                    ("label".to_owned(), label.clone()),
                    ("values".to_owned(), values.iter().cloned().collect()),
                ]));
            }
        }
    }
    data
}

fn is_objects(rows: &Value) -> bool {
    rows.as_array().is_some_and(|rows| !rows.is_empty() && rows.iter().all(Value::is_object))
}

fn in_order(row: &mut Value, columns: &[String]) {
    if let Value::Object(cells) = row {
        *row = columns.iter().map(|name| cells.remove(name).unwrap_or_default()).collect();
    }
}
