use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;
use tools::{Ability, Effect, Group, Invocation, ToolError, ToolOutput};

use super::values::StoredValues;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// A short name such as `last_walk`.
    key: String,
    /// Text, a number, or any JSON. `now` stores the time.
    value: Value,
}

/// The `state_set` tool.
pub struct StateSet(pub Arc<StoredValues>);

#[async_trait]
impl Ability for StateSet {
    type Arguments = Arguments;
    const NAME: &'static str = "state_set";
    const ABOUT: &'static str =
        "Keeps a value under a name, to be found again later. The value now stores the time.";
    const ASKED_BY: &'static [&'static str] =
        &["keep the value", "store the value", "save the value", "counter"];
    const GROUP: Group = Group::State;
    const EFFECTS: &'static [Effect] = &[Effect::Changes];

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let Arguments { key, value } = arguments;
        let value = match value.as_str() {
            Some("now") => Value::String(self.0.now_as_text()),
            _ => value,
        };
        self.0.set(&key, value.clone(), invocation).await?;
        Ok(ToolOutput::text(format!("{} is kept as {value}.", key.trim())))
    }
}
