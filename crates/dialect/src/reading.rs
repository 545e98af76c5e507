//! The interpretation of a text that looked like a call.

use serde_json::{Map, Value};

use crate::call::{Call, Piece};
use crate::syntax::CallForm;
use crate::vocabulary::is_name;
use crate::{Arguments, Vocabulary, repair};

/// The result of reading a text that looked like a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// Calls, and the words spoken with them.
    Pieces(Vec<Piece>),
    Text,
    Flawed(String),
}

/// The maximum length of a tool name, in bytes.
const LONGEST_NAME: usize = 128;
/// The keys of the arguments in a JSON call.
pub const ARGUMENTS: [&str; 5] = ["args", "arguments", "parameters", "input", "tool_input"];
/// The keys of the name in a JSON call.
pub const NAMES: [&str; 4] = ["tool", "name", "function", "tool_name"];

impl Reading {
    pub fn call(name: &str, arguments: Arguments) -> Self {
        Self::Pieces(vec![Piece::Call(Call { name: name.to_owned(), arguments })])
    }

    /// Returns the reading of a truncated call.
    pub fn cut_off(name: &str) -> Self {
        Self::Flawed(format!("the call of {name} was cut off; make the whole call again"))
    }

    /// Combines two readings. The result has calls only if both do.
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

    /// Like [`Self::and`], for a last reading that may be an incomplete call.
    pub fn and_last(self, last: Self) -> Self {
        match (self, last) {
            (Self::Pieces(mut pieces), Self::Flawed(why)) => {
                pieces.push(Piece::Flawed { text: String::new(), why });
                Self::Pieces(pieces)
            }
            (earlier, last) => earlier.and(last),
        }
    }

    /// Reads one JSON value as a call or a list of calls.
    pub fn of_json(text: &str, vocabulary: &Vocabulary) -> Self {
        Self::of_json_if(text, |call| vocabulary.has_tool(&call.name))
    }

    /// Like [`Self::of_json`], within an element that announces a call. It may name an unknown tool if those are to be
    /// reported.
    pub fn of_element_json(text: &str, vocabulary: &Vocabulary) -> Self {
        let is_unknown_tool = |call: &NamedCall| {
            let has_arguments =
                ARGUMENTS.iter().any(|key| call.fields.get(*key).is_some_and(Value::is_object));
            vocabulary.minds_strangers()
                && (has_arguments || call.fields.is_empty())
                && call.name.len() <= LONGEST_NAME
                && is_name(&call.name)
        };
        let accept = |call: &NamedCall| vocabulary.has_tool(&call.name) || is_unknown_tool(call);
        Self::of_json_by(text, &Keys::of(vocabulary), accept)
    }

    /// Like [`Self::of_json`], without markers. The value itself must show that it is a call.
    pub fn of_bare_json(text: &str, vocabulary: &Vocabulary) -> Self {
        Self::of_json_if(text, |call| {
            let is_plain = call.key == "tool" || ARGUMENTS.iter().any(|key| call.fields.contains_key(*key));
            is_plain && vocabulary.has_tool(&call.name)
        })
    }

    /// Reads separate named arguments of a tool whose name is known.
    pub fn of_arguments(name: &str, text: &str) -> Self {
        match named_arguments(name, text.trim()) {
            Ok(named) => Self::call(name, Arguments::Named(named)),
            Err(why) => Self::Flawed(why),
        }
    }

    fn of_json_if(text: &str, accept: impl Fn(&NamedCall) -> bool) -> Self {
        Self::of_json_by(text, &Keys::default(), accept)
    }

    fn of_json_by(text: &str, keys: &Keys<'_>, accept: impl Fn(&NamedCall) -> bool) -> Self {
        match repair::read(text.trim()) {
            Ok(Value::Array(calls)) => calls
                .into_iter()
                .map(|call| Self::of_value(call, keys, &accept))
                .reduce(Self::and)
                .unwrap_or(Self::Text),
            Ok(call) => Self::of_value(call, keys, &accept),
            Err(error) if is_object_or_list(text) => {
                Self::Flawed(format!("the call is not valid JSON: {error}"))
            }
            Err(_) => Self::Text,
        }
    }

