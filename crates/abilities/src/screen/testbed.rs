//! Test models and helpers for this module.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use config::Config;
use protocol::{ConversationId, UserId};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tools::{Invocation, Output, Tool, ToolError};

use crate::{Mind, Settings, Task};

/// A model that always gives the same answer and records its requests.
#[derive(Default)]
pub struct OneAnswer {
    pub answer: Option<String>,
    pub asked: Mutex<Vec<Task>>,
}

impl OneAnswer {
    pub fn new(answer: impl Into<String>) -> Self {
        Self { answer: Some(answer.into()), asked: Mutex::default() }
    }
}

#[async_trait]
impl Mind for OneAnswer {
    async fn write(&self, task: Task, _: &CancellationToken) -> Option<String> {
        self.asked.lock().unwrap().push(task);
        self.answer.clone()
    }
}

/// Runs a tool as a turn does: the arguments are checked first.
pub async fn run(tool: &dyn Tool, arguments: Value) -> Result<Output, ToolError> {
    let Value::Object(arguments) = arguments else { panic!("an object") };
    tool.spec().check(&arguments).map_err(ToolError::Impossible)?;
    let invocation = Invocation {
        arguments,
        user: UserId::new(1),
        folder: std::path::Path::new("").into(),
        conversation: ConversationId::new(1),
        origins: Vec::new(),
        cancel: CancellationToken::new(),
        user_channel: Arc::new(tools::NoUser),
    };
    tool.run(invocation).await
}

pub fn payload(output: Output) -> Value {
    output.command.expect("something on the screen").payload
}

/// Returns settings with online map tiles switched on or off.
pub fn settings(online: bool) -> Settings {
    let mut config = Config::default();
    config.map.online = online;
    let config = Arc::new(config);
    Arc::new(move || Arc::clone(&config))
}
