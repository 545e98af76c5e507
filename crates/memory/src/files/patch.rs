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
    /// The passage, exactly as it is there.
    old_string: String,
    new_string: String,
}

/// The tool `memory_patch`.
pub struct MemoryPatch(pub Arc<MemoryFiles>);

#[async_trait]
impl Ability for MemoryPatch {
    type Arguments = Arguments;
    const NAME: &'static str = "memory_patch";
    const ABOUT: &'static str = "Replaces one passage of a memory file, which must be there exactly once.";
    const ASKED_BY: &'static [&'static str] =
        &["edit the note", "change the note", "edit the memory file", "update the note"];
    const GROUP: Group = Group::Memory;
    const EFFECTS: &'static [Effect] = &[Effect::Changes];

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let Arguments { filename, old_string, new_string } = arguments;
        self.0.write(invocation, true, move |files| files.patch(&filename, &old_string, &new_string)).await
    }
}
