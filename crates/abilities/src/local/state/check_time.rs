use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Effect, Group, Invocation, ToolError, ToolOutput};

use super::super::words::ago;
use super::values::{StoredValue, StoredValues, in_words};

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// A short name such as `last_walk`.
    key: String,
}

/// The `state_check_time` tool.
pub struct StateCheckTime(pub Arc<StoredValues>);

#[async_trait]
impl Ability for StateCheckTime {
    type Arguments = Arguments;
    const NAME: &'static str = "state_check_time";
    const ABOUT: &'static str = "Tells how long ago a time was that was kept, such as one stored with now.";
    const ASKED_BY: &'static [&'static str] = &["how long ago", "how long since", "how long is it since"];
    const GROUP: Group = Group::State;
    const EFFECTS: &'static [Effect] = &[Effect::ReadsPrivate];

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let StoredValue { value, origins } = self.0.get(&arguments.key, invocation).await?;
        let key = arguments.key.trim();
        let then = self.0.moment(&value).ok_or_else(|| {
            // Without the value: errors carry no origins, and the value may be untrusted content.
            ToolError::Impossible(format!("What is kept as {key} is not a time. state_get tells what it is."))
        })?;
        let text = format!("{key} was {} ({}).", ago(then, self.0.now()), in_words(&value));
        Ok(ToolOutput { origins, ..ToolOutput::text(text) })
    }
}
