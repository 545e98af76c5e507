//! One connection to a server: what it offers, and calls to it.
//!
//! A call is waited for as long as the server shows signs of activity: progress, or a question to the user. One that stays
//! silent for a minute is given up; if the server does not even answer a ping then, it is started again.

use std::error::Error;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use protocol::UserId;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, CancelledNotification,
    CancelledNotificationParam, ClientRequest, PaginatedRequestParams, RequestId, ServerResult,
};
use rmcp::service::{ClientInitializeError, Peer, PeerRequestOptions, RoleClient, ServiceError};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::{AuthRequiredError, InsufficientScopeError};
use rmcp::{ServiceExt as _, model};
use serde_json::{Map, Value};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::Notify;
use tokio_util::sync::{CancellationToken, DropGuard};
use tools::UserChannel;

use crate::limited_transport::{AnyTransport, LimitedTransport};
use crate::offered_tool::{MOST_TOOLS, OfferedTool};
use crate::runner::StartedRunner;
use crate::server_calls::{ServerCall, ServerCalls, token};
use crate::server_launch::{LONGEST_MESSAGE, ServerLaunch};
use crate::server_log::ServerLog;
use crate::server_process::{ConnectionEnd, read_output};
use crate::server_requests::ServerRequestHandler;
use crate::sign_in::ServerSignIn;

/// The time without any sign of activity after which a call is given up.
const LONGEST_SILENCE: Duration = Duration::from_mins(1);
/// The limit of a call regardless of activity.
const LONGEST_CALL: Duration = Duration::from_mins(10);
/// The most pages of a list that are requested, since a list may be endless.
const MOST_PAGES: usize = 50;
const LIST_TIMEOUT: Duration = Duration::from_secs(30);
/// The time to answer a ping.
const PING_TIMEOUT: Duration = Duration::from_secs(3);
/// The separator between an error and the server's own output.
pub const OUTPUT_SEPARATOR: &str = ". It said:";

/// A connected server. Dropping it ends the connection and the program.
pub struct ServerSession {
    peer: Peer<RoleClient>,
    calls: Arc<ServerCalls>,
    log: Arc<ServerLog>,
    end: Arc<ConnectionEnd>,
    uses: AtomicU64,
    sign_in_request: Mutex<Option<SignInChallenge>>,
    changed: Arc<Notify>,
    _stop: DropGuard,
}

/// The offer of a server.
#[derive(Debug, Clone, Default)]
pub struct ServerOffer {
    pub tools: Vec<OfferedTool>,
    /// Tools left out, with reasons.
    pub left_out: Vec<String>,
    pub has_resources: bool,
    pub has_prompts: bool,
    /// The server's own name for itself.
    pub title: Option<String>,
    pub version: Option<String>,
}

/// A sign-in request of a server, with its header `WWW-Authenticate`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignInChallenge {
    /// No access without signing in.
    SignIn(String),
    /// An operation needs more scopes than were granted.
    MoreScopes(String),
}

impl SignInChallenge {
    /// Returns the header `WWW-Authenticate` of the server.
    pub fn into_header(self) -> String {
        match self {
            Self::SignIn(header) | Self::MoreScopes(header) => header,
        }
    }
}

/// The reason why a connection could not be established.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConnectError {
    #[error("{0}")]
    Failed(String),
    /// The server requires a sign-in, with this challenge.
    #[error("it wants you to sign in")]
    SignInRequired(String),
}

impl From<String> for ConnectError {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

/// The transport of a program that speaks the protocol on its standard streams.
fn lines_of_json(
    output: impl AsyncRead + Send + Unpin + 'static,
    input: impl AsyncWrite + Send + Unpin + 'static,
) -> Box<dyn AnyTransport> {
    Box::new(AsyncRwTransport::new_client(output, input).with_max_line_length(LONGEST_MESSAGE))
}

/// Describes a failed initialisation without the names of transport types.
fn init_error(error: ClientInitializeError) -> String {
    let ClientInitializeError::TransportError { error: transport, .. } = error else {
        return error.to_string();
    };
    let mut innermost: &dyn Error = &*transport.error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    format!("it cannot be reached: {innermost}")
}

/// The reason why a call failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallError {
    /// An error message of the server itself.
    #[error("{0}")]
    FromServer(String),
    #[error("The server stopped in the middle of it: {0}.")]
    Stopped(String),
    #[error("The server did not answer within {0} seconds.")]
    TimedOut(u64),
    #[error("The server answered with something else.")]
    UnexpectedAnswer,
    #[error("The server wants the user to sign in with it. They can do that on the page of servers.")]
    SignInRequired,
    #[error(
        "The server wants more rights for this than it was given. The user can sign in again on the page of servers, to give them."
    )]
    MoreScopesNeeded,
}

