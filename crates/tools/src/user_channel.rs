use std::fmt::Debug;

use async_trait::async_trait;
use serde_json::{Map, Value};

/// The channel to the user while a tool runs for them.
#[async_trait]
pub trait UserChannel: Debug + Send + Sync {
    /// Shows partial output to the user. The model sees only the final output of the tool.
    fn show(&self, piece: &str);

    /// Asks the user and waits. Returns `None` if the user declines or does not respond.
    async fn ask(&self, question: UserQuestion) -> Option<Map<String, Value>>;
}

/// A question that a tool asks the user while it runs.
#[derive(Debug, Clone, PartialEq)]
pub struct UserQuestion {
    /// The request, with the tool or server that makes it.
    pub text: String,
    pub why: String,
    /// The schema of the form to fill in: a flat object. Without one, the user only confirms.
    pub form: Option<Value>,
}

/// A [`UserChannel`] without a user: every question remains unanswered.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoUser;

#[async_trait]
impl UserChannel for NoUser {
    fn show(&self, _: &str) {}

    async fn ask(&self, _: UserQuestion) -> Option<Map<String, Value>> {
        None
    }
}
