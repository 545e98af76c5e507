// Sampling and logging still exist in the revision under test, as in the fixture.
#![expect(deprecated)]

use std::time::Duration;

use rmcp::model::{
    CallToolResult, ContentBlock, CreateMessageRequestParams, ElicitRequestParams, ElicitationSchema,
    ErrorData, LoggingLevel, ProgressNotificationParam, Role, SamplingMessage, SamplingMessageContentBlock,
    Tool,
};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::{Map, Value, json};

use crate::fixture::{Fixture, connection, failed};
use crate::{forms, resources};

type Context = RequestContext<RoleServer>;
type Arguments = Map<String, Value>;
type ToolResult = Result<CallToolResult, ErrorData>;

/// The pause between two messages of one call, so that they arrive separately.
const PAUSE: Duration = Duration::from_millis(50);

pub fn all() -> Vec<Tool> {
    let nothing = || json!({"type": "object", "properties": {}});
    let one =
        |name: &str| json!({"type": "object", "properties": {name: {"type": "string"}}, "required": [name]});
    let table = [
        ("test_simple_text", "Answers with a text.", nothing()),
        ("test_image_content", "Answers with a picture.", nothing()),
        ("test_audio_content", "Answers with a sound.", nothing()),
        ("test_embedded_resource", "Answers with a resource.", nothing()),
        ("test_multiple_content_types", "Answers with a text, a picture and a resource.", nothing()),
        ("test_tool_with_logging", "Logs while it runs.", nothing()),
        ("test_tool_with_progress", "Reports its progress.", nothing()),
        ("test_error_handling", "Always fails.", nothing()),
        ("test_sampling", "Asks the client's model.", one("prompt")),
        ("test_elicitation", "Asks the client's user.", one("message")),
        ("test_elicitation_sep1034_defaults", "Asks with a form that is filled in.", nothing()),
        ("test_elicitation_sep1330_enums", "Asks with a form of choices.", nothing()),
        ("test_reconnection", "Closes the stream before it answers.", nothing()),
        ("json_schema_2020_12_tool", "Has arguments in JSON Schema 2020-12.", newest_schema()),
    ];
    table.into_iter().map(|(name, about, schema)| Tool::new(name, about, object(schema))).collect()
}

fn newest_schema() -> Value {
    let text = || json!({"type": "string"});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {"type": "object", "properties": {"street": text(), "city": text()}}},
        "properties": {"name": text(), "address": {"$ref": "#/$defs/address"}},
        "additionalProperties": false,
    })
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

pub async fn call(fixture: &Fixture, name: &str, arguments: &Arguments, context: &Context) -> ToolResult {
    match name {
        "test_simple_text" => text_result("This is a simple text response for testing."),
        "test_image_content" => success(vec![picture()]),
        "test_audio_content" => success(vec![ContentBlock::audio(resources::SOUND, resources::SOUND_KIND)]),
        "test_embedded_resource" => {
            let text = "This is an embedded resource content.";
            success(vec![embedded("test://embedded-resource", resources::TEXT_KIND, text)])
        }
        "test_multiple_content_types" => {
            let data = json!({"test": "data", "value": 123}).to_string();
            let text = ContentBlock::text("Multiple content types test:");
            success(vec![
                text,
                picture(),
                embedded("test://mixed-content-resource", resources::JSON_KIND, &data),
            ])
        }
        "test_tool_with_logging" => log(fixture, context).await,
        "test_tool_with_progress" => make_progress(context).await,
        "test_error_handling" => {
            let why = "This tool intentionally returns an error for testing";
            Ok(CallToolResult::error(vec![ContentBlock::text(why)]))
        }
        "test_sampling" => sample(argument(arguments, "prompt")?, context).await,
        "test_elicitation" => {
            elicit("User response", argument(arguments, "message")?, forms::plain(), context).await
        }
        "test_elicitation_sep1034_defaults" => {
            elicit("Elicitation completed", "Look through this form.", forms::defaults(), context).await
        }
        "test_elicitation_sep1330_enums" => {
            elicit("Elicitation completed", "Choose in this form.", forms::choices(), context).await
        }
        "test_reconnection" => {
            if let Some(connection) = connection(context) {
                connection.cut_until_reconnected().await;
            }
            text_result("The stream was closed, and here is the answer.")
        }
        "json_schema_2020_12_tool" => text_result(&Value::Object(arguments.clone()).to_string()),
        _ => Err(ErrorData::invalid_params(format!("there is no tool {name}"), None)),
    }
}

