//! Tools that show widgets, maps and scenes on the screen.
//!
//! They change nothing, though a map may load its tiles from the web. Each corrects unambiguous mistakes in what a
//! model wrote and passes it on as a command. Payloads that cannot be shown are refused with a valid example.

mod cities;
mod colours;
mod map;
mod payload;
mod payload_schema;
mod scene;
mod widget;

use std::sync::Arc;

use tools::Tool;

use crate::{CurrentConfig, TextGenerator};

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

#[cfg(test)]
mod fuzz_tests;
#[cfg(test)]
mod tests {
    use dialect::CallArguments;
    use serde_json::{Value, json};

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
            let arguments = CallArguments::Text(body.to_owned()).fit(&tool.spec().parameters);
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
