use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Map, Value, json};

use crate::{
    Constraint, ContentPart, MessageContent, ModelError, ModelMessage, ModelRequest, ModelRole, ToolChoice,
};

/// The maximum number of stop strings in this format. The remaining ones are left to the local stop filter.
const MOST_STOPS: usize = 4;

/// Parameters that a server supports beyond the common ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extras {
    None,
    /// llama-server's own sampling parameters, prompt cache and grammars.
    LlamaServer {
        slot: Option<u32>,
    },
}

/// Builds the body of a chat request.
pub(super) fn body(
    model: &str,
    request: &ModelRequest,
    extras: Extras,
) -> Result<Map<String, Value>, ModelError> {
    let sampling = &request.sampling;
    let mut body = Map::new();
    let mut put = |name: &str, value: Value| {
        body.insert(name.to_owned(), value);
    };
    put("model", json!(model));
    put("messages", request.messages.iter().map(message).collect());
    put("stream", json!(true));
    put("stream_options", json!({ "include_usage": true }));
    put("max_tokens", json!(sampling.max_tokens));
    put("temperature", number(sampling.temperature));
    put("top_p", number(sampling.top_p));
    if let Some(seed) = sampling.seed {
        put("seed", json!(seed));
    }
    if !sampling.stop.is_empty() {
        put("stop", json!(sampling.stop.iter().take(MOST_STOPS).collect::<Vec<_>>()));
    }
    if !request.tools.is_empty() {
        put("tools", tools(request));
        match &request.tool_choice {
            ToolChoice::Auto => {}
            ToolChoice::None => put("tool_choice", json!("none")),
            ToolChoice::Required => put("tool_choice", json!("required")),
            ToolChoice::Named(name) => {
                put("tool_choice", json!({ "type": "function", "function": { "name": name } }));
            }
        }
    }
    match extras {
        Extras::None => match &request.constraint {
            Some(Constraint::JsonSchema(schema)) => put(
                "response_format",
                json!({ "type": "json_schema", "json_schema": { "name": "answer", "strict": true, "schema": schema } }),
            ),
            Some(Constraint::Grammar(_)) => return Err(no_grammar()),
            None => {}
        },
        Extras::LlamaServer { slot } => {
            put("top_k", json!(sampling.top_k));
            put("min_p", number(sampling.min_p));
            put("repeat_penalty", number(sampling.repeat_penalty));
            put("cache_prompt", json!(true));
            put("return_progress", json!(true));
            if let Some(slot) = slot {
                put("id_slot", json!(slot));
            }
            match &request.constraint {
                Some(Constraint::JsonSchema(schema)) => put("json_schema", schema.clone()),
                Some(Constraint::Grammar(grammar)) => put("grammar", json!(grammar)),
                None => {}
            }
        }
    }
    Ok(body)
}

pub(crate) fn no_grammar() -> ModelError {
    ModelError::Refused(
        "The server of this model does not support grammars. Use llama-server, or a model inside Perigee."
            .to_owned(),
    )
}

/// Converts a number by way of its text form, so that 0.7 does not become 0.699999988.
pub(crate) fn number(value: f32) -> Value {
    value.to_string().parse::<f64>().map_or(Value::Null, Value::from)
}

pub(crate) fn tools(request: &ModelRequest) -> Value {
    let tools = request.tools.iter().map(|tool| {
        let function =
            json!({ "name": tool.name, "description": tool.description, "parameters": tool.parameters });
        json!({ "type": "function", "function": function })
    });
    tools.collect()
}

fn message(message: &ModelMessage) -> Value {
    let mut out = Map::new();
    out.insert("role".to_owned(), json!(role(message.role)));
    let content = match &message.content {
        MessageContent::Text(text) if text.is_empty() && !message.tool_calls.is_empty() => Value::Null,
        MessageContent::Text(text) => json!(text),
        MessageContent::Parts(parts) => parts.iter().map(part).collect(),
    };
    out.insert("content".to_owned(), content);
    if !message.tool_calls.is_empty() {
        let calls = message.tool_calls.iter().map(|call| {
            let function = json!({ "name": call.name, "arguments": call.arguments });
            json!({ "id": call.id, "type": "function", "function": function })
        });
        out.insert("tool_calls".to_owned(), calls.collect());
    }
    if let Some(id) = &message.tool_call_id {
        out.insert("tool_call_id".to_owned(), json!(id));
    }
    Value::Object(out)
}

pub(crate) fn role(role: ModelRole) -> &'static str {
    match role {
        ModelRole::System => "system",
        ModelRole::User => "user",
        ModelRole::Assistant => "assistant",
        ModelRole::Tool => "tool",
    }
}

fn part(part: &ContentPart) -> Value {
    match part {
        ContentPart::Text(text) => json!({ "type": "text", "text": text }),
        ContentPart::Image { mime, bytes } => {
            let url = format!("data:{mime};base64,{}", BASE64.encode(bytes));
            json!({ "type": "image_url", "image_url": { "url": url } })
        }
    }
}
