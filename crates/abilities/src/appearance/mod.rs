//! Tools that control the companion's appearance: expression, animations, background and panels.
//!
//! They show nothing themselves: each returns a command, which the client that follows the turn applies to the avatar.

mod animations;
mod backgrounds;
mod command;
mod express;
mod panel;

use std::sync::Arc;

use avatar::AvatarAssets;
use tools::{Tool, tool};

pub use express::read_expression;

/// Returns the tools that control the appearance.
pub fn tools(assets: &Arc<AvatarAssets>) -> Result<Vec<Arc<dyn Tool>>, String> {
    Ok(vec![
        Arc::new(tool(animations::GetAnimations(Arc::clone(assets)))?),
        Arc::new(tool(animations::PlayAnimation(Arc::clone(assets)))?),
        Arc::new(tool(backgrounds::GetBackgrounds(Arc::clone(assets)))?),
        Arc::new(tool(backgrounds::SetBackground(Arc::clone(assets)))?),
        Arc::new(express::Express::new()?),
        Arc::new(panel::Panel::new()?),
    ])
}

#[cfg(test)]
mod appearance_tests;
