use std::fmt::Debug;

use async_trait::async_trait;
use serde_json::{Map, Value};

/// The way to the person while a tool runs for them.
#[async_trait]
pub trait Contact: Debug + Send + Sync {
    /// Shows what has come so far. It is for the eye alone: the model reads what the tool says at its end.
    fn show(&self, piece: &str);

    /// Asks for something, and waits. Nothing comes where they say no, or nothing.
    async fn ask(&self, question: Question) -> Option<Map<String, Value>>;
}

/// What a tool wants of the person in the midst of its work.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Who wants it, and what for.
    pub text: String,
    pub why: String,
    /// The schema of what is to be filled in: a flat object. Without one, a yes is all.
    pub form: Option<Value>,
}

/// Nobody is there.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nobody;

#[async_trait]
impl Contact for Nobody {
    fn show(&self, _: &str) {}

    async fn ask(&self, _: Question) -> Option<Map<String, Value>> {
        None
    }
}
