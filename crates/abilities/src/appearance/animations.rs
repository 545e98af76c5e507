use std::sync::Arc;

use async_trait::async_trait;
use avatar::AvatarAssets;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tools::{Ability, Effect, Group, Invocation, ToolError, ToolOutput};

use super::command::command;

#[derive(Debug, Deserialize, JsonSchema)]
pub struct NoArguments {}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Arguments {
    /// `wave`, `nod`, `laugh`, `think`, or another one of `get_animations`.
    name: String,
}

/// The `get_animations` tool.
pub struct GetAnimations(pub Arc<AvatarAssets>);

#[async_trait]
impl Ability for GetAnimations {
    type Arguments = NoArguments;
    const NAME: &'static str = "get_animations";
    const ABOUT: &'static str = "Lists the animations that your body can play.";
    const ASKED_BY: &'static [&'static str] = &["animations", "which animations"];
    const GROUP: Group = Group::Animation;

    async fn run(&self, _: NoArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        Ok(ToolOutput::text(names(&self.0)))
    }
}

/// The `play_animation` tool.
pub struct PlayAnimation(pub Arc<AvatarAssets>);

#[async_trait]
impl Ability for PlayAnimation {
    type Arguments = Arguments;
    const NAME: &'static str = "play_animation";
    const ABOUT: &'static str = "Has your body play an animation, such as wave or nod.";
    const ASKED_BY: &'static [&'static str] = &["animation", "wave", "nod", "dance", "bow"];
    const GROUP: Group = Group::Animation;
    const EFFECTS: &'static [Effect] = &[Effect::Shows];
    const TAGS: &'static [&'static str] = &["PLAY_ANIMATION", "ANIMATION"];

    async fn run(&self, Arguments { name }: Arguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let Some(found) = self.0.animation(&name) else {
            return Err(ToolError::Impossible(format!(
                "There is no animation “{}”. There are: {}.",
                name.chars().take(60).collect::<String>(),
                names(&self.0)
            )));
        };
        let says = format!("{} is played.", tools::capital(&found.name));
        Ok(command(Self::NAME, json!({"name": found.name}), says))
    }
}

fn names(assets: &AvatarAssets) -> String {
    assets.animations().into_iter().map(|animation| animation.name).collect::<Vec<_>>().join(", ")
}