impl ServerSession {
    /// Starts or reaches a server and initialises the protocol.
    pub async fn open(
        launch: &ServerLaunch,
        sign_in: Option<&ServerSignIn>,
        handler: ServerRequestHandler,
        start_timeout: Duration,
    ) -> Result<Self, ConnectError> {
        let stop = CancellationToken::new();
        let guard = stop.clone().drop_guard();
        let end: Arc<ConnectionEnd> = Arc::default();
        let (calls, log) = (Arc::clone(&handler.calls), Arc::clone(&handler.log));
        let changed = Arc::clone(&handler.changed);
        let process = launch.start()?;
        let connecting = async {
            let transport: Box<dyn AnyTransport> = if let Some(mut process) = process {
                let input = process.input().ok_or_else(|| "it cannot be talked to".to_owned())?;
                let output = read_output(process, Arc::clone(&log), stop.clone(), Arc::clone(&end));
                match launch {
                    ServerLaunch::Sandboxed { .. } => match StartedRunner::read(output, input).await? {
                        StartedRunner::Tools(transport) => transport,
                        StartedRunner::Mcp(output, input) => lines_of_json(output, input),
                        StartedRunner::Nothing(why) => {
                            // It says more than the exit code that follows.
                            end.set(&why);
                            return Err(why.into());
                        }
                    },
                    ServerLaunch::Configured(_) => lines_of_json(output, input),
                }
            } else {
                let sign_in = sign_in.ok_or_else(|| "it has no address".to_owned())?;
                Box::new(launch.http(sign_in).await?)
            };
            let transport = LimitedTransport::new(transport, Arc::clone(&calls), Arc::clone(&end));
            handler.serve_with_ct(transport, stop.clone()).await.map_err(|error| {
                match error.auth_challenge() {
                    Some(challenge) => ConnectError::SignInRequired(challenge.to_owned()),
                    None => ConnectError::Failed(init_error(error)),
                }
            })
        };
        let service = match tokio::time::timeout(start_timeout, connecting).await {
            Ok(Ok(service)) => service,
            Ok(Err(ConnectError::Failed(error))) => {
                // The exit status of a dead program says more than the transport error.
                let ended = tokio::time::timeout(Duration::from_secs(1), end.token.cancelled()).await;
                let why = if ended.is_ok() { end.why() } else { error };
                return Err(with_output(&why, &log.last_output(4)).into());
            }
            Ok(Err(error)) => return Err(error),
            Err(_) => {
                let why = format!("it did not answer within {} seconds", start_timeout.as_secs());
                return Err(with_output(&why, &log.last_output(4)).into());
            }
        };
        let peer = service.peer().clone();
        let ended = Arc::clone(&end);
        tokio::spawn(async move {
            let _ = service.waiting().await;
            // If the server is a program, it reports its exit within this time.
            let _ = tokio::time::timeout(Duration::from_secs(3), ended.token.cancelled()).await;
            ended.set("the connection ended");
        });
        Ok(Self {
            peer,
            calls,
            log,
            end,
            uses: AtomicU64::new(0),
            sign_in_request: Mutex::default(),
            changed,
            _stop: guard,
        })
    }

