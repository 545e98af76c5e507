use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::{MadeDeleted, McpLogLine};
use sandbox::{Sandbox, SandboxLevel};
use store::{McpApproval, Store};
use tokio::sync::OnceCell;

use super::approval::{ApprovedSource, StoredApproval};
use super::draft::{RunEnvironment, ServerDraft, TrialResult};
use super::error::{GeneratedServerError, NOT_APPROVED};
use super::server_files::{ManifestEntry, ServerFiles, source_digest};
use crate::configured_servers::PublishTools;
use crate::offer_review::OfferReview;
use crate::offered_tool::OfferedTool;
use crate::python::Python;
use crate::server_requests::SamplingModel;
use crate::server_tool::{self, ServerAccess};
use crate::supervisor::ServerSupervisor;

const SWITCHED_OFF: &str = "Luna's own tools are switched off: `perigee config set builtin_tools.mcp_servers true` switches them on.";
const BY_HAND: &str = "changed by hand";

/// The dependencies of [`GeneratedServers`].
pub struct GeneratedServersParts {
    pub store: Arc<Store>,
    pub sandbox: Arc<Sandbox>,
    /// The folder `mcp_servers/`.
    pub folder: PathBuf,
    pub cache: PathBuf,
    /// The data folder, which is hidden from all servers.
    pub hidden: PathBuf,
    pub model: Arc<dyn SamplingModel>,
    pub publish: PublishTools,
    /// Called whenever pages need an update.
    pub changed: Box<dyn Fn() + Send + Sync>,
    /// Returns true if a server in the settings has this name.
    pub is_configured: Box<dyn Fn(&str) -> bool + Send + Sync>,
    /// Returns true if generated servers are enabled.
    pub is_on: Box<dyn Fn() -> bool + Send + Sync>,
    /// Returns true if generated servers may ask for network access.
    pub may_ask_for_network: Box<dyn Fn() -> bool + Send + Sync>,
    /// Returns true if the official package should serve all files that import it.
    pub wants_official: Box<dyn Fn() -> bool + Send + Sync>,
}

/// The generated servers. Cloning is cheap.
#[derive(Clone)]
pub struct GeneratedServers(pub(super) Arc<GeneratedServersState>);

pub(super) struct GeneratedServersState {
    pub(super) parts: GeneratedServersParts,
    pub(super) files: ServerFiles,
    environment: OnceCell<Result<RunEnvironment, String>>,
    servers: Mutex<BTreeMap<String, GeneratedServer>>,
    /// The results of test runs by the digest of the draft.
    trials: Mutex<HashMap<String, TrialResult>>,
    changing: tokio::sync::Mutex<()>,
}

/// A server as found on disk.
#[derive(Clone)]
pub(super) struct GeneratedServer {
    pub entry: ManifestEntry,
    pub digest: String,
    /// The reason why it cannot be used, approved or not.
    pub problem: Option<String>,
    /// The running server, if its current source is approved.
    pub running: Option<(Arc<ServerSupervisor>, Arc<OfferReview>)>,
    /// The hosts of the last approval, which are proposed again when the server needs a new one.
    pub hosts: Vec<String>,
    /// The version last approved.
    pub approved_source: Option<ApprovedSource>,
}

impl GeneratedServer {
    /// Returns true if both look the same on a page.
    fn looks_like(&self, other: &Self) -> bool {
        let same = self.entry == other.entry && self.digest == other.digest && self.problem == other.problem;
        same && self.hosts == other.hosts && self.running.is_none() && other.running.is_none()
    }
}

impl GeneratedServers {
    pub fn new(parts: GeneratedServersParts) -> Self {
        let files = ServerFiles::new(parts.folder.clone());
        Self(Arc::new(GeneratedServersState {
            parts,
            files,
            environment: OnceCell::new(),
            servers: Mutex::default(),
            trials: Mutex::default(),
            changing: tokio::sync::Mutex::default(),
        }))
    }

    /// Reads the servers from disk again, where they may have been edited. Approved ones become usable, and those with
    /// auto-start are started.
    pub async fn reload(&self) -> Result<(), GeneratedServerError> {
        let _one = self.0.changing.lock().await;
        let shared = &self.0;
        let entries = shared.files.entries()?;
        let gone: Vec<String> =
            shared.lock().keys().filter(|name| !entries.contains_key(*name)).cloned().collect();
        for name in gone {
            shared.remove_from_memory(&name);
        }
        for (name, entry) in entries {
            // An unreadable server must not hide the others.
            let code = match &entry.problem {
                Some(problem) => Err(problem.clone()),
                None => shared.files.source(&name).map_err(|error| error.to_string()),
            };
            let digest = code.map(|code| source_digest(&code, &entry));
            if shared.is_known(&name, &entry, &digest) {
                continue;
            }
            match digest {
                Ok(digest) => shared.load(&name, entry, digest).await?,
                Err(why) => shared.put(
                    &name,
                    &GeneratedServer { problem: Some(why), ..GeneratedServer::waiting(entry, String::new()) },
                ),
            }
        }
        Ok(())
    }

