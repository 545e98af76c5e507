use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use model::{
    Constraint, ContentPart, MessageContent, ModelMessage, ModelRole, Sampling, ToolCall, ToolChoice,
    ToolSpec,
};
use serde::Deserialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

/// The body of `POST /v1/chat/completions`, as OpenAI's clients send it. Unknown fields are ignored.
#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct CompletionRequest {
    pub model: String,
    #[schema(value_type = Vec<Object>)]
    pub messages: Vec<WireMessage>,
    #[serde(default)]
    #[schema(value_type = Option<Vec<Object>>)]
    pub tools: Option<Vec<WireTool>>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub tool_choice: Option<Value>,
    #[serde(default)]
    pub stream: Option<bool>,
    #[serde(default)]
    pub stream_options: Option<StreamOptions>,
    #[serde(default)]
    pub max_tokens: Option<u32>,
    #[serde(default)]
    pub max_completion_tokens: Option<u32>,
    #[serde(default)]
    pub temperature: Option<f32>,
    #[serde(default)]
    pub top_p: Option<f32>,
    #[serde(default)]
    pub seed: Option<i64>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub stop: Option<Stop>,
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    pub response_format: Option<Value>,
    #[serde(default)]
    pub n: Option<u32>,
}

#[derive(Debug, Clone, Deserialize, ToSchema)]
pub struct StreamOptions {
    #[serde(default)]
    pub include_usage: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Stop {
    One(String),
    Many(Vec<String>),
}

#[derive(Debug, Clone, Deserialize)]
pub struct WireTool {
    pub function: WireFunction,
}

#[derive(Debug, Clone, Deserialize)]
pub struct WireFunction {
    pub name: String,
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub parameters: Value,
}

#[derive(Debug, Clone, Deserialize)]
pub struct WireMessage {
    pub role: String,
    #[serde(default)]
    pub content: Option<WireContent>,
    #[serde(default)]
    pub tool_calls: Option<Vec<WireCall>>,
    #[serde(default)]
    pub tool_call_id: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum WireContent {
    Text(String),
    Parts(Vec<WirePart>),
}

#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum WirePart {
    Text {
        text: String,
    },
    ImageUrl {
        image_url: ImageUrl,
    },
    #[serde(other)]
    Other,
}

#[derive(Debug, Clone, Deserialize)]
pub struct ImageUrl {
    pub url: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct WireCall {
    #[serde(default)]
    pub id: String,
    pub function: CalledFunction,
}

#[derive(Debug, Clone, Deserialize)]
pub struct CalledFunction {
    pub name: String,
    #[serde(default)]
    pub arguments: String,
}

impl CompletionRequest {
    pub fn streams(&self) -> bool {
        self.stream.unwrap_or(false)
    }

    pub fn wants_usage(&self) -> bool {
        self.stream_options.as_ref().is_some_and(|options| options.include_usage)
    }

    pub fn messages(&self) -> Result<Vec<ModelMessage>, String> {
        if self.messages.is_empty() {
            return Err("messages is empty".into());
        }
        if let Some(n) = self.n.filter(|n| *n != 1) {
            return Err(format!(
                "n is {n}, but there is one answer at a time: leave out n, and ask again for another"
            ));
        }
        self.messages.iter().map(message).collect()
    }

    pub fn tools(&self) -> Vec<ToolSpec> {
        let tools = self.tools.iter().flatten();
        tools
            .map(|tool| ToolSpec {
                name: tool.function.name.clone(),
                description: tool.function.description.clone(),
                parameters: tool.function.parameters.clone(),
            })
            .collect()
    }

    pub fn tool_choice(&self) -> Result<ToolChoice, String> {
        let Some(choice) = self.tool_choice.as_ref().filter(|choice| !choice.is_null()) else {
            return Ok(ToolChoice::Auto);
        };
        match (choice.as_str(), choice["function"]["name"].as_str()) {
            (Some("auto"), _) => Ok(ToolChoice::Auto),
            (Some("none"), _) => Ok(ToolChoice::None),
            (Some("required"), _) => Ok(ToolChoice::Required),
            (None, Some(name)) => Ok(ToolChoice::Named(name.to_owned())),
            _ => Err("tool_choice can be auto, none, required, or the name of a function".into()),
        }
    }

    /// Returns the configured sampling, overridden by the client's parameters.
    pub fn sampling(&self, base: Sampling) -> Sampling {
        Sampling {
            max_tokens: self.max_completion_tokens.or(self.max_tokens).unwrap_or(base.max_tokens),
            temperature: self.temperature.unwrap_or(base.temperature),
            top_p: self.top_p.unwrap_or(base.top_p),
            seed: self
                .seed
                .map(i64::to_le_bytes)
                .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
                .or(base.seed),
            stop: match &self.stop {
                Some(Stop::One(stop)) => vec![stop.clone()],
                Some(Stop::Many(stops)) => stops.clone(),
                None => base.stop,
            },
            ..base
        }
    }

    pub fn constraint(&self) -> Option<Constraint> {
        let format = self.response_format.as_ref()?;
        match format["type"].as_str()? {
            "json_object" => Some(Constraint::JsonSchema(json!({"type": "object"}))),
            "json_schema" => Some(Constraint::JsonSchema(format["json_schema"]["schema"].clone())),
            _ => None,
        }
    }
}

fn message(wire: &WireMessage) -> Result<ModelMessage, String> {
    let role = match wire.role.as_str() {
        "system" | "developer" => ModelRole::System,
        "user" => ModelRole::User,
        "assistant" => ModelRole::Assistant,
        "tool" => ModelRole::Tool,
        other => return Err(format!("there is no role {other}")),
    };
    let content = match &wire.content {
        None => MessageContent::Text(String::new()),
        Some(WireContent::Text(text)) => MessageContent::Text(text.clone()),
        Some(WireContent::Parts(parts)) => {
            MessageContent::Parts(parts.iter().filter_map(part).collect::<Result<_, _>>()?)
        }
    };
    let calls = wire.tool_calls.iter().flatten();
    let tool_calls = calls
        .map(|call| ToolCall {
            id: call.id.clone(),
            name: call.function.name.clone(),
            arguments: call.function.arguments.clone(),
        })
        .collect();
    Ok(ModelMessage { role, content, tool_calls, tool_call_id: wire.tool_call_id.clone() })
}

fn part(wire: &WirePart) -> Option<Result<ContentPart, String>> {
    match wire {
        WirePart::Text { text } => Some(Ok(ContentPart::Text(text.clone()))),
        WirePart::ImageUrl { image_url } => Some(picture(&image_url.url)),
        WirePart::Other => None,
    }
}

/// Parses an image, which must be inline: fetching a client's URL would let the client reach other hosts through this
/// server.
fn picture(url: &str) -> Result<ContentPart, String> {
    let inline = || -> Option<ContentPart> {
        let (mime, data) = url.strip_prefix("data:")?.split_once(";base64,")?;
        let bytes = STANDARD.decode(data).ok()?;
        Some(ContentPart::Image { mime: mime.to_owned(), bytes: Arc::from(bytes) })
    };
    inline().ok_or_else(|| "a picture must be a data: URL in base64".to_owned())
}
