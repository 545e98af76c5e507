use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value, json};

use crate::openai::{no_grammar, number, role, tools};
use crate::{
    Constraint, ContentPart, MessageContent, ModelError, ModelInfo, ModelMessage, ModelRequest, ModelRole,
    ToolChoice,
};

/// The time the model stays loaded, long enough that a pause between messages does not unload it.
pub(crate) const KEEP_ALIVE: &str = "30m";

/// Builds the body of a chat request.
pub(super) fn body(info: &ModelInfo, thinks: bool, request: &ModelRequest) -> Result<Value, ModelError> {
    let sampling = &request.sampling;
    let mut options = json!({
        "num_ctx": info.context,
        "num_predict": sampling.max_tokens,
        "temperature": number(sampling.temperature),
        "top_p": number(sampling.top_p),
        "top_k": sampling.top_k,
        "min_p": number(sampling.min_p),
        "repeat_penalty": number(sampling.repeat_penalty),
    });
    if let Some(seed) = sampling.seed {
        options["seed"] = json!(seed);
    }
    if !sampling.stop.is_empty() {
        options["stop"] = json!(sampling.stop);
    }
    let mut body = json!({
        "model": info.name,
        "messages": messages(&request.messages),
        "stream": true,
        "keep_alive": KEEP_ALIVE,
        "options": options,
    });
    if thinks {
        body["think"] = json!(true);
    }
    // Ollama cannot force a tool call, but it can omit the tools.
    if !request.tools.is_empty() && request.tool_choice != ToolChoice::None {
        body["tools"] = tools(request);
    }
    match &request.constraint {
        Some(Constraint::JsonSchema(schema)) => body["format"] = schema.clone(),
        Some(Constraint::Grammar(_)) => return Err(no_grammar()),
        None => {}
    }
    Ok(body)
}

fn messages(messages: &[ModelMessage]) -> Value {
    messages.iter().enumerate().map(|(at, one)| message(one, &messages[..at])).collect()
}

fn message(message: &ModelMessage, before: &[ModelMessage]) -> Value {
    let mut out = Map::new();
    out.insert("role".to_owned(), json!(role(message.role)));
    out.insert("content".to_owned(), json!(message.content.as_text()));
    if let MessageContent::Parts(parts) = &message.content {
        let images: Vec<_> = parts
            .iter()
            .filter_map(|part| match part {
                ContentPart::Image { bytes, .. } => Some(BASE64.encode(bytes)),
                ContentPart::Text(_) => None,
            })
            .collect();
        if !images.is_empty() {
            out.insert("images".to_owned(), json!(images));
        }
    }
    if !message.tool_calls.is_empty() {
        let calls = message.tool_calls.iter().map(|call| {
            // Ollama requires an object, but the model may have written something else.
            let arguments = serde_json::from_str(&call.arguments).unwrap_or(Value::Null);
            let arguments = if arguments.is_object() { arguments } else { json!({}) };
            json!({ "function": { "name": call.name, "arguments": arguments } })
        });
        out.insert("tool_calls".to_owned(), calls.collect());
    }
    if message.role == ModelRole::Tool
        && let Some(name) = message.tool_call_id.as_deref().and_then(|id| called(id, before))
    {
        out.insert("tool_name".to_owned(), json!(name));
    }
    Value::Object(out)
}

/// Returns the name of the tool whose call has this ID, because Ollama identifies calls by name only.
fn called<'a>(id: &str, before: &'a [ModelMessage]) -> Option<&'a str> {
    let mut calls = before.iter().rev().flat_map(|message| &message.tool_calls);
    calls.find(|call| call.id == id).map(|call| call.name.as_str())
}