    /// Returns the deleted servers that can be restored.
    pub fn deleted(&self) -> Vec<MadeDeleted> {
        let found = self.0.files.deleted().unwrap_or_default().into_iter();
        found.map(|(name, entry)| MadeDeleted { name, description: entry.description }).collect()
    }

    pub fn version(&self, name: &str, id: &str) -> Result<String, GeneratedServerError> {
        Ok(self.0.files.version(name, id)?)
    }

    pub fn logs(&self, name: &str) -> Result<Vec<McpLogLine>, GeneratedServerError> {
        let server = self.0.server(name)?;
        Ok(server.running.map(|(supervisor, _)| supervisor.log().lines()).unwrap_or_default())
    }

    pub fn start(&self, name: &str) -> Result<(), GeneratedServerError> {
        let (supervisor, _) =
            self.0.server(name)?.running.ok_or_else(|| GeneratedServerError::Off(NOT_APPROVED.to_owned()))?;
        supervisor.start();
        Ok(())
    }

    /// Waits until the server runs.
    pub async fn wait_until_started(&self, name: &str) -> Result<(), GeneratedServerError> {
        let (supervisor, _) =
            self.0.server(name)?.running.ok_or_else(|| GeneratedServerError::Off(NOT_APPROVED.to_owned()))?;
        supervisor.session().await.map(drop).map_err(GeneratedServerError::Off)
    }

    pub fn stop(&self, name: &str) -> Result<(), GeneratedServerError> {
        if let Some((supervisor, _)) = self.0.server(name)?.running {
            supervisor.stop();
        }
        Ok(())
    }

    /// Checks and tests a draft. Only the result is kept.
    pub async fn try_out(&self, draft: &ServerDraft) -> Result<TrialResult, GeneratedServerError> {
        draft.check().map_err(GeneratedServerError::Draft)?;
        // Fails before the user is asked if the manifest could not be updated afterwards.
        self.0.files.entries()?;
        if (self.0.parts.is_configured)(&draft.name) {
            return Err(GeneratedServerError::Taken(draft.name.clone()));
        }
        if draft.allow_network && !(self.0.parts.may_ask_for_network)() {
            return Err(GeneratedServerError::Off(
                "Servers may not ask for the network: builtin_tools.mcp_servers_allow_network is off. Do it without."
                    .to_owned(),
            ));
        }
        let environment = self.0.environment().await?;
        if !draft.hosts.is_empty() {
            environment.parse_hosts(&draft.hosts)?;
        }
        let result = draft.try_out(environment).await.map_err(GeneratedServerError::Draft)?;
        self.0.trials().insert(trial_key(draft), result.clone());
        Ok(result)
    }

    /// Returns the sandbox level of this machine.
    pub fn level(&self) -> SandboxLevel {
        self.0.parts.sandbox.level()
    }

    /// Returns true if there is a server of this name.
    pub fn has(&self, name: &str) -> bool {
        self.0.files.entry(name).is_ok()
    }

    /// Returns a draft with the current state of a server, for editing.
    pub fn draft(&self, name: &str) -> Result<ServerDraft, GeneratedServerError> {
        let entry = self.0.files.entry(name).map_err(|_| GeneratedServerError::Unknown(name.to_owned()))?;
        let hosts = self.0.lock().get(name).map(|server| server.hosts.clone()).unwrap_or_default();
        Ok(ServerDraft {
            name: name.to_owned(),
            code: self.0.files.source(name)?,
            description: entry.description,
            auto_start: entry.auto_start,
            allow_network: entry.allow_network,
            hosts,
            tests: Vec::new(),
        })
    }

