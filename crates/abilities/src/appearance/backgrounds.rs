use std::sync::Arc;

use async_trait::async_trait;
use avatar::AvatarAssets;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tools::blocking::in_background;
use tools::{Ability, Effect, Group, Invocation, ToolError, ToolOutput};

use super::animations::NoArguments;
use super::command::command;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// `night`, `dusk`, a colour such as `#10142b`, or a picture of `get_backgrounds`.
    filename: String,
}

/// The `get_backgrounds` tool.
pub struct GetBackgrounds(pub Arc<AvatarAssets>);

#[async_trait]
impl Ability for GetBackgrounds {
    type Arguments = NoArguments;
    const NAME: &'static str = "get_backgrounds";
    const ABOUT: &'static str = "Lists what can stand behind you: skies, pictures and colours.";
    const ASKED_BY: &'static [&'static str] = &["backgrounds"];
    const GROUP: Group = Group::Animation;

    async fn run(&self, _: NoArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let list = self.0.backgrounds();
        let names: Vec<String> = list.backgrounds.into_iter().map(|known| known.filename).collect();
        Ok(ToolOutput::text(format!("{}. Now: {}.", names.join(", "), list.current)))
    }
}

/// The `set_background` tool.
pub struct SetBackground(pub Arc<AvatarAssets>);

#[async_trait]
impl Ability for SetBackground {
    type Arguments = Arguments;
    const NAME: &'static str = "set_background";
    const ABOUT: &'static str = "Changes what stands behind you.";
    const ASKED_BY: &'static [&'static str] = &["background", "behind you"];
    const GROUP: Group = Group::Animation;
    // The background is stored in the settings, which belong to the owner.
    const EFFECTS: &'static [Effect] = &[Effect::Shows, Effect::OwnersMachine];

    async fn run(&self, Arguments { filename }: Arguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let assets = Arc::clone(&self.0);
        let set = move || {
            assets.set_background(&filename).map_err(|error| ToolError::Impossible(error.to_string()))
        };
        let found = in_background(set).await?;
        let says = format!("The background is {found} now.");
        Ok(command(Self::NAME, json!({"filename": found}), says))
    }
}
