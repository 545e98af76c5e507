use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{ConversationId, UserId};

/// How much harm a tool can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Risk {
    Safe,
    /// It acts outside of the conversation.
    Risky,
    Dangerous,
}

/// Whether a tool may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Permission {
    Allow,
    /// The user is asked each time.
    Confirm,
    Block,
}

/// One act, or one that did not happen, as the audit log keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    pub at: String,
    pub user: UserId,
    pub conversation_id: Option<ConversationId>,
    pub tool: String,
    #[ts(type = "unknown")]
    pub args: Value,
    /// What came of it, or why nothing did; cut where it is long.
    pub result: String,
    pub risk: Risk,
    pub decision: AuditDecision,
    /// Why the user was asked, or why it was refused.
    pub why: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum AuditDecision {
    Allowed,
    /// The user said yes.
    Approved,
    /// The user said no.
    Denied,
    /// Nobody answered in time.
    TimedOut,
    Blocked,
    /// The arguments did not fit.
    Refused,
}

/// Newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditPage {
    pub entries: Vec<AuditEntry>,
    /// Give it back as `?cursor=` for older ones.
    pub next: Option<String>,
}
