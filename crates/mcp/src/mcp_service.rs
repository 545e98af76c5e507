//! The MCP server side: lets other agents search and extend the memory, and ask the companion.

// Logging is deprecated in the protocol, but current clients set its level.
#![expect(deprecated)]

use std::borrow::Cow;
use std::sync::Arc;

use async_trait::async_trait;
use rmcp::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, Implementation,
    ListToolsResult, PaginatedRequestParams, ProtocolVersion, ServerCapabilities, ServerConfig,
    SetLevelRequestParams, Tool, ToolAnnotations,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::transport::StreamableHttpService;
use rmcp::transport::streamable_http_server::StreamableHttpServerConfig;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use crate::call_events::{CallEventForwarder, CallEventSender, LogThreshold};

const INSTRUCTIONS: &str = "A companion's memory of her person. What you ask for is told without what is private. What you have \
    remembered waits until the person says that it is so.";
const MOST_RECALLED: u64 = 20;
const LARGEST_REQUEST: usize = 1024 * 1024;

/// The tools offered to other agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgentTool {
    Recall,
    Remember,
    Ask,
}

const AGENT_TOOLS: [AgentTool; 3] = [AgentTool::Recall, AgentTool::Remember, AgentTool::Ask];

/// The implementation of these tools, behind the HTTP route.
#[async_trait]
pub trait McpHandler: Send + Sync + 'static {
    /// The authenticated client, which the route attaches to the request.
    type McpClient: Clone + Send + Sync + 'static;

    fn may(&self, client: &Self::McpClient, tool: AgentTool) -> bool;

    async fn recall(&self, client: &Self::McpClient, query: &str, count: usize) -> Result<String, String>;

    async fn remember(
        &self,
        client: &Self::McpClient,
        content: &str,
        program: &str,
    ) -> Result<String, String>;

    async fn ask(
        &self,
        client: &Self::McpClient,
        message: &str,
        program: &str,
        events: CallEventSender,
        cancel: CancellationToken,
    ) -> Result<String, String>;
}

/// The HTTP service for `/mcp`.
pub type McpService<H> = StreamableHttpService<McpSession<H>, LocalSessionManager>;

/// Serves the tools over streamable HTTP until `closing` is cancelled. Authentication is up to the route.
pub fn serve<H: McpHandler>(handler: Arc<H>, closing: CancellationToken) -> McpService<H> {
    let session = move || McpSession { handler: Arc::clone(&handler), threshold: LogThreshold::default() };
    serve_handler(session, HostCheck::CheckedByRoute, closing)
}

/// The host names accepted in requests. A web page could point a host name of its own at this machine (DNS rebinding).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostCheck {
    /// The route in front of the service has already checked the host.
    CheckedByRoute,
    ThisMachine,
}

/// Serves any protocol handler in the same way as `/mcp`: the conformance suite needs tools that the companion does not
/// offer. Each session gets its own handler.
pub fn serve_handler<S: ServerHandler>(
    handler: impl Fn() -> S + Send + Sync + 'static,
    hosts: HostCheck,
    closing: CancellationToken,
) -> StreamableHttpService<S, LocalSessionManager> {
    let config = StreamableHttpServerConfig::default()
        .with_max_request_body_bytes(LARGEST_REQUEST)
        .with_cancellation_token(closing);
    let config = match hosts {
        HostCheck::CheckedByRoute => config.disable_allowed_hosts(),
        HostCheck::ThisMachine => config,
    };
    StreamableHttpService::new(move || Ok(handler()), Arc::default(), config)
}

/// The protocol handler of one client session.
pub struct McpSession<H> {
    handler: Arc<H>,
    threshold: LogThreshold,
}

impl<H: McpHandler> McpSession<H> {
    fn client(context: &RequestContext<RoleServer>) -> Result<H::McpClient, ErrorData> {
        let parts = context.extensions.get::<http::request::Parts>();
        let client = parts.and_then(|parts| parts.extensions.get::<H::McpClient>()).cloned();
        client.ok_or_else(|| ErrorData::internal_error("nobody knows who asks", None))
    }
}

