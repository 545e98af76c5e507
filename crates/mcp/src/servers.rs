use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use config::{McpServer, McpTransport};
use protocol::{McpKind, McpLogLine, McpServerInfo, McpSignIn, McpState};
use store::{McpApproval, Store, StoreError};
use tools::Tool;

use crate::handler::Answering;
use crate::journal::Journal;
use crate::keeper::{Keeper, Kept, State};
use crate::launch::Launch;
use crate::name::short;
use crate::offered::Offered;
use crate::remote::{self, Reach};
use crate::review::Review;
use crate::session::Challenge;
use crate::sign_in::SignIn;

/// The timeout for a start: `npx` and similar programs download a server before they start it.
const PATIENCE: Duration = Duration::from_mins(2);

/// Replaces the published tools of a server.
pub type Publish = Box<dyn Fn(&str, Vec<Arc<dyn Tool>>) + Send + Sync>;

/// The dependencies of [`Servers`].
pub struct Parts {
    pub store: Arc<Store>,
    pub model: Arc<dyn Answering>,
    /// The root folder announced to the servers.
    pub root: Option<PathBuf>,
    pub publish: Publish,
    /// The folder of generated servers, whose names are taken.
    pub made: PathBuf,
    /// The folder for OAuth tokens of servers.
    pub sign_ins: PathBuf,
    /// Called whenever pages need an update.
    pub changed: Box<dyn Fn() + Send + Sync>,
}

/// The servers in the settings. Cloning is cheap.
#[derive(Clone)]
pub struct Servers(Arc<Inner>);

struct Inner {
    parts: Parts,
    entries: Mutex<BTreeMap<String, Entry>>,
    /// Sign-ins by server name, including servers removed from the settings, so that forgetting a server also signs
    /// out.
    sign_ins: Mutex<BTreeMap<String, Arc<SignIn>>>,
    /// Serialises changes to the list.
    changing: tokio::sync::Mutex<()>,
}

struct Entry {
    server: McpServer,
    /// The error in its configuration, if there is one.
    trouble: Option<String>,
    /// The sign-in, for a server reached by URL.
    sign_in: Option<Arc<SignIn>>,
    /// The running server, once approved and enabled.
    running: Option<Running>,
}

#[derive(Clone)]
struct Running {
    keeper: Arc<Keeper>,
    review: Arc<Review>,
    /// The tools published last.
    published: Arc<Mutex<Option<Vec<Offered>>>>,
}

#[derive(Debug, thiserror::Error)]
pub enum ServersError {
    #[error("there is no server of this name")]
    Unknown,
    #[error("it has changed since you were shown it. Look at it again")]
    Changed,
    #[error("it has not been approved yet")]
    NotLetIn,
    #[error("there is nothing to approve")]
    NothingToApprove,
    #[error("it is not one that you can sign in with")]
    NoSignIn,
    #[error("signing in did not work: {0}")]
    SignIn(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Servers {
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(Inner {
            parts,
            entries: Mutex::default(),
            sign_ins: Mutex::default(),
            changing: tokio::sync::Mutex::default(),
        }))
    }

    /// Applies the settings: new servers await approval, approved ones start, and removed ones end.
    pub async fn follow(&self, servers: &BTreeMap<String, McpServer>) -> Result<(), ServersError> {
        let _one = self.0.changing.lock().await;
        let gone: Vec<String> = {
            let entries = self.0.lock();
            let same = |name: &String, entry: &Entry| servers.get(name) == Some(&entry.server);
            entries.iter().filter(|(name, entry)| !same(name, entry)).map(|(name, _)| name.clone()).collect()
        };
        let mut changed = !gone.is_empty();
        for name in gone {
            self.0.remove(&name);
        }
        let mut shorts = BTreeMap::<String, &str>::new();
        for (name, server) in servers {
            let taken = shorts.insert(short(name), name);
            if self.0.lock().contains_key(name) {
                continue;
            }
            let is_hers = self.0.parts.made.join(short(name)).is_dir();
            let other = taken.or(is_hers.then_some("one that she wrote"));
            let trouble =
                other.map(|other| format!("its tools would be called the same as those of {other}"));
            let sign_in = self.0.sign_in(name, server);
            let entry = Entry { server: server.clone(), trouble, sign_in, running: None };
            let usable = entry.trouble.is_none() && !server.disabled;
            self.0.lock().insert(name.clone(), entry);
            changed = true;
            if !usable {
                continue;
            }
            if let Some(approval) = self.0.parts.store.mcp_approval(name).await?
                && approval.launch == Launch::digest(server)
            {
                self.0.run(name, server.clone(), approval);
            }
        }
        if changed {
            (self.0.parts.changed)();
        }
        Ok(())
    }

