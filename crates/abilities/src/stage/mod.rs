//! How she appears: her body, her animations, what is behind her, and the panels around her.
//!
//! The [`Wardrobe`] knows what there is, of her own and of the user's files. The tools ask it, and show nothing
//! themselves: each hands on a command, which whoever watches the turn passes to her body.

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

/// The tools by which she shows herself.
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
