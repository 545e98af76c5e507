//! Tools that show widgets, maps and scenes on the screen.
//!
//! They change nothing, though a map may load its tiles from the web. Each corrects unambiguous mistakes in what a
//! model wrote and passes it on as a command. Payloads that cannot be shown are refused with a valid example.

mod cities;
mod colours;
mod map;
mod payload_schema;
mod scene;
mod widget;

use std::sync::Arc;

use protocol::Command;
use serde_json::{Map, Value};
use tools::{Tool, ToolError, ToolOutput};

use crate::{CurrentConfig, TextGenerator};

/// The largest payload, in bytes.
const LARGEST_PAYLOAD: usize = 256 * 1024;
/// The deepest nesting of a payload; deeper ones would make a stored conversation unreadable.
const DEEPEST_PAYLOAD: usize = 64;
const LONGEST_TITLE: usize = 200;

/// Returns the tools that show something. `generator` turns descriptions into shapes.
pub fn tools(
    generator: &Arc<dyn TextGenerator>,
    settings: &CurrentConfig,
) -> Result<Vec<Arc<dyn Tool>>, String> {
    Ok(vec![
        Arc::new(map::MapTool::new(Arc::clone(settings))?),
        Arc::new(scene::SceneTool::new(Arc::clone(generator))?),
        Arc::new(widget::WidgetTool::new(Arc::clone(generator))?),
    ])
}

/// Returns a command with this payload, and a line for the model.
fn shown(action: &str, payload: Map<String, Value>, says: String) -> Result<ToolOutput, ToolError> {
    let payload = Value::Object(payload);
    if is_deeper_than(DEEPEST_PAYLOAD, &payload) {
        return Err(ToolError::Impossible(format!(
            "This is nested too deeply for the screen: at most {DEEPEST_PAYLOAD} levels fit. Make it flatter."
        )));
    }
    let length = payload.to_string().len();
    if length > LARGEST_PAYLOAD {
        return Err(ToolError::Impossible(format!(
            "This is too large for the screen: {} KB, and {} KB fit. Show less of it.",
            length.div_ceil(1024),
            LARGEST_PAYLOAD / 1024
        )));
    }
    let command = Command { action: action.to_owned(), payload };
    Ok(ToolOutput { text: says, command: Some(command), ..ToolOutput::default() })
}

fn is_deeper_than(levels: usize, value: &Value) -> bool {
    let mut inner: Box<dyn Iterator<Item = &Value>> = match value {
        Value::Array(values) => Box::new(values.iter()),
        Value::Object(fields) => Box::new(fields.values()),
        _ => return false,
    };
    levels == 0 || inner.any(|value| is_deeper_than(levels - 1, value))
}

/// Reduces the title to one line of limited length. A title that is neither text nor a number is removed.
fn repair_title(payload: &mut Map<String, Value>) {
    let Some(title) = payload.get("title") else { return };
    let title = match title {
        Value::String(title) => title.split_whitespace().collect::<Vec<_>>().join(" "),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    match title.char_indices().nth(LONGEST_TITLE) {
        _ if title.is_empty() => drop(payload.shift_remove("title")),
        Some((end, _)) => drop(payload.insert("title".into(), format!("{}…", &title[..end]).into())),
        None => drop(payload.insert("title".into(), title.into())),
    }
}

#[cfg(test)]
mod fuzz_tests;
#[cfg(test)]
mod tests {
    use dialect::Arguments;
    use serde_json::json;

    use super::*;
    use crate::test_support::{ScriptedGenerator, payload, run, settings};

    #[tokio::test]
    async fn the_plain_body_of_a_tag_is_understood() {
        let generator: Arc<dyn TextGenerator> = Arc::new(ScriptedGenerator::default());
        let tools = tools(&generator, &settings(|_| ())).unwrap();
        let cases = [
            ("SCENE", "rotating cube", json!({"prompt": "rotating cube", "turntable": true})),
            ("MAP", "Lisbon", json!({"lat": 38.72, "place": "Lisbon"})),
            ("WIDGET", "1. wake\n2. rise", json!({"type": "steps", "data": ["wake", "rise"]})),
        ];
        for (tag, body, expected) in cases {
            let tool = tools.iter().find(|tool| tool.spec().tags == [tag]).unwrap();
            let arguments = Arguments::Text(body.to_owned()).fit(&tool.spec().parameters);
            let shown = payload(run(tool.as_ref(), Value::Object(arguments)).await.unwrap());
            for (name, value) in expected.as_object().unwrap() {
                assert_eq!(shown[name], *value, "{tag}");
            }
        }
    }

    #[tokio::test]
    async fn what_is_nested_deeply_is_refused_so_that_what_is_shown_can_be_read_back() {
        let generator: Arc<dyn TextGenerator> = Arc::new(ScriptedGenerator::default());
        let tools = tools(&generator, &settings(|_| ())).unwrap();
        let nested = |levels: usize| (0..levels).fold(json!(1), |inner, _| json!([inner]));
        for (levels, fits) in [(1, true), (60, true), (65, false), (110, false)] {
            let card = json!([{"front": "a", "back": "b", "more": nested(levels)}]);
            let shape = json!([{"kind": "box", "more": nested(levels)}]);
            let cases = [
                (1, json!({"shapes": shape, "turntable": true})),
                (2, json!({"type": "flashcards", "data": card})),
                (2, json!({"type": "flashcards", "data": card.to_string()})),
                (0, json!({"place": "Lisbon", "markers": [{"lat": 1, "lon": 2, "more": nested(levels)}]})),
            ];
            for (tool, arguments) in cases {
                match run(tools[tool].as_ref(), arguments.clone()).await {
                    Ok(output) => {
                        assert!(fits, "{levels}: {arguments}");
                        let written = payload(output).to_string();
                        assert!(serde_json::from_str::<Value>(&written).is_ok(), "{written}");
                    }
                    Err(error) => {
                        assert!(
                            !fits && error.to_string().contains("nested too deeply"),
                            "{levels}: {error}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn they_show_and_do_nothing_else() {
        let generator: Arc<dyn TextGenerator> = Arc::new(ScriptedGenerator::default());
        for tool in tools(&generator, &settings(|_| ())).unwrap() {
            assert_eq!(tool.spec().effects, [tools::Effect::Shows]);
            assert_eq!(tool.spec().default_permission(), protocol::Permission::Allow);
        }
    }
}
