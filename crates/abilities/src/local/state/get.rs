use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Effect, Group, Invocation, ToolError, ToolOutput};

use super::values::{StoredValue, StoredValues, in_words};

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// A short name such as `last_walk`.
    key: String,
}

/// The `state_get` tool.
pub struct StateGet(pub Arc<StoredValues>);

#[async_trait]
impl Ability for StateGet {
    type Arguments = Arguments;
    const NAME: &'static str = "state_get";
    const ABOUT: &'static str = "Tells a value that was kept.";
    const ASKED_BY: &'static [&'static str] = &["value of", "stored value", "kept value", "counter"];
    const GROUP: Group = Group::State;
    const EFFECTS: &'static [Effect] = &[Effect::ReadsPrivate];

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let StoredValue { value, origins } = self.0.get(&arguments.key, invocation).await?;
        Ok(ToolOutput { origins, ..ToolOutput::text(in_words(&value)) })
    }
}
