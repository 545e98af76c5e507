use model::{ToolChoice, ToolSpec};
use protocol::FactId;

use crate::plan::TurnPlan;
use crate::prompt::{MessageExtras, PromptPrefix};

/// A prepared turn before its first round.
pub struct PreparedTurn {
    pub prefix: PromptPrefix,
    pub extras: MessageExtras,
    /// The tools that are shown with this one message.
    pub shown: Vec<ToolSpec>,
    /// Requires or allows a call at the beginning of the answer.
    pub tool_choice: ToolChoice,
    /// An instruction after the request that is not stored with it.
    pub closing: Option<String>,
    pub plan: Option<TurnPlan>,
    pub most_rounds: u32,
    /// True if there are tools to use.
    pub has_tools: bool,
    /// The facts of which the model is told that they have replaced others.
    pub replaced_facts: Vec<FactId>,
}

impl PreparedTurn {
    pub fn new(prefix: PromptPrefix, extras: MessageExtras, most_rounds: u32, has_tools: bool) -> Self {
        Self {
            prefix,
            extras,
            shown: Vec::new(),
            tool_choice: ToolChoice::Auto,
            closing: None,
            plan: None,
            most_rounds,
            has_tools,
            replaced_facts: Vec::new(),
        }
    }
}