    /// Stores and starts an approved draft. Returns its tools.
    pub async fn store_approved(
        &self,
        draft: ServerDraft,
        note: &str,
    ) -> Result<Vec<OfferedTool>, GeneratedServerError> {
        if !draft.hosts.is_empty() {
            self.0.environment().await?.parse_hosts(&draft.hosts)?;
        }
        let key = trial_key(&draft);
        if !self.0.trials().contains_key(&key) {
            self.try_out(&draft).await?;
        }
        let Some(trial) = self.0.trials().remove(&key) else { return Err(GeneratedServerError::Changed) };
        let _one = self.0.changing.lock().await;
        let shared = &self.0;
        let ServerDraft { name, code, description, auto_start, allow_network, hosts, .. } = draft;
        let before = match shared.files.entry(&name) {
            // Manual edits would be lost otherwise.
            Ok(before) => shared.files.record(&name, before, BY_HAND)?,
            Err(_) => ManifestEntry::default(),
        };
        let entry = ManifestEntry { description, auto_start, allow_network, ..before };
        let entry = shared.files.put(&name, &code, entry, note)?;
        shared.approve_source(&name, &code, entry, &trial.tools, hosts).await?;
        Ok(trial.tools)
    }

    /// Records the user's approval of the version on disk, of which they saw the one with the digest `seen`.
    pub async fn approve(
        &self,
        name: &str,
        seen: &str,
        hosts: Option<Vec<String>>,
    ) -> Result<(), GeneratedServerError> {
        let mut draft = self.draft(name)?;
        if source_digest(&draft.code, &self.0.files.entry(name)?) != seen {
            return Err(GeneratedServerError::Changed);
        }
        draft.hosts = if draft.allow_network { hosts.unwrap_or(draft.hosts) } else { Vec::new() };
        let trial = self.try_out(&draft).await?;
        let _one = self.0.changing.lock().await;
        // The versions and the automatic start may have changed during the test run.
        let entry = self.0.files.entry(name)?;
        if source_digest(&self.0.files.source(name)?, &entry) != seen {
            return Err(GeneratedServerError::Changed);
        }
        let entry = self.0.files.record(name, entry, BY_HAND)?;
        self.0.approve_source(name, &draft.code, entry, &trial.tools, draft.hosts).await
    }

    /// Restores an earlier version. It needs a new approval unless it is the version last approved.
    pub async fn restore_version(&self, name: &str, id: &str) -> Result<(), GeneratedServerError> {
        {
            let _one = self.0.changing.lock().await;
            let code = self.0.files.version(name, id)?;
            let entry = self.0.files.entry(name)?;
            // An unreadable source cannot be recorded as a version, but going back must still work.
            let entry = self.0.files.record(name, entry.clone(), BY_HAND).unwrap_or(entry);
            let number = entry.versions.iter().position(|version| version.id == id).map_or(0, |at| at + 1);
            self.0.files.put(name, &code, entry, &format!("back to version {number}"))?;
        }
        self.reload().await
    }

    /// Deletes a server; [`restore`](Self::restore) brings it back.
    pub async fn delete(&self, name: &str) -> Result<(), GeneratedServerError> {
        let _one = self.0.changing.lock().await;
        if !self.has(name) {
            return Err(GeneratedServerError::Unknown(name.to_owned()));
        }
        self.0.remove_from_memory(name);
        self.0.files.delete(name)?;
        Ok(())
    }

    /// Restores a deleted server with its earlier permissions.
    pub async fn restore(&self, name: &str) -> Result<(), GeneratedServerError> {
        {
            let _one = self.0.changing.lock().await;
            self.0.files.restore(name)?;
        }
        self.reload().await
    }

    /// Ends all servers.
    pub fn close(&self) {
        for (_, server) in std::mem::take(&mut *self.0.lock()) {
            if let Some((supervisor, _)) = server.running {
                supervisor.close();
            }
        }
    }
}

impl GeneratedServer {
    fn waiting(entry: ManifestEntry, digest: String) -> Self {
        Self { entry, digest, problem: None, running: None, hosts: Vec::new(), approved_source: None }
    }
}

