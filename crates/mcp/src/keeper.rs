use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use tokio::sync::{Notify, watch};
use tokio_util::sync::CancellationToken;

use crate::calls::Calls;
use crate::handler::{Answering, Handler};
use crate::journal::Journal;
use crate::launch::Launch;
use crate::session::{COMPLAINT, Challenge, Inventory, OpenError, Session};
use crate::sign_in::SignIn;

/// The uptime after which a failure no longer adds to the failures in a row.
const STEADY: Duration = Duration::from_mins(1);
const FIRST_BACK_OFF: Duration = Duration::from_secs(1);
const LONGEST_BACK_OFF: Duration = Duration::from_mins(5);
/// After this many failures in a row, the server is not restarted until a user starts it.
const MOST_FAILURES: u32 = 6;
/// The time that a call waits for a starting server.
const WAIT_FOR_START: Duration = Duration::from_secs(20);

/// The state of a server.
#[derive(Clone)]
pub enum State {
    /// Not running; starts on demand.
    Resting,
    Starting,
    Ready(Arc<Session>),
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

const LOCKED: &str = "it wants the user to sign in with it. They can do that on the page of servers";

/// Checks that a server may be used, and gives the reason if not.
pub type Check = Box<dyn Fn() -> Result<(), String> + Send + Sync>;

/// The configuration of a [`Keeper`].
pub struct Kept {
    pub name: String,
    pub launch: Launch,
    /// The sign-in, for a server reached by URL.
    pub sign_in: Option<Arc<SignIn>>,
    pub journal: Arc<Journal>,
    pub model: Arc<dyn Answering>,
    pub root: Option<std::path::PathBuf>,
    /// The timeout for a start.
    pub patience: Duration,
    /// The time without a call after which the server stops.
    pub idle: Option<Duration>,
    /// A check before each start and each use.
    pub check: Option<Check>,
    /// Reviews the server's offer after each start and whenever it changes. An error ends the server.
    pub review: Box<dyn Fn(Inventory) -> Result<(), String> + Send + Sync>,
    /// Called after every change of state.
    pub changed: Box<dyn Fn() + Send + Sync>,
}

/// Supervises one server for as long as it is wanted: starts it, notices when it dies, and retries.
pub struct Keeper {
    kept: Kept,
    state: watch::Sender<State>,
    wanted: watch::Sender<bool>,
    kick: Notify,
    again: Notify,
    inventory: Mutex<Inventory>,
    closed: CancellationToken,
}

impl Keeper {
    /// Creates the supervisor; the server starts at once if `running` is set.
    pub fn new(kept: Kept, running: bool) -> Arc<Self> {
        let keeper = Arc::new(Self {
            kept,
            state: watch::Sender::new(State::Resting),
            wanted: watch::Sender::new(running),
            kick: Notify::new(),
            again: Notify::new(),
            inventory: Mutex::default(),
            closed: CancellationToken::new(),
        });
        tokio::spawn(Arc::clone(&keeper).keep());
        keeper
    }

    pub fn state(&self) -> State {
        self.state.borrow().clone()
    }

    pub fn journal(&self) -> &Arc<Journal> {
        &self.kept.journal
    }

