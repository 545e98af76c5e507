use async_trait::async_trait;
use protocol::Expression;
use serde_json::{Map, Value, json};
use tools::{Effect, Group, Invocation, Tool, ToolDefinition, ToolError, ToolOutput};

use super::command::command;

/// The intensity if none is given.
const DEFAULT_INTENSITY: f64 = 0.8;

/// The `express` tool. An expression chosen by the model overrides the one derived from its words.
pub struct Express {
    spec: ToolDefinition,
}

impl Express {
    pub fn new() -> Result<Self, String> {
        let parameters = json!({
            "type": "object",
            "properties": {
                "emotion": {"type": "string", "description": "happy, sad, angry, surprised, relaxed or neutral"},
                "intensity": {"type": "number", "description": "0 to 1"},
            },
            "required": ["emotion"],
        });
        let mut spec = ToolDefinition::new("express", "Shows an emotion on your face.", parameters)?;
        spec.effects = vec![Effect::Shows];
        spec.group = Group::Animation;
        spec.asked_by = ["smile", "look happy", "look sad", "look surprised", "look angry", "your face"]
            .map(str::to_owned)
            .to_vec();
        spec.tags = ["EMOTION", "EXPRESSION"].map(str::to_owned).to_vec();
        Ok(Self { spec })
    }
}

#[async_trait]
impl Tool for Express {
    fn spec(&self) -> &ToolDefinition {
        &self.spec
    }

    async fn run(&self, invocation: Invocation) -> Result<ToolOutput, ToolError> {
        let word = invocation.arguments.get("emotion").and_then(Value::as_str).unwrap_or_default();
        let Some(expression) = expression(word) else {
            return Err(ToolError::Impossible(format!(
                "A face cannot show “{}”. It can be happy, sad, angry, surprised, relaxed or neutral.",
                word.chars().take(40).collect::<String>()
            )));
        };
        let given = invocation.arguments.get("intensity").and_then(Value::as_f64);
        let intensity = given.filter(|given| given.is_finite()).unwrap_or(DEFAULT_INTENSITY).clamp(0.0, 1.0);
        let payload = json!({"expression": expression, "intensity": intensity});
        Ok(command("express", payload, "It is on your face.".to_owned()))
    }
}

/// Returns the expression and intensity in a payload of this tool.
pub fn read_expression(payload: &Value) -> Option<(Expression, f32)> {
    let fields: &Map<String, Value> = payload.as_object()?;
    let expression = serde_json::from_value(fields.get("expression")?.clone()).ok()?;
    #[allow(clippy::cast_possible_truncation, reason = "between 0 and 1")]
    let intensity = fields.get("intensity").and_then(Value::as_f64).unwrap_or(DEFAULT_INTENSITY) as f32;
    Some((expression, intensity))
}

/// Maps the names of emotions and looks that models use.
fn expression(word: &str) -> Option<Expression> {
    Some(match word.trim().to_lowercase().as_str() {
        "happy" | "joy" | "joyful" | "happiness" | "excited" | "playful" | "fun" | "love" | "proud" => {
            Expression::Happy
        }
        "sad" | "sadness" | "melancholic" | "concerned" | "sorry" => Expression::Sad,
        "angry" | "anger" | "disgust" | "disgusted" | "annoyed" => Expression::Angry,
        "surprised" | "surprise" | "fear" | "afraid" | "scared" | "shocked" => Expression::Surprised,
        "relaxed" | "calm" | "warm" | "content" | "thoughtful" => Expression::Relaxed,
        "neutral" | "none" | "curious" => Expression::Neutral,
        _ => return None,
    })
}
