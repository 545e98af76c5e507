//! A generated server before approval: checks and test runs.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use protocol::UserId;
use sandbox::{Policy, Sandbox};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::sync::Notify;
use tools::NoUser;

use super::shelf::{LARGEST_SOURCE, is_name};
use crate::calls::Calls;
use crate::handler::{Answering, Handler, Speaker};
use crate::journal::Journal;
use crate::launch::Launch;
use crate::offered::Offered;
use crate::python::Python;
use crate::session::{COMPLAINT, Session};
use crate::stand_in::StandIn;
use crate::told;

const PATIENCE: Duration = Duration::from_secs(20);
const MOST_TESTS: usize = 10;

/// A proposed server.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    pub name: String,
    pub code: String,
    pub description: String,
    pub auto_start: bool,
    pub allow_network: bool,
    pub hosts: Vec<String>,
    pub tests: Vec<Test>,
}

/// A call by which a draft shows that it works.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
pub struct Test {
    pub tool: String,
    #[serde(default)]
    pub arguments: Map<String, Value>,
}

/// The result of a test run.
#[derive(Debug, Clone)]
pub struct Tried {
    pub tools: Vec<Offered>,
    /// The answer to each test.
    pub answers: Vec<String>,
}

impl Draft {
    /// Checks the draft statically and returns messages that help to correct it. This is no security check; the sandbox
    /// provides the protection.
    pub fn check(&self) -> Result<(), String> {
        if !is_name(&self.name) {
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
        if lacks("FastMCP(") {
            return Err("The code makes no server. Begin with:\nfrom mcp.server.fastmcp import FastMCP\n\
                        mcp = FastMCP(\"name\")"
                .to_owned());
        }
        if lacks(".tool(") && lacks(".add_tool(") && lacks(".resource(") && lacks(".prompt(") {
            return Err(
                "The server has no tools. Put @mcp.tool() before each function that is one.".to_owned()
            );
        }
        if lacks(".run(") {
            return Err("The server never runs. End the code with:\nmcp.run()".to_owned());
        }
        if self.tests.len() > MOST_TESTS {
            return Err(format!("Give at most {MOST_TESTS} tests."));
        }
        Ok(())
    }

    /// Runs the draft safely: sandboxed, without network, in a temporary empty folder.
    pub async fn try_out(&self, ground: &Ground) -> Result<Tried, String> {
        let scratch =
            tempfile::tempdir().map_err(|error| format!("no folder for it could be made: {error}"))?;
        let (file, storage) = (scratch.path().join("server.py"), scratch.path().join("sandbox"));
        host::atomic_write(&file, self.code.as_bytes()).map_err(|error| error.to_string())?;
        host::private_dir(&storage).map_err(|error| error.to_string())?;
        let (policy, command) = ground.held(&file, &storage)?;
        let launch = Launch::Held { sandbox: Arc::clone(&ground.sandbox), policy, command };
        let journal = Arc::new(Journal::default());
        let handler = Handler {
            server: self.name.clone(),
            calls: Arc::new(Calls::default()),
            journal: Arc::clone(&journal),
            changed: Arc::new(Notify::new()),
            model: Arc::new(NoModel),
            root: None,
        };
        let session = Session::open(&launch, None, handler, PATIENCE)
            .await
            .map_err(|why| helped(&why.to_string(), &journal))?;
        let inventory = session.inventory().await?;
        if let Some(why) = inventory.left_out.first() {
            return Err(format!("One of its tools cannot be used: {why}."));
        }
        if inventory.tools.is_empty() && !inventory.has_resources && !inventory.has_prompts {
            return Err("It starts, and offers no tools.".to_owned());
        }
        let mut answers = Vec::new();
        for Test { tool, arguments } in &self.tests {
            let failed = |why: &str| {
                let said = journal.last(12);
                format!("The test of {tool} failed: {why}\n{said}").trim_end().to_owned()
            };
            if !inventory.tools.iter().any(|offered| offered.name == *tool) {
                return Err(failed("there is no such tool."));
            }
            let answer = session.call(tool, arguments.clone(), UserId::new(0), Arc::new(NoUser)).await;
            let answer = answer.map_err(|error| failed(&error.to_string()))?;
            let text = told::result(&answer);
            if answer.is_error == Some(true) {
                return Err(failed(&text));
            }
            answers.push(text);
        }
        Ok(Tried { tools: inventory.tools, answers })
    }
}

/// The environment in which generated servers run.
#[derive(Clone)]
pub struct Ground {
    pub sandbox: Arc<Sandbox>,
    pub python: Python,
    pub stand_in: StandIn,
    /// The path hidden from the servers.
    pub hidden: std::path::PathBuf,
}

impl Ground {
    pub fn held(&self, file: &Path, storage: &Path) -> Result<(Policy, Vec<OsString>), String> {
        let (policy, command) =
            self.python.held(&self.stand_in, file, storage).map_err(|error| error.to_string())?;
        Ok((policy.hide(&self.hidden), command))
    }
}

/// Describes a failed start, with a hint for known causes.
fn helped(why: &str, journal: &Journal) -> String {
    let said = journal.last(12);
    let hint = if said.contains("ModuleNotFoundError") {
        "\nOnly Python's own library is there, and nothing can be installed."
    } else {
        ""
    };
    let why = why.split(COMPLAINT).next().unwrap_or(why);
    format!("It does not start: {why}.\n{said}{hint}")
}

/// Drafts have no access to the model.
struct NoModel;

#[async_trait]
impl Answering for NoModel {
    async fn answer(&self, _: String, _: Vec<(Speaker, String)>, _: u32) -> Option<(String, String)> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_said() {
        let whole = "from mcp.server.fastmcp import FastMCP\nmcp = FastMCP('x')\n@mcp.tool()\ndef a(): pass\nmcp.run()";
        let draft =
            |name: &str, code: &str| Draft { name: name.into(), code: code.into(), ..Draft::default() };
        assert_eq!(draft("dice", whole).check(), Ok(()));
        for (name, code, word) in [
            ("Dice!", whole.to_owned(), "name"),
            ("dice", String::new(), "FastMCP"),
            ("dice", whole.replace("@mcp.tool()", ""), "@mcp.tool()"),
            ("dice", whole.replace("mcp.run()", ""), "mcp.run()"),
            ("dice", "#".repeat(LARGEST_SOURCE + 1), "longer"),
        ] {
            let told = draft(name, &code).check().unwrap_err();
            assert!(told.contains(word), "{told}");
        }
    }
}
