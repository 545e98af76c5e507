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
use tokio::sync::Notify;
use tokio_util::sync::{CancellationToken, DropGuard};
use tools::UserChannel;

use crate::calls::{Call, Calls, token};
use crate::handler::Handler;
use crate::incoming::Incoming;
use crate::journal::Journal;
use crate::launch::{LONGEST_MESSAGE, Launch};
use crate::offered::{MOST_TOOLS, Offered};
use crate::pipe::{End, listen};
use crate::sign_in::SignIn;

/// The time without any sign of activity after which a call is given up.
const PATIENCE: Duration = Duration::from_mins(1);
/// The limit of a call regardless of activity.
const LONGEST_CALL: Duration = Duration::from_mins(10);
/// The most pages of a list that are requested, since a list may be endless.
const MOST_PAGES: usize = 50;
const LISTING: Duration = Duration::from_secs(30);
/// The time to answer a ping.
const SIGN_OF_LIFE: Duration = Duration::from_secs(3);
/// The separator between an error and the server's own output.
pub const COMPLAINT: &str = ". It said:";

/// A connected server. Dropping it ends the connection and the program.
pub struct Session {
    peer: Peer<RoleClient>,
    calls: Arc<Calls>,
    journal: Arc<Journal>,
    end: Arc<End>,
    patience: Duration,
    uses: AtomicU64,
    wish: Mutex<Option<Challenge>>,
    changed: Arc<Notify>,
    _stop: DropGuard,
}

/// The offer of a server.
#[derive(Debug, Clone, Default)]
pub struct Inventory {
    pub tools: Vec<Offered>,
    /// Tools left out, with reasons.
    pub left_out: Vec<String>,
    pub has_resources: bool,
    pub has_prompts: bool,
    /// The server's own name for itself.
    pub title: Option<String>,
    pub version: Option<String>,
}

/// A sign-in request of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Challenge {
    /// No access without signing in.
    SignIn(String),
    /// An operation needs more scopes than were granted.
    MoreRights(String),
}

/// The reason why a connection could not be established.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    #[error("{0}")]
    Failed(String),
    /// The server requires a sign-in, with this challenge.
    #[error("it wants you to sign in")]
    Locked(String),
}

impl From<String> for OpenError {
    fn from(why: String) -> Self {
        Self::Failed(why)
    }
}

/// Describes a failed initialisation without the names of transport types.
fn said(error: ClientInitializeError) -> String {
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
    Said(String),
    #[error("The server stopped in the middle of it: {0}.")]
    Gone(String),
    #[error("The server did not answer within {0} seconds.")]
    Silent(u64),
    #[error("The server answered with something else.")]
    Nonsense,
    #[error("The server wants the user to sign in with it. They can do that on the page of servers.")]
    Locked,
    #[error(
        "The server wants more rights for this than it was given. The user can sign in again on the page of servers, to give them."
    )]
    NotAllowed,
}

impl Session {
    /// Starts or reaches a server and initialises the protocol.
    pub async fn open(
        launch: &Launch,
        sign_in: Option<&SignIn>,
        handler: Handler,
        patience: Duration,
    ) -> Result<Self, OpenError> {
        let stop = CancellationToken::new();
        let guard = stop.clone().drop_guard();
        let end: Arc<End> = Arc::default();
        let (calls, journal) = (Arc::clone(&handler.calls), Arc::clone(&handler.journal));
        let changed = Arc::clone(&handler.changed);
        let speaker = launch.start()?;
        let greeting = async {
            let Some(mut speaker) = speaker else {
                let sign_in = sign_in.ok_or_else(|| "it has no address".to_owned())?;
                let way = Incoming::new(launch.http(sign_in).await?, Arc::clone(&calls), Arc::clone(&end));
                return handler.serve_with_ct(way, stop.clone()).await.map_err(|error| {
                    match error.auth_challenge() {
                        Some(how) => OpenError::Locked(how.to_owned()),
                        None => OpenError::Failed(said(error)),
                    }
                });
            };
            let input = speaker.input().ok_or_else(|| "it cannot be talked to".to_owned())?;
            let output = listen(speaker, Arc::clone(&journal), stop.clone(), Arc::clone(&end));
            let transport = AsyncRwTransport::new_client(output, input).with_max_line_length(LONGEST_MESSAGE);
            let way = Incoming::new(transport, Arc::clone(&calls), Arc::clone(&end));
            let greeted = handler.serve_with_ct(way, stop.clone()).await;
            greeted.map_err(|error| OpenError::Failed(said(error)))
        };
        let service = match tokio::time::timeout(patience, greeting).await {
            Ok(Ok(service)) => service,
            Ok(Err(OpenError::Failed(error))) => {
                // The exit status of a dead program says more than the transport error.
                let how = tokio::time::timeout(Duration::from_secs(1), end.token.cancelled()).await;
                let why = if how.is_ok() { end.why() } else { error };
                return Err(with_complaint(&why, &journal.last(4)).into());
            }
            Ok(Err(locked)) => return Err(locked),
            Err(_) => {
                let why = format!("it did not answer within {} seconds", patience.as_secs());
                return Err(with_complaint(&why, &journal.last(4)).into());
            }
        };
        let peer = service.peer().clone();
        let over = Arc::clone(&end);
        tokio::spawn(async move {
            let _ = service.waiting().await;
            // If the server is a program, it reports its exit within this time.
            let _ = tokio::time::timeout(Duration::from_secs(3), over.token.cancelled()).await;
            over.set("the connection ended");
        });
        Ok(Self {
            peer,
            calls,
            journal,
            end,
            patience: PATIENCE,
            uses: AtomicU64::new(0),
            wish: Mutex::default(),
            changed,
            _stop: guard,
        })
    }

