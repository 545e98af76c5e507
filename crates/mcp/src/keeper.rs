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

/// A server that has run for so long has not failed to start.
const STEADY: Duration = Duration::from_mins(1);
const FIRST_BACK_OFF: Duration = Duration::from_secs(1);
const LONGEST_BACK_OFF: Duration = Duration::from_mins(5);
/// After so many failures in a row it is left alone until somebody says otherwise.
const MOST_FAILURES: u32 = 6;
/// How long a call waits for a server that is just starting.
const WAIT_FOR_START: Duration = Duration::from_secs(20);

/// How a server is.
#[derive(Clone)]
pub enum State {
    /// It does not run, and starts when it is needed or wanted.
    Resting,
    Starting,
    Ready(Arc<Session>),
    /// It waits until a person has signed in with it, which it asks for in these words.
    Locked {
        challenge: String,
    },
    /// It failed, and is tried again soon.
    Failing {
        why: String,
    },
    /// It failed too often.
    Failed {
        why: String,
    },
}

const LOCKED: &str = "it wants the user to sign in with it. They can do that on the page of servers";

/// Says why a server may not be used, where it may not.
pub type Check = Box<dyn Fn() -> Result<(), String> + Send + Sync>;

/// What a keeper is made of.
pub struct Kept {
    pub name: String,
    pub launch: Launch,
    /// Where a server at an address lets nobody else in.
    pub sign_in: Option<Arc<SignIn>>,
    pub journal: Arc<Journal>,
    pub model: Arc<dyn Answering>,
    pub root: Option<std::path::PathBuf>,
    /// How long a start may take.
    pub patience: Duration,
    /// It rests again after so long without a call.
    pub idle: Option<Duration>,
    /// Looks whether it may still run, before it is started and before each use.
    pub check: Option<Check>,
    /// Looks at what a server offers when it has started, and whenever that changes. An error ends it.
    pub review: Box<dyn Fn(Inventory) -> Result<(), String> + Send + Sync>,
    /// Told whenever the state is another.
    pub changed: Box<dyn Fn() + Send + Sync>,
}

/// Keeps one server running for as long as that is wanted: it starts it, notices when it dies, and tries again.
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
    /// Begins to keep a server, that runs at once or rests.
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

    /// What it offered last.
    pub fn inventory(&self) -> Inventory {
        self.inventory.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Starts it, also where it had failed.
    pub fn start(&self) {
        self.wanted.send_replace(true);
        self.kick.notify_one();
    }

    /// Talks with it from the beginning, where it is talked with.
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

    /// Ends it for good.
    pub fn close(&self) {
        self.closed.cancel();
    }

    /// The server, started where it rested. A server that fails is not waited for.
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
            // What it said itself stands there already.
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

    /// The start that has just failed was asked for by this: it asks for no other.
    fn forget_kick(&self) {
        let _ = self.kick.notified().now_or_never();
    }

    /// Nothing is tried before a person has done something about it.
    async fn wait_for_sign_in(&self, challenge: String, wanted: &mut watch::Receiver<bool>) {
        self.forget_kick();
        self.enter(State::Locked { challenge });
        tokio::select! {
            () = self.kick.notified() => {}
            () = unwanted(wanted) => self.enter(State::Resting),
        }
    }

    /// Runs it until it is to rest. An error is a failure of its own.
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
                    // A server that says so without end is asked once in a while.
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

/// Waits until it is to rest.
async fn unwanted(wanted: &mut watch::Receiver<bool>) {
    // The keeper itself holds the other end.
    let _ = wanted.wait_for(|wanted| !wanted).await;
}
