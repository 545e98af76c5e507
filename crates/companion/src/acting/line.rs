//! The channel from a running tool to the user for whom it runs.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use protocol::{AuditDecision, AuditEntry, Confirmation, Event, Risk, ToolStatus, UserId};
use serde_json::{Map, Value, json};
use tools::{Contact, Question};

use super::asking::{Heard, put};
use super::{Acting, Ready};
use crate::companion::Inner;
use crate::confirmations::Answer;
use crate::turns::TurnLog;

/// The output in bytes that one call may show while it runs. Every piece is kept with the turn for a day.
const MOST_SHOWN: usize = 64 * 1024;

pub(super) struct Line {
    inner: Arc<Inner>,
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

impl Line {
    pub fn new(acting: &Acting<'_>, ready: &Ready) -> Self {
        let spec = ready.tool.spec();
        Self {
            inner: Arc::clone(acting.inner),
            log: Arc::clone(acting.log),
            user: acting.user.id,
            waiting: ready.event(ToolStatus::Waiting),
            running: ready.event(ToolStatus::Running),
            call: ready.id.clone(),
            tool: spec.name.clone(),
            risk: spec.risk,
            shown: AtomicUsize::new(0),
            asking: tokio::sync::Mutex::new(()),
            asked: AtomicUsize::new(0),
        }
    }
}

impl Line {
    /// Writes a question of a tool and its outcome into the audit log. The values that the user filled in are left out,
    /// because they are private.
    async fn note(&self, asked: &str, heard: &Heard) {
        let (decision, result) = match heard {
            Heard::Answer(Answer::Yes { .. }) => (AuditDecision::Approved, "The user said yes."),
            Heard::Answer(Answer::No) => (AuditDecision::Denied, "The user said no."),
            Heard::Nothing => (AuditDecision::TimedOut, "The user did not answer."),
            Heard::Stop => (AuditDecision::Stopped, "It was stopped before the user answered."),
        };
        let passing = store::is_passing(self.log.conversation);
        let entry = AuditEntry {
            at: self.inner.clock.now().to_string(),
            user: self.user,
            conversation_id: Some(self.log.conversation).filter(|_| !passing),
            tool: self.tool.clone(),
            args: if passing { Value::Null } else { json!({"asked": asked}) },
            result: result.to_owned(),
            risk: self.risk,
            decision,
            why: Some("It asked in the midst of its work.".to_owned()).filter(|_| !passing),
        };
        let hands = Arc::clone(&self.inner.hands);
        let noted = tokio::task::spawn_blocking(move || hands.audit().note(entry)).await;
        if let Ok(Err(error)) = noted {
            tracing::error!("the audit log cannot be written: {error}");
        }
    }
}

impl fmt::Debug for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Line").field("call", &self.call).finish_non_exhaustive()
    }
}

#[async_trait]
impl Contact for Line {
    fn show(&self, piece: &str) {
        if piece.is_empty() || self.shown.fetch_add(piece.len(), Ordering::Relaxed) > MOST_SHOWN {
            return;
        }
        self.log.push(Event::ToolOutput { id: self.call.clone(), text: piece.to_owned() });
    }

    async fn ask(&self, question: Question) -> Option<Map<String, Value>> {
        let Question { text, why, form } = question;
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
        let heard = put(&self.inner, &self.log, self.user, confirmation).await;
        self.log.push(self.running.clone());
        self.note(&asked, &heard).await;
        match heard {
            Heard::Answer(Answer::Yes { filled, .. }) => Some(filled),
            Heard::Answer(Answer::No) | Heard::Nothing | Heard::Stop => None,
        }
    }
}
