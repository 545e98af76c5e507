//! Tools with which the model creates and changes MCP servers.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use protocol::{McpState, Origin, Risk};
use sandbox::SandboxLevel;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use tools::{
    Ability, CallPreview, Effect, Group, Invocation, Ruling, Tool, ToolDefinition, ToolError, ToolOutput,
    tool,
};

use super::draft::{DraftTest, ServerDraft, TrialResult};
use super::error::GeneratedServerError;
use super::generated_servers::GeneratedServers;
use crate::offered_tool::OfferedTool;
use crate::tool_names::tool_name;

const ALWAYS_ASKS: &str = "You review a tool that Luna wrote before it is used.";
const AREA: Option<&str> = Some("mcp_servers");
/// The time limit of these tools, which start and test a draft before the user is asked.
const LONGEST: Duration = Duration::from_mins(5);
/// The most characters of a test call, and of its answer, in the confirmation.
const LONGEST_SHOWN: usize = 120;

/// Returns all of these tools.
pub fn tools(servers: &GeneratedServers) -> Result<Vec<Arc<dyn Tool>>, String> {
    Ok(vec![
        Arc::new(tool(Create(servers.clone()))?),
        Arc::new(tool(Edit(servers.clone()))?),
        Arc::new(tool(Delete(servers.clone()))?),
        Arc::new(tool(List(servers.clone()))?),
        Arc::new(tool(Start(servers.clone()))?),
        Arc::new(tool(Stop(servers.clone()))?),
        Arc::new(tool(Logs(servers.clone()))?),
    ])
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct CreateArguments {
    /// Small letters, digits and underscores: `dice`.
    name: String,
    /// One Python file: each function with type hints and a docstring is a tool, unless its name begins with `_`. Only
    /// the standard library is there. Files go to the folder `os.environ["MCP_SANDBOX_DIR"]`.
    code: String,
    /// What it is for, in a sentence.
    description: String,
    /// Start it together with Perigee; otherwise on first use.
    #[serde(default)]
    auto_start: bool,
    /// It needs the network. The user chooses the hosts.
    #[serde(default)]
    allow_network: bool,
    /// The hosts that it needs: `api.example.org, example.com`.
    #[serde(default)]
    hosts: Option<String>,
    /// Calls that must work before the user is asked: `[{"tool": "roll", "arguments": {"sides": 6}}]`.
    #[serde(default)]
    tests: Vec<DraftTest>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct EditArguments {
    name: String,
    /// The whole file as it shall be.
    code: String,
    /// Where that changes.
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    auto_start: Option<bool>,
    #[serde(default)]
    allow_network: Option<bool>,
    /// The hosts that it needs: `api.example.org, example.com`.
    #[serde(default)]
    hosts: Option<String>,
    /// Calls that must work before the user is asked.
    #[serde(default)]
    tests: Vec<DraftTest>,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Named {
    name: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
pub struct Nothing {}

struct Create(GeneratedServers);
struct Edit(GeneratedServers);
struct Delete(GeneratedServers);
struct List(GeneratedServers);
struct Start(GeneratedServers);
struct Stop(GeneratedServers);
struct Logs(GeneratedServers);

impl CreateArguments {
    fn draft(self) -> ServerDraft {
        let Self { name, code, description, auto_start, allow_network, hosts, tests } = self;
        let hosts = if allow_network { host_list(hosts.as_deref()) } else { Vec::new() };
        ServerDraft { name, code, description, auto_start, allow_network, hosts, tests }
    }
}

impl EditArguments {
    fn draft(self, before: ServerDraft) -> ServerDraft {
        let Self { code, description, auto_start, allow_network, hosts, tests, .. } = self;
        let allow_network = allow_network.unwrap_or(before.allow_network);
        let hosts = match hosts {
            _ if !allow_network => Vec::new(),
            Some(hosts) => host_list(Some(&hosts)),
            None => before.hosts,
        };
        ServerDraft {
            name: before.name,
            code,
            description: description.unwrap_or(before.description),
            auto_start: auto_start.unwrap_or(before.auto_start),
            allow_network,
            hosts,
            tests,
        }
    }
}

#[async_trait]
impl Ability for Create {
    type Arguments = CreateArguments;
    const NAME: &'static str = "mcp_server_create";
    const ABOUT: &'static str = "Makes tools of your own: a small Python server that runs in a sandbox. Test it with `tests`. \
        The user looks at it; then its tools can be used at once.";
    const ASKED_BY: &'static [&'static str] =
        &["make a tool", "build a tool", "create a tool", "write a tool", "new tool", "tool of your own"];
    const RISK: Risk = Risk::Risky;
    const EFFECTS: &'static [Effect] = &[Effect::Changes, Effect::OwnersMachine];
    const GROUP: Group = Group::McpServers;
    const TIME_LIMIT: Duration = LONGEST;

    fn ruling(&self, _: &CreateArguments) -> Ruling {
        Ruling::Ask(ALWAYS_ASKS.to_owned())
    }

    async fn preview(
        &self,
        arguments: CreateArguments,
        _: &Invocation,
    ) -> Result<Option<CallPreview>, ToolError> {
        if self.0.has(&arguments.name) {
            return Err(tool_error(&GeneratedServerError::Taken(arguments.name)));
        }
        let draft = arguments.draft();
        let trial = self.0.try_out(&draft).await.map_err(|error| tool_error(&error))?;
        Ok(Some(preview_of("Adds", &draft, &trial, self.0.level())))
    }

    async fn run(&self, arguments: CreateArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        if self.0.has(&arguments.name) {
            return Err(tool_error(&GeneratedServerError::Taken(arguments.name)));
        }
        let draft = arguments.draft();
        let name = draft.name.clone();
        let tools = self.0.store_approved(draft, "made").await.map_err(|error| tool_error(&error))?;
        Ok(ToolOutput::text(format!("{name} is there. Its tools can be used now:\n{}", lines(&name, &tools))))
    }
}

#[async_trait]
impl Ability for Edit {
    type Arguments = EditArguments;
    const NAME: &'static str = "mcp_server_edit";
    const ABOUT: &'static str =
        "Changes a server of your own: give the whole file. The user looks at it again.";
    const ASKED_BY: &'static [&'static str] =
        &["change your tool", "fix your tool", "edit the server", "edit the tool"];
    const RISK: Risk = Risk::Risky;
    const EFFECTS: &'static [Effect] = &[Effect::Changes, Effect::OwnersMachine];
    const GROUP: Group = Group::McpServers;
    const TIME_LIMIT: Duration = LONGEST;

    fn ruling(&self, _: &EditArguments) -> Ruling {
        Ruling::Ask(ALWAYS_ASKS.to_owned())
    }

    async fn preview(
        &self,
        arguments: EditArguments,
        _: &Invocation,
    ) -> Result<Option<CallPreview>, ToolError> {
        let before = self.0.draft(&arguments.name).map_err(|error| tool_error(&error))?;
        let draft = arguments.draft(before);
        let trial = self.0.try_out(&draft).await.map_err(|error| tool_error(&error))?;
        Ok(Some(preview_of("Changes", &draft, &trial, self.0.level())))
    }

    async fn run(&self, arguments: EditArguments, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let before = self.0.draft(&arguments.name).map_err(|error| tool_error(&error))?;
        let draft = arguments.draft(before);
        let name = draft.name.clone();
        let tools = self.0.store_approved(draft, "changed").await.map_err(|error| tool_error(&error))?;
        Ok(ToolOutput::text(format!("{name} is changed. Its tools are now:\n{}", lines(&name, &tools))))
    }
}

#[async_trait]
impl Ability for Delete {
    type Arguments = Named;
    const NAME: &'static str = "mcp_server_delete";
    const ABOUT: &'static str =
        "Takes a server of your own away, with what it has stored. The user can have it back.";
    const ASKED_BY: &'static [&'static str] = &["delete the server", "delete your tool", "remove the tool"];
    const RISK: Risk = Risk::Risky;
    const EFFECTS: &'static [Effect] = &[Effect::Changes, Effect::OwnersMachine];
    const GROUP: Group = Group::McpServers;

    async fn run(&self, Named { name }: Named, _: &Invocation) -> Result<ToolOutput, ToolError> {
        self.0.delete(&name).await.map_err(|error| tool_error(&error))?;
        Ok(ToolOutput::text(format!("{name} is gone. The user can have it back on the page of servers.")))
    }
}

#[async_trait]
impl Ability for List {
    type Arguments = Nothing;
    const NAME: &'static str = "mcp_server_list";
    const ABOUT: &'static str = "Lists the servers of your own, and how they are.";
    const ASKED_BY: &'static [&'static str] = &["your servers", "your own tools", "which servers"];
    const EFFECTS: &'static [Effect] = &[Effect::OwnersMachine];
    const GROUP: Group = Group::McpServers;
    const AREA: Option<&'static str> = AREA;

    async fn run(&self, _: Nothing, _: &Invocation) -> Result<ToolOutput, ToolError> {
        self.0.reload().await.map_err(|error| tool_error(&error))?;
        let servers = self.0.list();
        if servers.is_empty() {
            return Ok(ToolOutput::text("There is none. mcp_server_create makes one."));
        }
        let line = |server: protocol::McpServerInfo| {
            let state = match server.state {
                McpState::Ready => "runs",
                McpState::Starting => "starts",
                McpState::Resting => "rests until it is used",
                McpState::Asking => "waits for the user to look at it",
                McpState::Failing | McpState::Failed | McpState::Locked | McpState::Disabled => {
                    "does not run"
                }
            };
            let tools: Vec<&str> = server.tools.iter().map(|tool| tool.full_name.as_str()).collect();
            let tools = (!tools.is_empty()).then(|| format!("Tools: {}.", tools.join(", ")));
            let parts = [server.description, Some(format!("It {state}")), server.trouble, tools];
            let parts: Vec<String> = parts.into_iter().flatten().filter_map(|part| sentence(&part)).collect();
            format!("- {}: {}", server.name, parts.join(" "))
        };
        Ok(ToolOutput::text(servers.into_iter().map(line).collect::<Vec<_>>().join("\n")))
    }
}

