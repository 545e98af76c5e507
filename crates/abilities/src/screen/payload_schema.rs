//! Schemas for payloads, and the repair of nearly valid ones.
//!
//! Models write payloads, and small models write them carelessly. Unambiguous mistakes are corrected; anything else is
//! refused with the position of the error. Valid values stay exactly as given.

use serde_json::{Map, Number, Value};

use super::colours;

/// The schema of a value.
pub enum PayloadSchema {
    /// Text of at most this many characters.
    Text(usize),
    Number {
        least: f64,
        most: f64,
    },
    Flag,
    /// A table cell: text, a number, a boolean, or null.
    Cell,
    /// A number, or null for a gap.
    NumberOrGap,
    /// One of these names, each with its synonyms.
    Choice(&'static [(&'static str, &'static [&'static str])]),
    /// `#rrggbb` or a colour name.
    Colour,
    /// A triple `[x, y, z]`.
    Triple {
        least: f64,
        most: f64,
    },
    List {
        of: &'static PayloadSchema,
        least: usize,
        most: usize,
    },
    Record(&'static ObjectSchema),
    /// An object with arbitrary names and at most `most` fields.
    Named {
        of: &'static PayloadSchema,
        most: usize,
    },
    /// The first schema that fits.
    Either(&'static [PayloadSchema]),
}

pub struct ObjectSchema {
    pub fields: &'static [FieldSchema],
    /// The field that receives a bare list.
    pub list: Option<&'static str>,
}

pub struct FieldSchema {
    name: &'static str,
    also: &'static [&'static str],
    schema: PayloadSchema,
    is_required: bool,
}

impl FieldSchema {
    pub const fn required(name: &'static str, also: &'static [&'static str], schema: PayloadSchema) -> Self {
        Self { name, also, schema, is_required: true }
    }

    pub const fn optional(name: &'static str, also: &'static [&'static str], schema: PayloadSchema) -> Self {
        Self { name, also, schema, is_required: false }
    }
}

/// An error with its position: `item 3, back is missing`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaFault {
    places: Vec<String>,
    what: String,
    /// True if the value is of an entirely different type, so that this schema was probably not meant.
    is_other_type: bool,
}

impl SchemaFault {
    fn new(what: impl Into<String>) -> Self {
        Self { places: Vec::new(), what: what.into(), is_other_type: false }
    }

    fn other_type(what: impl Into<String>) -> Self {
        Self { is_other_type: true, ..Self::new(what) }
    }

    /// Returns how close the value came to its schema.
    fn nearness(&self) -> (usize, bool) {
        (self.places.len(), !self.is_other_type)
    }

    fn within(mut self, place: impl Into<String>) -> Self {
        self.places.push(place.into());
        self
    }
}

impl std::fmt::Display for SchemaFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for place in self.places.iter().rev().take(1) {
            write!(f, "{place}")?;
        }
        for place in self.places.iter().rev().skip(1) {
            write!(f, ", {place}")?;
        }
        let gap = if self.places.is_empty() { "" } else { " " };
        write!(f, "{gap}{}", self.what)
    }
}

impl PayloadSchema {
    /// Returns the value as the schema requires it, corrected if necessary.
    pub fn repair(&self, value: Value) -> Result<Value, SchemaFault> {
        match self {
            Self::Text(most) => text(value, *most),
            Self::Number { least, most } => number(&value, *least, *most),
            Self::Flag => flag(value),
            Self::Cell => match value {
                Value::Null | Value::Bool(_) | Value::Number(_) => Ok(value),
                other => text(other, LONGEST_CELL),
            },
            Self::NumberOrGap => match value {
                Value::Null => Ok(value),
                other => number(&other, f64::MIN, f64::MAX),
            },
            Self::Choice(names) => choice(&value, names),
            Self::Colour => value
                .as_str()
                .and_then(colours::repair)
                .map(Value::String)
                .ok_or_else(|| SchemaFault::new("is not a colour; write #rrggbb or a word such as red")),
            Self::Triple { least, most } => triple(value, *least, *most),
            Self::List { of, least, most } => list(value, of, *least..=*most),
            Self::Record(record) => record.repair(value),
            Self::Named { of, most } => named(value, of, *most),
            Self::Either(schemas) => either(&value, schemas),
        }
    }
}

