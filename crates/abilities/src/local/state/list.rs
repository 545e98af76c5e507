use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Effect, Group, Invocation, ToolError, ToolOutput};

use super::values::{StoredValue, StoredValues, in_words};

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {}

/// `state_list`
pub struct StateList(pub Arc<StoredValues>);

#[async_trait]
impl Ability for StateList {
    type Arguments = Arguments;
    const NAME: &'static str = "state_list";
    const ABOUT: &'static str = "Lists all values that are kept.";
    const ASKED_BY: &'static [&'static str] = &["stored values", "kept values", "all values"];
    const GROUP: Group = Group::State;
    const EFFECTS: &'static [Effect] = &[Effect::ReadsPrivate];

    async fn run(&self, _: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let StoredValue { value: all, origins } = self.0.all(invocation).await?;
        if all.is_empty() {
            return Ok(ToolOutput::text("Nothing is kept yet. state_set keeps a value."));
        }
        let lines: Vec<String> =
            all.iter().map(|(key, value)| format!("{key}: {}", in_words(value))).collect();
        Ok(ToolOutput { origins, ..ToolOutput::text(lines.join("\n")) })
    }
}
