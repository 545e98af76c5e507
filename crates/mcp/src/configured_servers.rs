use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use config::{McpServer, McpTransport};
use protocol::{McpKind, McpLogLine, McpServerInfo, McpSignIn, McpState};
use store::{McpApproval, Store, StoreError};
use tools::Tool;

use crate::offer_review::OfferReview;
use crate::offered_tool::OfferedTool;
use crate::server_launch::ServerLaunch;
use crate::server_log::ServerLog;
use crate::server_requests::SamplingModel;
use crate::server_session::SignInChallenge;
use crate::server_tool::{self, ServerAccess};
use crate::sign_in::ServerSignIn;
use crate::supervisor::{RunState, ServerSupervisor, SupervisorConfig};
use crate::tool_names::server_prefix;

/// The timeout for a start: `npx` and similar programs download a server before they start it.
const START_TIMEOUT: Duration = Duration::from_mins(2);

/// Replaces the published tools of a server.
pub type PublishTools = Box<dyn Fn(&str, Vec<Arc<dyn Tool>>) + Send + Sync>;

/// The dependencies of [`ConfiguredServers`].
pub struct ConfiguredServersParts {
    pub store: Arc<Store>,
    pub model: Arc<dyn SamplingModel>,
    /// The root folder announced to the servers.
    pub root: Option<PathBuf>,
    pub publish: PublishTools,
    /// The folder of generated servers, whose names are taken.
    pub generated_folder: PathBuf,
    /// The folder for OAuth tokens of servers.
    pub sign_ins: PathBuf,
    /// Called whenever pages need an update.
    pub changed: Box<dyn Fn() + Send + Sync>,
}

/// The servers in the settings. Cloning is cheap.
#[derive(Clone)]
pub struct ConfiguredServers(Arc<Shared>);

struct Shared {
    parts: ConfiguredServersParts,
    entries: Mutex<BTreeMap<String, ConfiguredServer>>,
    /// Sign-ins by server name, including servers removed from the settings, so that forgetting a server also signs
    /// out.
    sign_ins: Mutex<BTreeMap<String, Arc<ServerSignIn>>>,
    /// Serialises changes to the list.
    changing: tokio::sync::Mutex<()>,
}

struct ConfiguredServer {
    server: McpServer,
    /// The error in its configuration, if there is one.
    problem: Option<String>,
    /// The sign-in, for a server reached by URL.
    sign_in: Option<Arc<ServerSignIn>>,
    /// The running server, once approved and enabled.
    running: Option<RunningServer>,
}

#[derive(Clone)]
struct RunningServer {
    supervisor: Arc<ServerSupervisor>,
    review: Arc<OfferReview>,
    /// The tools published last.
    published: Arc<Mutex<Option<Vec<OfferedTool>>>>,
}

