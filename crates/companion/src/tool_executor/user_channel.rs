//! The channel from a running tool to the user for whom it runs.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use protocol::{AuditDecision, AuditEntry, Confirmation, Event, Risk, ToolStatus, UserId};
use serde_json::{Map, Value, json};
use tools::{Invocation, UserChannel, UserQuestion};

use super::ToolExecutor;
use super::checked_call::CheckedCall;
use super::permission::{ConfirmationOutcome, request_confirmation};
use crate::confirmations::ConfirmationAnswer;
use crate::services::Services;
use crate::turn_log::TurnLog;

/// The output in bytes that one call may show while it runs. Every piece is kept with the turn for a day.
const MOST_SHOWN: usize = 64 * 1024;

struct CallUserChannel {
    services: Arc<Services>,
    log: Arc<TurnLog>,
    user: UserId,
    waiting: Event,
    running: Event,
    call: String,
    tool: String,
    risk: Risk,
    shown: AtomicUsize,
    /// Allows one question of a call at a time.
    asking: tokio::sync::Mutex<()>,
    asked: AtomicUsize,
}

impl ToolExecutor<'_> {
    /// Returns the invocation of a call, with a channel to the user.
    pub(super) fn invocation(&self, checked: &CheckedCall) -> Invocation {
        Invocation {
            arguments: checked.arguments.clone(),
            user: self.user.id,
            folder: Arc::clone(&self.folder),
            conversation: self.log.conversation,
            origins: self.taint.origins().to_vec(),
            cancel: self.log.cancelled().clone(),
            user_channel: Arc::new(CallUserChannel::new(self, checked)),
        }
    }
}

impl CallUserChannel {
    fn new(executor: &ToolExecutor<'_>, checked: &CheckedCall) -> Self {
        let spec = checked.tool.spec();
        Self {
            services: Arc::clone(executor.services),
            log: Arc::clone(executor.log),
            user: executor.user.id,
            waiting: checked.event(ToolStatus::Waiting),
            running: checked.event(ToolStatus::Running),
            call: checked.id.clone(),
            tool: spec.name.clone(),
            risk: spec.risk,
            shown: AtomicUsize::new(0),
            asking: tokio::sync::Mutex::new(()),
            asked: AtomicUsize::new(0),
        }
    }

    /// Writes a question of a tool and its outcome into the audit log. The values that the user filled in are left out,
    /// because they are private.
    async fn audit(&self, asked: &str, outcome: &ConfirmationOutcome) {
        let (decision, result) = match outcome {
            ConfirmationOutcome::Answered(ConfirmationAnswer::Yes { .. }) => {
                (AuditDecision::Approved, "The user said yes.")
            }
            ConfirmationOutcome::Answered(ConfirmationAnswer::No) => {
                (AuditDecision::Denied, "The user said no.")
            }
            ConfirmationOutcome::TimedOut => (AuditDecision::TimedOut, "The user did not answer."),
            ConfirmationOutcome::Stopped => {
                (AuditDecision::Stopped, "It was stopped before the user answered.")
            }
        };
        let is_incognito = store::is_incognito(self.log.conversation);
        let entry = AuditEntry {
            at: self.services.clock.now().to_string(),
            user: self.user,
            conversation_id: Some(self.log.conversation).filter(|_| !is_incognito),
            tool: self.tool.clone(),
            args: if is_incognito { Value::Null } else { json!({"asked": asked}) },
            result: result.to_owned(),
            risk: self.risk,
            decision,
            why: Some("It asked in the midst of its work.".to_owned()).filter(|_| !is_incognito),
        };
        let tools = Arc::clone(&self.services.tools);
        let written = tokio::task::spawn_blocking(move || tools.audit().note(entry)).await;
        if let Ok(Err(error)) = written {
            tracing::error!("the audit log cannot be written: {error}");
        }
    }
}

impl fmt::Debug for CallUserChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallUserChannel").field("call", &self.call).finish_non_exhaustive()
    }
}

#[async_trait]
impl UserChannel for CallUserChannel {
    fn show(&self, piece: &str) {
        if piece.is_empty() || self.shown.fetch_add(piece.len(), Ordering::Relaxed) > MOST_SHOWN {
            return;
        }
        self.log.push(Event::ToolOutput { id: self.call.clone(), text: piece.to_owned() });
    }

    async fn ask(&self, question: UserQuestion) -> Option<Map<String, Value>> {
        let UserQuestion { text, why, form } = question;
        // Each question has its own id, so that a confirmation that is sent twice does not answer the next question of
        // the same call.
        let number = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let asked = text.clone();
        let confirmation = Confirmation {
            id: format!("{}.{number}", self.call),
            tool: self.tool.clone(),
            description: text,
            args: Value::Object(Map::new()),
            risk: self.risk,
            why,
            // The question comes from the tool, which is untrusted, so nothing is granted permanently.
            tainted: true,
            every_time: true,
            until: String::new(),
            form,
            rule: None,
        };
        let _turn = self.asking.lock().await;
        self.log.push(self.waiting.clone());
        let outcome = request_confirmation(&self.services, &self.log, self.user, confirmation).await;
        self.log.push(self.running.clone());
        self.audit(&asked, &outcome).await;
        match outcome {
            ConfirmationOutcome::Answered(ConfirmationAnswer::Yes { filled, .. }) => Some(filled),
            ConfirmationOutcome::Answered(ConfirmationAnswer::No)
            | ConfirmationOutcome::TimedOut
            | ConfirmationOutcome::Stopped => None,
        }
    }
}
