//! What a model reads: the fixed beginning of a prompt, the tools, and the branch of a conversation, under a budget.
//!
//! A prompt only grows at its end, so that the model's cache of its beginning stays valid. Start with
//! [`PromptBuilder`].

mod assembly;
mod branch;
mod budget;
mod builder;
pub mod compaction;
pub mod memory_block;
pub mod private_facts;
mod request_tools;
mod system_prompt;
pub mod text;
mod tool_format;
mod tool_matching;
pub mod tool_offer;

pub use self::assembly::{PLAN, append, assemble, messages_to_summarise, round_messages};
pub use self::branch::{Branch, origins};
pub use self::budget::{TokenBudget, most_rounds, stop_texts};
pub use self::builder::{MessageExtras, PromptBuilder, PromptPrefix};
pub use self::request_tools::RequestTools;
pub use self::system_prompt::{PrefixParts, SystemPrompt};
pub use self::tool_format::ToolFormat;

#[cfg(test)]
#[path = "prompt_tests.rs"]
mod tests;