    /// Returns the sign-in request made since the connection was established, if any.
    pub fn sign_in_request(&self) -> Option<SignInChallenge> {
        self.sign_in_request.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Waits for the end of the connection and returns the reason.
    pub async fn ended(&self) -> String {
        self.end.token.cancelled().await;
        self.end.why()
    }

    /// Returns the number of requests so far.
    pub fn uses(&self) -> u64 {
        self.uses.load(Ordering::Relaxed)
    }

    pub fn is_idle(&self) -> bool {
        self.calls.is_empty()
    }

    /// Requests the server's offer.
    pub async fn offer(&self) -> Result<ServerOffer, String> {
        let info = self.peer.peer_info();
        let capabilities = info.as_ref().map(|info| info.capabilities.clone()).unwrap_or_default();
        let server_info = info.as_ref().and_then(|info| info.server_info.clone());
        let mut offer = ServerOffer {
            has_resources: capabilities.resources.is_some(),
            has_prompts: capabilities.prompts.is_some(),
            version: server_info.as_ref().map(|server_info| server_info.version.clone()),
            title: server_info.map(|server_info| server_info.title.unwrap_or(server_info.name)),
            ..ServerOffer::default()
        };
        if capabilities.tools.is_none() {
            return Ok(offer);
        }
        let listing = tokio::time::timeout(LIST_TIMEOUT, self.tools(&mut offer)).await;
        match listing {
            Ok(Ok(())) => Ok(offer),
            Ok(Err(error)) => {
                let why = self.call_error(error).to_string();
                Err(self.failure_reason(&why).await)
            }
            Err(_) => Err("it did not say in time what it can do".to_owned()),
        }
    }

    /// Stores the sign-in request. A missing sign-in ends the session; missing scopes do not.
    fn record_challenge(&self, challenge: SignInChallenge) -> CallError {
        let error = match &challenge {
            SignInChallenge::SignIn(_) => CallError::SignInRequired,
            SignInChallenge::MoreScopes(_) => CallError::MoreScopesNeeded,
        };
        *self.sign_in_request.lock().unwrap_or_else(PoisonError::into_inner) = Some(challenge);
        if error == CallError::SignInRequired {
            self.end.set("it wants you to sign in");
        }
        self.changed.notify_one();
        error
    }

    /// Returns the reason for a failure, preferring the exit of the program, which says more.
    async fn failure_reason(&self, why: &str) -> String {
        let ended = tokio::time::timeout(Duration::from_secs(1), self.end.token.cancelled()).await;
        let why = if ended.is_ok() { self.end.why() } else { why.to_owned() };
        with_output(&why, &self.log.last_output(4))
    }

    async fn tools(&self, offer: &mut ServerOffer) -> Result<(), ServiceError> {
        let mut cursor = None;
        for _ in 0..MOST_PAGES {
            let page = self.peer.list_tools(Some(page_params(cursor))).await?;
            for tool in &page.tools {
                if offer.tools.len() >= MOST_TOOLS {
                    offer
                        .left_out
                        .push(format!("it offers more than {MOST_TOOLS} tools; the rest is left out"));
                    return Ok(());
                }
                match OfferedTool::read(tool) {
                    Ok(tool) if offer.tools.iter().any(|other| other.name == tool.name) => {
                        offer.left_out.push(format!("{} is there twice", tool.name));
                    }
                    Ok(tool) => offer.tools.push(tool),
                    Err(why) if offer.left_out.len() < 20 => offer.left_out.push(why),
                    Err(_) => {}
                }
            }
            match page.next_cursor {
                Some(next) => cursor = Some(next),
                None => return Ok(()),
            }
        }
        offer.left_out.push("its list of tools has no end".to_owned());
        Ok(())
    }

    /// Calls a tool for a user.
    pub async fn call(
        &self,
        tool: &str,
        arguments: Map<String, Value>,
        user: UserId,
        user_channel: Arc<dyn UserChannel>,
    ) -> Result<CallToolResult, CallError> {
        let params = CallToolRequestParams::new(tool.to_owned()).with_arguments(arguments);
        let request = ClientRequest::CallToolRequest(CallToolRequest::new(params));
        match self.ask(request, ServerCall::new(user, user_channel)).await? {
            ServerResult::CallToolResult(result) => Ok(result),
            _ => Err(CallError::UnexpectedAnswer),
        }
    }

    /// Lists the resources of the server.
    pub async fn resources(&self, call: Arc<ServerCall>) -> Result<Vec<model::Resource>, CallError> {
        let request =
            ClientRequest::ListResourcesRequest(model::ListResourcesRequest::with_param(page_params(None)));
        match self.ask(request, call).await? {
            ServerResult::ListResourcesResult(list) => Ok(list.resources),
            _ => Err(CallError::UnexpectedAnswer),
        }
    }

    pub async fn resource(
        &self,
        uri: &str,
        call: Arc<ServerCall>,
    ) -> Result<Vec<model::ResourceContents>, CallError> {
        let params = model::ReadResourceRequestParams::new(uri);
        let request = ClientRequest::ReadResourceRequest(model::ReadResourceRequest::new(params));
        match self.ask(request, call).await? {
            ServerResult::ReadResourceResult(read) => Ok(read.contents),
            _ => Err(CallError::UnexpectedAnswer),
        }
    }

    pub async fn prompts(&self, call: Arc<ServerCall>) -> Result<Vec<model::Prompt>, CallError> {
        let request =
            ClientRequest::ListPromptsRequest(model::ListPromptsRequest::with_param(page_params(None)));
        match self.ask(request, call).await? {
            ServerResult::ListPromptsResult(list) => Ok(list.prompts),
            _ => Err(CallError::UnexpectedAnswer),
        }
    }

    pub async fn prompt(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        call: Arc<ServerCall>,
    ) -> Result<Vec<model::PromptMessage>, CallError> {
        let params = model::GetPromptRequestParams::new(name).with_arguments(arguments);
        let request = ClientRequest::GetPromptRequest(model::GetPromptRequest::new(params));
        match self.ask(request, call).await? {
            ServerResult::GetPromptResult(prompt) => Ok(prompt.messages),
            _ => Err(CallError::UnexpectedAnswer),
        }
    }

    /// Sends a request and waits as long as there are signs of activity.
    async fn ask(&self, request: ClientRequest, call: Arc<ServerCall>) -> Result<ServerResult, CallError> {
        self.uses.fetch_add(1, Ordering::Relaxed);
        let options = PeerRequestOptions::no_options();
        let sent = self.peer.send_cancellable_request(request, options).await;
        let mut handle = sent.map_err(|error| self.call_error(error))?;
        let _pending = self.calls.begin(token(&handle.progress_token), Arc::clone(&call));
        let mut cancel_on_drop = CancelOnDrop { peer: Some(self.peer.clone()), id: handle.id.clone() };
        let began = tokio::time::Instant::now();
        let mut activity_before = call.activity();
        let answer = loop {
            tokio::select! {
                answer = &mut handle.rx => break answer,
                () = self.end.token.cancelled() => {
                    cancel_on_drop.peer = None;
                    return Err(CallError::Stopped(self.end.why()));
                }
                () = tokio::time::sleep(LONGEST_SILENCE) => {
                    let is_active = call.activity() != activity_before || call.is_asking();
                    activity_before = call.activity();
                    if !is_active || began.elapsed() > LONGEST_CALL {
                        // The next call would wait just as long in vain.
                        if !self.is_alive().await {
                            self.end.set("it hung, and is started again");
                        }
                        return Err(CallError::TimedOut(began.elapsed().as_secs()));
                    }
                }
            }
        };
        cancel_on_drop.peer = None;
        match answer {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(error)) => Err(self.call_error(error)),
            Err(_) => {
                // If the program is dying, its exit status is worth a short wait.
                let _ = tokio::time::timeout(Duration::from_secs(1), self.end.token.cancelled()).await;
                Err(CallError::Stopped(self.end.why()))
            }
        }
    }