    /// Returns what the server last offered.
    pub fn inventory(&self) -> Inventory {
        self.inventory.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Starts the server, also after repeated failures.
    pub fn start(&self) {
        self.wanted.send_replace(true);
        self.kick.notify_one();
    }

    /// Reconnects a running server, or starts one that is not running.
    pub fn restart(&self) {
        if matches!(self.state(), State::Ready(_)) {
            self.again.notify_one();
        } else {
            self.start();
        }
    }

    pub fn sign_in(&self) -> Option<&Arc<SignIn>> {
        self.kept.sign_in.as_ref()
    }

    pub fn rest(&self) {
        self.wanted.send_replace(false);
    }

    /// Ends the server for good.
    pub fn close(&self) {
        self.closed.cancel();
    }

    /// Returns the server's session and starts the server if it is not running. Does not wait for a failing server.
    pub async fn session(&self) -> Result<Arc<Session>, String> {
        self.check()?;
        let mut state = self.state.subscribe();
        if matches!(self.state(), State::Resting) {
            self.start();
            let started = state.wait_for(|state| !matches!(state, State::Resting));
            let _ = tokio::time::timeout(WAIT_FOR_START, started).await;
        }
        let settled = state.wait_for(|state| !matches!(state, State::Starting));
        let settled = tokio::time::timeout(WAIT_FOR_START, settled).await;
        match settled.map(|state| state.map(|state| state.clone())) {
            Ok(Ok(State::Ready(session))) => Ok(session),
            Ok(Ok(State::Failing { why } | State::Failed { why })) => Err(why),
            Ok(Ok(State::Locked { .. })) => Err(LOCKED.to_owned()),
            Ok(Ok(State::Resting | State::Starting) | Err(_)) => Err("it does not run".to_owned()),
            Err(_) => Err("it is still starting. Try again in a moment".to_owned()),
        }
    }

    async fn keep(self: Arc<Self>) {
        let closed = self.closed.clone();
        tokio::select! {
            () = closed.cancelled() => {}
            () = self.keep_on() => {}
        }
        self.enter(State::Resting);
    }

    async fn keep_on(&self) {
        let mut failures = 0_u32;
        let mut wanted = self.wanted.subscribe();
        loop {
            if wanted.wait_for(|wanted| *wanted).await.is_err() {
                return;
            }
            self.enter(State::Starting);
            let began = tokio::time::Instant::now();
            let why = match self.run_once(&mut wanted).await {
                Ok(()) => {
                    failures = 0;
                    self.enter(State::Resting);
                    continue;
                }
                Err(OpenError::Locked(challenge)) => {
                    self.wait_for_sign_in(challenge, &mut wanted).await;
                    continue;
                }
                Err(OpenError::Failed(why)) => why,
            };
            failures = if began.elapsed() > STEADY { 1 } else { failures + 1 };
            tracing::info!("the server {} failed: {why}", self.kept.name);
            // The server's own output is in the journal already.
            self.kept.journal.note(&format!("[{}]", why.split(COMPLAINT).next().unwrap_or(&why)));
            self.forget_kick();
            if failures >= MOST_FAILURES {
                self.enter(State::Failed { why });
            } else {
                self.enter(State::Failing { why });
            }
            let wait =
                FIRST_BACK_OFF.saturating_mul(2_u32.saturating_pow(failures - 1)).min(LONGEST_BACK_OFF);
            tokio::select! {
                () = tokio::time::sleep(wait), if failures < MOST_FAILURES => {}
                () = self.kick.notified() => failures = failures.min(MOST_FAILURES - 1),
                () = unwanted(&mut wanted) => {
                    failures = 0;
                    self.enter(State::Resting);
                }
            }
        }
    }

    /// Discards the notification that led to the start which has just failed, so that it does not end the next wait.
    fn forget_kick(&self) {
        let _ = self.kick.notified().now_or_never();
    }

    /// Waits without retrying until the user acts.
    async fn wait_for_sign_in(&self, challenge: String, wanted: &mut watch::Receiver<bool>) {
        self.forget_kick();
        self.enter(State::Locked { challenge });
        tokio::select! {
            () = self.kick.notified() => {}
            () = unwanted(wanted) => self.enter(State::Resting),
        }
    }

    /// Runs the server until it is no longer wanted. An error counts as a failure.
    async fn run_once(&self, wanted: &mut watch::Receiver<bool>) -> Result<(), OpenError> {
        let changed = Arc::new(Notify::new());
        let handler = Handler {
            server: self.kept.name.clone(),
            calls: Arc::new(Calls::default()),
            journal: Arc::clone(&self.kept.journal),
            changed: Arc::clone(&changed),
            model: Arc::clone(&self.kept.model),
            root: self.kept.root.clone(),
        };
        let opening = async {
            self.check()?;
            self.kept.journal.begin();
            let (launch, sign_in) = (&self.kept.launch, self.kept.sign_in.as_deref());
            let session = Session::open(launch, sign_in, handler, self.kept.patience).await?;
            let inventory = session.inventory().await.map_err(|why| match session.wish() {
                Some(Challenge::SignIn(how) | Challenge::MoreRights(how)) => OpenError::Locked(how),
                None => OpenError::Failed(why),
            })?;
            Ok::<_, OpenError>((Arc::new(session), inventory))
        };
        let (session, inventory) = tokio::select! {
            opened = opening => opened?,
            () = unwanted(wanted) => return Ok(()),
        };
        self.look_at(inventory)?;
        self.enter(State::Ready(Arc::clone(&session)));
        let (mut last_used, mut uses) = (tokio::time::Instant::now(), session.uses());
        loop {
            tokio::select! {
                why = session.ended() => {
                    return Err(match session.wish() {
                        Some(Challenge::SignIn(how)) => OpenError::Locked(how),
                        _ => OpenError::Failed(why),
                    });
                }
                () = unwanted(wanted) => return Ok(()),
                () = self.again.notified() => return Ok(()),
                () = changed.notified() => {
                    // Limits the polling of a server that reports changes continuously.
                    tokio::time::sleep(Duration::from_millis(500)).await;
                    self.look_at(session.inventory().await?)?;
                    (self.kept.changed)();
                }
                () = tokio::time::sleep(Duration::from_secs(5)), if self.kept.idle.is_some() => {
                    if !session.is_idle() || session.uses() != uses {
                        (last_used, uses) = (tokio::time::Instant::now(), session.uses());
                    } else if self.kept.idle.is_some_and(|idle| last_used.elapsed() > idle) {
                        self.wanted.send_replace(false);
                    }
                }
            }
        }
    }

    fn check(&self) -> Result<(), String> {
        self.kept.check.as_ref().map_or(Ok(()), |check| check())
    }

    fn look_at(&self, inventory: Inventory) -> Result<(), String> {
        *self.inventory.lock().unwrap_or_else(PoisonError::into_inner) = inventory.clone();
        (self.kept.review)(inventory)
    }

    fn enter(&self, state: State) {
        self.state.send_replace(state);
        (self.kept.changed)();
    }
}

/// Waits until the server is no longer wanted.
async fn unwanted(wanted: &mut watch::Receiver<bool>) {
    // The supervisor itself holds the sender, so the wait cannot fail.
    let _ = wanted.wait_for(|wanted| !wanted).await;
}
