//! What an agent hears while its question is worked on: as progress of its call, and in its log.

// Logging is on its way out of the protocol, and clients of today set its level.
#![expect(deprecated)]

use std::sync::{Mutex, PoisonError};

use rmcp::Peer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ProgressToken};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

/// What she lets whoever asked know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meanwhile {
    /// She may not go on before her person has said yes or no.
    WaitsForAYes,
}

/// Where a hostess puts it.
pub type Telling = UnboundedSender<Meanwhile>;

/// From which level on a session wants to hear.
pub struct Threshold(Mutex<LoggingLevel>);

/// The way to one call's agent.
pub struct Listener<'a> {
    peer: &'a Peer<RoleServer>,
    token: Option<ProgressToken>,
    /// None where no level was agreed on: later revisions of the protocol know none for a session.
    threshold: Option<&'a Threshold>,
    heard: UnboundedReceiver<Meanwhile>,
}

impl Meanwhile {
    fn words(self) -> &'static str {
        match self {
            Self::WaitsForAYes => "Luna waits until her person says yes or no.",
        }
    }

    fn level(self) -> LoggingLevel {
        match self {
            Self::WaitsForAYes => LoggingLevel::Notice,
        }
    }
}

impl Default for Threshold {
    fn default() -> Self {
        Self(Mutex::new(LoggingLevel::Debug))
    }
}

impl Threshold {
    pub fn set(&self, level: LoggingLevel) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = level;
    }

    pub fn admits(&self, level: LoggingLevel) -> bool {
        level as u8 >= *self.0.lock().unwrap_or_else(PoisonError::into_inner) as u8
    }
}

impl<'a> Listener<'a> {
    pub fn of(context: &'a RequestContext<RoleServer>, threshold: &'a Threshold) -> (Telling, Self) {
        let (telling, heard) = mpsc::unbounded_channel();
        let token = context.meta.get_progress_token();
        let threshold = context.meta.protocol_version().is_none().then_some(threshold);
        (telling, Self { peer: &context.peer, token, threshold, heard })
    }

    /// Passes on what is told until the answer is there.
    pub async fn listen<T>(mut self, answer: impl Future<Output = T>) -> T {
        let mut answer = Box::pin(answer);
        let mut steps = 0.0;
        loop {
            tokio::select! {
                Some(told) = self.heard.recv() => {
                    steps += 1.0;
                    self.pass_on(told, steps).await;
                }
                answer = &mut answer => return answer,
            }
        }
    }

    /// An agent that has stopped listening still gets its answer.
    async fn pass_on(&self, told: Meanwhile, steps: f64) {
        if let Some(token) = self.token.clone() {
            let progress = ProgressNotificationParam::new(token, steps).with_message(told.words());
            drop(self.peer.notify_progress(progress).await);
        }
        if self.threshold.is_some_and(|threshold| threshold.admits(told.level())) {
            let line = LoggingMessageNotificationParam::new(told.level(), Value::from(told.words()));
            drop(self.peer.notify_logging_message(line).await);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_hears_what_is_grave_enough() {
        let threshold = Threshold::default();
        assert!(threshold.admits(LoggingLevel::Debug));
        threshold.set(LoggingLevel::Notice);
        assert!(!threshold.admits(LoggingLevel::Info));
        assert!(threshold.admits(LoggingLevel::Notice) && threshold.admits(LoggingLevel::Emergency));
    }
}
