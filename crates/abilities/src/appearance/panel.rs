use async_trait::async_trait;
use serde_json::{Value, json};
use tools::{Effect, Group, Invocation, Tool, ToolDefinition, ToolError, ToolOutput};

use super::command::command;

const PANELS: [&str; 9] =
    ["conversation", "widgets", "map", "weather", "system", "console", "awareness", "orb", "clock"];

/// The `panel` tool, which opens and closes panels around the avatar in the full-screen view.
pub struct Panel {
    spec: ToolDefinition,
}

impl Panel {
    pub fn new() -> Result<Self, String> {
        let parameters = json!({
            "type": "object",
            "properties": {
                "panel": {"type": "string", "description": PANELS.join(", ")},
                "open": {"type": "boolean", "description": "false closes it"},
            },
            "required": ["panel"],
        });
        let about = "Opens or closes a panel around you in the full-screen view.";
        let mut spec = ToolDefinition::new("panel", about, parameters)?;
        spec.effects = vec![Effect::Shows];
        spec.group = Group::Animation;
        spec.asked_by = vec!["panel".to_owned()];
        Ok(Self { spec })
    }
}

#[async_trait]
impl Tool for Panel {
    fn spec(&self) -> &ToolDefinition {
        &self.spec
    }

    async fn run(&self, invocation: Invocation) -> Result<ToolOutput, ToolError> {
        let wanted = invocation.arguments.get("panel").and_then(Value::as_str).unwrap_or_default();
        let wanted = wanted.trim().to_lowercase();
        let Some(panel) = PANELS.iter().find(|known| **known == wanted) else {
            return Err(ToolError::Impossible(format!(
                "There is no panel “{}”. There are: {}.",
                wanted.chars().take(40).collect::<String>(),
                PANELS.join(", ")
            )));
        };
        let open = invocation.arguments.get("open").and_then(Value::as_bool).unwrap_or(true);
        let says = format!("The panel {panel} is {}.", if open { "open" } else { "closed" });
        Ok(command("panel", json!({"panel": panel, "open": open}), says))
    }
}
