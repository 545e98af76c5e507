//! Interprets text that looked like a call.

use serde_json::{Map, Value};

use crate::arguments::CallArguments;
use crate::call_keys::{ARGUMENT_KEYS, NAME_KEYS};
use crate::repair;
use crate::reply_part::{ParsedCall, ReplyPart};
use crate::syntax::CallForm;
use crate::vocabulary::{LONGEST_NAME, ReplyVocabulary, is_name};

/// The meaning of a text that looked like a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Interpretation {
    /// Calls, and the words that the model says with them.
    Parts(Vec<ReplyPart>),
    /// Ordinary text.
    Text,
    /// A call that cannot be read, with the reason.
    Flawed(String),
}

impl Interpretation {
    pub fn call(name: &str, arguments: CallArguments) -> Self {
        Self::Parts(vec![ReplyPart::Call(ParsedCall { name: name.to_owned(), arguments })])
    }

    /// Creates the interpretation of a truncated call.
    pub fn cut_off(name: &str) -> Self {
        Self::Flawed(format!("the call of {name} was cut off; make the whole call again"))
    }

    /// Creates the interpretation of a call whose arguments cannot be read.
    pub fn unreadable_arguments(name: &str) -> Self {
        Self::Flawed(format!(
            "the arguments of {name} cannot be read: brackets or quotes do not fit, or text has none"
        ))
    }

    /// Combines two interpretations. The result has calls only if both do.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Parts(mut parts), Self::Parts(more)) => {
                parts.extend(more);
                Self::Parts(parts)
            }
            (flawed @ Self::Flawed(_), _) | (_, flawed @ Self::Flawed(_)) => flawed,
            _ => Self::Text,
        }
    }

    /// Like [`Self::and`], for a last part that may be an incomplete call.
    pub fn and_last(self, last: Self) -> Self {
        match (self, last) {
            (Self::Parts(mut parts), Self::Flawed(why)) => {
                parts.push(ReplyPart::Flawed { text: String::new(), why });
                Self::Parts(parts)
            }
            (earlier, last) => earlier.and(last),
        }
    }

    /// Reads one JSON value as a call or a list of calls.
    pub fn of_json(text: &str, vocabulary: &ReplyVocabulary) -> Self {
        Self::of_json_if(text, |call| vocabulary.has_tool(&call.name))
    }

    /// Like [`Self::of_json`], within an element that announces a call. It may name an unknown tool if those are to be
    /// reported.
    pub fn of_element_json(text: &str, vocabulary: &ReplyVocabulary) -> Self {
        let is_unknown_tool = |call: &NamedObject| {
            let has_arguments =
                ARGUMENT_KEYS.iter().any(|key| call.fields.get(*key).is_some_and(Value::is_object));
            vocabulary.reports_unknown_tools()
                && (has_arguments || call.fields.is_empty())
                && call.name.len() <= LONGEST_NAME
                && is_name(&call.name)
        };
        let accept = |call: &NamedObject| vocabulary.has_tool(&call.name) || is_unknown_tool(call);
        Self::of_json_by(text, &Keys::of(vocabulary), accept)
    }

    /// Like [`Self::of_json`], without markers. The value itself must show that it is a call.
    pub fn of_bare_json(text: &str, vocabulary: &ReplyVocabulary) -> Self {
        Self::of_json_if(text, |call| {
            let is_plain =
                call.key == "tool" || ARGUMENT_KEYS.iter().any(|key| call.fields.contains_key(*key));
            is_plain && vocabulary.has_tool(&call.name)
        })
    }

    /// Reads separate named arguments of a tool whose name is known.
    pub fn of_arguments(name: &str, text: &str) -> Self {
        match named_arguments(name, text.trim()) {
            Ok(named) => Self::call(name, CallArguments::Named(named)),
            Err(why) => Self::Flawed(why),
        }
    }

    fn of_json_if(text: &str, accept: impl Fn(&NamedObject) -> bool) -> Self {
        Self::of_json_by(text, &Keys::default(), accept)
    }

    fn of_json_by(text: &str, keys: &Keys<'_>, accept: impl Fn(&NamedObject) -> bool) -> Self {
        match repair::read(text.trim()) {
            Ok(Value::Array(calls)) => calls
                .into_iter()
                .map(|call| Self::of_value(call, keys, &accept))
                .reduce(Self::and)
                .unwrap_or(Self::Text),
            Ok(call) => Self::of_value(call, keys, &accept),
            Err(error) if is_object_or_list_of_such(text) => {
                Self::Flawed(format!("the call is not valid JSON: {error}"))
            }
            Err(_) => Self::Text,
        }
    }

    fn of_value(value: Value, keys: &Keys<'_>, accept: impl Fn(&NamedObject) -> bool) -> Self {
        let Value::Object(mut call) = value else { return Self::Text };
        if let Some(Value::Object(function)) = call.get_mut("function") {
            call = std::mem::take(function);
        }
        if is_definition(&call) {
            return Self::Text;
        }
        if let Some(interpretation) = keys.keyed(&call) {
            return interpretation;
        }
        let named = NamedObject::of(call, keys.name).filter(accept);
        named.map_or(Self::Text, |named| Self::of_named(named, keys.arguments))
    }

    fn of_named(NamedObject { name, mut fields, .. }: NamedObject, key: Option<&str>) -> Self {
        let speak = match fields.shift_remove("speak") {
            Some(Value::String(words)) if !words.trim().is_empty() => Some(ReplyPart::Text(words)),
            _ => None,
        };
        let given = key.into_iter().chain(ARGUMENT_KEYS).find_map(|key| fields.shift_remove(key));
        let arguments = match given {
            Some(Value::Object(named)) => CallArguments::Named(named),
            Some(Value::String(text)) => match repair::read(&text) {
                Ok(Value::Object(named)) => CallArguments::Named(named),
                _ => CallArguments::Text(text),
            },
            Some(Value::Array(values)) => CallArguments::Positional(values, Map::new()),
            Some(Value::Null) => CallArguments::Named(Map::new()),
            Some(other) => CallArguments::Positional(vec![other], Map::new()),
            // Some models write the arguments next to the name.
            None => {
                fields.retain(|key, _| !matches!(key.as_str(), "id" | "type" | "tool_call_id"));
                CallArguments::Named(fields)
            }
        };
        Self::Parts(speak.into_iter().chain([ReplyPart::Call(ParsedCall { name, arguments })]).collect())
    }
}

