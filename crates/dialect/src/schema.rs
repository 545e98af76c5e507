//! A JSON schema, as far as it determines the types of values.

use serde_json::{Map, Number, Value};

use crate::repair;

/// The schema key with other names of a property, since models use the names of tools that they were trained on.
const ALIAS: &str = "x-alias";

/// The maximum length of a chain of references. Longer chains are circular.
const MOST_REFERENCES: usize = 8;

/// A part of a schema, with the whole schema to resolve references.
#[derive(Debug, Clone, Copy)]
pub struct Schema<'a> {
    root: &'a Value,
    here: &'a Value,
}

impl<'a> Schema<'a> {
    pub fn new(root: &'a Value) -> Self {
        Self { root, here: root }
    }

    pub fn get(self, key: &str) -> Option<&'a Value> {
        self.here.get(key)
    }

    /// Returns the names of the properties in order.
    pub fn properties(self) -> impl Iterator<Item = &'a str> {
        let properties = self.get("properties").and_then(Value::as_object);
        properties.into_iter().flat_map(|properties| properties.keys().map(String::as_str))
    }

    /// Returns the names of the required properties.
    pub fn required(self) -> impl Iterator<Item = &'a str> {
        self.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    }

    /// Returns the schema of a property. Empty for an unknown one.
    pub fn property(self, name: &str) -> Self {
        let here = self.get("properties").and_then(|properties| properties.get(name)).unwrap_or(&Value::Null);
        self.at(here)
    }

    /// Returns true if the schema allows values of this type.
    pub fn wants(self, kind: &str) -> bool {
        self.choices().iter().any(|choice| choice.has_type(kind))
    }

    pub fn fit_properties(self, values: Map<String, Value>) -> Map<String, Value> {
        let mut fitted = Map::new();
        let (known, others): (Vec<_>, Vec<_>) =
            values.into_iter().partition(|(name, _)| self.properties().any(|property| property == name));
        for (name, value) in known {
            let value = self.property(&name).fit(value);
            fitted.insert(name, value);
        }
        for (name, value) in others {
            // If a property is given under two names, the proper one wins.
            let meant = self.meant(&name).filter(|meant| !fitted.contains_key(*meant));
            let value = meant.map_or_else(|| value.clone(), |meant| self.property(meant).fit(value.clone()));
            fitted.insert(meant.map_or(name, ToOwned::to_owned), value);
        }
        fitted
    }

    /// Returns the property that has this alias.
    fn meant(self, name: &str) -> Option<&'a str> {
        self.properties().find(|property| {
            let here = self.get("properties").and_then(|properties| properties.get(*property)?.get(ALIAS));
            here.and_then(Value::as_array).into_iter().flatten().any(|alias| alias == name)
        })
    }

    fn at(self, here: &'a Value) -> Self {
        Self { root: self.root, here: self.resolved(here) }
    }

    fn resolved(self, mut here: &'a Value) -> &'a Value {
        for _ in 0..MOST_REFERENCES {
            let Some(reference) = here.get("$ref").and_then(Value::as_str) else { return here };
            let Some(target) = reference.strip_prefix('#').and_then(|path| self.root.pointer(path)) else {
                return here;
            };
            here = target;
        }
        here
    }

    /// Returns the alternatives of the schema, or the schema itself.
    fn choices(self) -> Vec<Self> {
        let offered = ["anyOf", "oneOf"].into_iter().find_map(|key| self.get(key)?.as_array());
        match offered {
            Some(offered) => offered.iter().map(|choice| self.at(choice)).collect(),
            None => vec![self],
        }
    }

    fn has_type(self, kind: &str) -> bool {
        match self.get("type") {
            Some(Value::String(only)) => only == kind,
            Some(Value::Array(several)) => several.iter().any(|one| one == kind),
            _ => {
                let values = self.get("enum").and_then(Value::as_array).into_iter().flatten();
                values.chain(self.get("const")).any(|value| type_of(value) == kind)
            }
        }
    }

    fn fit(self, value: Value) -> Value {
        let choices = self.choices();
        let chosen = |kind: &str| choices.iter().copied().find(|choice| choice.has_type(kind));
        match value {
            Value::Object(values) => match chosen("object") {
                Some(schema) => Value::Object(schema.fit_properties(values)),
                None => Value::Object(values),
            },
            Value::Array(values) => match chosen("array").and_then(|schema| schema.get("items")) {
                Some(items) => values.into_iter().map(|value| self.at(items).fit(value)).collect(),
                None => Value::Array(values),
            },
            Value::String(text) if chosen("string").is_some() => Value::String(text),
            Value::String(text) => match read_as(text.trim(), |kind| chosen(kind).is_some()) {
                // The parsed value has parts that may need other types.
                Some(read @ (Value::Object(_) | Value::Array(_))) => self.fit(read),
                Some(read) => read,
                None => Value::String(text),
            },
            Value::Number(number) if chosen("number").is_some() => Value::Number(number),
            Value::Number(number) if chosen("integer").is_some() => {
                whole_number(&number).map_or(Value::Number(number), Value::Number)
            }
            Value::Bool(_) if chosen("boolean").is_some() => value,
            Value::Bool(_) | Value::Number(_) if chosen("string").is_some() => {
                Value::String(value.to_string())
            }
            other => other,
        }
    }
}

/// Reads the text as a value of one of the wanted types.
fn read_as(text: &str, wants: impl Fn(&str) -> bool) -> Option<Value> {
    let number = || text.parse::<Number>().ok();
    match text {
        _ if wants("boolean") && text.eq_ignore_ascii_case("true") => return Some(Value::Bool(true)),
        _ if wants("boolean") && text.eq_ignore_ascii_case("false") => return Some(Value::Bool(false)),
        "null" | "None" | "" if wants("null") => return Some(Value::Null),
        _ => {}
    }
    if wants("number")
        && let Some(number) = number()
    {
        return Some(Value::Number(number));
    }
    if wants("integer")
        && let Some(number) = number().as_ref().and_then(whole_number)
    {
        return Some(Value::Number(number));
    }
    let (array, object) = (wants("array"), wants("object"));
    if !(array && text.starts_with('[') || object && text.starts_with('{')) {
        return None;
    }
    repair::read(text).ok().filter(|value| value.is_array() && array || value.is_object() && object)
}

/// Converts 3.0 to 3, if nothing is lost.
fn whole_number(number: &Number) -> Option<Number> {
    if number.is_i64() || number.is_u64() {
        return Some(number.clone());
    }
    let text = number.as_f64().filter(|value| value.fract() == 0.0).map(|value| format!("{value:.0}"))?;
    text.parse::<i64>().ok().map(Number::from)
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
