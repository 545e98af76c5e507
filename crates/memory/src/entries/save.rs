use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use store::NewEntry;
use tools::blocking::failed;
use tools::{Ability, Effect, Group, Invocation, ToolError, ToolOutput};

use crate::{Author, Memory};

/// The maximum size of an entry, in bytes.
const LONGEST: usize = 16 * 1024;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// A short name. What was saved under it is replaced.
    id: String,
    content: String,
    /// Anything to be kept with it.
    metadata: Option<Map<String, Value>>,
}

/// The tool `vector_save`.
pub struct VectorSave(pub Memory);

#[async_trait]
impl Ability for VectorSave {
    type Arguments = Arguments;
    const NAME: &'static str = "vector_save";
    const ABOUT: &'static str = "Saves a text under an id, to be found again by its meaning.";
    const ASKED_BY: &'static [&'static str] = &["save an entry", "save this entry", "saved entry"];
    const GROUP: Group = Group::VectorSearch;
    const EFFECTS: &'static [Effect] = &[Effect::Changes];

    async fn run(&self, arguments: Arguments, invocation: &Invocation) -> Result<ToolOutput, ToolError> {
        let Arguments { id, content, metadata } = arguments;
        if content.trim().is_empty() {
            return Err(ToolError::Impossible("There is nothing to save: content is empty.".into()));
        }
        if content.len() > LONGEST {
            let most = LONGEST / 1024;
            return Err(ToolError::Impossible(format!("An entry holds at most {most} KB. Divide it.")));
        }
        let new = NewEntry {
            name: Some(id),
            content,
            metadata,
            origins: invocation.origins.clone(),
            created_at: None,
            author: None,
        };
        let entry = self.0.save_entry(invocation.user, &Author::Person, new).await.map_err(failed)?;
        Ok(ToolOutput::text(format!("{} is saved.", entry.id)))
    }
}
