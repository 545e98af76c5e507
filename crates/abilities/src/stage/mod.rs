//! The companion's appearance: avatar, animations, backgrounds, and panels.
//!
//! The [`Wardrobe`] knows the built-in and the user's assets. The tools query it and show nothing themselves: each
//! returns a command, which the client that follows the turn applies to the avatar.

mod animations;
mod backgrounds;
mod express;
mod files;
mod panel;
mod wardrobe;

use std::sync::Arc;

use protocol::Command;
use serde_json::Value;
use tools::{Output, Tool, tool};

pub use express::read as read_expression;
pub use files::{AssetError, Served};
pub use wardrobe::{ChoiceError, Keep, OWN_COLOURS, Own, SKIES, Wardrobe};

/// Returns the tools that control the appearance.
pub fn tools(wardrobe: &Arc<Wardrobe>) -> Result<Vec<Arc<dyn Tool>>, String> {
    Ok(vec![
        Arc::new(tool(animations::GetAnimations(Arc::clone(wardrobe)))?),
        Arc::new(tool(animations::PlayAnimation(Arc::clone(wardrobe)))?),
        Arc::new(tool(backgrounds::GetBackgrounds(Arc::clone(wardrobe)))?),
        Arc::new(tool(backgrounds::SetBackground(Arc::clone(wardrobe)))?),
        Arc::new(express::Express::new()?),
        Arc::new(panel::Panel::new()?),
    ])
}

fn shown(action: &str, payload: Value, says: String) -> Output {
    let command = Command { action: action.to_owned(), payload };
    Output { text: says, command: Some(command), ..Output::default() }
}

#[cfg(test)]
mod stage_tests;