    pub fn list(&self) -> Vec<McpServerInfo> {
        self.0.lock().iter().map(|(name, entry)| info(name, entry)).collect()
    }

    pub fn logs(&self, name: &str) -> Result<Vec<McpLogLine>, ServersError> {
        let entries = self.0.lock();
        let entry = entries.get(name).ok_or(ServersError::Unknown)?;
        Ok(entry.running.as_ref().map(|running| running.keeper.journal().lines()).unwrap_or_default())
    }

    /// Approves a server, or its changed offer.
    pub async fn approve(&self, name: &str, seen: &str) -> Result<(), ServersError> {
        let _one = self.0.changing.lock().await;
        let (server, running) = {
            let entries = self.0.lock();
            let entry = entries.get(name).ok_or(ServersError::Unknown)?;
            (entry.server.clone(), entry.running.clone())
        };
        let launch = Launch::digest(&server);
        match running {
            None if launch == seen => {
                let approval = McpApproval { launch, ..McpApproval::default() };
                self.0.parts.store.approve_mcp(name, approval.clone()).await?;
                self.0.run(name, server, approval);
            }
            Some(running) if running.review.asks().is_some() => {
                let tools = running.review.approve(seen).ok_or(ServersError::Changed)?;
                let tools = serde_json::to_value(tools).ok();
                let approval = McpApproval { launch, tools, ..McpApproval::default() };
                self.0.parts.store.approve_mcp(name, approval).await?;
                self.0.publish(name);
            }
            None => return Err(ServersError::Changed),
            Some(_) => return Err(ServersError::NothingToApprove),
        }
        (self.0.parts.changed)();
        Ok(())
    }

    /// Forgets a server: if it is in the settings again, it needs a new approval.
    pub async fn forget(&self, name: &str) -> Result<(), ServersError> {
        let _one = self.0.changing.lock().await;
        let sign_in = self.0.sign_ins.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
        self.0.remove(name);
        if let Some(sign_in) = sign_in {
            sign_in.sign_out().await.map_err(ServersError::SignIn)?;
        }
        self.0.parts.store.disapprove_mcp(name).await?;
        (self.0.parts.changed)();
        Ok(())
    }

    pub fn start(&self, name: &str) -> Result<(), ServersError> {
        self.running(name)?.keeper.start();
        Ok(())
    }

    /// Stops a server until a user starts it or the program restarts. Its tools are removed.
    pub fn stop(&self, name: &str) -> Result<(), ServersError> {
        self.running(name)?.keeper.rest();
        Ok(())
    }

    /// Returns the URL of the page on which the user signs in. It redirects to `back`.
    pub async fn sign_in(&self, name: &str, back: &str) -> Result<String, ServersError> {
        let running = self.running(name)?;
        let sign_in = running.keeper.sign_in().ok_or(ServersError::NoSignIn)?;
        let challenge = match running.keeper.state() {
            State::Locked { challenge } => Some(challenge),
            State::Ready(session) => session.wish().map(|wish| match wish {
                Challenge::SignIn(how) | Challenge::MoreRights(how) => how,
            }),
            _ => None,
        };
        sign_in.begin(challenge.as_deref(), back).await.map_err(ServersError::SignIn)
    }

