//! Events during a call of another agent, which are sent to it as progress notifications and log messages.

// Logging is deprecated in the protocol, but current clients set its level.
#![expect(deprecated)]

use std::sync::{Mutex, PoisonError};

use rmcp::Peer;
use rmcp::model::{LoggingLevel, LoggingMessageNotificationParam, ProgressNotificationParam, ProgressToken};
use rmcp::service::{RequestContext, RoleServer};
use serde_json::Value;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

/// An event reported to the client during a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallEvent {
    /// The companion waits for a confirmation by the user.
    WaitsForConfirmation,
}

/// Sends the events of a call to its client.
pub type CallEventSender = UnboundedSender<CallEvent>;

/// The lowest log level that a session wants to receive.
pub struct LogThreshold(Mutex<LoggingLevel>);

/// Forwards the events of one call to its client.
pub struct CallEventForwarder<'a> {
    peer: &'a Peer<RoleServer>,
    token: Option<ProgressToken>,
    /// `None` if no log level was set for the session: later protocol revisions have none.
    threshold: Option<&'a LogThreshold>,
    events: UnboundedReceiver<CallEvent>,
}

impl CallEvent {
    fn words(self) -> &'static str {
        match self {
            Self::WaitsForConfirmation => "Luna waits for the user to say yes or no.",
        }
    }

    fn level(self) -> LoggingLevel {
        match self {
            Self::WaitsForConfirmation => LoggingLevel::Notice,
        }
    }
}

impl Default for LogThreshold {
    fn default() -> Self {
        Self(Mutex::new(LoggingLevel::Debug))
    }
}

impl LogThreshold {
    pub fn set(&self, level: LoggingLevel) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = level;
    }

    pub fn admits(&self, level: LoggingLevel) -> bool {
        level as u8 >= *self.0.lock().unwrap_or_else(PoisonError::into_inner) as u8
    }
}

impl<'a> CallEventForwarder<'a> {
    pub fn of(
        context: &'a RequestContext<RoleServer>,
        threshold: &'a LogThreshold,
    ) -> (CallEventSender, Self) {
        let (sender, events) = mpsc::unbounded_channel();
        let token = context.meta.get_progress_token();
        let threshold = context.meta.protocol_version().is_none().then_some(threshold);
        (sender, Self { peer: &context.peer, token, threshold, events })
    }

    /// Forwards events until the answer is ready, and returns it.
    pub async fn run<T>(mut self, answer: impl Future<Output = T>) -> T {
        let mut answer = Box::pin(answer);
        let mut count = 0.0;
        loop {
            tokio::select! {
                Some(event) = self.events.recv() => {
                    count += 1.0;
                    self.forward(event, count).await;
                }
                answer = &mut answer => return answer,
            }
        }
    }

    /// Forwards an event. Errors are ignored, since the client should still get its answer.
    async fn forward(&self, event: CallEvent, count: f64) {
        if let Some(token) = self.token.clone() {
            let progress = ProgressNotificationParam::new(token, count).with_message(event.words());
            drop(self.peer.notify_progress(progress).await);
        }
        if self.threshold.is_some_and(|threshold| threshold.admits(event.level())) {
            let line = LoggingMessageNotificationParam::new(event.level(), Value::from(event.words()));
            drop(self.peer.notify_logging_message(line).await);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_hears_what_is_grave_enough() {
        let threshold = LogThreshold::default();
        assert!(threshold.admits(LoggingLevel::Debug));
        threshold.set(LoggingLevel::Notice);
        assert!(!threshold.admits(LoggingLevel::Info));
        assert!(threshold.admits(LoggingLevel::Notice) && threshold.admits(LoggingLevel::Emergency));
    }
}
