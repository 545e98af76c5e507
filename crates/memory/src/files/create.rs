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

/// The tool `memory_create`.
pub struct MemoryCreate(pub Arc<MemoryFiles>);

#[async_trait]
impl Ability for MemoryCreate {
    type Arguments = Arguments;
    const NAME: &'static str = "memory_create";
    const ABOUT: &'static str = "Writes a memory file that is not there yet, in Markdown.";
    const ASKED_BY: &'static [&'static str] = &[
        "write down",
        "note down",
        "make a note",
        "take a note",
        "save a note",
        "write a note",
        "memory file",
    ];
    const GROUP: Group = Group::Memory;
    const EFFECTS: &'static [Effect] = &[Effect::Changes];

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let Arguments { filename, content } = arguments;
        self.0.write(invocation, false, move |files| files.create(&filename, &content)).await
    }
}