    /// Completes the sign-in identified by `state`, with the code that `issuer` gave. Returns the server's name.
    pub async fn signed_in(
        &self,
        state: &str,
        code: &str,
        issuer: Option<&str>,
    ) -> Result<String, ServersError> {
        let found = {
            let entries = self.0.lock();
            let mut all = entries.iter().filter_map(|(name, entry)| Some((name, entry.running.clone()?)));
            all.find(|(_, running)| running.keeper.sign_in().is_some_and(|sign_in| sign_in.awaits(state)))
                .map(|(name, running)| (name.clone(), running))
        };
        let (name, running) = found.ok_or(ServersError::Unknown)?;
        let sign_in = running.keeper.sign_in().ok_or(ServersError::NoSignIn)?;
        sign_in.finish(code, issuer).await.map_err(ServersError::SignIn)?;
        running.keeper.restart();
        (self.0.parts.changed)();
        Ok(name)
    }

    pub async fn sign_out(&self, name: &str) -> Result<(), ServersError> {
        let running = self.running(name)?;
        let sign_in = running.keeper.sign_in().ok_or(ServersError::NoSignIn)?;
        sign_in.sign_out().await.map_err(ServersError::SignIn)?;
        running.keeper.restart();
        (self.0.parts.changed)();
        Ok(())
    }

    /// Ends all servers.
    pub fn close(&self) {
        for (_, entry) in std::mem::take(&mut *self.0.lock()) {
            if let Some(running) = entry.running {
                running.keeper.close();
            }
        }
    }

