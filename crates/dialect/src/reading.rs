//! What a text that looked like a call turned out to be.

use serde_json::{Map, Value};

use crate::call::{Call, Piece};
use crate::{Arguments, Vocabulary, repair};

#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// Calls, and what is said along with them.
    Pieces(Vec<Piece>),
    Text,
    Flawed(String),
}

/// Where the arguments stand in a JSON call.
const ARGUMENTS: [&str; 4] = ["args", "arguments", "parameters", "input"];

impl Reading {
    pub fn call(name: &str, arguments: Arguments) -> Self {
        Self::Pieces(vec![Piece::Call(Call { name: name.to_owned(), arguments })])
    }

    /// Both, if both are calls.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Pieces(mut pieces), Self::Pieces(more)) => {
                pieces.extend(more);
                Self::Pieces(pieces)
            }
            (flawed @ Self::Flawed(_), _) | (_, flawed @ Self::Flawed(_)) => flawed,
            _ => Self::Text,
        }
    }

    /// One JSON value that is a call, or a list of them.
    pub fn of_json(text: &str, vocabulary: &Vocabulary) -> Self {
        Self::of_json_if(text, vocabulary, |_| true)
    }

    /// The same without anything around it that says that it is a call: it has to be plain from the value.
    pub fn of_bare_json(text: &str, vocabulary: &Vocabulary) -> Self {
        Self::of_json_if(text, vocabulary, |call| {
            call.contains_key("tool") || ARGUMENTS.iter().any(|key| call.contains_key(*key))
        })
    }

    /// Named arguments that stand alone, the name of the tool being known.
    pub fn of_arguments(name: &str, text: &str) -> Self {
        match named_arguments(name, text.trim()) {
            Ok(named) => Self::call(name, Arguments::Named(named)),
            Err(why) => Self::Flawed(why),
        }
    }

    fn of_json_if(text: &str, vocabulary: &Vocabulary, accept: fn(&Map<String, Value>) -> bool) -> Self {
        match repair::read(text.trim()) {
            Ok(Value::Array(calls)) => calls
                .into_iter()
                .map(|call| Self::of_value(call, vocabulary, accept))
                .reduce(Self::and)
                .unwrap_or(Self::Text),
            Ok(call) => Self::of_value(call, vocabulary, accept),
            Err(error) if is_object_or_list_of_such(text) => {
                Self::Flawed(format!("the call is not valid JSON: {error}"))
            }
            Err(_) => Self::Text,
        }
    }

    fn of_value(value: Value, vocabulary: &Vocabulary, accept: fn(&Map<String, Value>) -> bool) -> Self {
        let Value::Object(mut call) = value else { return Self::Text };
        if let Some(Value::Object(function)) = call.get_mut("function") {
            call = std::mem::take(function);
        }
        if accept(&call) && !is_definition(&call) { Self::of_object(call, vocabulary) } else { Self::Text }
    }

    fn of_object(mut call: Map<String, Value>, vocabulary: &Vocabulary) -> Self {
        let named = ["tool", "name", "function"].into_iter().find_map(|key| match call.get(key) {
            Some(Value::String(name)) => Some((key, name.clone())),
            _ => None,
        });
        let Some((key, name)) = named.filter(|(_, name)| vocabulary.has_tool(name)) else {
            return Self::Text;
        };
        call.shift_remove(key);
        let speak = match call.shift_remove("speak") {
            Some(Value::String(words)) if !words.trim().is_empty() => Some(Piece::Text(words)),
            _ => None,
        };
        let given = ARGUMENTS.into_iter().find_map(|key| call.shift_remove(key));
        let arguments = match given {
            Some(Value::Object(named)) => Arguments::Named(named),
            Some(Value::String(text)) => match repair::read(&text) {
                Ok(Value::Object(named)) => Arguments::Named(named),
                _ => Arguments::Text(text),
            },
            Some(Value::Array(values)) => Arguments::InOrder(values, Map::new()),
            Some(Value::Null) => Arguments::Named(Map::new()),
            Some(other) => Arguments::InOrder(vec![other], Map::new()),
            // Some write the arguments beside the name.
            None => {
                call.retain(|key, _| !matches!(key.as_str(), "id" | "type"));
                Arguments::Named(call)
            }
        };
        Self::Pieces(speak.into_iter().chain([Piece::Call(Call { name, arguments })]).collect())
    }
}

/// Arguments by name, or why they cannot be read.
pub fn named_arguments(tool: &str, text: &str) -> Result<Map<String, Value>, String> {
    let read = |text: &str| {
        repair::read(text).map_err(|error| format!("the arguments of {tool} are not valid JSON: {error}"))
    };
    let mut value = read(text)?;
    // Some write them as JSON within a string.
    if let Value::String(within) = &value {
        value = read(within)?;
    }
    match value {
        Value::Object(named) => Ok(named),
        Value::Null => Ok(Map::new()),
        _ => Err(format!("the arguments of {tool} are not a JSON object")),
    }
}

/// A tool that is described, as a list of tools has it, is not called.
fn is_definition(call: &Map<String, Value>) -> bool {
    call.contains_key("description")
        && call.get("parameters").and_then(|schema| schema.get("type")).is_some_and(|kind| kind == "object")
}

/// What begins otherwise was not meant as a call.
fn is_object_or_list_of_such(text: &str) -> bool {
    let text = text.trim_start();
    text.strip_prefix('[').map_or(text, str::trim_start).starts_with('{')
}
