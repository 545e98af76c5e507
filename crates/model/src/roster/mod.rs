//! The installed models and the active chat model.

mod choice;
mod file;
mod report;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use protocol::{
    ConfigPatch, Download, DownloadState, LocalServer, Machine, ModelKind, ModelState, PullRequest,
};
use tokio::sync::watch;

use crate::connect::{ModelPlan, connect};
use crate::detect::{ServerDetection, detect};
use crate::downloads::{Downloads, PullError, RemoveError};
use crate::{CacheKey, ChatModel, Http, ModelError};
pub use choice::UseError;
use file::SelectedFile;

/// Loads a model from a file. Implemented by the `engine` crate.
#[async_trait]
pub trait EngineLoader: Send + Sync {
    async fn load(&self, path: &Path, llm: &config::Llm) -> Result<Arc<dyn ChatModel>, ModelError>;

    /// Deletes the cache of a conversation from disk, for all models, loaded or not.
    async fn forget(&self, key: &CacheKey);
}

/// Saves a choice in the settings, or returns the reason why it cannot.
pub type SaveChoice = Arc<dyn Fn(&ConfigPatch) -> Result<(), String> + Send + Sync>;

pub struct RosterOptions {
    pub llm: config::Llm,
    pub downloads: Downloads,
    pub http: Http,
    pub loader: Arc<dyn EngineLoader>,
    pub remember: SaveChoice,
    pub lookout: ServerDetection,
}

/// Holds the active chat model and switches it. Clones share it.
///
/// A caller that holds a model keeps it alive: a turn ends with the model it began with.
#[derive(Clone)]
pub struct Roster {
    shared: Arc<Shared>,
}

struct Shared {
    downloads: Downloads,
    http: Http,
    loader: Arc<dyn EngineLoader>,
    remember: SaveChoice,
    lookout: ServerDetection,
    requested: Mutex<RequestedModel>,
    current: watch::Sender<Current>,
    state: watch::Sender<ModelState>,
    /// Held during loading, so that models are never loaded concurrently.
    loading: tokio::sync::Mutex<()>,
}

/// The requested model.
struct RequestedModel {
    llm: config::Llm,
    plan: Option<ModelPlan>,
    /// Counts the choices, so that a model which finishes loading after a newer choice is dropped.
    choice: u64,
}

/// The actual state of the active model.
#[derive(Clone)]
enum Current {
    Loading,
    Ready(Arc<dyn ChatModel>),
    Failed { error: ModelError, choice: u64 },
}

impl Roster {
    /// Starts loading the model that the settings select. Needs a tokio runtime.
    pub fn new(options: RosterOptions) -> Self {
        let RosterOptions { llm, downloads, http, loader, remember, lookout } = options;
        let shared = Shared {
            downloads,
            http,
            loader,
            remember,
            lookout,
            requested: Mutex::new(RequestedModel { llm, plan: None, choice: 0 }),
            current: watch::Sender::new(Current::Loading),
            state: watch::Sender::new(ModelState::Loading { name: String::new() }),
            loading: tokio::sync::Mutex::default(),
        };
        let roster = Self { shared: Arc::new(shared) };
        let requested = roster.shared.requested();
        let plan = ModelPlan::of(&requested.llm);
        roster.begin(requested, plan);
        roster
    }

    /// Applies changed settings. The model is reloaded only if they affect it.
    pub fn configure(&self, llm: &config::Llm) {
        let mut requested = self.shared.requested();
        let plan = ModelPlan::of(llm);
        let same = plan.as_ref().ok() == requested.plan.as_ref()
            && reload_settings(llm) == reload_settings(&requested.llm);
        requested.llm = llm.clone();
        if !same {
            self.begin(requested, plan);
        }
    }

    /// Returns the active chat model. Waits while it is loading; retries an unresponsive server once.
    pub async fn current(&self) -> Result<Arc<dyn ChatModel>, ModelError> {
        let mut current = self.shared.current.subscribe();
        let mut asked_again = false;
        loop {
            let now = current.borrow_and_update().clone();
            match now {
                Current::Ready(model) => return Ok(model),
                Current::Failed { error, choice } => {
                    if asked_again || !self.try_again(&error, choice) {
                        return Err(error);
                    }
                    asked_again = true;
                }
                Current::Loading => {
                    if current.changed().await.is_err() {
                        return Err(ModelError::None("the program is stopping".to_owned()));
                    }
                }
            }
        }
    }

    /// Drops the cache of a conversation, in the active model and on disk.
    pub async fn forget(&self, key: &CacheKey) {
        if let Some(model) = self.ready() {
            model.forget(key).await;
        }
        self.shared.loader.forget(key).await;
    }

    /// Returns the active chat model, if it is ready.
    pub fn ready(&self) -> Option<Arc<dyn ChatModel>> {
        match &*self.shared.current.borrow() {
            Current::Ready(model) => Some(Arc::clone(model)),
            _ => None,
        }
    }