impl GeneratedServersState {
    pub(super) fn lock(&self) -> MutexGuard<'_, BTreeMap<String, GeneratedServer>> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn trials(&self) -> MutexGuard<'_, HashMap<String, TrialResult>> {
        self.trials.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn server(&self, name: &str) -> Result<GeneratedServer, GeneratedServerError> {
        self.lock().get(name).cloned().ok_or_else(|| GeneratedServerError::Unknown(name.to_owned()))
    }

    pub(super) async fn environment(&self) -> Result<&RunEnvironment, GeneratedServerError> {
        let sandbox = &self.parts.sandbox;
        if sandbox.level() == SandboxLevel::None {
            let missing = sandbox.missing().join("; ");
            return Err(GeneratedServerError::Off(format!(
                "Luna's own tools are off on this machine, since there is no sandbox for them: {missing}."
            )));
        }
        let environment = self.environment.get_or_init(|| async {
            let python = Python::find().await.map_err(|error| error.to_string())?;
            let runner = python.runner(&self.parts.cache, (self.parts.wants_official)()).await;
            let runner = runner.map_err(|error| error.to_string())?;
            Ok(RunEnvironment {
                sandbox: Arc::clone(sandbox),
                python,
                runner,
                hidden: self.parts.hidden.clone(),
            })
        });
        environment.await.as_ref().map_err(|why| GeneratedServerError::Off(why.clone()))
    }

    /// Ends a server and removes its tools.
    fn remove_from_memory(&self, name: &str) {
        let Some(server) = self.lock().remove(name) else { return };
        if let Some((supervisor, _)) = server.running {
            supervisor.close();
            (self.parts.publish)(name, Vec::new());
        }
        (self.parts.changed)();
    }

    /// Returns true if the server on disk is the one in memory.
    fn is_known(&self, name: &str, entry: &ManifestEntry, digest: &Result<String, String>) -> bool {
        let is_on = (self.parts.is_on)();
        self.lock().get(name).is_some_and(|server| {
            let same = match digest {
                Ok(digest) => server.digest == *digest && server.problem.is_none() && is_on,
                Err(why) => server.problem.as_ref() == Some(why),
            };
            same && server.entry == *entry
        })
    }

    /// Stores a server's new state, and notifies pages if it looks different.
    fn put(&self, name: &str, server: &GeneratedServer) {
        let before = self.lock().insert(name.to_owned(), server.clone());
        if let Some((supervisor, _)) = before.as_ref().and_then(|before| before.running.as_ref()) {
            supervisor.close();
            if server.running.is_none() {
                (self.parts.publish)(name, Vec::new());
            }
        }
        if !before.is_some_and(|before| before.looks_like(server)) {
            (self.parts.changed)();
        }
    }

    /// Stores the approval of a server as it is.
    async fn approve_source(
        self: &Arc<Self>,
        name: &str,
        code: &str,
        entry: ManifestEntry,
        tools: &[OfferedTool],
        hosts: Vec<String>,
    ) -> Result<(), GeneratedServerError> {
        let digest = source_digest(code, &entry);
        let approved =
            StoredApproval { tools: tools.to_vec(), approved_source: Some(ApprovedSource::of(code, &entry)) };
        let approval = McpApproval { launch: digest.clone(), tools: Some(approved.to_json()), hosts };
        self.parts.store.approve_mcp(name, approval).await?;
        self.load(name, entry, digest).await
    }

    /// Loads a server as it is on disk: usable if approved, otherwise only shown.
    async fn load(
        self: &Arc<Self>,
        name: &str,
        entry: ManifestEntry,
        digest: String,
    ) -> Result<(), GeneratedServerError> {
        let mut server = GeneratedServer::waiting(entry, digest);
        let approval = self.parts.store.mcp_approval(name).await?;
        let is_approved = approval.as_ref().is_some_and(|approval| approval.launch == server.digest);
        let (approved, hosts) = match approval {
            Some(approval) => (StoredApproval::read(approval.tools), approval.hosts),
            None => Default::default(),
        };
        (server.approved_source, server.hosts) = (approved.approved_source, hosts);
        if !(self.parts.is_on)() {
            server.problem = Some(SWITCHED_OFF.to_owned());
        } else if is_approved {
            match self.supervise(name, &server.entry, &server.digest, approved.tools, &server.hosts).await {
                Ok(running) => server.running = Some(running),
                Err(GeneratedServerError::Off(why) | GeneratedServerError::Draft(why)) => {
                    server.problem = Some(why);
                }
                Err(error) => return Err(error),
            }
        }
        let access =
            if server.hosts.is_empty() { ServerAccess::Sandboxed } else { ServerAccess::SandboxedOnline };
        let running = server.running.clone();
        self.put(name, &server);
        if let Some((supervisor, review)) = running {
            let tools = review.approved().unwrap_or_default();
            (self.parts.publish)(
                name,
                server_tool::tools(name, &supervisor, &tools, &supervisor.offer(), access),
            );
        }
        Ok(())
    }
}

/// Returns the key of a draft's test run.
fn trial_key(draft: &ServerDraft) -> String {
    let ServerDraft { name, code, description, allow_network, .. } = draft;
    let entry = ManifestEntry {
        description: description.clone(),
        allow_network: *allow_network,
        ..ManifestEntry::default()
    };
    format!("{name} {}", source_digest(code, &entry))
}

#[cfg(test)]
#[path = "generated_servers_tests.rs"]
mod tests;