#[derive(Debug, thiserror::Error)]
pub enum ConfiguredServerError {
    #[error("there is no server of this name")]
    Unknown,
    #[error("it has changed since you were shown it. Look at it again")]
    Changed,
    #[error("it has not been approved yet")]
    NotApproved,
    #[error("there is nothing to approve")]
    NothingToApprove,
    #[error("it is not one that you can sign in with")]
    NoSignIn,
    #[error("signing in did not work: {0}")]
    SignIn(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ConfiguredServers {
    pub fn new(parts: ConfiguredServersParts) -> Self {
        Self(Arc::new(Shared {
            parts,
            entries: Mutex::default(),
            sign_ins: Mutex::default(),
            changing: tokio::sync::Mutex::default(),
        }))
    }

    /// Applies the settings: new servers await approval, approved ones start, and removed ones end.
    pub async fn apply_settings(
        &self,
        servers: &BTreeMap<String, McpServer>,
    ) -> Result<(), ConfiguredServerError> {
        let _one = self.0.changing.lock().await;
        let gone: Vec<String> = {
            let entries = self.0.lock();
            let same = |name: &String, entry: &ConfiguredServer| servers.get(name) == Some(&entry.server);
            entries.iter().filter(|(name, entry)| !same(name, entry)).map(|(name, _)| name.clone()).collect()
        };
        let mut changed = !gone.is_empty();
        for name in gone {
            self.0.remove(&name);
        }
        let mut prefixes = BTreeMap::<String, &str>::new();
        for (name, server) in servers {
            let taken = prefixes.insert(server_prefix(name), name);
            if self.0.lock().contains_key(name) {
                continue;
            }
            let is_generated = self.0.parts.generated_folder.join(server_prefix(name)).is_dir();
            let other = taken.or(is_generated.then_some("one that Luna wrote"));
            let problem =
                other.map(|other| format!("its tools would be called the same as those of {other}"));
            let sign_in = self.0.sign_in(name, server);
            let entry = ConfiguredServer { server: server.clone(), problem, sign_in, running: None };
            let usable = entry.problem.is_none() && !server.disabled;
            self.0.lock().insert(name.clone(), entry);
            changed = true;
            if !usable {
                continue;
            }
            if let Some(approval) = self.0.parts.store.mcp_approval(name).await?
                && approval.launch == ServerLaunch::digest(server)
            {
                self.0.run_approved(name, server.clone(), approval);
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

    pub fn logs(&self, name: &str) -> Result<Vec<McpLogLine>, ConfiguredServerError> {
        let entries = self.0.lock();
        let entry = entries.get(name).ok_or(ConfiguredServerError::Unknown)?;
        Ok(entry.running.as_ref().map(|running| running.supervisor.log().lines()).unwrap_or_default())
    }

    /// Approves a server, or its changed offer.
    pub async fn approve(&self, name: &str, seen: &str) -> Result<(), ConfiguredServerError> {
        let _one = self.0.changing.lock().await;
        let (server, running) = {
            let entries = self.0.lock();
            let entry = entries.get(name).ok_or(ConfiguredServerError::Unknown)?;
            (entry.server.clone(), entry.running.clone())
        };
        let launch = ServerLaunch::digest(&server);
        match running {
            None if launch == seen => {
                let approval = McpApproval { launch, ..McpApproval::default() };
                self.0.parts.store.approve_mcp(name, approval.clone()).await?;
                self.0.run_approved(name, server, approval);
            }
            Some(running) if running.review.digest_to_approve().is_some() => {
                let tools = running.review.approve(seen).ok_or(ConfiguredServerError::Changed)?;
                let tools = serde_json::to_value(tools).ok();
                let approval = McpApproval { launch, tools, ..McpApproval::default() };
                self.0.parts.store.approve_mcp(name, approval).await?;
                self.0.publish(name);
            }
            None => return Err(ConfiguredServerError::Changed),
            Some(_) => return Err(ConfiguredServerError::NothingToApprove),
        }
        (self.0.parts.changed)();
        Ok(())
    }

    /// Forgets a server: if it is in the settings again, it needs a new approval.
    pub async fn forget(&self, name: &str) -> Result<(), ConfiguredServerError> {
        let _one = self.0.changing.lock().await;
        let sign_in = self.0.sign_ins.lock().unwrap_or_else(PoisonError::into_inner).remove(name);
        self.0.remove(name);
        if let Some(sign_in) = sign_in {
            sign_in.sign_out().await.map_err(ConfiguredServerError::SignIn)?;
        }
        self.0.parts.store.disapprove_mcp(name).await?;
        (self.0.parts.changed)();
        Ok(())
    }

    pub fn start(&self, name: &str) -> Result<(), ConfiguredServerError> {
        self.running(name)?.supervisor.start();
        Ok(())
    }

    /// Stops a server until a user starts it or the program restarts. Its tools are removed.
    pub fn stop(&self, name: &str) -> Result<(), ConfiguredServerError> {
        self.running(name)?.supervisor.stop();
        Ok(())
    }

    /// Returns the URL of the page on which the user signs in. It redirects to `back`.
    pub async fn sign_in(&self, name: &str, back: &str) -> Result<String, ConfiguredServerError> {
        let running = self.running(name)?;
        let sign_in = running.supervisor.sign_in().ok_or(ConfiguredServerError::NoSignIn)?;
        let challenge = match running.supervisor.state() {
            RunState::Locked { challenge } => Some(challenge),
            RunState::Ready(session) => session.sign_in_request().map(SignInChallenge::into_header),
            _ => None,
        };
        sign_in.begin(challenge.as_deref(), back).await.map_err(ConfiguredServerError::SignIn)
    }

    /// Completes the sign-in identified by `state`, with the code that `issuer` gave. Returns the server's name.
    pub async fn finish_sign_in(
        &self,
        state: &str,
        code: &str,
        issuer: Option<&str>,
    ) -> Result<String, ConfiguredServerError> {
        let found = {
            let entries = self.0.lock();
            let mut all = entries.iter().filter_map(|(name, entry)| Some((name, entry.running.clone()?)));
            all.find(|(_, running)| {
                running.supervisor.sign_in().is_some_and(|sign_in| sign_in.is_pending(state))
            })
            .map(|(name, running)| (name.clone(), running))
        };
        let (name, running) = found.ok_or(ConfiguredServerError::Unknown)?;
        let sign_in = running.supervisor.sign_in().ok_or(ConfiguredServerError::NoSignIn)?;
        sign_in.finish(code, issuer).await.map_err(ConfiguredServerError::SignIn)?;
        running.supervisor.restart();
        (self.0.parts.changed)();
        Ok(name)
    }

    pub async fn sign_out(&self, name: &str) -> Result<(), ConfiguredServerError> {
        let running = self.running(name)?;
        let sign_in = running.supervisor.sign_in().ok_or(ConfiguredServerError::NoSignIn)?;
        sign_in.sign_out().await.map_err(ConfiguredServerError::SignIn)?;
        running.supervisor.restart();
        (self.0.parts.changed)();
        Ok(())
    }

    /// Ends all servers.
    pub fn close(&self) {
        for (_, entry) in std::mem::take(&mut *self.0.lock()) {
            if let Some(running) = entry.running {
                running.supervisor.close();
            }
        }
    }

    fn running(&self, name: &str) -> Result<RunningServer, ConfiguredServerError> {
        let entries = self.0.lock();
        let entry = entries.get(name).ok_or(ConfiguredServerError::Unknown)?;
        entry.running.clone().ok_or(ConfiguredServerError::NotApproved)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, ConfiguredServer>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn sign_in(&self, name: &str, server: &McpServer) -> Option<Arc<ServerSignIn>> {
        let McpTransport::Http { url, oauth, .. } = &server.reach else { return None };
        let mut known = self.sign_ins.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(same) = known.get(name).filter(|known| known.is_for(url.as_str(), oauth)) {
            return Some(Arc::clone(same));
        }
        let sign_in = Arc::new(ServerSignIn::new(&self.parts.sign_ins, name, url.as_str(), oauth.clone()));
        known.insert(name.to_owned(), Arc::clone(&sign_in));
        Some(sign_in)
    }

    fn remove(&self, name: &str) {
        let entry = self.lock().remove(name);
        if let Some(running) = entry.and_then(|entry| entry.running) {
            running.supervisor.close();
        }
        (self.parts.publish)(name, Vec::new());
    }

    /// Starts an approved server.
    fn run_approved(self: &Arc<Self>, name: &str, server: McpServer, approval: McpApproval) {
        let McpApproval { launch, tools, .. } = approval;
        let approved = tools.map(|tools| serde_json::from_value(tools).unwrap_or_default());
        let review = Arc::new(OfferReview::new(approved));
        let config = SupervisorConfig {
            name: name.to_owned(),
            launch: ServerLaunch::Configured(server),
            sign_in: self.lock().get(name).and_then(|entry| entry.sign_in.clone()),
            log: Arc::new(ServerLog::default()),
            model: Arc::clone(&self.parts.model),
            root: self.parts.root.clone(),
            start_timeout: START_TIMEOUT,
            idle: None,
            check: None,
            review: {
                let (review, inner, name) = (Arc::clone(&review), Arc::downgrade(self), name.to_owned());
                Box::new(move |offer| {
                    if review.set_offer(offer.tools)
                        && let Some(inner) = inner.upgrade()
                    {
                        inner.store_first_offer(&name, launch.clone(), review.approved());
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
        let supervisor = ServerSupervisor::new(config, true);
        if let Some(entry) = self.lock().get_mut(name) {
            entry.running = Some(RunningServer { supervisor, review, published: Arc::default() });
        }
    }

    /// Stores the first offer after the approval as the approved one.
    fn store_first_offer(&self, name: &str, launch: String, tools: Option<Vec<OfferedTool>>) {
        let (store, name) = (Arc::clone(&self.parts.store), name.to_owned());
        tokio::spawn(async move {
            let tools = serde_json::to_value(tools.unwrap_or_default()).ok();
            let approval = McpApproval { launch, tools, ..McpApproval::default() };
            if let Err(error) = store.approve_mcp(&name, approval).await {
                tracing::warn!("the approved tools of {name} could not be stored: {error}");
            }
        });
    }

    /// Publishes the tools of a server if they have changed.
    fn publish(&self, name: &str) {
        let Some(running) = self.lock().get(name).and_then(|entry| entry.running.clone()) else { return };
        let usable = match running.supervisor.state() {
            // A restarting server keeps its tools; a call reports the error.
            RunState::Ready(_) | RunState::Starting | RunState::Failing { .. } => running.review.usable(),
            RunState::Resting | RunState::Locked { .. } | RunState::Failed { .. } => Vec::new(),
        };
        let mut published = running.published.lock().unwrap_or_else(PoisonError::into_inner);
        if published.as_ref() == Some(&usable) {
            return;
        }
        let offer = running.supervisor.offer();
        let tools = if usable.is_empty() && !matches!(running.supervisor.state(), RunState::Ready(_)) {
            Vec::new()
        } else {
            server_tool::tools(name, &running.supervisor, &usable, &offer, ServerAccess::Unrestricted)
        };
        (self.parts.publish)(name, tools);
        *published = Some(usable);
    }
}

fn info(name: &str, entry: &ConfiguredServer) -> McpServerInfo {
    let ConfiguredServer { server, problem, running, .. } = entry;
    let state = running.as_ref().map(|running| running.supervisor.state());
    let offer = running.as_ref().map(|running| running.supervisor.offer()).unwrap_or_default();
    let digest_to_approve = match running {
        None if problem.is_none() && !server.disabled => Some(ServerLaunch::digest(server)),
        None => None,
        Some(running) => running.review.digest_to_approve(),
    };
    McpServerInfo {
        name: name.to_owned(),
        kind: McpKind::Configured,
        state: match &state {
            None if server.disabled => McpState::Disabled,
            None => McpState::Asking,
            Some(state) => state.on_the_wire(),
        },
        trouble: problem.clone().or_else(|| state.as_ref().and_then(RunState::failure)),
        reach: ServerLaunch::description(server),
        description: offer.title,
        version: offer.version,
        tools: running.as_ref().map(|running| running.review.tools(name)).unwrap_or_default(),
        left_out: offer.left_out,
        has_resources: offer.has_resources,
        has_prompts: offer.has_prompts,
        sign_in: entry.sign_in.as_deref().and_then(|sign_in| sign_in_status(sign_in, state.as_ref())),
        asks: digest_to_approve,
        made: None,
    }
}

/// Returns the sign-in status of a server that needs one.
fn sign_in_status(sign_in: &ServerSignIn, state: Option<&RunState>) -> Option<McpSignIn> {
    match state {
        Some(RunState::Locked { .. }) => Some(McpSignIn::Wanted),
        Some(RunState::Ready(session)) if session.sign_in_request().is_some() => Some(McpSignIn::More),
        _ => sign_in.is_done().then_some(McpSignIn::Done),
    }
}
