//! A generated server before approval: checks and test runs.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use host::AllowedHosts;
use protocol::UserId;
use sandbox::{Policy, Sandbox};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::sync::Notify;
use tools::NoUser;

use super::error::GeneratedServerError;
use super::server_files::{LARGEST_SOURCE, is_valid_name};
use crate::offered_tool::OfferedTool;
use crate::python::Python;
use crate::result_text;
use crate::runner_files::RunnerFiles;
use crate::server_calls::ServerCalls;
use crate::server_launch::ServerLaunch;
use crate::server_log::ServerLog;
use crate::server_requests::{SamplingModel, SamplingRole, ServerRequestHandler};
use crate::server_session::{OUTPUT_SEPARATOR, ServerSession};

const START_TIMEOUT: Duration = Duration::from_secs(20);
const MOST_TESTS: usize = 10;

/// A proposed server.
#[derive(Debug, Clone, Default)]
pub struct ServerDraft {
    pub name: String,
    pub code: String,
    pub description: String,
    pub auto_start: bool,
    pub allow_network: bool,
    pub hosts: Vec<String>,
    pub tests: Vec<DraftTest>,
}

/// A call by which a draft shows that it works.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct DraftTest {
    pub tool: String,
    #[serde(default)]
    pub arguments: Map<String, Value>,
}

/// The result of a test run.
#[derive(Debug, Clone)]
pub struct TrialResult {
    pub tools: Vec<OfferedTool>,
    /// The answer to each test.
    pub answers: Vec<String>,
}

impl ServerDraft {
    /// Checks the draft statically and returns messages that help to correct it. This is no security check; the sandbox
    /// provides the protection.
    pub fn check(&self) -> Result<(), String> {
        if !is_valid_name(&self.name) {
            return Err(format!(
                "{:?} cannot be the name of a server. Use up to 32 small letters, digits and single underscores, and \
                 begin with a letter.",
                self.name
            ));
        }
        if self.code.len() > LARGEST_SOURCE {
            return Err(format!("The code is longer than {} kB.", LARGEST_SOURCE / 1024));
        }
        let lacks = |what: &str| !self.code.contains(what);
        if lacks("def ") {
            return Err("The code has no functions. Each function with type hints and a docstring is a tool, unless its \
                        name begins with _."
                .to_owned());
        }
        let uses_package = !lacks("FastMCP(");
        if uses_package && lacks(".tool(") && lacks(".add_tool(") && lacks(".resource(") && lacks(".prompt(")
        {
            return Err(
                "The server has no tools. Put @mcp.tool() before each function that is one.".to_owned()
            );
        }
        if uses_package && lacks(".run(") {
            return Err("The server never runs. End the code with:\nmcp.run()".to_owned());
        }
        if self.tests.len() > MOST_TESTS {
            return Err(format!("Give at most {MOST_TESTS} tests."));
        }
        Ok(())
    }

