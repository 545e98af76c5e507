//! Support for tests of the tools: a user's folder, a clock, and calls by name.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use host::{Clock, ManualClock};
use protocol::{ConversationId, Origin, UserId};
use serde_json::Value;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use tools::{Invocation, Tool, ToolError, ToolOutput, ValueOrigins};

/// The origins of stored values, kept in memory.
#[derive(Default)]
pub struct KeptOrigins(Mutex<BTreeMap<String, Vec<Origin>>>);

#[async_trait]
impl ValueOrigins for KeptOrigins {
    async fn all(&self, _: UserId) -> Result<Vec<(String, Vec<Origin>)>, ToolError> {
        Ok(self.0.lock().unwrap().clone().into_iter().collect())
    }

    async fn set(&self, _: UserId, name: &str, origins: Vec<Origin>) -> Result<(), ToolError> {
        let mut all = self.0.lock().unwrap();
        if origins.is_empty() {
            all.remove(name);
        } else {
            all.insert(name.to_owned(), origins);
        }
        Ok(())
    }
}

pub struct ToolTester {
    pub folder: TempDir,
    pub clock: Arc<ManualClock>,
    pub tools: Vec<Arc<dyn Tool>>,
    /// The user's own folder, if it differs from the data folder.
    pub own: Option<PathBuf>,
    pub user: UserId,
    /// The origins of the prompt's content.
    pub origins: Vec<Origin>,
}

impl ToolTester {
    pub fn new(tools: impl FnOnce(&Arc<dyn Clock>, &Path) -> Vec<Arc<dyn Tool>>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let clock = Arc::new(ManualClock::at("2026-11-15T12:00:00Z"));
        let shared: Arc<dyn Clock> = clock.clone();
        let tools = tools(&shared, folder.path());
        Self { folder, clock, tools, own: None, user: UserId::new(1), origins: Vec::new() }
    }

    pub fn tool(&self, name: &str) -> &Arc<dyn Tool> {
        self.tools.iter().find(|tool| tool.spec().name == name).unwrap()
    }

    /// Runs a tool as a turn would; arguments that do not match its schema fail the test.
    pub async fn run(&self, name: &str, arguments: Value) -> Result<ToolOutput, ToolError> {
        let arguments = arguments.as_object().unwrap().clone();
        self.tool(name).spec().check(&arguments).unwrap();
        let invocation = Invocation {
            arguments,
            user: self.user,
            folder: self.folder.path().join(self.own.as_deref().unwrap_or(Path::new(""))).into(),
            conversation: ConversationId::new(1),
            origins: self.origins.clone(),
            cancel: CancellationToken::new(),
            user_channel: Arc::new(tools::NoUser),
        };
        self.tool(name).run(invocation).await
    }

    /// Returns the text of the result or of the error.
    pub async fn say(&self, name: &str, arguments: Value) -> String {
        self.run(name, arguments).await.map_or_else(|error| error.to_string(), |output| output.text)
    }

    pub fn file(&self, path: &str) -> Option<String> {
        std::fs::read_to_string(self.folder.path().join(path)).ok()
    }

    pub fn write(&self, path: &str, content: &str) {
        let path = self.folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
}
