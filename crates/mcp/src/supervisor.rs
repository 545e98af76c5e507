//! Keeps a server running: starts it, notices its end, waits and starts it again.
//!
//! A server that dies is started again after one second, two, four and so on; after six failures in a row it waits for the
//! user. One that wants a sign-in waits for that. One without calls for a while is stopped, if it may be, and starts with the
//! next call.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use protocol::McpState;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use crate::server_calls::ServerCalls;
use crate::server_launch::ServerLaunch;
use crate::server_log::ServerLog;
use crate::server_requests::{SamplingModel, ServerRequestHandler};
use crate::server_session::{ConnectError, OUTPUT_SEPARATOR, ServerOffer, ServerSession, SignInChallenge};
use crate::sign_in::ServerSignIn;

/// The uptime after which a failure no longer adds to the failures in a row.
const STEADY: Duration = Duration::from_mins(1);
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_mins(5);
/// After this many failures in a row, the server is not restarted until a user starts it.
const MOST_FAILURES: u32 = 6;
/// The time that a call waits for a starting server.
const LONGEST_START: Duration = Duration::from_secs(20);

/// The state in which a supervised server is.
#[derive(Clone)]
pub enum RunState {
    /// Not running; starts on demand.
    Resting,
    Starting,
    Ready(Arc<ServerSession>),
    /// Waits until a user has signed in. `challenge` is the server's authentication challenge.
    Locked {
        challenge: String,
    },
    /// Failed; a retry follows.
    Failing {
        why: String,
    },
    /// Failed too often; no retry follows.
    Failed {
        why: String,
    },
}

impl RunState {
    pub fn on_the_wire(&self) -> McpState {
        match self {
            Self::Resting => McpState::Resting,
            Self::Starting => McpState::Starting,
            Self::Ready(_) => McpState::Ready,
            Self::Locked { .. } => McpState::Locked,
            Self::Failing { .. } => McpState::Failing,
            Self::Failed { .. } => McpState::Failed,
        }
    }

    /// Returns the reason of a failure.
    pub fn failure(&self) -> Option<String> {
        match self {
            Self::Failing { why } | Self::Failed { why } => Some(why.clone()),
            Self::Resting | Self::Starting | Self::Ready(_) | Self::Locked { .. } => None,
        }
    }
}

const SIGN_IN_REQUIRED: &str =
    "it wants the user to sign in with it. They can do that on the page of servers";

/// Checks that a server may be used, and gives the reason if not.
pub type UseCheck = Box<dyn Fn() -> Result<(), String> + Send + Sync>;

/// The configuration of a [`ServerSupervisor`].
pub struct SupervisorConfig {
    pub name: String,
    pub launch: ServerLaunch,
    /// The sign-in, for a server reached by URL.
    pub sign_in: Option<Arc<ServerSignIn>>,
    pub log: Arc<ServerLog>,
    pub model: Arc<dyn SamplingModel>,
    pub root: Option<std::path::PathBuf>,
    /// The timeout for a start.
    pub start_timeout: Duration,
    /// The time without a call after which the server stops.
    pub idle: Option<Duration>,
    /// A check before each start and each use.
    pub check: Option<UseCheck>,
    /// Reviews the server's offer after each start and whenever it changes. An error ends the server.
    pub review: Box<dyn Fn(ServerOffer) -> Result<(), String> + Send + Sync>,
    /// Called after every change of state.
    pub changed: Box<dyn Fn() + Send + Sync>,
}

/// Supervises one server for as long as it is wanted: starts it, notices when it dies, and retries.
pub struct ServerSupervisor {
    config: SupervisorConfig,
    state: watch::Sender<RunState>,
    wanted: watch::Sender<bool>,
    start_requested: Notify,
    restart_requested: Notify,
    offer: Mutex<ServerOffer>,
    closed: CancellationToken,
}

