//! Tells an MCP client about events during its call, as progress notifications and log messages.

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
pub enum Meanwhile {
    /// The companion waits for a confirmation by the user.
    WaitsForAYes,
}

/// The channel on which the server side reports events.
pub type Telling = UnboundedSender<Meanwhile>;

/// The lowest log level that a session wants to receive.
pub struct Threshold(Mutex<LoggingLevel>);

/// The connection to the client of one call.
pub struct Listener<'a> {
    peer: &'a Peer<RoleServer>,
    token: Option<ProgressToken>,
    /// `None` if no log level was set for the session: later protocol revisions have none.
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

    /// Forwards events until the answer is ready.
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

    /// Forwards an event. Errors are ignored, since the client should still get its answer.
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
