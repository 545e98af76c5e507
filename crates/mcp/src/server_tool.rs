//! The tools of a server, as the companion uses them.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use protocol::{Origin, Risk};
use serde_json::{Map, Value, json};
use tools::{Effect, Group, Invocation, Tool, ToolDefinition, ToolError, ToolOutput};

use crate::offered_tool::OfferedTool;
use crate::result_text;
use crate::server_calls::ServerCall;
use crate::server_session::{CallError, ServerOffer};
use crate::supervisor::ServerSupervisor;
use crate::tool_names::tool_name;

/// Longer than the session's own limits for a call, which therefore apply first.
const TIME_LIMIT: Duration = Duration::from_mins(15);
const OUTPUT_LIMIT: usize = 16_000;

/// The access that a server has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerAccess {
    /// Unrestricted: the server has the rights of the user or runs on another machine.
    Unrestricted,
    /// Sandboxed: the server reaches only its own folder.
    Sandboxed,
    /// Sandboxed, with access to hosts that the user named.
    SandboxedOnline,
}

struct ServerTool {
    spec: ToolDefinition,
    operation: Operation,
    supervisor: Arc<ServerSupervisor>,
}

enum Operation {
    Call(String),
    Resources,
    Resource,
    Prompts,
    Prompt,
}

/// Returns the tools for an approved offer of a server.
pub fn tools(
    server: &str,
    supervisor: &Arc<ServerSupervisor>,
    offered: &[OfferedTool],
    offer: &ServerOffer,
    access: ServerAccess,
) -> Vec<Arc<dyn Tool>> {
    let mut tools: Vec<Arc<dyn Tool>> = Vec::new();
    let mut add = |name: &str, about: &str, parameters: Value, operation: Operation| {
        let Ok(mut spec) = ToolDefinition::new(tool_name(server, name), about, parameters) else { return };
        spec.risk = if access == ServerAccess::Sandboxed { Risk::Safe } else { Risk::Risky };
        spec.effects = effects(access, &operation);
        spec.group = if access == ServerAccess::Unrestricted { Group::Connected } else { Group::McpServers };
        spec.area = Some(Cow::Owned(format!("server {server}")));
        spec.time_limit = TIME_LIMIT;
        spec.output_limit = OUTPUT_LIMIT;
        spec.server = Some(server.to_owned());
        tools.push(Arc::new(ServerTool { spec, operation, supervisor: Arc::clone(supervisor) }));
    };
    for tool in offered {
        let about = if tool.description.is_empty() {
            tool.title.as_deref().unwrap_or(&tool.name)
        } else {
            &tool.description
        };
        add(&tool.name, about, tool.parameters.clone(), Operation::Call(tool.name.clone()));
    }
    let nothing = json!({"type": "object", "properties": {}});
    if offer.has_resources {
        add(
            "list_resources",
            &format!("Lists what can be read at {server}."),
            nothing.clone(),
            Operation::Resources,
        );
        let uri = json!({"type": "object", "properties": {"uri": {"type": "string"}}, "required": ["uri"]});
        add("read_resource", &format!("Reads something at {server}."), uri, Operation::Resource);
    }
    if offer.has_prompts {
        add("list_prompts", &format!("Lists the prompts of {server}."), nothing, Operation::Prompts);
        let prompt = json!({
            "type": "object",
            "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
            "required": ["name"],
        });
        add("get_prompt", &format!("Gets a prompt of {server}, filled in."), prompt, Operation::Prompt);
    }
    tools
}

fn effects(access: ServerAccess, operation: &Operation) -> Vec<Effect> {
    let mut effects = vec![Effect::BringsUntrusted, Effect::OwnersMachine];
    match (access, operation) {
        (ServerAccess::Sandboxed, _) => {}
        (ServerAccess::Unrestricted, Operation::Call(_)) => {
            effects.extend([Effect::SendsOut, Effect::Changes]);
        }
        (ServerAccess::Unrestricted | ServerAccess::SandboxedOnline, _) => effects.push(Effect::SendsOut),
    }
    effects
}

#[async_trait]
impl Tool for ServerTool {
    fn spec(&self) -> &ToolDefinition {
        &self.spec
    }

    async fn run(&self, invocation: Invocation) -> Result<ToolOutput, ToolError> {
        let server = self.spec.server.clone().unwrap_or_default();
        let session = self
            .supervisor
            .session()
            .await
            .map_err(|why| ToolError::Failed(format!("The server {server} cannot be used: {why}.")))?;
        let Invocation { mut arguments, user, user_channel, .. } = invocation;
        let call = ServerCall::new(user, Arc::clone(&user_channel));
        let text = |name: &str, arguments: &Map<String, Value>| {
            arguments.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let (mut command, mut failed) = (None, false);
        let text = match &self.operation {
            Operation::Call(name) => {
                let result = session.call(name, arguments, user, user_channel).await?;
                failed = result.is_error == Some(true);
                command = result_text::pictures(&server, &result);
                result_text::of_call(&result)
            }
            Operation::Resources => result_text::of_resources(&session.resources(call).await?),
            Operation::Resource => {
                let uri = text("uri", &arguments);
                let contents = session.resource(&uri, call).await?;
                command = result_text::pictures_in(&server, &contents);
                result_text::of_contents(&contents)
            }
            Operation::Prompts => result_text::of_prompts(&session.prompts(call).await?),
            Operation::Prompt => {
                let name = text("name", &arguments);
                let filled = match arguments.shift_remove("arguments") {
                    Some(Value::Object(filled)) => filled,
                    _ => Map::new(),
                };
                result_text::of_messages(&session.prompt(&name, filled, call).await?)
            }
        };
        Ok(ToolOutput { command, failed, origins: vec![Origin::Mcp(server)], ..ToolOutput::text(text) })
    }
}

impl From<CallError> for ToolError {
    fn from(error: CallError) -> Self {
        Self::Failed(error.to_string())
    }
}