impl ServerSupervisor {
    /// Creates the supervisor; the server starts at once if `running` is set.
    pub fn new(config: SupervisorConfig, running: bool) -> Arc<Self> {
        let supervisor = Arc::new(Self {
            config,
            state: watch::Sender::new(RunState::Resting),
            wanted: watch::Sender::new(running),
            start_requested: Notify::new(),
            restart_requested: Notify::new(),
            offer: Mutex::default(),
            closed: CancellationToken::new(),
        });
        tokio::spawn(Arc::clone(&supervisor).supervise());
        supervisor
    }

    pub fn state(&self) -> RunState {
        self.state.borrow().clone()
    }

    pub fn log(&self) -> &Arc<ServerLog> {
        &self.config.log
    }

    /// Returns what the server last offered.
    pub fn offer(&self) -> ServerOffer {
        self.offer.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Starts the server, also after repeated failures.
    pub fn start(&self) {
        self.wanted.send_replace(true);
        self.start_requested.notify_one();
    }

    /// Reconnects a running server, or starts one that is not running.
    pub fn restart(&self) {
        if matches!(self.state(), RunState::Ready(_)) {
            self.restart_requested.notify_one();
        } else {
            self.start();
        }
    }

    pub fn sign_in(&self) -> Option<&Arc<ServerSignIn>> {
        self.config.sign_in.as_ref()
    }

    pub fn stop(&self) {
        self.wanted.send_replace(false);
    }

    /// Ends the server for good.
    pub fn close(&self) {
        self.closed.cancel();
    }

    /// Returns the server's session and starts the server if it is not running. Does not wait for a failing server.
    pub async fn session(&self) -> Result<Arc<ServerSession>, String> {
        self.check()?;
        let mut state = self.state.subscribe();
        if matches!(self.state(), RunState::Resting) {
            self.start();
            let started = state.wait_for(|state| !matches!(state, RunState::Resting));
            let _ = tokio::time::timeout(LONGEST_START, started).await;
        }
        let started = state.wait_for(|state| !matches!(state, RunState::Starting));
        let started = tokio::time::timeout(LONGEST_START, started).await;
        match started.map(|state| state.map(|state| state.clone())) {
            Ok(Ok(RunState::Ready(session))) => Ok(session),
            Ok(Ok(RunState::Failing { why } | RunState::Failed { why })) => Err(why),
            Ok(Ok(RunState::Locked { .. })) => Err(SIGN_IN_REQUIRED.to_owned()),
            Ok(Ok(RunState::Resting | RunState::Starting) | Err(_)) => Err("it does not run".to_owned()),
            Err(_) => Err("it is still starting. Try again in a moment".to_owned()),
        }
    }

    async fn supervise(self: Arc<Self>) {
        let closed = self.closed.clone();
        tokio::select! {
            () = closed.cancelled() => {}
            () = self.run_and_retry() => {}
        }
        self.set_state(RunState::Resting);
    }

    async fn run_and_retry(&self) {
        let mut failures = 0_u32;
        let mut wanted = self.wanted.subscribe();
        loop {
            if wanted.wait_for(|wanted| *wanted).await.is_err() {
                return;
            }
            self.set_state(RunState::Starting);
            let began = tokio::time::Instant::now();
            let why = match self.run_once(&mut wanted).await {
                Ok(()) => {
                    failures = 0;
                    self.set_state(RunState::Resting);
                    continue;
                }
                Err(ConnectError::SignInRequired(challenge)) => {
                    self.wait_for_sign_in(challenge, &mut wanted).await;
                    continue;
                }
                Err(ConnectError::Failed(why)) => why,
            };
            failures = if began.elapsed() > STEADY { 1 } else { failures + 1 };
            tracing::info!("the server {} failed: {why}", self.config.name);
            // The server's own output is in the log already.
            self.config.log.note(&format!("[{}]", why.split(OUTPUT_SEPARATOR).next().unwrap_or(&why)));
            self.discard_start_request();
            if failures >= MOST_FAILURES {
                self.set_state(RunState::Failed { why });
            } else {
                self.set_state(RunState::Failing { why });
            }
            let wait = FIRST_WAIT.saturating_mul(2_u32.saturating_pow(failures - 1)).min(LONGEST_WAIT);
            tokio::select! {
                () = tokio::time::sleep(wait), if failures < MOST_FAILURES => {}
                () = self.start_requested.notified() => failures = failures.min(MOST_FAILURES - 1),
                () = unwanted(&mut wanted) => {
                    failures = 0;
                    self.set_state(RunState::Resting);
                }
            }
        }
    }

    /// Discards the notification that led to the start which has just failed, so that it does not end the next wait.
    fn discard_start_request(&self) {
        let _ = self.start_requested.notified().now_or_never();
    }

    /// Waits without retrying until the user acts.
    async fn wait_for_sign_in(&self, challenge: String, wanted: &mut watch::Receiver<bool>) {
        self.discard_start_request();
        self.set_state(RunState::Locked { challenge });
        tokio::select! {
            () = self.start_requested.notified() => {}
            () = unwanted(wanted) => self.set_state(RunState::Resting),
        }
    }

    /// Runs the server until it is no longer wanted. An error counts as a failure.
    async fn run_once(&self, wanted: &mut watch::Receiver<bool>) -> Result<(), ConnectError> {
        let changed = Arc::new(Notify::new());
        let handler = ServerRequestHandler {
            server: self.config.name.clone(),
            calls: Arc::new(ServerCalls::default()),
            log: Arc::clone(&self.config.log),
            changed: Arc::clone(&changed),
            model: Arc::clone(&self.config.model),
            root: self.config.root.clone(),
        };
        let opening = async {
            self.check()?;
            self.config.log.begin();
            let (launch, sign_in) = (&self.config.launch, self.config.sign_in.as_deref());
            let session = ServerSession::open(launch, sign_in, handler, self.config.start_timeout).await?;
            let offer = session.offer().await.map_err(|why| match session.sign_in_request() {
                Some(challenge) => ConnectError::SignInRequired(challenge.into_header()),
                None => ConnectError::Failed(why),
            })?;
            Ok::<_, ConnectError>((Arc::new(session), offer))
        };
        let (session, offer) = tokio::select! {
            opened = opening => opened?,
            () = unwanted(wanted) => return Ok(()),
        };
        self.review_offer(offer)?;
        self.set_state(RunState::Ready(Arc::clone(&session)));
        let (mut last_used, mut uses) = (tokio::time::Instant::now(), session.uses());
        loop {
            tokio::select! {
                why = session.ended() => {
                    return Err(match session.sign_in_request() {
                        Some(SignInChallenge::SignIn(how)) => ConnectError::SignInRequired(how),
                        _ => ConnectError::Failed(why),
                    });
                }
                () = unwanted(wanted) => return Ok(()),
                () = self.restart_requested.notified() => return Ok(()),
                () = changed.notified() => {
                    // Limits the polling of a server that reports changes continuously.
                    tokio::time::sleep(Duration::from_millis(500)).await;
                    self.review_offer(session.offer().await?)?;
                    (self.config.changed)();
                }
                () = tokio::time::sleep(Duration::from_secs(5)), if self.config.idle.is_some() => {
                    if !session.is_idle() || session.uses() != uses {
                        (last_used, uses) = (tokio::time::Instant::now(), session.uses());
                    } else if self.config.idle.is_some_and(|idle| last_used.elapsed() > idle) {
                        self.wanted.send_replace(false);
                    }
                }
            }
        }
    }

    fn check(&self) -> Result<(), String> {
        self.config.check.as_ref().map_or(Ok(()), |check| check())
    }

    fn review_offer(&self, offer: ServerOffer) -> Result<(), String> {
        *self.offer.lock().unwrap_or_else(PoisonError::into_inner) = offer.clone();
        (self.config.review)(offer)
    }

    fn set_state(&self, state: RunState) {
        self.state.send_replace(state);
        (self.config.changed)();
    }
}

/// Waits until the server is no longer wanted.
async fn unwanted(wanted: &mut watch::Receiver<bool>) {
    // The supervisor itself holds the sender, so the wait cannot fail.
    let _ = wanted.wait_for(|wanted| !wanted).await;
}