    pub fn state(&self) -> ModelState {
        self.shared.state.borrow().clone()
    }

    /// Subscribes to changes of the active model's state.
    pub fn watch(&self) -> watch::Receiver<ModelState> {
        self.shared.state.subscribe()
    }

    pub fn downloads(&self) -> &Downloads {
        &self.shared.downloads
    }

    /// Selects a model by a name from [`Roster::report`] and saves the choice.
    pub async fn use_model(&self, name: &str) -> Result<(), UseError> {
        let plan = self.plan_for(name.trim()).await?;
        let patch = choice::patch(&plan, &self.shared.requested().llm);
        (self.shared.remember)(&patch).map_err(UseError::NotKept)?;
        let mut requested = self.shared.requested();
        if let ModelPlan::Embedded(model) | ModelPlan::Server { model, .. } = &plan {
            requested.llm.model.clone_from(model);
        }
        let failed = matches!(&*self.shared.current.borrow(), Current::Failed { .. });
        if failed || requested.plan.as_ref() != Some(&plan) {
            self.begin(requested, Ok(plan));
        }
        Ok(())
    }

    async fn plan_for(&self, name: &str) -> Result<ModelPlan, UseError> {
        if let Some((kind, model)) = choice::on_server(name) {
            let servers = self.servers().await;
            return choice::server_plan(kind, model, &servers);
        }
        if let (Some(model), Some(ModelPlan::Server { provider, base_url, .. })) =
            (name.strip_prefix(SERVER), self.shared.requested().plan.clone())
        {
            return Ok(ModelPlan::Server { provider, base_url, model: Some(model.to_owned()) });
        }
        if name == COMMAND && !self.shared.requested().llm.command.is_empty() {
            return Ok(ModelPlan::Command);
        }
        let stem = name.strip_suffix(".gguf").unwrap_or(name);
        if self.shared.downloads.model_folder().list().iter().any(|(here, _)| here == stem) {
            return Ok(ModelPlan::Embedded(Some(stem.to_owned())));
        }
        let known = self.shared.downloads.catalogue().get(name).is_some();
        Err(if known { UseError::NotHere(name.to_owned()) } else { UseError::Unknown(name.to_owned()) })
    }

    /// Starts downloading a model. Uses it when it is installed, if that was requested or if there is no other.
    pub fn pull(&self, request: &PullRequest) -> Result<Download, PullError> {
        let download = self.shared.downloads.start(request)?;
        let (roster, name, then_use) = (self.clone(), download.name.clone(), request.then_use);
        tokio::spawn(async move {
            let finished = roster.shared.downloads.finished(&name).await;
            let came = finished.is_some_and(|download| download.state == DownloadState::Done);
            let needed = match roster.state() {
                ModelState::None { .. } => true,
                // The user downloaded it again because it was broken.
                ModelState::Failed { name: broken, .. } => broken == name,
                ModelState::Loading { .. } | ModelState::Ready { .. } => false,
            };
            if came
                && (then_use || needed)
                && let Err(error) = roster.use_model(&name).await
            {
                tracing::warn!(%error, name, "the model was downloaded, but could not be selected");
            }
        });
        Ok(download)
    }

    /// Deletes an installed model or an unfinished download, by name.
    pub fn remove(&self, name: &str) -> Result<(), RemoveError> {
        let name = name.trim();
        let name = name.strip_suffix(".gguf").unwrap_or(name);
        // Held, so that the model cannot be selected at the same time.
        let _requested = self.shared.requested();
        let in_use = match self.state() {
            ModelState::Ready { name, kind: ModelKind::Embedded, .. } | ModelState::Loading { name } => {
                Some(name)
            }
            _ => None,
        };
        if in_use.is_some_and(|used| used == name) {
            return Err(RemoveError::InUse(name.to_owned()));
        }
        self.shared.downloads.delete(name)
    }

    /// Returns the model servers that run on this machine.
    pub async fn servers(&self) -> Vec<LocalServer> {
        detect(&self.shared.http, self.shared.lookout).await
    }

