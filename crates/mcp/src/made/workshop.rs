use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use host::Hosts;
use protocol::{MadeInfo, MadeSource, McpKind, McpLogLine, McpServerInfo, McpState};
use sandbox::{Level, Sandbox};
use store::{McpApproval, Store, StoreError};
use tokio::sync::OnceCell;

use super::draft::{Draft, Ground, Tried};
use super::shelf::{Entry, Shelf, ShelfError, digest};
use crate::handler::Answering;
use crate::journal::Journal;
use crate::keeper::{Keeper, Kept};
use crate::launch::Launch;
use crate::offered::Offered;
use crate::python::Python;
use crate::remote::{self, Reach};
use crate::review::Review;
use crate::servers::{Publish, why, wire};
use crate::stand_in::StandIn;

const PATIENCE: Duration = Duration::from_secs(20);
const IDLE: Duration = Duration::from_mins(10);
const NOT_APPROVED: &str = "it is not what you said yes to, so it waits for your word";

/// What the workshop needs of the program around it.
pub struct WorkshopParts {
    pub store: Arc<Store>,
    pub sandbox: Arc<Sandbox>,
    /// `mcp_servers/`
    pub folder: PathBuf,
    pub cache: PathBuf,
    /// What no server ever sees: the data folder.
    pub hidden: PathBuf,
    pub model: Arc<dyn Answering>,
    pub publish: Publish,
    /// Told whenever a page would look different.
    pub changed: Box<dyn Fn() + Send + Sync>,
    /// Whether a server of the settings has this name.
    pub is_configured: Box<dyn Fn(&str) -> bool + Send + Sync>,
    /// Whether she may have tools of her own at all.
    pub is_on: Box<dyn Fn() -> bool + Send + Sync>,
    /// Whether servers of hers may ask for the network at all.
    pub may_ask_for_network: Box<dyn Fn() -> bool + Send + Sync>,
    /// Whether they are to run on the official package.
    pub wants_official: Box<dyn Fn() -> bool + Send + Sync>,
}

/// The servers that she wrote. Cloning is cheap.
#[derive(Clone)]
pub struct Workshop(Arc<Inner>);

struct Inner {
    parts: WorkshopParts,
    shelf: Shelf,
    ground: OnceCell<Result<Ground, String>>,
    made: Mutex<BTreeMap<String, Made>>,
    /// What drafts turned out to offer, by their digest.
    tried: Mutex<HashMap<String, Tried>>,
    changing: tokio::sync::Mutex<()>,
}

