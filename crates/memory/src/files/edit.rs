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
    /// The whole text, in Markdown.
    content: String,
}

/// The tool `memory_edit`.
pub struct MemoryEdit(pub Arc<MemoryFiles>);

#[async_trait]
impl Ability for MemoryEdit {
    type Arguments = Arguments;
    const NAME: &'static str = "memory_edit";
    const ABOUT: &'static str = "Replaces the whole of a memory file.";
    const ASKED_BY: &'static [&'static str] =
        &["edit the note", "change the note", "rewrite the note", "edit the memory file", "update the note"];
    const GROUP: Group = Group::Memory;
    const EFFECTS: &'static [Effect] = &[Effect::Changes];

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let Arguments { filename, content } = arguments;
        self.0.write(invocation, false, move |files| files.edit(&filename, &content)).await
    }
}