    /// Returns the sign-in request made since the connection was established, if any.
    pub fn wish(&self) -> Option<Challenge> {
        self.wish.lock().unwrap_or_else(PoisonError::into_inner).clone()
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
    pub async fn inventory(&self) -> Result<Inventory, String> {
        let info = self.peer.peer_info();
        let able = info.as_ref().map(|info| info.capabilities.clone()).unwrap_or_default();
        let about = info.as_ref().and_then(|info| info.server_info.clone());
        let mut inventory = Inventory {
            has_resources: able.resources.is_some(),
            has_prompts: able.prompts.is_some(),
            version: about.as_ref().map(|about| about.version.clone()),
            title: about.map(|about| about.title.unwrap_or(about.name)),
            ..Inventory::default()
        };
        if able.tools.is_none() {
            return Ok(inventory);
        }
        let listing = tokio::time::timeout(LISTING, self.tools(&mut inventory)).await;
        match listing {
            Ok(Ok(())) => Ok(inventory),
            Ok(Err(error)) => {
                let why = self.told(error).to_string();
                Err(self.fallen(&why).await)
            }
            Err(_) => Err("it did not say in time what it can do".to_owned()),
        }
    }

    /// Stores the sign-in request. A missing sign-in ends the session; missing scopes do not.
    fn locked(&self, challenge: Challenge) -> CallError {
        let error = match &challenge {
            Challenge::SignIn(_) => CallError::Locked,
            Challenge::MoreRights(_) => CallError::NotAllowed,
        };
        *self.wish.lock().unwrap_or_else(PoisonError::into_inner) = Some(challenge);
        if error == CallError::Locked {
            self.end.set("it wants you to sign in");
        }
        self.changed.notify_one();
        error
    }

    /// Returns the reason for a failure, preferring the exit of the program, which says more.
    async fn fallen(&self, why: &str) -> String {
        let ended = tokio::time::timeout(Duration::from_secs(1), self.end.token.cancelled()).await;
        let why = if ended.is_ok() { self.end.why() } else { why.to_owned() };
        with_complaint(&why, &self.journal.last(4))
    }

    async fn tools(&self, inventory: &mut Inventory) -> Result<(), ServiceError> {
        let mut cursor = None;
        for _ in 0..MOST_PAGES {
            let page = self.peer.list_tools(Some(page_from(cursor))).await?;
            for tool in &page.tools {
                if inventory.tools.len() >= MOST_TOOLS {
                    inventory
                        .left_out
                        .push(format!("it offers more than {MOST_TOOLS} tools; the rest is left out"));
                    return Ok(());
                }
                match Offered::read(tool) {
                    Ok(tool) if inventory.tools.iter().any(|other| other.name == tool.name) => {
                        inventory.left_out.push(format!("{} is there twice", tool.name));
                    }
                    Ok(tool) => inventory.tools.push(tool),
                    Err(why) if inventory.left_out.len() < 20 => inventory.left_out.push(why),
                    Err(_) => {}
                }
            }
            match page.next_cursor {
                Some(next) => cursor = Some(next),
                None => return Ok(()),
            }
        }
        inventory.left_out.push("its list of tools has no end".to_owned());
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
        match self.ask(request, Call::new(user, user_channel)).await? {
            ServerResult::CallToolResult(result) => Ok(result),
            _ => Err(CallError::Nonsense),
        }
    }

    /// Lists the resources of the server.
    pub async fn resources(&self, call: Arc<Call>) -> Result<Vec<model::Resource>, CallError> {
        let request =
            ClientRequest::ListResourcesRequest(model::ListResourcesRequest::with_param(page_from(None)));
        match self.ask(request, call).await? {
            ServerResult::ListResourcesResult(list) => Ok(list.resources),
            _ => Err(CallError::Nonsense),
        }
    }

    pub async fn resource(
        &self,
        uri: &str,
        call: Arc<Call>,
    ) -> Result<Vec<model::ResourceContents>, CallError> {
        let params = model::ReadResourceRequestParams::new(uri);
        let request = ClientRequest::ReadResourceRequest(model::ReadResourceRequest::new(params));
        match self.ask(request, call).await? {
            ServerResult::ReadResourceResult(read) => Ok(read.contents),
            _ => Err(CallError::Nonsense),
        }
    }

    pub async fn prompts(&self, call: Arc<Call>) -> Result<Vec<model::Prompt>, CallError> {
        let request =
            ClientRequest::ListPromptsRequest(model::ListPromptsRequest::with_param(page_from(None)));
        match self.ask(request, call).await? {
            ServerResult::ListPromptsResult(list) => Ok(list.prompts),
            _ => Err(CallError::Nonsense),
        }
    }

    pub async fn prompt(
        &self,
        name: &str,
        arguments: Map<String, Value>,
        call: Arc<Call>,
    ) -> Result<Vec<model::PromptMessage>, CallError> {
        let params = model::GetPromptRequestParams::new(name).with_arguments(arguments);
        let request = ClientRequest::GetPromptRequest(model::GetPromptRequest::new(params));
        match self.ask(request, call).await? {
            ServerResult::GetPromptResult(prompt) => Ok(prompt.messages),
            _ => Err(CallError::Nonsense),
        }
    }

    /// Sends a request and waits as long as there are signs of activity.
    async fn ask(&self, request: ClientRequest, call: Arc<Call>) -> Result<ServerResult, CallError> {
        self.uses.fetch_add(1, Ordering::Relaxed);
        let options = PeerRequestOptions::no_options();
        let sent = self.peer.send_cancellable_request(request, options).await;
        let mut handle = sent.map_err(|error| self.told(error))?;
        let _running = self.calls.begin(token(&handle.progress_token), Arc::clone(&call));
        let mut unanswered = Unanswered { peer: Some(self.peer.clone()), id: handle.id.clone() };
        let began = tokio::time::Instant::now();
        let mut signs = call.signs();
        let answer = loop {
            tokio::select! {
                answer = &mut handle.rx => break answer,
                () = self.end.token.cancelled() => {
                    unanswered.peer = None;
                    return Err(CallError::Gone(self.end.why()));
                }
                () = tokio::time::sleep(self.patience) => {
                    let heard = call.signs() != signs || call.is_asking();
                    signs = call.signs();
                    if !heard || began.elapsed() > LONGEST_CALL {
                        // The next call would wait just as long in vain.
                        if !self.is_alive().await {
                            self.end.set("it hung, and is started again");
                        }
                        return Err(CallError::Silent(began.elapsed().as_secs()));
                    }
                }
            }
        };
        unanswered.peer = None;
        match answer {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(error)) => Err(self.told(error)),
            Err(_) => {
                // If the program is dying, its exit status is worth a short wait.
                let _ = tokio::time::timeout(Duration::from_secs(1), self.end.token.cancelled()).await;
                Err(CallError::Gone(self.end.why()))
            }
        }
    }