impl<H: McpHandler> ServerHandler for McpSession<H> {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_logging().enable_tools().build();
        let mut info = ServerConfig::new(capabilities).with_instructions(INSTRUCTIONS);
        info.protocol_version = ProtocolVersion::V_2025_11_25;
        info.server_info = Implementation::new("perigee", env!("CARGO_PKG_VERSION"));
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let client = Self::client(&context)?;
        let allowed = AGENT_TOOLS.into_iter().filter(|tool| self.handler.may(&client, *tool));
        Ok(ListToolsResult::with_all_items(allowed.map(AgentTool::tool).collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let client = Self::client(&context)?;
        let wanted = AGENT_TOOLS.into_iter().find(|tool| tool.name() == request.name);
        let tool = wanted.filter(|tool| self.handler.may(&client, *tool)).ok_or_else(|| {
            ErrorData::invalid_params(format!("there is no tool {} for you", request.name), None)
        })?;
        let arguments = request.arguments.unwrap_or_default();
        let program =
            context.client_info().map_or_else(|| "another program".to_owned(), |client| client.name);
        let program: String = program.chars().filter(|letter| !letter.is_control()).take(64).collect();
        let answer = match text_argument(&arguments, tool.argument()) {
            Err(why) => Err(why),
            Ok(input) => match tool {
                AgentTool::Recall => {
                    let count =
                        arguments.get("limit").and_then(Value::as_u64).unwrap_or(8).clamp(1, MOST_RECALLED);
                    self.handler.recall(&client, &input, usize::try_from(count).unwrap_or(8)).await
                }
                AgentTool::Remember => self.handler.remember(&client, &input, &program).await,
                AgentTool::Ask => {
                    let (events, forwarder) = CallEventForwarder::of(&context, &self.threshold);
                    let answering = self.handler.ask(&client, &input, &program, events, context.ct.clone());
                    forwarder.run(answering).await
                }
            },
        };
        let result = match answer {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(why) => CallToolResult::error(vec![ContentBlock::text(why)]),
        };
        Ok(result.into())
    }

    async fn set_level(
        &self,
        request: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.threshold.set(request.level);
        Ok(())
    }
}

impl AgentTool {
    fn name(self) -> &'static str {
        match self {
            Self::Recall => "recall",
            Self::Remember => "remember",
            Self::Ask => "ask",
        }
    }

    /// Returns the name of the required argument.
    fn argument(self) -> &'static str {
        match self {
            Self::Recall => "query",
            Self::Remember => "content",
            Self::Ask => "message",
        }
    }

    fn tool(self) -> Tool {
        let string = |about: &str| json!({"type": "string", "description": about});
        let (about, mut properties) = match self {
            Self::Recall => (
                "Finds what is remembered of the person: facts, what was said, notes. Private things are left out.",
                json!({
                    "query": string("What is looked for, in words."),
                    "limit": {"type": "integer", "minimum": 1, "maximum": MOST_RECALLED},
                }),
            ),
            Self::Remember => (
                "Writes down something about the person. It counts once the person has said that it is so.",
                json!({"content": string("One fact, in a sentence.")}),
            ),
            Self::Ask => (
                "Asks Luna, who answers as she would the person, with her memory and her tools. What she may not do \
                 without a yes, she asks the person about.",
                json!({"message": string("What is said to her.")}),
            ),
        };
        let mut schema = Map::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), properties.take());
        schema.insert("required".into(), json!([self.argument()]));
        let hints = ToolAnnotations::new()
            .read_only(self == Self::Recall)
            .destructive(false)
            .open_world(self == Self::Ask);
        Tool::new(Cow::Borrowed(self.name()), about, schema).with_annotations(hints)
    }
}

fn text_argument(arguments: &Map<String, Value>, name: &str) -> Result<String, String> {
    match arguments.get(name).and_then(Value::as_str).map(str::trim) {
        Some(text) if !text.is_empty() => Ok(text.to_owned()),
        _ => Err(format!("Give a text as `{name}`.")),
    }
}
