//! Converts the many notations of a chart to the one that is drawn.

use serde_json::{Map, Value, json};

use super::super::payload_schema::unpacked;

pub const KINDS: &[(&str, &[&str])] = &[
    ("line", &["lines", "linechart", "line chart"]),
    ("bar", &["bars", "column", "columns", "histogram", "barchart", "bar chart"]),
    ("area", &["areachart", "area chart"]),
    ("scatter", &["points", "dots", "scatterplot", "scatter plot"]),
    ("pie", &["donut", "doughnut", "piechart", "pie chart"]),
];

/// Names that points use for their label and value.
const LABELS: [&str; 6] = ["label", "name", "x", "category", "date", "month"];
const VALUES: [&str; 5] = ["value", "y", "count", "amount", "number"];

pub fn read(data: Value) -> Value {
    let data = unpacked(unpacked(data, '{'), '[');
    match data {
        Value::Array(values) => from_list(&values),
        Value::Object(fields) => from_fields(fields),
        other => other,
    }
}

/// Reads `[3, 5]`, `[{"label": "Mon", "value": 3}]`, or a list of series.
fn from_list(values: &[Value]) -> Value {
    if values.iter().all(is_number) {
        return json!({ "series": [{ "values": values }] });
    }
    match points(values) {
        Some((labels, values)) => json!({ "x": labels, "series": [{ "values": values }] }),
        None => json!({ "series": values }),
    }
}

fn from_fields(mut fields: Map<String, Value>) -> Value {
    if ["series", "datasets", "lines"].iter().any(|name| fields.contains_key(*name)) {
        // A single series may be a bare list of numbers.
        for name in ["series", "datasets"] {
            if let Some(Value::Array(values)) = fields.get_mut(name)
                && !values.is_empty()
                && values.iter().all(is_number)
            {
                let values = std::mem::take(values);
                fields.insert(name.to_owned(), json!([{ "values": values }]));
            }
        }
        return Value::Object(fields);
    }
    for name in ["values", "y", "points", "data"] {
        if let Some(Value::Array(values)) = fields.get(name) {
            let Value::Object(made) = from_list(values) else { continue };
            fields.shift_remove(name);
            for (name, value) in made {
                fields.entry(name).or_insert(value);
            }
            return Value::Object(fields);
        }
    }
    // Handles `{"Mon": 3, "Tue": 5}`.
    if !fields.is_empty() && fields.values().all(is_number) {
        let (labels, values): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
        return json!({ "x": labels, "series": [{ "values": values }] });
    }
    Value::Object(fields)
}

fn is_number(value: &Value) -> bool {
    match value {
        Value::Number(_) | Value::Null => true,
        Value::String(text) => text.trim().parse::<f64>().is_ok_and(f64::is_finite),
        _ => false,
    }
}

/// Returns the labels and values of a list of points, if each has both.
fn points(values: &[Value]) -> Option<(Vec<Value>, Vec<Value>)> {
    let point = |value: &Value| {
        let fields = value.as_object()?;
        let label = LABELS.iter().find_map(|name| fields.get(*name))?;
        let value = VALUES.iter().find_map(|name| fields.get(*name)).filter(|value| is_number(value))?;
        Some((label.clone(), value.clone()))
    };
    values.iter().map(point).collect()
}