/// The keys under which a model writes names and arguments, if known.
#[derive(Default)]
struct Keys<'a> {
    name: Option<&'a str>,
    arguments: Option<&'a str>,
    /// The known tools, if an object may have the name of a tool as its only key.
    vocabulary: Option<&'a ReplyVocabulary>,
}

impl<'a> Keys<'a> {
    fn of(vocabulary: &'a ReplyVocabulary) -> Self {
        let (name, arguments) = match vocabulary.call_syntax().map(|calls| &calls.form) {
            Some(CallForm::Object { name, arguments, .. }) => (Some(name.as_str()), Some(arguments.as_str())),
            _ => (None, None),
        };
        Self { name, arguments, vocabulary: Some(vocabulary) }
    }

    /// Reads `{"name": {…}}`.
    fn keyed(&self, call: &Map<String, Value>) -> Option<Interpretation> {
        let mut fields = call.iter();
        let (Some((name, Value::Object(named))), None) = (fields.next(), fields.next()) else { return None };
        let is_tool = self.vocabulary.is_some_and(|vocabulary| vocabulary.has_tool(name));
        is_tool.then(|| Interpretation::call(name, CallArguments::Named(named.clone())))
    }
}

/// An object that names a tool.
struct NamedObject {
    /// The key of the name.
    key: String,
    name: String,
    /// The remaining fields.
    fields: Map<String, Value>,
}

impl NamedObject {
    fn of(mut fields: Map<String, Value>, learned: Option<&str>) -> Option<Self> {
        let (key, name) = learned.into_iter().chain(NAME_KEYS).find_map(|key| match fields.get(key) {
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

/// Returns true for text that begins like an object or a list of objects. Other text is no attempt at a call.
fn is_object_or_list_of_such(text: &str) -> bool {
    let text = text.trim_start();
    text.strip_prefix('[').map_or(text, str::trim_start).starts_with('{')
}
