use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::{MadeDeleted, McpLogLine};
use sandbox::{Sandbox, SandboxLevel};
use store::{McpApproval, Store, StoreError};
use tokio::sync::OnceCell;

use super::approved::{Approved, Seen};
use super::draft::{Draft, Ground, Tried};
use super::running::read_hosts;
use super::shelf::{Entry, Shelf, ShelfError, digest};
use crate::handler::Answering;
use crate::keeper::Keeper;
use crate::offered::Offered;
use crate::python::Python;
use crate::remote::{self, Reach};
use crate::review::Review;
use crate::servers::Publish;
use crate::stand_in::StandIn;

pub(super) const NOT_APPROVED: &str = "it is not what you approved, so it needs your approval again";
const SWITCHED_OFF: &str = "Tools of her own are switched off: `perigee config set builtin_tools.mcp_servers true` switches them on.";
const BY_HAND: &str = "changed by hand";

/// The dependencies of [`Workshop`].
pub struct WorkshopParts {
    pub store: Arc<Store>,
    pub sandbox: Arc<Sandbox>,
    /// The folder `mcp_servers/`.
    pub folder: PathBuf,
    pub cache: PathBuf,
    /// The data folder, which is hidden from all servers.
    pub hidden: PathBuf,
    pub model: Arc<dyn Answering>,
    pub publish: Publish,
    /// Called whenever pages need an update.
    pub changed: Box<dyn Fn() + Send + Sync>,
    /// Returns true if a server in the settings has this name.
    pub is_configured: Box<dyn Fn(&str) -> bool + Send + Sync>,
    /// Returns true if generated servers are enabled.
    pub is_on: Box<dyn Fn() -> bool + Send + Sync>,
    /// Returns true if generated servers may ask for network access.
    pub may_ask_for_network: Box<dyn Fn() -> bool + Send + Sync>,
    /// Returns true if the servers should run on the official package.
    pub wants_official: Box<dyn Fn() -> bool + Send + Sync>,
}

/// The generated servers. Cloning is cheap.
#[derive(Clone)]
pub struct Workshop(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub(super) parts: WorkshopParts,
    pub(super) shelf: Shelf,
    ground: OnceCell<Result<Ground, String>>,
    made: Mutex<BTreeMap<String, Made>>,
    /// The results of test runs by the digest of the draft.
    tried: Mutex<HashMap<String, Tried>>,
    changing: tokio::sync::Mutex<()>,
}

/// A server as found on disk.
#[derive(Clone)]
pub(super) struct Made {
    pub entry: Entry,
    pub digest: String,
    /// The reason why it cannot be used, approved or not.
    pub off: Option<String>,
    /// The running server, if its current source is approved.
    pub running: Option<(Arc<Keeper>, Arc<Review>)>,
    /// The hosts of the last approval, which are proposed again when the server needs a new one.
    pub hosts: Vec<String>,
    /// The version last approved.
    pub seen: Option<Seen>,
}

impl Made {
    /// Returns true if both look the same on a page.
    fn looks_like(&self, other: &Self) -> bool {
        let same = self.entry == other.entry && self.digest == other.digest && self.off == other.off;
        same && self.hosts == other.hosts && self.running.is_none() && other.running.is_none()
    }
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
    #[error("it has changed since you were shown it. Look at it again")]
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

