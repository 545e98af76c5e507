use async_trait::async_trait;
use protocol::VectorEntry;
use schemars::JsonSchema;
use serde::Deserialize;
use tools::blocking::failed;
use tools::{Ability, Effect, Group, Invocation, ToolError, ToolOutput};

use crate::{Memory, Recipient};

/// The maximum number of entries in one answer.
const SHOWN: u32 = 100;
const LINE_CHARS: usize = 100;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {}

/// The tool `vector_list`.
pub struct VectorList(pub Memory);

#[async_trait]
impl Ability for VectorList {
    type Arguments = Arguments;
    const NAME: &'static str = "vector_list";
    const ABOUT: &'static str = "Lists the saved entries.";
    const ASKED_BY: &'static [&'static str] = &["saved entries", "my entries"];
    const GROUP: Group = Group::VectorSearch;
    const EFFECTS: &'static [Effect] = &[Effect::ReadsPrivate];

    async fn run(&self, _: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let list = self.0.entry_list(invocation.user, Recipient::Person, SHOWN, 0).await.map_err(failed)?;
        if list.entries.is_empty() {
            return Ok(ToolOutput::text("Nothing is saved yet. vector_save saves something."));
        }
        let line = |entry: &VectorEntry| {
            let text: String = entry.content.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{}: {}", entry.id, text.chars().take(LINE_CHARS).collect::<String>())
        };
        let mut lines: Vec<String> = list.entries.iter().map(line).collect();
        let more = list.total.saturating_sub(SHOWN);
        if more > 0 {
            lines.push(format!("[{more} more are not shown; vector_search finds them]"));
        }
        let origins = list.entries.into_iter().flat_map(|entry| entry.origins).collect();
        Ok(ToolOutput { origins, ..ToolOutput::text(lines.join("\n")) })
    }
}