const LONGEST_CELL: usize = 2_000;

fn text(value: Value, most: usize) -> Result<Value, SchemaFault> {
    let text = match value {
        Value::String(text) => text,
        Value::Number(_) | Value::Bool(_) => value.to_string(),
        _ => return Err(SchemaFault::other_type("should be text")),
    };
    if text.chars().nth(most).is_some() {
        return Err(SchemaFault::new(format!("is longer than {most} characters")));
    }
    Ok(Value::String(text))
}

fn number(value: &Value, least: f64, most: f64) -> Result<Value, SchemaFault> {
    let number = match value {
        Value::Number(number) => Some(number.clone()),
        Value::String(text) => read_number(text),
        _ => None,
    };
    let number = number.ok_or_else(|| SchemaFault::other_type("should be a number"))?;
    match number.as_f64() {
        Some(size) if size.is_finite() && (least..=most).contains(&size) => Ok(Value::Number(number)),
        _ => Err(SchemaFault::new(format!("should be between {least} and {most}"))),
    }
}

fn read_number(text: &str) -> Option<Number> {
    let text = text.trim().trim_end_matches(['%', '°']).trim();
    text.parse::<Number>().ok().or_else(|| Number::from_f64(text.parse().ok()?))
}

fn flag(value: Value) -> Result<Value, SchemaFault> {
    let word = match value {
        Value::Bool(_) => return Ok(value),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_lowercase(),
        _ => return Err(SchemaFault::other_type("should be true or false")),
    };
    match word.as_str() {
        "true" | "yes" | "done" | "1" | "x" => Ok(Value::Bool(true)),
        "false" | "no" | "open" | "0" | "" => Ok(Value::Bool(false)),
        _ => Err(SchemaFault::other_type("should be true or false")),
    }
}

fn choice(value: &Value, names: &[(&str, &[&str])]) -> Result<Value, SchemaFault> {
    let word = value.as_str().unwrap_or_default().trim().to_lowercase();
    let found = names.iter().find(|(name, also)| *name == word || also.contains(&word.as_str()));
    if let Some((name, _)) = found {
        return Ok(Value::from(*name));
    }
    let names: Vec<&str> = names.iter().map(|(name, _)| *name).collect();
    Err(SchemaFault::new(format!("should be one of {}", names.join(", "))))
}

fn triple(value: Value, least: f64, most: f64) -> Result<Value, SchemaFault> {
    let values = match unpacked(value, '[') {
        Value::Array(values) => values,
        Value::Object(mut named) => ["x", "y", "z"]
            .into_iter()
            .map(|axis| named.remove(axis).unwrap_or_else(|| Value::from(least.max(0.0))))
            .collect(),
        _ => Vec::new(),
    };
    if values.len() != 3 {
        return Err(SchemaFault::new("should be three numbers, [x, y, z]"));
    }
    values.iter().map(|value| number(value, least, most)).collect()
}

fn list(
    value: Value,
    of: &PayloadSchema,
    length: std::ops::RangeInclusive<usize>,
) -> Result<Value, SchemaFault> {
    let values = match unpacked(value, '[') {
        Value::Array(values) => values,
        Value::Object(fields) => listed(fields),
        Value::String(text) => lines(&text),
        Value::Null => return Err(SchemaFault::other_type("should be a list")),
        single => vec![single],
    };
    if values.len() > *length.end() {
        return Err(SchemaFault::new(format!("has {} items, and {} fit", values.len(), length.end())));
    }
    if values.len() < *length.start() {
        return Err(SchemaFault::new("is empty"));
    }
    let repaired = values
        .into_iter()
        .enumerate()
        .map(|(place, value)| of.repair(value).map_err(|fault| fault.within(format!("item {}", place + 1))));
    repaired.collect()
}

