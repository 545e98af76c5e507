//! Wraps the offer of a server as tools of the companion.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use protocol::{Origin, Risk};
use serde_json::{Map, Value, json};
use tools::{Effect, Group, Invocation, Tool, ToolDefinition, ToolError, ToolOutput};

use crate::calls::Call;
use crate::keeper::Keeper;
use crate::name::namespaced;
use crate::offered::Offered;
use crate::session::{CallError, Inventory};
use crate::told;

/// Longer than the session's own limits for a call, which therefore apply first.
const LONGEST: Duration = Duration::from_mins(15);
const OUTPUT_LIMIT: usize = 16_000;

/// The access that a server has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Unrestricted: the server has the rights of the user or runs on another machine.
    Free,
    /// Sandboxed: the server reaches only its own folder.
    Held,
    /// Sandboxed, with access to hosts that the user named.
    Online,
}

struct Remote {
    spec: ToolDefinition,
    what: What,
    keeper: Arc<Keeper>,
}

enum What {
    Call(String),
    Resources,
    Resource,
    Prompts,
    Prompt,
}

/// Returns the tools for an approved offer of a server.
pub fn tools(
    server: &str,
    keeper: &Arc<Keeper>,
    offered: &[Offered],
    inventory: &Inventory,
    reach: Reach,
) -> Vec<Arc<dyn Tool>> {
    let mut tools: Vec<Arc<dyn Tool>> = Vec::new();
    let mut add = |name: &str, about: &str, parameters: Value, what: What| {
        let Ok(mut spec) = ToolDefinition::new(namespaced(server, name), about, parameters) else { return };
        spec.risk = if reach == Reach::Held { Risk::Safe } else { Risk::Risky };
        spec.effects = effects(reach, &what);
        spec.group = if reach == Reach::Free { Group::Connected } else { Group::McpServers };
        spec.area = Some(Cow::Owned(format!("server {server}")));
        spec.time_limit = LONGEST;
        spec.output_limit = OUTPUT_LIMIT;
        spec.server = Some(server.to_owned());
        tools.push(Arc::new(Remote { spec, what, keeper: Arc::clone(keeper) }));
    };
    for tool in offered {
        let about = if tool.description.is_empty() {
            tool.title.as_deref().unwrap_or(&tool.name)
        } else {
            &tool.description
        };
        add(&tool.name, about, tool.parameters.clone(), What::Call(tool.name.clone()));
    }
    let nothing = json!({"type": "object", "properties": {}});
    if inventory.has_resources {
        add(
            "list_resources",
            &format!("Lists what can be read at {server}."),
            nothing.clone(),
            What::Resources,
        );
        let uri = json!({"type": "object", "properties": {"uri": {"type": "string"}}, "required": ["uri"]});
        add("read_resource", &format!("Reads something at {server}."), uri, What::Resource);
    }
    if inventory.has_prompts {
        add("list_prompts", &format!("Lists the prompts of {server}."), nothing, What::Prompts);
        let prompt = json!({
            "type": "object",
            "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}},
            "required": ["name"],
        });
        add("get_prompt", &format!("Gets a prompt of {server}, filled in."), prompt, What::Prompt);
    }
    tools
}

fn effects(reach: Reach, what: &What) -> Vec<Effect> {
    let mut effects = vec![Effect::BringsUntrusted, Effect::OwnersMachine];
    match (reach, what) {
        (Reach::Held, _) => {}
        (Reach::Free, What::Call(_)) => effects.extend([Effect::SendsOut, Effect::Changes]),
        (Reach::Free | Reach::Online, _) => effects.push(Effect::SendsOut),
    }
    effects
}

#[async_trait]
impl Tool for Remote {
    fn spec(&self) -> &ToolDefinition {
        &self.spec
    }

    async fn run(&self, invocation: Invocation) -> Result<ToolOutput, ToolError> {
        let server = self.spec.server.clone().unwrap_or_default();
        let session = self
            .keeper
            .session()
            .await
            .map_err(|why| ToolError::Failed(format!("The server {server} cannot be used: {why}.")))?;
        let Invocation { mut arguments, user, user_channel, .. } = invocation;
        let call = Call::new(user, Arc::clone(&user_channel));
        let text = |name: &str, arguments: &Map<String, Value>| {
            arguments.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let (mut command, mut failed) = (None, false);
        let text = match &self.what {
            What::Call(name) => {
                let result =
                    session.call(name, arguments, user, user_channel).await.map_err(|error| said(&error))?;
                failed = result.is_error == Some(true);
                command = told::pictures(&server, &result);
                told::result(&result)
            }
            What::Resources => told::resources(&session.resources(call).await.map_err(|error| said(&error))?),
            What::Resource => {
                let uri = text("uri", &arguments);
                let contents = session.resource(&uri, call).await.map_err(|error| said(&error))?;
                command = told::pictures_in(&server, &contents);
                told::contents(&contents)
            }
            What::Prompts => told::prompts(&session.prompts(call).await.map_err(|error| said(&error))?),
            What::Prompt => {
                let name = text("name", &arguments);
                let filled = match arguments.shift_remove("arguments") {
                    Some(Value::Object(filled)) => filled,
                    _ => Map::new(),
                };
                told::messages(&session.prompt(&name, filled, call).await.map_err(|error| said(&error))?)
            }
        };
        Ok(ToolOutput { command, failed, origins: vec![Origin::Mcp(server)], ..ToolOutput::text(text) })
    }
}

fn said(error: &CallError) -> ToolError {
    ToolError::Failed(error.to_string())
}