async fn log(fixture: &Fixture, context: &Context) -> ToolResult {
    fixture.log(&context.peer, LoggingLevel::Info, "Tool execution started").await?;
    tokio::time::sleep(PAUSE).await;
    fixture.log(&context.peer, LoggingLevel::Info, "Tool processing data").await?;
    tokio::time::sleep(PAUSE).await;
    fixture.log(&context.peer, LoggingLevel::Info, "Tool execution completed").await?;
    text_result("It logged three times.")
}

async fn make_progress(context: &Context) -> ToolResult {
    let token = context.meta.get_progress_token();
    for done in [0.0, 50.0, 100.0] {
        if let Some(token) = token.clone() {
            let progress = ProgressNotificationParam::new(token, done).with_total(100.0);
            context.peer.notify_progress(progress).await.map_err(|error| failed(&error))?;
        }
        tokio::time::sleep(PAUSE).await;
    }
    text_result("It is done.")
}

async fn sample(prompt: &str, context: &Context) -> ToolResult {
    if context.client_capabilities().and_then(|client| client.sampling).is_none() {
        return Ok(CallToolResult::error(vec![ContentBlock::text("The client has no model to ask.")]));
    }
    let message = SamplingMessage::new(Role::User, SamplingMessageContentBlock::text(prompt));
    let request = CreateMessageRequestParams::new(vec![message], 100);
    let answer = context.peer.create_message(request).await.map_err(|error| failed(&error))?;
    let parts = answer.message.content.into_vec();
    let words = parts.iter().filter_map(|part| part.as_text()).map(|text| text.text.as_str());
    text_result(&format!("LLM response: {}", words.collect::<String>()))
}

async fn elicit(opening: &str, message: &str, form: Value, context: &Context) -> ToolResult {
    if context.client_capabilities().and_then(|client| client.elicitation).is_none() {
        return Ok(CallToolResult::error(vec![ContentBlock::text("The client has nobody to ask.")]));
    }
    let requested_schema: ElicitationSchema = serde_json::from_value(form).map_err(|error| failed(&error))?;
    let request = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: message.to_owned(),
        requested_schema,
    };
    let answer = context.peer.create_elicitation(request).await.map_err(|error| failed(&error))?;
    let action = serde_json::to_value(&answer.action).map_err(|error| failed(&error))?;
    let filled_in = answer.content.unwrap_or(Value::Null);
    text_result(&format!("{opening}: action={}, content={filled_in}", action.as_str().unwrap_or_default()))
}

fn argument<'a>(arguments: &'a Arguments, name: &str) -> Result<&'a str, ErrorData> {
    let value = arguments.get(name).and_then(Value::as_str);
    value.ok_or_else(|| ErrorData::invalid_params(format!("the argument {name} is missing"), None))
}

fn picture() -> ContentBlock {
    ContentBlock::image(resources::PICTURE, resources::PICTURE_KIND)
}

fn embedded(uri: &str, kind: &str, text: &str) -> ContentBlock {
    ContentBlock::resource(resources::text(uri, kind, text))
}

fn text_result(text: &str) -> ToolResult {
    success(vec![ContentBlock::text(text)])
}

#[expect(clippy::unnecessary_wraps, reason = "every tool returns the same type")]
fn success(content: Vec<ContentBlock>) -> ToolResult {
    Ok(CallToolResult::success(content))
}