    /// Returns true if the server answers a ping, which every server must do at any time.
    async fn is_alive(&self) -> bool {
        let ping = ClientRequest::PingRequest(model::PingRequest::default());
        tokio::time::timeout(SIGN_OF_LIFE, self.peer.send_request(ping))
            .await
            .is_ok_and(|answer| answer.is_ok())
    }

    fn told(&self, error: ServiceError) -> CallError {
        if let ServiceError::TransportSend(error) = &error
            && let Some(challenge) = challenge_in(error.error.as_ref())
        {
            return self.locked(challenge);
        }
        match error {
            ServiceError::McpError(error) => CallError::Said(error.message.to_string()),
            ServiceError::TransportSend(error) if !self.end.token.is_cancelled() => {
                CallError::Gone(error.error.to_string())
            }
            ServiceError::TransportClosed | ServiceError::TransportSend(_) => CallError::Gone(self.end.why()),
            ServiceError::UnexpectedResponse => CallError::Nonsense,
            other => CallError::Said(other.to_string()),
        }
    }
}

/// Finds the sign-in request in a chain of errors.
fn challenge_in(error: &(dyn Error + 'static)) -> Option<Challenge> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(locked) = error.downcast_ref::<AuthRequiredError>() {
            return Some(Challenge::SignIn(locked.www_authenticate_header.clone()));
        }
        if let Some(narrow) = error.downcast_ref::<InsufficientScopeError>() {
            return Some(Challenge::MoreRights(narrow.www_authenticate_header.clone()));
        }
        next = error.source();
    }
    None
}

fn page_from(cursor: Option<String>) -> PaginatedRequestParams {
    PaginatedRequestParams::default().with_cursor(cursor)
}

fn with_complaint(why: &str, complaint: &str) -> String {
    if complaint.is_empty() { why.to_owned() } else { format!("{why}{COMPLAINT} {complaint}") }
}

/// Cancels its request on drop unless it was answered.
struct Unanswered {
    peer: Option<Peer<RoleClient>>,
    id: RequestId,
}

impl Drop for Unanswered {
    fn drop(&mut self) {
        let Some(peer) = self.peer.take() else { return };
        let why = Some("nobody waits for it any more".to_owned());
        let taken_back =
            CancelledNotification::new(CancelledNotificationParam::new(Some(self.id.clone()), why));
        tokio::spawn(async move { peer.send_notification(taken_back.into()).await });
    }
}