    /// Reads the servers from disk again, where they may have been edited. Approved ones become usable, and those with
    /// auto-start are started.
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
            // An unreadable server must not hide the others.
            let sum = match &entry.trouble {
                Some(trouble) => Err(trouble.clone()),
                None => inner.shelf.source(&name).map_err(|error| error.to_string()),
            };
            let sum = sum.map(|code| digest(&code, &entry));
            if inner.is_known(&name, &entry, &sum) {
                continue;
            }
            match sum {
                Ok(sum) => inner.take_out(&name, entry, sum).await?,
                Err(why) => inner.put(&name, &Made { off: Some(why), ..Made::waiting(entry, String::new()) }),
            }
        }
        Ok(())
    }

    /// Returns the deleted servers that can be restored.
    pub fn deleted(&self) -> Vec<MadeDeleted> {
        let found = self.0.shelf.deleted().unwrap_or_default().into_iter();
        found.map(|(name, entry)| MadeDeleted { name, description: entry.description }).collect()
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

    /// Waits until the server runs.
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

    /// Checks and tests a draft. Only the result is kept.
    pub async fn try_out(&self, draft: &Draft) -> Result<Tried, WorkshopError> {
        draft.check().map_err(WorkshopError::Draft)?;
        // Fails before the user is asked if the manifest could not be updated afterwards.
        self.0.shelf.entries()?;
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

    /// Returns the sandbox level of this machine.
    pub fn level(&self) -> SandboxLevel {
        self.0.parts.sandbox.level()
    }

    /// Returns true if there is a server of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.shelf.entry(name).is_ok()
    }

    /// Returns a draft with the current state of a server, for editing.
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

    /// Stores and starts an approved draft. Returns its tools.
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
        let before = match inner.shelf.entry(&name) {
            // Manual edits would be lost otherwise.
            Ok(before) => inner.shelf.record(&name, before, BY_HAND)?,
            Err(_) => Entry::default(),
        };
        let entry = Entry { description, auto_start, allow_network, ..before };
        let entry = inner.shelf.put(&name, &code, entry, note)?;
        inner.let_in(&name, &code, entry, &tried.tools, hosts).await?;
        Ok(tried.tools)
    }

    /// Records the user's approval of the version on disk.
    pub async fn approve(
        &self,
        name: &str,
        seen: &str,
        hosts: Option<Vec<String>>,
    ) -> Result<(), WorkshopError> {
        let mut draft = self.draft(name)?;
        if digest(&draft.code, &self.0.shelf.entry(name)?) != seen {
            return Err(WorkshopError::Changed);
        }
        draft.hosts = if draft.allow_network { hosts.unwrap_or(draft.hosts) } else { Vec::new() };
        let tried = self.try_out(&draft).await?;
        let _one = self.0.changing.lock().await;
        // The versions and the automatic start may have changed during the test run.
        let entry = self.0.shelf.entry(name)?;
        if digest(&self.0.shelf.source(name)?, &entry) != seen {
            return Err(WorkshopError::Changed);
        }
        let entry = self.0.shelf.record(name, entry, BY_HAND)?;
        self.0.let_in(name, &draft.code, entry, &tried.tools, draft.hosts).await
    }

    /// Restores an earlier version. It needs a new approval unless it is the version last approved.
    pub async fn go_back(&self, name: &str, id: &str) -> Result<(), WorkshopError> {
        {
            let _one = self.0.changing.lock().await;
            let code = self.0.shelf.version(name, id)?;
            let entry = self.0.shelf.entry(name)?;
            // An unreadable source cannot be recorded as a version, but going back must still work.
            let entry = self.0.shelf.record(name, entry.clone(), BY_HAND).unwrap_or(entry);
            let number = entry.versions.iter().position(|version| version.id == id).map_or(0, |at| at + 1);
            self.0.shelf.put(name, &code, entry, &format!("back to version {number}"))?;
        }
        self.look_again().await
    }

    /// Deletes a server; [`restore`](Self::restore) brings it back.
    pub async fn delete(&self, name: &str) -> Result<(), WorkshopError> {
        let _one = self.0.changing.lock().await;
        if !self.has(name) {
            return Err(WorkshopError::Unknown(name.to_owned()));
        }
        self.0.put_away(name);
        self.0.shelf.delete(name)?;
        Ok(())
    }

    /// Restores a deleted server with its earlier permissions.
    pub async fn restore(&self, name: &str) -> Result<(), WorkshopError> {
        {
            let _one = self.0.changing.lock().await;
            self.0.shelf.restore(name)?;
        }
        self.look_again().await
    }

    /// Ends all servers.
    pub fn close(&self) {
        for (_, made) in std::mem::take(&mut *self.0.lock()) {
            if let Some((keeper, _)) = made.running {
                keeper.close();
            }
        }
    }
}

impl Made {
    fn waiting(entry: Entry, digest: String) -> Self {
        Self { entry, digest, off: None, running: None, hosts: Vec::new(), seen: None }
    }
}

impl Inner {
    pub(super) fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Made>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tried(&self) -> MutexGuard<'_, HashMap<String, Tried>> {
        self.tried.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn made(&self, name: &str) -> Result<Made, WorkshopError> {
        self.lock().get(name).cloned().ok_or_else(|| WorkshopError::Unknown(name.to_owned()))
    }

