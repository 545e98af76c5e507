use protocol::{AuditDecision, Origin, Risk, ToolStatus};
use serde_json::Value;
use store::RoundResult;
use tools::ToolOutput;

use super::checked_call::CheckedCall;
use crate::requested_call::RequestedCall;

/// The result of a call that was made too often.
pub const REPEATED: &str = "This very call was made three times. Use what it told you, or do something else.";
/// The result of a call that would store something of an incognito conversation.
pub const INCOGNITO: &str = "This conversation is incognito: nothing of it is written down.";
/// The longest result, in characters, that the user can read at a glance.
const MOST_READABLE: usize = 600;
const MISUNDERSTOOD: &str =
    "I tried, but did not get it right. Say it in other words, or choose a larger model under Models.";

/// The outcome of a call.
#[derive(Debug, Clone)]
pub struct CallOutcome {
    /// The result as the model reads it.
    pub told: RoundResult,
    pub status: ToolStatus,
    /// True if the call succeeded and its whole result is on the screen.
    pub is_on_screen: bool,
    pub had_wrong_arguments: bool,
    /// The origins of untrusted content in the result.
    pub origins: Vec<Origin>,
    /// The skill that the call began to follow.
    pub skill: Option<String>,
}

impl CallOutcome {
    /// Creates the outcome of a call that was left out.
    pub fn not_made(call: RequestedCall, text: String) -> Self {
        Self {
            told: RoundResult { call: call.id, name: call.name, text },
            status: ToolStatus::Blocked,
            is_on_screen: false,
            had_wrong_arguments: false,
            origins: Vec::new(),
            skill: None,
        }
    }

    /// Returns true if the call was refused because it had been made too often.
    pub fn is_repeated(&self) -> bool {
        self.told.text == REPEATED
    }

    /// Returns true if the call had no effect: it was refused or it failed.
    pub fn is_failed(&self) -> bool {
        self.is_refused() || self.status == ToolStatus::Failed
    }

    /// Returns true if the user or the permission check refused the call.
    pub fn is_refused(&self) -> bool {
        matches!(self.status, ToolStatus::Denied | ToolStatus::Blocked)
    }

    /// Returns true if the user can read the result as it stands: it is short and holds no untrusted content.
    pub fn is_readable(&self) -> bool {
        self.is_refused() || self.origins.is_empty() && self.told.text.chars().count() <= MOST_READABLE
    }

    /// Returns the reply to the user for turns in which no model formulates one.
    pub fn in_words(&self) -> String {
        match self.status {
            ToolStatus::Denied => "All right, I did not do it.".to_owned(),
            ToolStatus::Blocked if self.told.text == INCOGNITO => INCOGNITO.to_owned(),
            ToolStatus::Blocked => "I may not do that. Look at Tools to permit it.".to_owned(),
            _ if self.had_wrong_arguments => MISUNDERSTOOD.to_owned(),
            _ => self.told.text.clone(),
        }
    }
}

/// The end of a call, to be stored and reported.
pub struct CallEnd {
    pub name: String,
    pub args: Value,
    pub risk: Risk,
    pub status: ToolStatus,
    pub had_wrong_arguments: bool,
    pub output: ToolOutput,
    pub ms: Option<u32>,
    pub decision: AuditDecision,
    pub why: Option<String>,
}

impl CallEnd {
    /// Creates the end of a call whose tool ran.
    pub fn after_run(checked: &CheckedCall, status: ToolStatus, output: ToolOutput) -> Self {
        let spec = checked.tool.spec();
        Self {
            name: spec.name.clone(),
            args: Value::Object(checked.arguments.clone()),
            risk: spec.risk,
            status,
            had_wrong_arguments: false,
            output,
            ms: None,
            decision: AuditDecision::Allowed,
            why: None,
        }
    }
}