/// A server as it lies on the disk.
#[derive(Clone)]
struct Made {
    entry: Entry,
    digest: String,
    /// Why it cannot be used, although it was said yes to.
    off: Option<String>,
    /// Where it is what was said yes to.
    running: Option<(Arc<Keeper>, Arc<Review>)>,
    hosts: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum WorkshopError {
    #[error("{0}")]
    Draft(String),
    #[error("there is no server named {0}")]
    Unknown(String),
    #[error(
        "there is a server named {0} already. Choose another name, or change that one with mcp_server_edit"
    )]
    Taken(String),
    #[error("it is not what you were shown any more. Look at it again")]
    Changed,
    #[error("{0}")]
    Off(String),
    #[error(transparent)]
    Shelf(#[from] ShelfError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Workshop {
    pub fn new(parts: WorkshopParts) -> Self {
        let shelf = Shelf::new(parts.folder.clone());
        Self(Arc::new(Inner {
            parts,
            shelf,
            ground: OnceCell::new(),
            made: Mutex::default(),
            tried: Mutex::default(),
            changing: tokio::sync::Mutex::default(),
        }))
    }

    /// Looks at what lies on the disk, which somebody may have changed. What was said yes to can be used, and what is to
    /// start with Perigee starts.
    pub async fn look_again(&self) -> Result<(), WorkshopError> {
        let _one = self.0.changing.lock().await;
        let inner = &self.0;
        let entries = inner.shelf.entries()?;
        let gone: Vec<String> =
            inner.lock().keys().filter(|name| !entries.contains_key(*name)).cloned().collect();
        for name in gone {
            inner.put_away(&name);
        }
        for (name, entry) in entries {
            let sum = digest(&inner.shelf.source(&name)?, &entry);
            let known =
                inner.lock().get(&name).is_some_and(|made| made.digest == sum && made.running.is_some());
            if !known {
                inner.take_out(&name, entry, sum).await?;
            }
        }
        Ok(())
    }

    pub fn list(&self) -> Vec<McpServerInfo> {
        let inner = &self.0;
        inner.lock().iter().map(|(name, made)| inner.info(name, made)).collect()
    }

    pub fn source(&self, name: &str) -> Result<MadeSource, WorkshopError> {
        let code = self.0.shelf.source(name).map_err(|_| WorkshopError::Unknown(name.to_owned()))?;
        let entry = self.0.shelf.entry(name)?;
        // The newest that is not what lies there now.
        let texts =
            entry.versions.iter().rev().filter_map(|version| self.0.shelf.version(name, &version.id).ok());
        let before = texts.into_iter().find(|text| *text != code);
        Ok(MadeSource { code, before })
    }

    pub fn version(&self, name: &str, id: &str) -> Result<String, WorkshopError> {
        Ok(self.0.shelf.version(name, id)?)
    }

    pub fn logs(&self, name: &str) -> Result<Vec<McpLogLine>, WorkshopError> {
        let made = self.0.made(name)?;
        Ok(made.running.map(|(keeper, _)| keeper.journal().lines()).unwrap_or_default())
    }

    pub fn start(&self, name: &str) -> Result<(), WorkshopError> {
        let (keeper, _) =
            self.0.made(name)?.running.ok_or_else(|| WorkshopError::Off(NOT_APPROVED.to_owned()))?;
        keeper.start();
        Ok(())
    }

    /// Waits until it runs.
    pub async fn is_started(&self, name: &str) -> Result<(), WorkshopError> {
        let (keeper, _) =
            self.0.made(name)?.running.ok_or_else(|| WorkshopError::Off(NOT_APPROVED.to_owned()))?;
        keeper.session().await.map(drop).map_err(WorkshopError::Off)
    }

    pub fn stop(&self, name: &str) -> Result<(), WorkshopError> {
        if let Some((keeper, _)) = self.0.made(name)?.running {
            keeper.rest();
        }
        Ok(())
    }

    /// Looks at a draft and tries it. Nothing is kept but what came of it.
    pub async fn try_out(&self, draft: &Draft) -> Result<Tried, WorkshopError> {
        draft.check().map_err(WorkshopError::Draft)?;
        if (self.0.parts.is_configured)(&draft.name) {
            return Err(WorkshopError::Taken(draft.name.clone()));
        }
        if draft.allow_network && !(self.0.parts.may_ask_for_network)() {
            return Err(WorkshopError::Off(
                "Servers may not ask for the network: builtin_tools.mcp_servers_allow_network is off. Do it without."
                    .to_owned(),
            ));
        }
        let ground = self.0.ground().await?;
        if !draft.hosts.is_empty() {
            read_hosts(&ground.sandbox, &draft.hosts)?;
        }
        let tried = draft.try_out(ground).await.map_err(WorkshopError::Draft)?;
        self.0.tried().insert(sum_of(draft), tried.clone());
        Ok(tried)
    }

    /// Whether there is one of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.shelf.entry(name).is_ok()
    }

    /// The present draft of a server, to be changed.
    pub fn draft(&self, name: &str) -> Result<Draft, WorkshopError> {
        let entry = self.0.shelf.entry(name).map_err(|_| WorkshopError::Unknown(name.to_owned()))?;
        let hosts = self.0.lock().get(name).map(|made| made.hosts.clone()).unwrap_or_default();
        Ok(Draft {
            name: name.to_owned(),
            code: self.0.shelf.source(name)?,
            description: entry.description,
            auto_start: entry.auto_start,
            allow_network: entry.allow_network,
            hosts,
            tests: Vec::new(),
        })
    }

    /// Keeps a draft that a person said yes to, and starts it. Gives back its tools.
    pub async fn keep(&self, draft: Draft, note: &str) -> Result<Vec<Offered>, WorkshopError> {
        if !draft.hosts.is_empty() {
            read_hosts(&self.0.ground().await?.sandbox, &draft.hosts)?;
        }
        let sum = sum_of(&draft);
        if !self.0.tried().contains_key(&sum) {
            self.try_out(&draft).await?;
        }
        let Some(tried) = self.0.tried().remove(&sum) else { return Err(WorkshopError::Changed) };
        let _one = self.0.changing.lock().await;
        let inner = &self.0;
        let Draft { name, code, description, auto_start, allow_network, hosts, .. } = draft;
        let before = inner.shelf.entry(&name).unwrap_or_default();
        let entry = Entry { description, auto_start, allow_network, ..before };
        let entry = inner.shelf.put(&name, &code, entry, note)?;
        let sum = digest(&code, &entry);
        let tools = serde_json::to_value(&tried.tools).ok();
        let approval = McpApproval { launch: sum.clone(), tools, hosts };
        inner.parts.store.approve_mcp(&name, approval).await?;
        inner.take_out(&name, entry, sum).await?;
        Ok(tried.tools)
    }

    /// A person says yes to what lies on the disk.
    pub async fn approve(
        &self,
        name: &str,
        seen: &str,
        hosts: Option<Vec<String>>,
    ) -> Result<(), WorkshopError> {
        let mut draft = self.draft(name)?;
        let entry = self.0.shelf.entry(name)?;
        if digest(&draft.code, &entry) != seen {
            return Err(WorkshopError::Changed);
        }
        draft.hosts = hosts.unwrap_or(draft.hosts);
        let tried = self.try_out(&draft).await?;
        let _one = self.0.changing.lock().await;
        let tools = serde_json::to_value(&tried.tools).ok();
        let approval = McpApproval { launch: seen.to_owned(), tools, hosts: draft.hosts };
        self.0.parts.store.approve_mcp(name, approval).await?;
        self.0.take_out(name, entry, seen.to_owned()).await
    }

    /// Takes a server away; [`restore`](Self::restore) has it back.
    pub async fn delete(&self, name: &str) -> Result<(), WorkshopError> {
        let _one = self.0.changing.lock().await;
        if !self.has(name) {
            return Err(WorkshopError::Unknown(name.to_owned()));
        }
        self.0.put_away(name);
        self.0.shelf.delete(name)?;
        Ok(())
    }

    /// Has one back that was taken away. What it may do is as it was.
    pub async fn restore(&self, name: &str) -> Result<(), WorkshopError> {
        self.0.shelf.restore(name)?;
        self.look_again().await
    }

    /// Ends all of them.
    pub fn close(&self) {
        for (_, made) in std::mem::take(&mut *self.0.lock()) {
            if let Some((keeper, _)) = made.running {
                keeper.close();
            }
        }
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Made>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tried(&self) -> MutexGuard<'_, HashMap<String, Tried>> {
        self.tried.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn made(&self, name: &str) -> Result<Made, WorkshopError> {
        self.lock().get(name).cloned().ok_or_else(|| WorkshopError::Unknown(name.to_owned()))
    }

    async fn ground(&self) -> Result<&Ground, WorkshopError> {
        let sandbox = &self.parts.sandbox;
        if sandbox.level() == Level::None {
            let missing = sandbox.missing().join("; ");
            return Err(WorkshopError::Off(format!(
                "Tools of her own are off on this machine, since nothing here could hold them: {missing}."
            )));
        }
        let ground = self.ground.get_or_init(|| async {
            let python = Python::find().await.map_err(|error| error.to_string())?;
            let cache = &self.parts.cache;
            let mut stand_in = StandIn::lay_out(cache).map_err(|error| error.to_string())?;
            python.compile(&stand_in).await;
            if (self.parts.wants_official)() {
                match python.official(cache).await {
                    Ok(packages) => stand_in = stand_in.with_official(packages),
                    // Tools that stop for want of a download would be worse.
                    Err(error) => tracing::warn!("{error}. Tools of hers run on the stand-in"),
                }
            }
            Ok(Ground { sandbox: Arc::clone(sandbox), python, stand_in, hidden: self.parts.hidden.clone() })
        });
        ground.await.as_ref().map_err(|why| WorkshopError::Off(why.clone()))
    }

    /// Ends a server, and takes its tools away.
    fn put_away(&self, name: &str) {
        if let Some((keeper, _)) = self.lock().remove(name).and_then(|made| made.running) {
            keeper.close();
        }
        (self.parts.publish)(name, Vec::new());
        (self.parts.changed)();
    }

    /// Makes a server what lies on the disk: usable where it was said yes to, and else shown alone.
    async fn take_out(self: &Arc<Self>, name: &str, entry: Entry, sum: String) -> Result<(), WorkshopError> {
        self.put_away(name);
        let approval = self.parts.store.mcp_approval(name).await?.filter(|approval| approval.launch == sum);
        let hosts = approval.as_ref().map(|approval| approval.hosts.clone()).unwrap_or_default();
        let mut off = None;
        let running = match approval {
            None => None,
            Some(approval) => {
                let tools = approval.tools.and_then(|tools| serde_json::from_value(tools).ok());
                match self.keep_running(name, &entry, &sum, tools.unwrap_or_default(), &hosts).await {
                    Ok(running) => Some(running),
                    Err(WorkshopError::Off(why) | WorkshopError::Draft(why)) => {
                        off = Some(why);
                        None
                    }
                    Err(error) => return Err(error),
                }
            }
        };
        let reach = if hosts.is_empty() { Reach::Held } else { Reach::Online };
        if let Some((keeper, review)) = &running {
            let tools = review.approved().unwrap_or_default();
            (self.parts.publish)(name, remote::tools(name, keeper, &tools, &keeper.inventory(), reach));
        }
        self.lock().insert(name.to_owned(), Made { entry, digest: sum, off, running, hosts });
        (self.parts.changed)();
        Ok(())
    }

    async fn keep_running(
        self: &Arc<Self>,
        name: &str,
        entry: &Entry,
        sum: &str,
        tools: Vec<Offered>,
        hosts: &[String],
    ) -> Result<(Arc<Keeper>, Arc<Review>), WorkshopError> {
        let ground = self.ground().await?;
        let (file, storage) = (self.shelf.source_path(name), self.shelf.storage(name));
        host::private_dir(&storage).map_err(ShelfError::from)?;
        let (mut policy, command) = ground.held(&file, &storage).map_err(WorkshopError::Off)?;
        if !hosts.is_empty() {
            policy = policy.reach(read_hosts(&ground.sandbox, hosts)?);
        }
        let review = Arc::new(Review::new(Some(tools)));
        let kept = Kept {
            name: name.to_owned(),
            launch: Launch::Held { sandbox: Arc::clone(&ground.sandbox), policy, command },
            sign_in: None,
            journal: Arc::new(Journal::kept_in(self.shelf.log(name))),
            model: Arc::clone(&self.parts.model),
            root: None,
            patience: PATIENCE,
            idle: (!entry.auto_start).then_some(IDLE),
            check: {
                let (files, name, sum) = (self.shelf.clone(), name.to_owned(), sum.to_owned());
                Some(Box::new(move || {
                    let now = files.entry(&name).and_then(|entry| Ok(digest(&files.source(&name)?, &entry)));
                    match now {
                        Ok(now) if now == sum => Ok(()),
                        Ok(_) => Err(NOT_APPROVED.to_owned()),
                        Err(error) => Err(error.to_string()),
                    }
                }))
            },
            review: {
                let review = Arc::clone(&review);
                Box::new(move |inventory| {
                    review.see(inventory.tools);
                    let (usable, approved) = (review.usable(), review.approved().unwrap_or_default());
                    // A tool that appears later is none that anybody said yes to.
                    if usable == approved && review.asks().is_none() {
                        Ok(())
                    } else {
                        Err("it offers other tools than you said yes to".to_owned())
                    }
                })
            },
            changed: {
                let inner = Arc::downgrade(self);
                Box::new(move || {
                    if let Some(inner) = inner.upgrade() {
                        (inner.parts.changed)();
                    }
                })
            },
        };
        Ok((Keeper::new(kept, entry.auto_start && (self.parts.is_on)()), review))
    }

    fn info(&self, name: &str, made: &Made) -> McpServerInfo {
        let Made { entry, digest, off, running, hosts } = made;
        let state = running.as_ref().map(|(keeper, _)| keeper.state());
        McpServerInfo {
            name: name.to_owned(),
            kind: McpKind::Made,
            state: match &state {
                Some(state) => wire(state),
                None if off.is_some() => McpState::Disabled,
                None => McpState::Asking,
            },
            trouble: match &state {
                Some(state) => why(state),
                None => Some(off.clone().unwrap_or_else(|| format!("It cannot be used: {NOT_APPROVED}."))),
            },
            reach: self.shelf.source_path(name).display().to_string(),
            description: Some(entry.description.clone()),
            version: None,
            tools: running.as_ref().map(|(_, review)| review.tools(name)).unwrap_or_default(),
            left_out: Vec::new(),
            has_resources: false,
            has_prompts: false,
            sign_in: None,
            asks: (state.is_none() && off.is_none()).then(|| digest.clone()),
            made: Some(MadeInfo {
                auto_start: entry.auto_start,
                wants_network: entry.allow_network,
                hosts: hosts.clone(),
                created_at: entry.created_at.clone(),
                changed_at: entry.changed_at.clone(),
                versions: entry.versions(),
            }),
        }
    }
}

/// The hosts that a person named, if they can be reached from here.
fn read_hosts(sandbox: &Sandbox, hosts: &[String]) -> Result<Hosts, WorkshopError> {
    if !sandbox.can_reach() {
        let missing = sandbox.missing().join("; ");
        return Err(WorkshopError::Off(format!("It cannot have a network on this machine: {missing}.")));
    }
    Hosts::parse(hosts).map_err(|error| WorkshopError::Draft(format!("Among the hosts, {error}.")))
}

/// What of a draft was tried.
fn sum_of(draft: &Draft) -> String {
    let Draft { name, code, description, allow_network, .. } = draft;
    let entry = Entry { description: description.clone(), allow_network: *allow_network, ..Entry::default() };
    format!("{name} {}", digest(code, &entry))
}
