use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Effect, Group, Invocation, ToolError, ToolOutput};

use super::memory_files::MemoryFiles;
use tools::{LineRange, page};

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// A bare name such as `people.md`.
    filename: String,
    /// The line to begin with, where it is long.
    offset: Option<usize>,
}

/// The tool `memory_read`.
pub struct MemoryRead(pub Arc<MemoryFiles>);

#[async_trait]
impl Ability for MemoryRead {
    type Arguments = Arguments;
    const NAME: &'static str = "memory_read";
    const ABOUT: &'static str = "Reads a memory file.";
    const ASKED_BY: &'static [&'static str] =
        &["memory file", "my notes", "your notes", "the note", "my note"];
    const GROUP: Group = Group::MemoryReading;
    const EFFECTS: &'static [Effect] = &[Effect::ReadsPrivate];

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let read = self.0.open(&invocation.folder, move |files| {
            let name = files.find(&arguments.filename)?;
            let text = files.read(&name)?;
            let text = if text.trim().is_empty() {
                format!("{} is empty.", name.as_str())
            } else {
                page(&text, LineRange { offset: arguments.offset, limit: None })
            };
            Ok((name, text))
        });
        let (name, text) = read.await?;
        let origins = self.0.origins(invocation.user, name.as_str()).await?;
        Ok(ToolOutput { origins, ..ToolOutput::text(text) })
    }
}