    /// Runs the draft safely: sandboxed, without network, in a temporary empty folder.
    pub async fn try_out(&self, environment: &RunEnvironment) -> Result<TrialResult, String> {
        let scratch =
            tempfile::tempdir().map_err(|error| format!("no folder for it could be made: {error}"))?;
        let (file, storage) = (scratch.path().join("server.py"), scratch.path().join("sandbox"));
        host::atomic_write(&file, self.code.as_bytes()).map_err(|error| error.to_string())?;
        host::private_dir(&storage).map_err(|error| error.to_string())?;
        let (policy, command) = environment.sandboxed_command(&file, &storage)?;
        let launch = ServerLaunch::Sandboxed { sandbox: Arc::clone(&environment.sandbox), policy, command };
        let log = Arc::new(ServerLog::default());
        let handler = ServerRequestHandler {
            server: self.name.clone(),
            calls: Arc::new(ServerCalls::default()),
            log: Arc::clone(&log),
            changed: Arc::new(Notify::new()),
            model: Arc::new(NoModel),
            root: None,
        };
        let session = ServerSession::open(&launch, None, handler, START_TIMEOUT)
            .await
            .map_err(|why| start_error(&why.to_string(), &log))?;
        let offer = session.offer().await?;
        if let Some(why) = offer.left_out.first() {
            return Err(format!("One of its tools cannot be used: {why}."));
        }
        if offer.tools.is_empty() && !offer.has_resources && !offer.has_prompts {
            return Err("It starts, and offers no tools.".to_owned());
        }
        let mut answers = Vec::new();
        for DraftTest { tool, arguments } in &self.tests {
            let test_error = |why: &str| {
                let own_output = log.last_output(12);
                format!("The test of {tool} failed: {why}\n{own_output}").trim_end().to_owned()
            };
            if !offer.tools.iter().any(|offered| offered.name == *tool) {
                return Err(test_error("there is no such tool."));
            }
            let answer = session.call(tool, arguments.clone(), UserId::new(0), Arc::new(NoUser)).await;
            let answer = answer.map_err(|error| test_error(&error.to_string()))?;
            let text = result_text::of_call(&answer);
            if answer.is_error == Some(true) {
                return Err(test_error(&text));
            }
            answers.push(text);
        }
        Ok(TrialResult { tools: offer.tools, answers })
    }
}

/// The environment in which generated servers run.
#[derive(Clone)]
pub struct RunEnvironment {
    pub sandbox: Arc<Sandbox>,
    pub python: Python,
    pub runner: RunnerFiles,
    /// The path hidden from the servers.
    pub hidden: std::path::PathBuf,
}

impl RunEnvironment {
    pub fn sandboxed_command(&self, file: &Path, storage: &Path) -> Result<(Policy, Vec<OsString>), String> {
        let (policy, command) =
            self.python.sandboxed_command(&self.runner, file, storage).map_err(|error| error.to_string())?;
        Ok((policy.hide(&self.hidden), command))
    }

    /// Parses hosts that the user named, if the sandbox supports network access.
    pub fn parse_hosts(&self, hosts: &[String]) -> Result<AllowedHosts, GeneratedServerError> {
        if !self.sandbox.can_limit_hosts() {
            let missing = self.sandbox.missing().join("; ");
            return Err(GeneratedServerError::Off(format!(
                "It cannot have a network on this machine: {missing}."
            )));
        }
        AllowedHosts::parse(hosts)
            .map_err(|error| GeneratedServerError::Draft(format!("Among the hosts, {error}.")))
    }
}

/// Describes a failed start, with a hint for known causes.
fn start_error(why: &str, log: &ServerLog) -> String {
    let own_output = log.last_output(12);
    let hint = if own_output.contains("ModuleNotFoundError") {
        "\nOnly Python's own library is there, and nothing can be installed."
    } else {
        ""
    };
    let why = why.split(OUTPUT_SEPARATOR).next().unwrap_or(why);
    format!("It does not start: {why}.\n{own_output}{hint}")
}

/// Drafts have no access to the model.
struct NoModel;

#[async_trait]
impl SamplingModel for NoModel {
    async fn answer(&self, _: String, _: Vec<(SamplingRole, String)>, _: u32) -> Option<(String, String)> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said() {
        let whole = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n@mcp.tool()\ndef a(): pass\nmcp.run()";
        let draft = |name: &str, code: &str| ServerDraft {
            name: name.into(),
            code: code.into(),
            ..ServerDraft::default()
        };
        for good in [whole, "def a(): pass", "async def a(b: int) -> str: ..."] {
            assert_eq!(draft("dice", good).check(), Ok(()), "{good}");
        }
        for (name, code, word) in [
            ("Dice!", whole.to_owned(), "name"),
            ("dice", String::new(), "functions"),
            ("dice", whole.replace("@mcp.tool()", ""), "@mcp.tool()"),
            ("dice", whole.replace("mcp.run()", ""), "mcp.run()"),
            ("dice", "#".repeat(LARGEST_SOURCE + 1), "longer"),
        ] {
            let told = draft(name, &code).check().unwrap_err();
            assert!(told.contains(word), "{told}");
        }
    }
}
