//! Helpers for the tests of this crate.

use std::path::Path;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use config::Config;
use protocol::{ConversationId, UserId};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tools::{Invocation, Tool, ToolError, ToolOutput};

use crate::{CurrentConfig, TextGenerator, TextRequest};

/// A generator with scripted answers, and a last one that it repeats once they are used up.
#[derive(Default)]
pub struct ScriptedGenerator {
    answers: Mutex<Vec<Option<String>>>,
    last: Option<String>,
    pub requests: Mutex<Vec<TextRequest>>,
}

impl ScriptedGenerator {
    pub fn new(answers: &[Option<&str>]) -> Arc<Self> {
        let answers = answers.iter().rev().map(|answer| answer.map(ToOwned::to_owned)).collect();
        Arc::new(Self { answers: Mutex::new(answers), ..Self::default() })
    }

    /// Always gives the same answer.
    pub fn always(answer: impl Into<String>) -> Self {
        Self { last: Some(answer.into()), ..Self::default() }
    }
}

#[async_trait]
impl TextGenerator for ScriptedGenerator {
    async fn generate(&self, request: TextRequest, _: &CancellationToken) -> Option<String> {
        self.requests.lock().unwrap().push(request);
        self.answers.lock().unwrap().pop().unwrap_or_else(|| self.last.clone())
    }
}

/// Returns default settings with the test's changes.
pub fn settings(change: impl FnOnce(&mut Config)) -> CurrentConfig {
    let mut config = Config::default();
    change(&mut config);
    let config = Arc::new(config);
    Arc::new(move || Arc::clone(&config))
}

pub fn invocation(arguments: Value, folder: &Path) -> Invocation {
    let Value::Object(arguments) = arguments else { panic!("an object") };
    Invocation {
        arguments,
        user: UserId::new(1),
        folder: folder.into(),
        conversation: ConversationId::new(1),
        origins: Vec::new(),
        cancel: CancellationToken::new(),
        user_channel: Arc::new(tools::NoUser),
    }
}

/// Runs a tool as a turn does: the arguments are checked first.
pub async fn run(tool: &dyn Tool, arguments: Value) -> Result<ToolOutput, ToolError> {
    let invocation = invocation(arguments, Path::new(""));
    tool.spec().check(&invocation.arguments).map_err(ToolError::Impossible)?;
    tool.run(invocation).await
}

pub fn payload(output: ToolOutput) -> Value {
    output.command.expect("something on the screen").payload
}
