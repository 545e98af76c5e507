use std::collections::BTreeSet;
use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::{Ability, Effect, Group, Invocation, ToolError, ToolOutput};

use super::memory_files::MemoryFiles;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {}

/// The tool `memory_list`.
pub struct MemoryList(pub Arc<MemoryFiles>);

#[async_trait]
impl Ability for MemoryList {
    type Arguments = Arguments;
    const NAME: &'static str = "memory_list";
    const ABOUT: &'static str = "Lists the memory files.";
    const ASKED_BY: &'static [&'static str] =
        &["memory files", "my notes", "your notes", "what notes", "which notes"];
    const GROUP: Group = Group::MemoryReading;
    const EFFECTS: &'static [Effect] = &[Effect::ReadsPrivate];

    async fn run(&self, _: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        // A name is words, too.
        let files = self.0.list(invocation.user, &invocation.folder).await?.files;
        if files.is_empty() {
            return Ok(ToolOutput::text("There are no memories yet. memory_create makes one."));
        }
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
        let text = names.join("\n");
        let origins = files.into_iter().flat_map(|file| file.origins).collect::<BTreeSet<_>>();
        Ok(ToolOutput { origins: origins.into_iter().collect(), ..ToolOutput::text(text) })
    }
}
