use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Effect, Group, Invocation, Output, ToolError};

use super::name::MemoryName;
use super::shelf::Shelf;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {}

/// `memory_list`
pub struct MemoryList(pub Arc<Shelf>);

#[async_trait]
impl Ability for MemoryList {
    type Arguments = Arguments;
    const NAME: &'static str = "memory_list";
    const ABOUT: &'static str = "Lists the memory files.";
    const GROUP: Group = Group::MemoryReading;
    const EFFECTS: &'static [Effect] = &[Effect::ReadsPrivate];

    async fn run(&self, _: Arguments, invocation: &Invocation) -> Result<Output, ToolError> {
        self.0
            .open(&invocation.folder, |memories| {
                let names = memories.names()?;
                if names.is_empty() {
                    return Ok(Output::text("There are no memories yet. memory_create makes one."));
                }
                Ok(Output::text(names.iter().map(MemoryName::as_str).collect::<Vec<_>>().join("\n")))
            })
            .await
    }
}
