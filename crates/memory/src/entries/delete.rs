use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use store::StoreError;
use tools::blocking::failed;
use tools::{Ability, CallPreview, Effect, Group, Invocation, ToolError, ToolOutput};

use crate::{Author, Memory, MemoryError, Recipient};

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    id: String,
}

const SHOWN: usize = 200;

/// The tool `vector_delete`.
pub struct VectorDelete(pub Memory);

#[async_trait]
impl Ability for VectorDelete {
    type Arguments = Arguments;
    const NAME: &'static str = "vector_delete";
    const ABOUT: &'static str = "Deletes a saved entry.";
    const ASKED_BY: &'static [&'static str] = &["delete the entry", "delete an entry"];
    const GROUP: Group = Group::VectorSearch;
    const RISK: protocol::Risk = protocol::Risk::Risky;
    const EFFECTS: &'static [Effect] = &[Effect::Changes];

    async fn preview(
        &self,
        arguments: Arguments,
        invocation: &Invocation,
    ) -> Result<Option<CallPreview>, ToolError> {
        let entry = self.0.entry(invocation.user, Recipient::Person, &arguments.id).await;
        Ok(entry.ok().map(|entry| {
            format!("Delete the saved entry {}: “{}”", entry.id, beginning(&entry.content)).into()
        }))
    }

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        match self.0.delete_entry(invocation.user, &Author::Person, &arguments.id).await {
            // The companion can save it again if the user changes their mind.
            Ok(entry) => Ok(ToolOutput {
                origins: entry.origins,
                ..ToolOutput::text(format!("{} is deleted. It said: {}", entry.id, entry.content))
            }),
            Err(MemoryError::Store(StoreError::NotFound(_))) => Err(ToolError::Impossible(
                "There is no entry of that id. vector_list shows those there are.".into(),
            )),
            Err(error) => Err(failed(error)),
        }
    }
}

fn beginning(text: &str) -> String {
    let cut: String = text.chars().take(SHOWN).collect();
    if cut.len() < text.len() { format!("{}…", cut.trim_end()) } else { cut }
}
