//! The text that a model reads: the fixed beginning of a prompt, the tools, and the branch of a conversation, under a budget.
//!
//! A prompt only grows at its end, so that the model's cache of its beginning stays valid:
//!
//! - The system prompt holds the soul files, how tools are called if the model needs that in words, the names of the
//!   skills, and the date. It stays the same for an *epoch* of the conversation.
//! - Each message of the user follows a context of its own: time, memories, attachments, plan. It is stored when it is
//!   first sent, and does not change afterwards.
//! - Answers are repeated as the model wrote them, round by round, with its calls and their results. Thoughts are left
//!   out, and a result is cut to the free room once and stays so. What the user sees of an answer is stored separately.
//! - When the branch fills most of the budget (`chat.summarise_at`), its older part becomes a summary. That begins a
//!   new epoch, as does a change of the soul or of the tools in the system prompt. It happens after the answer, and the
//!   new prompt is evaluated ahead of time.
//!
//! The length of the system prompt is limited by how fast this machine evaluates prompts ([`TokenBudget`]). A model
//! that gets no tools there, because it is small or the machine slow, is shown those that a message calls for, in the
//! context of that message ([`RequestTools`]).
//!
//! Start with [`PromptBuilder`].

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