#[async_trait]
impl Ability for Start {
    type Arguments = Named;
    const NAME: &'static str = "mcp_server_start";
    const ABOUT: &'static str =
        "Starts a server of your own. It starts by itself when a tool of its is used.";
    const ASKED_BY: &'static [&'static str] = &["start the server"];
    const EFFECTS: &'static [Effect] = &[Effect::OwnersMachine];
    const GROUP: Group = Group::McpServers;

    async fn run(&self, Named { name }: Named, _: &Invocation) -> Result<ToolOutput, ToolError> {
        self.0.start(&name).map_err(|error| tool_error(&error))?;
        self.0.wait_until_started(&name).await.map_err(|error| tool_error(&error))?;
        Ok(ToolOutput::text(format!("{name} runs.")))
    }
}

#[async_trait]
impl Ability for Stop {
    type Arguments = Named;
    const NAME: &'static str = "mcp_server_stop";
    const ABOUT: &'static str = "Stops a server of your own until one of its tools is used.";
    const ASKED_BY: &'static [&'static str] = &["stop the server"];
    const EFFECTS: &'static [Effect] = &[Effect::OwnersMachine];
    const GROUP: Group = Group::McpServers;

    async fn run(&self, Named { name }: Named, _: &Invocation) -> Result<ToolOutput, ToolError> {
        self.0.stop(&name).map_err(|error| tool_error(&error))?;
        Ok(ToolOutput::text(format!("{name} rests.")))
    }
}

