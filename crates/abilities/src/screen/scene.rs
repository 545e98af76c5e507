use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;
use tools::{Effect, Invocation, Tool, ToolDefinition, ToolError, ToolOutput};

use super::payload::{repair_title, shown};
use super::payload_schema::PayloadSchema;
use crate::{TextGenerator, TextRequest};

mod arrange;
mod figures;
pub mod shapes;
mod vocabulary;

use shapes::MODEL;

pub const TIME_LIMIT: Duration = Duration::from_mins(1);
const LONGEST_PROMPT: usize = 1_000;
/// The token limit for generated scenes, enough for about thirty shapes.
const MOST_TOKENS: u32 = 1_600;
const EXAMPLE: &str = r#"{"shapes": [{"kind": "box", "position": [0, 0.5, 0], "size": 1, "color": "red"}]}"#;

/// The `scene` tool, which shows shapes in space.
pub struct SceneTool {
    spec: ToolDefinition,
    shape_generator: ShapeGenerator,
}

impl SceneTool {
    pub fn new(generator: Arc<dyn TextGenerator>) -> Result<Self, String> {
        let parameters = json!({
            "type": "object",
            "properties": {
                "prompt": {"type": "string", "description": "What to show, in words. Or give shapes"},
                "shapes": {
                    "type": ["array", "object"],
                    "description": "[{kind: box|sphere|cylinder|cone|torus|plane, position: [x, y, z], \
                        size: [x, y, z], rotation: [x, y, z], color, label}]; y is up, degrees",
                },
                "turntable": {"type": "boolean", "description": "Whether it turns"},
                "title": {"type": "string", "description": "Heading"},
            },
        });
        let mut spec =
            ToolDefinition::new("scene", "Shows a 3D scene, from words or from shapes.", parameters)?;
        spec.effects = vec![Effect::Shows];
        spec.asked_by = ["3d", "scene", "cube", "sphere", "draw"].map(str::to_owned).to_vec();
        spec.tags = vec!["SCENE".to_owned()];
        spec.time_limit = TIME_LIMIT;
        Ok(Self { spec, shape_generator: ShapeGenerator::new(generator) })
    }
}

#[async_trait]
impl Tool for SceneTool {
    fn spec(&self) -> &ToolDefinition {
        &self.spec
    }

    async fn run(&self, invocation: Invocation) -> Result<ToolOutput, ToolError> {
        let mut payload = invocation.arguments;
        let prompt = payload.get("prompt").and_then(Value::as_str).unwrap_or_default().to_owned();
        let has_shapes = ["shapes", "objects", "items"]
            .iter()
            .any(|name| payload.get(*name).is_some_and(|shapes| !shapes.is_null() && *shapes != json!([])));
        let made = if has_shapes || prompt.trim().is_empty() {
            PayloadSchema::Record(&MODEL).repair(shapes::read(Value::Object(payload))).map_err(|fault| {
                ToolError::Impossible(format!(
                    "The scene cannot be shown: {fault}. It looks like this: {EXAMPLE}, or {{\"prompt\": \"rotating cube\"}}"
                ))
            })?
        } else {
            payload.shift_remove("shapes");
            let mut made = self.shape_generator.shapes(&prompt, &invocation.cancel).await?;
            if let Value::Object(made) = &mut made {
                // Explicit arguments take precedence over values derived from the prompt.
                for (name, value) in std::mem::take(made) {
                    payload.entry(name).or_insert(value);
                }
            }
            Value::Object(payload)
        };
        let Value::Object(mut payload) = made else {
            return Err(ToolError::Failed("there is no scene".into()));
        };
        repair_title(&mut payload);
        let count = payload.get("shapes").and_then(Value::as_array).map_or(0, Vec::len);
        let shapes = if count == 1 { "shape" } else { "shapes" };
        shown("scene", payload, format!("The scene is on the screen, with {count} {shapes}."))
    }
}

/// Turns descriptions into shapes.
pub struct ShapeGenerator {
    generator: Arc<dyn TextGenerator>,
}

impl ShapeGenerator {
    pub fn new(generator: Arc<dyn TextGenerator>) -> Self {
        Self { generator }
    }

    /// Returns `{shapes, turntable?, prompt}`.
    pub async fn shapes(&self, prompt: &str, cancel: &CancellationToken) -> Result<Value, ToolError> {
        let prompt: String = prompt.chars().take(LONGEST_PROMPT).collect();
        let read = vocabulary::read(&prompt);
        // If every word is known, the model would only be slower.
        let made = if read.is_whole { None } else { self.by_model(&prompt, cancel).await };
        if cancel.is_cancelled() {
            return Err(ToolError::Stopped);
        }
        let mut model =
            made.unwrap_or_else(|| Map::from_iter([("shapes".to_owned(), shapes::written(&read.solids))]));
        if model.get("shapes").and_then(Value::as_array).is_none_or(Vec::is_empty) {
            return Err(ToolError::Impossible(format!(
                "No shapes come to mind for this. Give them yourself, like this: {EXAMPLE}"
            )));
        }
        if read.turns {
            model.insert("turntable".into(), Value::Bool(true));
        }
        model.insert("prompt".into(), Value::String(prompt));
        Ok(Value::Object(model))
    }

    async fn by_model(&self, prompt: &str, cancel: &CancellationToken) -> Option<Map<String, Value>> {
        let request = TextRequest {
            instructions: "Build the scene that is described from simple shapes. y is up and the ground is at y = 0. \
                size is [width, height, depth]; position is the middle of a shape. Shapes that belong together touch. \
                Answer with JSON."
                .to_owned(),
            text: prompt.to_owned(),
            schema: Some(shapes::schema()),
            max_tokens: MOST_TOKENS,
        };
        let within = TIME_LIMIT.saturating_sub(Duration::from_secs(5));
        let answer = tokio::time::timeout(within, self.generator.generate(request, cancel)).await.ok()??;
        let model: Value = serde_json::from_str(answer.trim()).ok()?;
        match PayloadSchema::Record(&MODEL).repair(shapes::read(model)) {
            Ok(Value::Object(model)) => Some(model),
            _ => None,
        }
    }
}

#[cfg(test)]
#[path = "scene_tests.rs"]
mod tests;