    pub(super) async fn ground(&self) -> Result<&Ground, WorkshopError> {
        let sandbox = &self.parts.sandbox;
        if sandbox.level() == SandboxLevel::None {
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
                    // Falling back is better than tools that fail for want of a download.
                    Err(error) => tracing::warn!("{error}. Tools of hers run on the stand-in"),
                }
            }
            Ok(Ground { sandbox: Arc::clone(sandbox), python, stand_in, hidden: self.parts.hidden.clone() })
        });
        ground.await.as_ref().map_err(|why| WorkshopError::Off(why.clone()))
    }

    /// Ends a server and removes its tools.
    fn put_away(&self, name: &str) {
        let Some(made) = self.lock().remove(name) else { return };
        if let Some((keeper, _)) = made.running {
            keeper.close();
            (self.parts.publish)(name, Vec::new());
        }
        (self.parts.changed)();
    }

    /// Returns true if the server on disk is the one in memory.
    fn is_known(&self, name: &str, entry: &Entry, sum: &Result<String, String>) -> bool {
        let is_on = (self.parts.is_on)();
        self.lock().get(name).is_some_and(|made| {
            let same = match sum {
                Ok(sum) => made.digest == *sum && made.off.is_none() && is_on,
                Err(why) => made.off.as_ref() == Some(why),
            };
            same && made.entry == *entry
        })
    }

    /// Stores a server's new state, and notifies pages if it looks different.
    fn put(&self, name: &str, made: &Made) {
        let before = self.lock().insert(name.to_owned(), made.clone());
        if let Some((keeper, _)) = before.as_ref().and_then(|before| before.running.as_ref()) {
            keeper.close();
            if made.running.is_none() {
                (self.parts.publish)(name, Vec::new());
            }
        }
        if !before.is_some_and(|before| before.looks_like(made)) {
            (self.parts.changed)();
        }
    }

    /// Stores the approval of a server as it is.
    async fn let_in(
        self: &Arc<Self>,
        name: &str,
        code: &str,
        entry: Entry,
        tools: &[Offered],
        hosts: Vec<String>,
    ) -> Result<(), WorkshopError> {
        let sum = digest(code, &entry);
        let approved = Approved { tools: tools.to_vec(), seen: Some(Seen::of(code, &entry)) };
        let approval = McpApproval { launch: sum.clone(), tools: Some(approved.to_json()), hosts };
        self.parts.store.approve_mcp(name, approval).await?;
        self.take_out(name, entry, sum).await
    }

    /// Loads a server as it is on disk: usable if approved, otherwise only shown.
    async fn take_out(self: &Arc<Self>, name: &str, entry: Entry, sum: String) -> Result<(), WorkshopError> {
        let mut made = Made::waiting(entry, sum);
        let approval = self.parts.store.mcp_approval(name).await?;
        let is_approved = approval.as_ref().is_some_and(|approval| approval.launch == made.digest);
        let (approved, hosts) = match approval {
            Some(approval) => (Approved::read(approval.tools), approval.hosts),
            None => Default::default(),
        };
        (made.seen, made.hosts) = (approved.seen, hosts);
        if !(self.parts.is_on)() {
            made.off = Some(SWITCHED_OFF.to_owned());
        } else if is_approved {
            let kept = self.keep_running(name, &made.entry, &made.digest, approved.tools, &made.hosts).await;
            match kept {
                Ok(running) => made.running = Some(running),
                Err(WorkshopError::Off(why) | WorkshopError::Draft(why)) => made.off = Some(why),
                Err(error) => return Err(error),
            }
        }
        let reach = if made.hosts.is_empty() { Reach::Held } else { Reach::Online };
        let running = made.running.clone();
        self.put(name, &made);
        if let Some((keeper, review)) = running {
            let tools = review.approved().unwrap_or_default();
            (self.parts.publish)(name, remote::tools(name, &keeper, &tools, &keeper.inventory(), reach));
        }
        Ok(())
    }
}

/// Returns the key of a draft's test run.
fn sum_of(draft: &Draft) -> String {
    let Draft { name, code, description, allow_network, .. } = draft;
    let entry = Entry { description: description.clone(), allow_network: *allow_network, ..Entry::default() };
    format!("{name} {}", digest(code, &entry))
}

#[cfg(test)]
#[path = "workshop_tests.rs"]
mod tests;