#[async_trait]
impl Ability for Logs {
    type Arguments = Named;
    const NAME: &'static str = "mcp_server_logs";
    const ABOUT: &'static str = "Shows what a server of your own has printed to its error output.";
    const ASKED_BY: &'static [&'static str] = &["server log", "server logs", "log of the server"];
    const EFFECTS: &'static [Effect] = &[Effect::OwnersMachine, Effect::BringsUntrusted];
    const GROUP: Group = Group::McpServers;

    async fn run(&self, Named { name }: Named, _: &Invocation) -> Result<ToolOutput, ToolError> {
        let lines = self.0.logs(&name).map_err(|error| tool_error(&error))?;
        let newest = lines.len().saturating_sub(60);
        let text: Vec<String> = lines[newest..].iter().map(|line| line.text.clone()).collect();
        let text = if text.is_empty() { "It has printed nothing.".to_owned() } else { text.join("\n") };
        Ok(ToolOutput { origins: vec![Origin::Mcp(name)], ..ToolOutput::text(text) })
    }
}

/// Builds the preview that the user sees before approving.
fn preview_of(does: &str, draft: &ServerDraft, trial: &TrialResult, level: SandboxLevel) -> CallPreview {
    let mut text =
        format!("{does} {}: {}\n{}", draft.name, draft.description, lines(&draft.name, &trial.tools));
    if !trial.answers.is_empty() {
        let many = match trial.answers.len() {
            1 => "Its test".to_owned(),
            2 => "Both tests".to_owned(),
            many => format!("All {many} tests"),
        };
        let _ = write!(text, "\n{many} worked:");
        for (test, answer) in draft.tests.iter().zip(&trial.answers) {
            let _ = write!(text, "\n- {} → {}", call_text(test), one_line(answer));
        }
    }
    let _ = write!(text, "\n{}", sandbox_text(level));
    if !draft.allow_network {
        text.push_str(" It has no network.");
        return text.into();
    }
    text.push_str(" It asks for the network.");
    let form = json!({
        "type": "object",
        "properties": {
            "hosts": {
                "type": "string",
                "title": "Hosts that it may reach",
                "description": "Names with commas between them, * for every public one, or nothing for none.",
                "default": draft.hosts.join(", "),
                // Rejects URLs. Other errors are found when the hosts are parsed.
                "pattern": "^[^/]*$",
            },
        },
    });
    CallPreview { form: Some(form), ..text.into() }
}