    /// Starts loading. All callers waiting for a model wait for this one instead.
    fn begin(&self, mut requested: MutexGuard<'_, RequestedModel>, plan: Result<ModelPlan, ModelError>) {
        requested.choice += 1;
        let choice = requested.choice;
        requested.plan = plan.as_ref().ok().cloned();
        let llm = requested.llm.clone();
        let machine = self.shared.machine();
        let named = plan.and_then(|plan| self.shared.named(plan, &machine));
        let (name, work) = match named {
            Ok(named) => named,
            Err(error) => return self.shared.set_failed(&requested, error, ""),
        };
        let before = self.shared.current.send_replace(Current::Loading);
        self.shared.show(ModelState::Loading { name: name.clone() });
        drop(requested);
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            // Two large models may not fit in memory, so the previous one is released first.
            if let Current::Ready(model) = before {
                model.save().await;
            }
            let _turn = shared.loading.lock().await;
            if shared.requested().choice != choice {
                return;
            }
            let loaded = shared.load(&work, &llm).await;
            let requested = shared.requested();
            if requested.choice != choice {
                return;
            }
            match loaded {
                Ok(model) => {
                    let info = model.info();
                    let name = if let LoadStep::File(file) = work { file.name } else { info.name };
                    shared.show(ModelState::Ready {
                        name,
                        kind: info.kind,
                        context: info.context,
                        vision: info.vision,
                    });
                    shared.current.send_replace(Current::Ready(model));
                }
                Err(error) => shared.set_failed(&requested, error, &name),
            }
        });
    }

    /// Retries a server that did not respond. Returns false if a retry is pointless.
    fn try_again(&self, error: &ModelError, choice: u64) -> bool {
        let requested = self.shared.requested();
        if requested.choice != choice {
            // Another caller has already started to load.
            return true;
        }
        let elsewhere = matches!(requested.plan, Some(ModelPlan::Server { .. }));
        let temporary =
            matches!(error, ModelError::Unreachable(_) | ModelError::Refused(_) | ModelError::Nonsense(_));
        // A file may have been added to the folder in the meantime.
        let came = matches!(error, ModelError::None(_));
        if !(elsewhere && temporary || came) {
            return false;
        }
        let plan = ModelPlan::of_requested(&requested);
        self.begin(requested, plan);
        true
    }
}

/// The prefix for models on the configured server, if that is not one of this machine's.
const SERVER: &str = "server/";
/// The name that selects the command from the settings.
const COMMAND: &str = "command";

/// Returns the settings that require a reload: all except those of a single response and those in the plan.
fn reload_settings(llm: &config::Llm) -> config::Llm {
    let usual = config::Llm::default();
    config::Llm {
        provider: usual.provider,
        base_url: usual.base_url,
        model: usual.model,
        num_predict: usual.num_predict,
        temperature: usual.temperature,
        top_p: usual.top_p,
        top_k: usual.top_k,
        min_p: usual.min_p,
        repeat_penalty: usual.repeat_penalty,
        seed: usual.seed,
        stop: usual.stop,
        ..llm.clone()
    }
}

/// Turns the end of an error message into a sentence.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    format!("{}{}.", first.collect::<String>(), letters.as_str().trim_end_matches('.'))
}

impl ModelPlan {
    fn of_requested(requested: &RequestedModel) -> Result<Self, ModelError> {
        match &requested.plan {
            Some(plan) => Ok(plan.clone()),
            None => Self::of(&requested.llm),
        }
    }
}

/// The loading step that a plan resolves to.
enum LoadStep {
    File(SelectedFile),
    Connect(ModelPlan),
}

impl Shared {
    fn requested(&self) -> MutexGuard<'_, RequestedModel> {
        self.requested.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn machine(&self) -> Machine {
        let facts = host::machine();
        Machine {
            memory: facts.memory_total.unwrap_or(0),
            cores: u32::try_from(facts.physical_cores).unwrap_or(u32::MAX),
            disk_free: host::disk_free(self.downloads.model_folder().folder()).unwrap_or(0),
        }
    }

    fn named(&self, plan: ModelPlan, machine: &Machine) -> Result<(String, LoadStep), ModelError> {
        match plan {
            ModelPlan::Embedded(wanted) => {
                let downloads = &self.downloads;
                let file =
                    file::find(downloads.model_folder(), downloads.catalogue(), wanted.as_deref(), machine)?;
                Ok((file.name.clone(), LoadStep::File(file)))
            }
            ModelPlan::Server { ref model, ref base_url, .. } => {
                let name = model.clone().unwrap_or_else(|| {
                    reqwest::Url::parse(base_url)
                        .map_or_else(|_| "a model server".to_owned(), |url| crate::http::shown(&url))
                });
                Ok((name, LoadStep::Connect(plan)))
            }
            ModelPlan::Command => Ok((COMMAND.to_owned(), LoadStep::Connect(plan))),
        }
    }

    async fn load(&self, work: &LoadStep, llm: &config::Llm) -> Result<Arc<dyn ChatModel>, ModelError> {
        match work {
            LoadStep::File(file) => {
                file::check(file, self.downloads.model_folder(), self.downloads.catalogue()).await?;
                self.loader.load(&file.path, llm).await
            }
            LoadStep::Connect(plan) => connect(&self.http, llm, plan).await,
        }
    }

    fn show(&self, state: ModelState) {
        self.state.send_if_modified(|shown| {
            let changed = *shown != state;
            if changed {
                tracing::debug!(?state, "the active model changed");
                *shown = state;
            }
            changed
        });
    }

    /// Publishes that there is no active model, either because there is none or because it failed.
    fn set_failed(&self, requested: &RequestedModel, error: ModelError, name: &str) {
        self.show(match &error {
            ModelError::None(hint) => ModelState::None { hint: sentence(hint) },
            error => ModelState::Failed { name: name.to_owned(), message: error.to_string() },
        });
        self.current.send_replace(Current::Failed { error, choice: requested.choice });
    }
}
