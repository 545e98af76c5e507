//! The tools for finding and calling tools that the prompt has no room for.
//!
//! The schemas of all tools would fill a small context. The most useful ones that fit are offered, and the others are
//! found with `find_tool`. A call through `use_tool` is unwrapped before it is checked, so that nothing else has to
//! know about it.

use std::sync::Arc;

use dialect::CallArguments;
use model::ToolSpec;
use serde_json::{Map, Value, json};
use tools::{Tool, ToolDefinition, ToolOutput};

use crate::requested_call::RequestedCall;

pub const FIND: &str = "find_tool";
pub const USE: &str = "use_tool";
/// The number of tools in a search result.
const MOST_FOUND: usize = 5;

/// Returns the two tools that are offered if not every tool fits into the prompt.
pub fn specs() -> [ToolSpec; 2] {
    [
        ToolSpec {
            name: FIND.into(),
            description: "Finds further tools by what they do.".into(),
            parameters: json!({
                "type": "object",
                "properties": {"query": {"type": "string", "description": "what should be done"}},
                "required": ["query"],
            }),
        },
        ToolSpec {
            name: USE.into(),
            description: "Calls a tool that find_tool named.".into(),
            parameters: json!({
                "type": "object",
                "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
                "required": ["name", "arguments"],
            }),
        },
    ]
}

/// Replaces a call of [`USE`] by the call that it contains.
pub fn unwrapped(call: RequestedCall) -> RequestedCall {
    if call.name != USE {
        return call;
    }
    let Ok(CallArguments::Named(mut given)) = call.arguments.clone() else { return call };
    let Some(Value::String(name)) = given.shift_remove("name") else { return call };
    let arguments = match given.shift_remove("arguments") {
        Some(Value::Object(arguments)) => Ok(CallArguments::Named(arguments)),
        Some(Value::String(text)) => match serde_json::from_str(&text) {
            Ok(Value::Object(arguments)) => Ok(CallArguments::Named(arguments)),
            _ => Ok(CallArguments::Text(text)),
        },
        None => Ok(CallArguments::Named(given)),
        Some(_) => Err("The arguments should be an object.".to_owned()),
    };
    RequestedCall { name, arguments, ..call }
}

pub fn arguments(call: &RequestedCall) -> Value {
    match &call.arguments {
        Ok(CallArguments::Text(text)) => json!({ "query": text }),
        Ok(given) => Value::Object(given.clone().fit(&specs()[0].parameters)),
        Err(_) => Value::Object(Map::new()),
    }
}

/// Returns the tools that match a query best, with their parameters, and the origins of the descriptions.
pub fn answer(permitted: &[Arc<dyn Tool>], call: &RequestedCall) -> ToolOutput {
    let arguments = arguments(call);
    let query = arguments["query"].as_str().unwrap_or_default().to_lowercase();
    let words: Vec<&str> =
        query.split(|letter: char| !letter.is_alphanumeric()).filter(|word| word.len() > 1).collect();
    let mut found: Vec<(usize, &ToolDefinition)> = permitted
        .iter()
        .filter_map(|tool| {
            let spec = tool.spec();
            let (name, about) = (spec.name.to_lowercase(), spec.description.to_lowercase());
            let weight =
                |word: &&str| if name.contains(*word) { 3 } else { usize::from(about.contains(*word)) };
            let score: usize = words.iter().map(weight).sum();
            (score > 0).then_some((score, spec))
        })
        .collect();
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    if found.is_empty() {
        return ToolOutput::text("There is no tool for that.");
    }
    let found: Vec<&ToolDefinition> = found.into_iter().take(MOST_FOUND).map(|(_, spec)| spec).collect();
    let line = |spec: &&ToolDefinition| format!("{}({}): {}", spec.name, spec.outline(), spec.description);
    let text = found.iter().map(line).collect::<Vec<_>>().join("\n");
    let origins = found.iter().filter_map(|spec| spec.described_by()).collect();
    ToolOutput { origins, ..ToolOutput::text(text) }
}
