//! The result of the check of a call.

use std::sync::Arc;

use protocol::{AuditDecision, Event, ToolStatus};
use serde_json::{Map, Value};
use tools::Tool;

/// A checked call that is ready to run.
pub struct CheckedCall {
    pub id: String,
    pub at: u32,
    pub tool: Arc<dyn Tool>,
    pub arguments: Map<String, Value>,
}

impl CheckedCall {
    pub fn event(&self, status: ToolStatus) -> Event {
        Event::Tool {
            id: self.id.clone(),
            name: self.tool.spec().name.clone(),
            args: Value::Object(self.arguments.clone()),
            status,
            result: None,
            ms: None,
            at: Some(self.at),
        }
    }
}

/// The reason why a call does not run.
pub struct CallRefusal {
    pub status: ToolStatus,
    pub decision: AuditDecision,
    pub text: String,
    pub why: Option<String>,
}
