// The protocol's next revision drops logging, sampling and subscriptions; the revision under test still has them.
#![expect(deprecated)]

use http::request::Parts;
use mcp::LogThreshold;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult, CompletionInfo,
    ErrorData, GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, LoggingLevel,
    LoggingMessageNotificationParam, PaginatedRequestParams, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, Reference, ServerCapabilities, ServerConfig, SetLevelRequestParams,
    SubscribeRequestParams, UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, RoleServer};
use rmcp::{Peer, ServerHandler};
use serde_json::Value;

use crate::connection::RequestConnection;
use crate::{prompts, resources, tools};

type Context = RequestContext<RoleServer>;

/// The server handler that the suite expects, one per session.
#[derive(Default)]
pub struct Fixture {
    threshold: LogThreshold,
}

impl Fixture {
    /// Sends a log message if the session's level admits it.
    pub async fn log(
        &self,
        peer: &Peer<RoleServer>,
        level: LoggingLevel,
        text: &str,
    ) -> Result<(), ErrorData> {
        if !self.threshold.admits(level) {
            return Ok(());
        }
        let message = LoggingMessageNotificationParam::new(level, Value::from(text));
        peer.notify_logging_message(message).await.map_err(|error| failed(&error))
    }
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_completions()
            .enable_logging()
            .enable_prompts()
            .enable_resources()
            .enable_resources_subscribe()
            .enable_tools()
            .build();
        let mut info = ServerConfig::new(capabilities);
        info.protocol_version = ProtocolVersion::V_2025_11_25;
        info.server_info = Implementation::new("perigee-conformance", env!("CARGO_PKG_VERSION"));
        info
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        tools::call(self, &request.name, &arguments, &context).await.map(Into::into)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::all()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: Context,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(&request.uri).map(Into::into)
    }

    // The resources never change, so subscribers are never notified.
    async fn subscribe(&self, request: SubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        resources::read(&request.uri).map(drop)
    }

    async fn unsubscribe(&self, request: UnsubscribeRequestParams, _: Context) -> Result<(), ErrorData> {
        resources::read(&request.uri).map(drop)
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListPromptsResult, ErrorData> {
        Ok(ListPromptsResult::with_all_items(prompts::all()))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: Context,
    ) -> Result<GetPromptResponse, ErrorData> {
        prompts::get(&request.name, &request.arguments.unwrap_or_default()).map(Into::into)
    }

    async fn complete(
        &self,
        request: CompleteRequestParams,
        _: Context,
    ) -> Result<CompleteResult, ErrorData> {
        let of_a_prompt = matches!(request.r#ref, Reference::Prompt(_));
        let words = if of_a_prompt { prompts::completions(&request.argument.value) } else { Vec::new() };
        let completion = CompletionInfo::new(words).map_err(|why| ErrorData::internal_error(why, None))?;
        Ok(CompleteResult::new(completion))
    }

    async fn set_level(&self, request: SetLevelRequestParams, _: Context) -> Result<(), ErrorData> {
        self.threshold.set(request.level);
        Ok(())
    }
}

/// Returns the connection that the request came in on.
pub fn connection(context: &Context) -> Option<RequestConnection> {
    context.extensions.get::<Parts>()?.extensions.get::<RequestConnection>().cloned()
}

/// An internal error for a message that could not be delivered to the client.
pub fn failed(error: &dyn std::error::Error) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}