    fn of_value(value: Value, keys: &Keys<'_>, accept: impl Fn(&NamedCall) -> bool) -> Self {
        let Value::Object(mut call) = value else { return Self::Text };
        if let Some(Value::Object(function)) = call.get_mut("function") {
            call = std::mem::take(function);
        }
        if is_definition(&call) {
            return Self::Text;
        }
        if let Some(reading) = keys.keyed(&call) {
            return reading;
        }
        let named = NamedCall::of(call, keys.name).filter(accept);
        named.map_or(Self::Text, |named| Self::of_named(named, keys.arguments))
    }

    fn of_named(NamedCall { name, mut fields, .. }: NamedCall, key: Option<&str>) -> Self {
        let speak = match fields.shift_remove("speak") {
            Some(Value::String(words)) if !words.trim().is_empty() => Some(Piece::Text(words)),
            _ => None,
        };
        let given = key.into_iter().chain(ARGUMENTS).find_map(|key| fields.shift_remove(key));
        let arguments = match given {
            Some(Value::Object(named)) => Arguments::Named(named),
            Some(Value::String(text)) => match repair::read(&text) {
                Ok(Value::Object(named)) => Arguments::Named(named),
                _ => Arguments::Text(text),
            },
            Some(Value::Array(values)) => Arguments::InOrder(values, Map::new()),
            Some(Value::Null) => Arguments::Named(Map::new()),
            Some(other) => Arguments::InOrder(vec![other], Map::new()),
            // Some models write the arguments next to the name.
            None => {
                fields.retain(|key, _| !matches!(key.as_str(), "id" | "type" | "tool_call_id"));
                Arguments::Named(fields)
            }
        };
        Self::Pieces(speak.into_iter().chain([Piece::Call(Call { name, arguments })]).collect())
    }
}

/// The keys under which a model writes names and arguments, if known.
#[derive(Default)]
struct Keys<'a> {
    name: Option<&'a str>,
    arguments: Option<&'a str>,
    /// The known tools, if an object may have the name of a tool as its only key.
    vocabulary: Option<&'a Vocabulary>,
}

impl<'a> Keys<'a> {
    fn of(vocabulary: &'a Vocabulary) -> Self {
        let (name, arguments) = match vocabulary.calls().map(|calls| &calls.form) {
            Some(CallForm::Object { name, arguments, .. }) => (Some(name.as_str()), Some(arguments.as_str())),
            _ => (None, None),
        };
        Self { name, arguments, vocabulary: Some(vocabulary) }
    }

    /// Reads `{"name": {…}}`.
    fn keyed(&self, call: &Map<String, Value>) -> Option<Reading> {
        let mut fields = call.iter();
        let (Some((name, Value::Object(named))), None) = (fields.next(), fields.next()) else { return None };
        let is_tool = self.vocabulary.is_some_and(|vocabulary| vocabulary.has_tool(name));
        is_tool.then(|| Reading::call(name, Arguments::Named(named.clone())))
    }
}

/// An object that names a tool.
struct NamedCall {
    /// The key of the name.
    key: String,
    name: String,
    /// The remaining fields.
    fields: Map<String, Value>,
}

impl NamedCall {
    fn of(mut fields: Map<String, Value>, learned: Option<&str>) -> Option<Self> {
        let (key, name) = learned.into_iter().chain(NAMES).find_map(|key| match fields.get(key) {
            Some(Value::String(name)) => Some((key.to_owned(), name.clone())),
            _ => None,
        })?;
        fields.shift_remove(&key);
        Some(Self { key, name, fields })
    }
}

/// Reads arguments by name, or returns the reason they cannot be read.
pub fn named_arguments(tool: &str, text: &str) -> Result<Map<String, Value>, String> {
    let read = |text: &str| {
        repair::read(text).map_err(|error| format!("the arguments of {tool} are not valid JSON: {error}"))
    };
    let mut value = read(text)?;
    // Some models write them as JSON within a string.
    if let Value::String(within) = &value {
        value = read(within)?;
    }
    match value {
        Value::Object(named) => Ok(named),
        Value::Null => Ok(Map::new()),
        _ => Err(format!("the arguments of {tool} are not a JSON object")),
    }
}

/// Returns true for the description of a tool, as in a list of tools, which is not a call.
fn is_definition(call: &Map<String, Value>) -> bool {
    call.contains_key("description")
        && call.get("parameters").and_then(|schema| schema.get("type")).is_some_and(|kind| kind == "object")
}

/// Returns true for text that begins like an object or a list of objects. Other text was not meant as a call.
fn is_object_or_list(text: &str) -> bool {
    let text = text.trim_start();
    text.strip_prefix('[').map_or(text, str::trim_start).starts_with('{')
}
