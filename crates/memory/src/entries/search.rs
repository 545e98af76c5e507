use async_trait::async_trait;
use protocol::MemoryItem;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::blocking::failed;
use tools::{Ability, Effect, Group, Invocation, ToolError, ToolOutput};

use crate::{Memory, Recipient};

const USUAL: usize = 5;
const MOST: usize = 20;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// What it is about, in any words.
    query: String,
    /// How many, at most 20.
    n: Option<usize>,
}

/// The tool `vector_search`.
pub struct VectorSearch(pub Memory);

#[async_trait]
impl Ability for VectorSearch {
    type Arguments = Arguments;
    const NAME: &'static str = "vector_search";
    const ABOUT: &'static str = "Finds saved entries by their meaning.";
    const ASKED_BY: &'static [&'static str] = &["saved entries", "search my entries", "find an entry"];
    const GROUP: Group = Group::VectorSearch;
    const EFFECTS: &'static [Effect] = &[Effect::ReadsPrivate];

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let most = arguments.n.unwrap_or(USUAL).clamp(1, MOST);
        let found = self
            .0
            .search_entries(invocation.user, Recipient::Person, &arguments.query, most)
            .await
            .map_err(failed)?;
        if found.is_empty() {
            return Ok(ToolOutput::text("Nothing is saved that comes near it."));
        }
        let line = |item: &MemoryItem| format!("{}: {}", item.id, item.text);
        let text = found.iter().map(line).collect::<Vec<_>>().join("\n\n");
        let origins = found.into_iter().flat_map(|item| item.origins).collect();
        Ok(ToolOutput { origins, ..ToolOutput::text(text) })
    }
}