    /// Returns true if the server answers a ping, which every server must do at any time.
    async fn is_alive(&self) -> bool {
        let ping = ClientRequest::PingRequest(model::PingRequest::default());
        tokio::time::timeout(PING_TIMEOUT, self.peer.send_request(ping))
            .await
            .is_ok_and(|answer| answer.is_ok())
    }

    fn call_error(&self, error: ServiceError) -> CallError {
        if let ServiceError::TransportSend(error) = &error
            && let Some(challenge) = challenge_in(error.error.as_ref())
        {
            return self.record_challenge(challenge);
        }
        match error {
            ServiceError::McpError(error) => CallError::FromServer(error.message.to_string()),
            ServiceError::TransportSend(error) if !self.end.token.is_cancelled() => {
                CallError::Stopped(error.error.to_string())
            }
            ServiceError::TransportClosed | ServiceError::TransportSend(_) => {
                CallError::Stopped(self.end.why())
            }
            ServiceError::UnexpectedResponse => CallError::UnexpectedAnswer,
            other => CallError::FromServer(other.to_string()),
        }
    }
}

/// Finds the sign-in request in a chain of errors.
fn challenge_in(error: &(dyn Error + 'static)) -> Option<SignInChallenge> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(required) = error.downcast_ref::<AuthRequiredError>() {
            return Some(SignInChallenge::SignIn(required.www_authenticate_header.clone()));
        }
        if let Some(insufficient) = error.downcast_ref::<InsufficientScopeError>() {
            return Some(SignInChallenge::MoreScopes(insufficient.www_authenticate_header.clone()));
        }
        next = error.source();
    }
    None
}

fn page_params(cursor: Option<String>) -> PaginatedRequestParams {
    PaginatedRequestParams::default().with_cursor(cursor)
}

fn with_output(why: &str, output: &str) -> String {
    if output.is_empty() { why.to_owned() } else { format!("{why}{OUTPUT_SEPARATOR} {output}") }
}

/// Cancels its request on drop unless it was answered.
struct CancelOnDrop {
    peer: Option<Peer<RoleClient>>,
    id: RequestId,
}

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        let Some(peer) = self.peer.take() else { return };
        let why = Some("nobody waits for it any more".to_owned());
        let cancelled =
            CancelledNotification::new(CancelledNotificationParam::new(Some(self.id.clone()), why));
        tokio::spawn(async move { peer.send_notification(cancelled.into()).await });
    }
}
