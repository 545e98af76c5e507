use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Effect, Group, Invocation, ToolError, ToolOutput};

use super::memory_files::MemoryFiles;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// A bare name such as `people.md`.
    filename: String,
}

/// The tool `memory_delete`.
pub struct MemoryDelete(pub Arc<MemoryFiles>);

#[async_trait]
impl Ability for MemoryDelete {
    type Arguments = Arguments;
    const NAME: &'static str = "memory_delete";
    const ABOUT: &'static str = "Deletes a memory file. Its history is kept.";
    const ASKED_BY: &'static [&'static str] =
        &["delete the note", "remove the note", "delete the memory file"];
    const GROUP: Group = Group::Memory;
    const EFFECTS: &'static [Effect] = &[Effect::Changes];

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        self.0.write(invocation, false, move |files| files.delete(&arguments.filename)).await
    }
}