/// Describes the sandbox level of this machine.
fn sandbox_text(level: SandboxLevel) -> &'static str {
    match level {
        SandboxLevel::Full => {
            "It runs in the sandbox, and sees nothing but its own folder and the system's programs."
        }
        SandboxLevel::Partial => {
            "It runs in a sandbox with gaps: it changes nothing outside of its own folder, but may see more of the \
             machine than that."
        }
        SandboxLevel::None => "There is no sandbox on this machine, so it does not run.",
    }
}

/// Formats a call: `roll(sides: 6)`.
fn call_text(test: &DraftTest) -> String {
    let arguments: Vec<String> =
        test.arguments.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    one_line(&format!("{}({})", test.tool, arguments.join(", ")))
}

/// Shortens a text to one line.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(LONGEST_SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

/// Adds a full stop if needed; `None` for an empty text.
fn sentence(text: &str) -> Option<String> {
    let text = text.trim();
    match text.chars().last()? {
        '.' | '!' | '?' | ':' => Some(text.to_owned()),
        _ => Some(format!("{text}.")),
    }
}

fn lines(server: &str, tools: &[OfferedTool]) -> String {
    let line = |tool: &OfferedTool| {
        let arguments =
            ToolDefinition::new(&tool.name, "", tool.parameters.clone()).map(|spec| spec.outline());
        format!(
            "- {}({}): {}",
            tool_name(server, &tool.name),
            arguments.unwrap_or_default(),
            tool.description
        )
    };
    tools.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn host_list(hosts: Option<&str>) -> Vec<String> {
    let parts = hosts.unwrap_or_default().split(|letter: char| letter == ',' || letter.is_whitespace());
    parts.map(str::trim).filter(|host| !host.is_empty()).map(str::to_lowercase).collect()
}

fn tool_error(error: &GeneratedServerError) -> ToolError {
    let text = error.to_string();
    match error {
        GeneratedServerError::Off(_) => ToolError::Unavailable(text),
        GeneratedServerError::Draft(_)
        | GeneratedServerError::Unknown(_)
        | GeneratedServerError::Taken(_) => ToolError::Impossible(text),
        GeneratedServerError::Changed | GeneratedServerError::Files(_) | GeneratedServerError::Store(_) => {
            ToolError::Failed(text)
        }
    }
}

#[cfg(test)]
#[path = "authoring_tools_tests.rs"]
mod tests;
