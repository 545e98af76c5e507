//! Converts the arguments of a call to those that the schema of a tool names.

use serde_json::{Map, Value};

use crate::schema::Schema;

/// The schema key with the names of the properties, in order, that a plain body separates by `|`:
/// `[TASK:title|due|priority]`.
const PIPE: &str = "x-pipe";

/// The arguments of a call as written in the reply.
#[derive(Debug, Clone, PartialEq)]
pub enum CallArguments {
    Named(Map<String, Value>),
    /// Unnamed arguments, followed by named ones.
    Positional(Vec<Value>, Map<String, Value>),
    /// The plain body of a tag.
    Text(String),
}

impl CallArguments {
    /// Returns the arguments by name, converted to the types of the schema where possible: `"3"` becomes 3, `"False"`
    /// becomes false, a JSON text becomes the array or object that it contains, and a number becomes a string.
    /// Arguments that do not fit stay unchanged, so that validation can report them.
    pub fn fit(self, schema: &Value) -> Map<String, Value> {
        let schema = Schema::new(schema);
        let named = match self {
            Self::Named(named) => named,
            Self::Positional(values, named) => in_order(values, named, schema),
            Self::Text(text) => match schema.get(PIPE).and_then(Value::as_array) {
                Some(names) => piped(&text, names),
                None => whole(text, schema),
            },
        };
        schema.fit_properties(named)
    }
}

/// Assigns unnamed values to the properties in order, without those given by name.
fn in_order(mut values: Vec<Value>, named: Map<String, Value>, schema: Schema<'_>) -> Map<String, Value> {
    let free: Vec<&str> = schema.properties().filter(|name| !named.contains_key(*name)).collect();
    // A single object with all arguments: `name({"query": "moon"})`.
    if let [Value::Object(only)] = values.as_mut_slice()
        && named.is_empty()
        && !free.first().is_some_and(|name| schema.property(name).wants("object"))
    {
        return std::mem::take(only);
    }
    let mut fitted = Map::new();
    for (place, value) in values.into_iter().enumerate() {
        let name = free.get(place).map_or_else(|| format!("#{}", place + 1), |name| (*name).to_owned());
        fitted.insert(name, value);
    }
    fitted.extend(named);
    fitted
}

/// Splits a plain body at `|`. The last property takes the rest, including further separators.
fn piped(text: &str, names: &[Value]) -> Map<String, Value> {
    let names = names.iter().filter_map(Value::as_str);
    let mut fitted = Map::new();
    for (name, part) in names.clone().zip(text.splitn(names.count(), '|')) {
        // The content of a file may begin with whitespace; a single word does not.
        let part = if part.contains('\n') { part } else { part.trim() };
        let quoted = part.strip_prefix('"').and_then(|part| part.strip_suffix('"'));
        let part = quoted.filter(|part| !part.contains('"')).unwrap_or(part);
        if !part.is_empty() {
            fitted.insert(name.to_owned(), Value::String(part.to_owned()));
        }
    }
    fitted
}

/// Assigns the text to the property that it is most likely meant for.
fn whole(text: String, schema: Schema<'_>) -> Map<String, Value> {
    if text.is_empty() {
        return Map::new();
    }
    let is_string = |name: &&str| schema.property(name).wants("string");
    let required: Vec<&str> = schema.required().collect();
    let mut required_strings = required.iter().copied().filter(is_string);
    let name = match (required_strings.next(), required_strings.next()) {
        (Some(only), None) => Some(only),
        _ => schema.properties().find(is_string).or(required.first().copied()).or(schema.properties().next()),
    };
    Map::from_iter([(name.unwrap_or("text").to_owned(), Value::String(text))])
}

#[cfg(test)]
#[path = "arguments_tests.rs"]
mod tests;