    fn running(&self, name: &str) -> Result<Running, ServersError> {
        let entries = self.0.lock();
        let entry = entries.get(name).ok_or(ServersError::Unknown)?;
        entry.running.clone().ok_or(ServersError::NotLetIn)
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sign_in(&self, name: &str, server: &McpServer) -> Option<Arc<SignIn>> {
        let McpTransport::Http { url, oauth, .. } = &server.reach else { return None };
        let mut known = self.sign_ins.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = known.get(name).filter(|known| known.is_with(url.as_str(), oauth)) {
            return Some(Arc::clone(same));
        }
        let sign_in = Arc::new(SignIn::new(&self.parts.sign_ins, name, url.as_str(), oauth.clone()));
        known.insert(name.to_owned(), Arc::clone(&sign_in));
        Some(sign_in)
    }

    fn remove(&self, name: &str) {
        let entry = self.lock().remove(name);
        if let Some(running) = entry.and_then(|entry| entry.running) {
            running.keeper.close();
        }
        (self.parts.publish)(name, Vec::new());
    }

    /// Starts an approved server.
    fn run(self: &Arc<Self>, name: &str, server: McpServer, approval: McpApproval) {
        let McpApproval { launch, tools, .. } = approval;
        let approved = tools.map(|tools| serde_json::from_value(tools).unwrap_or_default());
        let review = Arc::new(Review::new(approved));
        let kept = Kept {
            name: name.to_owned(),
            launch: Launch::Configured(server),
            sign_in: self.lock().get(name).and_then(|entry| entry.sign_in.clone()),
            journal: Arc::new(Journal::default()),
            model: Arc::clone(&self.parts.model),
            root: self.parts.root.clone(),
            patience: PATIENCE,
            idle: None,
            check: None,
            review: {
                let (seen, inner, name) = (Arc::clone(&review), Arc::downgrade(self), name.to_owned());
                Box::new(move |inventory| {
                    if seen.see(inventory.tools)
                        && let Some(inner) = inner.upgrade()
                    {
                        inner.keep_first(&name, launch.clone(), seen.approved());
                    }
                    Ok(())
                })
            },
            changed: {
                let (inner, name): (Weak<Self>, String) = (Arc::downgrade(self), name.to_owned());
                Box::new(move || {
                    if let Some(inner) = inner.upgrade() {
                        inner.publish(&name);
                        (inner.parts.changed)();
                    }
                })
            },
        };
        let keeper = Keeper::new(kept, true);
        if let Some(entry) = self.lock().get_mut(name) {
            entry.running = Some(Running { keeper, review, published: Arc::default() });
        }
    }

    /// Stores the first offer after the approval as the approved one.
    fn keep_first(&self, name: &str, launch: String, tools: Option<Vec<Offered>>) {
        let (store, name) = (Arc::clone(&self.parts.store), name.to_owned());
        tokio::spawn(async move {
            let tools = serde_json::to_value(tools.unwrap_or_default()).ok();
            let approval = McpApproval { launch, tools, ..McpApproval::default() };
            if let Err(error) = store.approve_mcp(&name, approval).await {
                tracing::warn!("what {name} offers could not be kept: {error}");
            }
        });
    }

    /// Publishes the tools of a server if they have changed.
    fn publish(&self, name: &str) {
        let Some(running) = self.lock().get(name).and_then(|entry| entry.running.clone()) else { return };
        let usable = match running.keeper.state() {
            // A restarting server keeps its tools; a call reports the error.
            State::Ready(_) | State::Starting | State::Failing { .. } => running.review.usable(),
            State::Resting | State::Locked { .. } | State::Failed { .. } => Vec::new(),
        };
        let mut published = running.published.lock().unwrap_or_else(PoisonError::into_inner);
        if published.as_ref() == Some(&usable) {
            return;
        }
        let inventory = running.keeper.inventory();
        let tools = if usable.is_empty() && !matches!(running.keeper.state(), State::Ready(_)) {
            Vec::new()
        } else {
            remote::tools(name, &running.keeper, &usable, &inventory, Reach::Free)
        };
        (self.parts.publish)(name, tools);
        *published = Some(usable);
    }
}

fn info(name: &str, entry: &Entry) -> McpServerInfo {
    let Entry { server, trouble, running, .. } = entry;
    let state = running.as_ref().map(|running| running.keeper.state());
    let inventory = running.as_ref().map(|running| running.keeper.inventory()).unwrap_or_default();
    let asks = match running {
        None if trouble.is_none() && !server.disabled => Some(Launch::digest(server)),
        None => None,
        Some(running) => running.review.asks(),
    };
    McpServerInfo {
        name: name.to_owned(),
        kind: McpKind::Configured,
        state: match &state {
            None if server.disabled => McpState::Disabled,
            None => McpState::Asking,
            Some(state) => wire(state),
        },
        trouble: trouble.clone().or_else(|| state.as_ref().and_then(why)),
        reach: Launch::in_words(server),
        description: inventory.title,
        version: inventory.version,
        tools: running.as_ref().map(|running| running.review.tools(name)).unwrap_or_default(),
        left_out: inventory.left_out,
        has_resources: inventory.has_resources,
        has_prompts: inventory.has_prompts,
        sign_in: entry.sign_in.as_deref().and_then(|sign_in| standing(sign_in, state.as_ref())),
        asks,
        made: None,
    }
}

/// Returns the sign-in status of a server that needs one.
fn standing(sign_in: &SignIn, state: Option<&State>) -> Option<McpSignIn> {
    match state {
        Some(State::Locked { .. }) => Some(McpSignIn::Wanted),
        Some(State::Ready(session)) if session.wish().is_some() => Some(McpSignIn::More),
        _ => sign_in.is_done().then_some(McpSignIn::Done),
    }
}

pub(crate) fn wire(state: &State) -> McpState {
    match state {
        State::Resting => McpState::Resting,
        State::Starting => McpState::Starting,
        State::Ready(_) => McpState::Ready,
        State::Locked { .. } => McpState::Locked,
        State::Failing { .. } => McpState::Failing,
        State::Failed { .. } => McpState::Failed,
    }
}

pub(crate) fn why(state: &State) -> Option<String> {
    match state {
        State::Failing { why } | State::Failed { why } => Some(why.clone()),
        State::Resting | State::Starting | State::Ready(_) | State::Locked { .. } => None,
    }
}