/// Returns the list in `{"steps": […]}`; any other object becomes the only element of a list.
fn listed(mut fields: Map<String, Value>) -> Vec<Value> {
    let lists = fields.values().filter(|value| value.is_array()).count();
    if lists == 1 && fields.len() == 1 {
        let list = fields.values_mut().next().map(Value::take);
        if let Some(Value::Array(values)) = list {
            return values;
        }
    }
    vec![Value::Object(fields)]
}

/// Splits a text into lines and removes list markers.
fn lines(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| {
        let line = line.trim().trim_start_matches(['-', '*', '•']).trim_start();
        let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
        let numbered = digits.len() < line.len();
        let rest = digits.strip_prefix(['.', ')']).filter(|rest| numbered && rest.starts_with(' '));
        rest.unwrap_or(line).trim()
    });
    lines.filter(|line| !line.is_empty()).map(Value::from).collect()
}

fn named(value: Value, of: &PayloadSchema, most: usize) -> Result<Value, SchemaFault> {
    let Value::Object(fields) = value else { return Err(SchemaFault::other_type("should be an object")) };
    if fields.is_empty() || fields.len() > most {
        return Err(SchemaFault::new(format!("should have 1 to {most} fields")));
    }
    let repaired = fields.into_iter().map(|(name, value)| match of.repair(value) {
        Ok(value) => Ok((name, value)),
        Err(fault) => Err(fault.within(name.chars().take(40).collect::<String>())),
    });
    repaired.collect()
}

impl ObjectSchema {
    fn repair(&self, value: Value) -> Result<Value, SchemaFault> {
        let mut fields = match unpacked(value, '{') {
            Value::Object(fields) => fields,
            list @ Value::Array(_) => match self.list {
                Some(name) => Map::from_iter([(name.to_owned(), list)]),
                None => return Err(SchemaFault::other_type(format!("should have {}", self.names()))),
            },
            _ => return Err(SchemaFault::other_type(format!("should have {}", self.names()))),
        };
        for FieldSchema { name, also, schema, is_required } in self.fields {
            let given =
                std::iter::once(name).chain(*also).find(|name| fields.get(**name).is_some_and(is_given));
            match given {
                Some(given) => {
                    let value = fields.get_mut(*given).map(Value::take).unwrap_or_default();
                    let repaired = schema.repair(value).map_err(|fault| fault.within(*name))?;
                    rename(&mut fields, given, name, repaired);
                }
                None if *is_required => return Err(SchemaFault::new("is missing").within(*name)),
                None => drop(fields.shift_remove(*name)),
            }
        }
        Ok(Value::Object(fields))
    }

    fn names(&self) -> String {
        let names = self.fields.iter().map(|field| {
            let mark = if field.is_required { "" } else { "?" };
            format!("{}{mark}", field.name)
        });
        names.collect::<Vec<_>>().join(", ")
    }
}

fn is_given(value: &Value) -> bool {
    !value.is_null()
}

/// Stores a value under its proper name and removes the name that was given.
fn rename(fields: &mut Map<String, Value>, given: &str, name: &str, value: Value) {
    if given != name {
        fields.shift_remove(given);
    }
    fields.insert(name.to_owned(), value);
}

fn either(value: &Value, schemas: &[PayloadSchema]) -> Result<Value, SchemaFault> {
    let mut nearest: Option<SchemaFault> = None;
    for schema in schemas {
        match schema.repair(value.clone()) {
            Ok(repaired) => return Ok(repaired),
            // The error at the deepest position belongs to the schema that was meant.
            Err(fault) if nearest.as_ref().is_none_or(|best| fault.nearness() >= best.nearness()) => {
                nearest = Some(fault);
            }
            Err(_) => {}
        }
    }
    Err(nearest.unwrap_or_else(|| SchemaFault::new("has no form")))
}

/// Parses a list or object that was given as text, as models often do.
pub fn unpacked(value: Value, opening: char) -> Value {
    let inner = match &value {
        Value::String(text) if text.trim_start().starts_with(opening) => serde_json::from_str(text).ok(),
        _ => None,
    };
    inner.unwrap_or(value)
}

#[cfg(test)]
#[path = "payload_schema_tests.rs"]
mod tests;
