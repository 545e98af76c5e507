//! The models that are here, and the one that answers.

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

use crate::connect::{Plan, connect};
use crate::detect::{Lookout, detect};
use crate::downloads::{Downloads, PullError, RemoveError};
use crate::{CacheKey, ChatModel, Http, ModelError};
pub use choice::UseError;
use file::ModelFile;

/// Makes a model of a file. The engine does, in its own crate.
#[async_trait]
pub trait EngineLoader: Send + Sync {
    async fn load(&self, path: &Path, llm: &config::Llm) -> Result<Arc<dyn ChatModel>, ModelError>;

    /// Removes from the disk what any model has kept of a conversation, also one that is not loaded.
    async fn forget(&self, key: &CacheKey);
}

/// Writes a choice into the settings, or says why it cannot.
pub type Remember = Arc<dyn Fn(&ConfigPatch) -> Result<(), String> + Send + Sync>;

pub struct RosterOptions {
    pub llm: config::Llm,
    pub downloads: Downloads,
    pub http: Http,
    pub loader: Arc<dyn EngineLoader>,
    pub remember: Remember,
    pub lookout: Lookout,
}

/// Keeps the model that answers, and changes it. Clones share it.
///
/// Whoever holds a model keeps it alive: a turn ends with the model that it began with.
#[derive(Clone)]
pub struct Roster {
    shared: Arc<Shared>,
}

struct Shared {
    downloads: Downloads,
    http: Http,
    loader: Arc<dyn EngineLoader>,
    remember: Remember,
    lookout: Lookout,
    seat: Mutex<Seat>,
    current: watch::Sender<Current>,
    state: watch::Sender<ModelState>,
    /// Held while a model is loaded, so that never two are at once.
    loading: tokio::sync::Mutex<()>,
}

/// What should answer.
struct Seat {
    llm: config::Llm,
    plan: Option<Plan>,
    /// Counts the choices, so that a model which comes too late is not taken.
    choice: u64,
}

/// What does.
#[derive(Clone)]
enum Current {
    Loading,
    Ready(Arc<dyn ChatModel>),
    Failed { error: ModelError, choice: u64 },
}

impl Roster {
    /// Begins to load what the settings name. Needs a tokio runtime.
    pub fn new(options: RosterOptions) -> Self {
        let RosterOptions { llm, downloads, http, loader, remember, lookout } = options;
        let shared = Shared {
            downloads,
            http,
            loader,
            remember,
            lookout,
            seat: Mutex::new(Seat { llm, plan: None, choice: 0 }),
            current: watch::Sender::new(Current::Loading),
            state: watch::Sender::new(ModelState::Loading { name: String::new() }),
            loading: tokio::sync::Mutex::default(),
        };
        let roster = Self { shared: Arc::new(shared) };
        let seat = roster.shared.seat();
        let plan = Plan::of(&seat.llm);
        roster.begin(seat, plan);
        roster
    }

    /// Takes changed settings. The model is loaded again only if they concern it.
    pub fn configure(&self, llm: &config::Llm) {
        let mut seat = self.shared.seat();
        let plan = Plan::of(llm);
        let same = plan.as_ref().ok() == seat.plan.as_ref() && essence(llm) == essence(&seat.llm);
        seat.llm = llm.clone();
        if !same {
            self.begin(seat, plan);
        }
    }

    /// The model that answers. Waits while it is loading; a server that did not answer is asked once more.
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

    /// Drops what is kept of a conversation: in the model that answers, and on the disk.
    pub async fn forget(&self, key: &CacheKey) {
        if let Some(model) = self.ready() {
            model.forget(key).await;
        }
        self.shared.loader.forget(key).await;
    }

    /// The model that answers, if it is ready.
    pub fn ready(&self) -> Option<Arc<dyn ChatModel>> {
        match &*self.shared.current.borrow() {
            Current::Ready(model) => Some(Arc::clone(model)),
            _ => None,
        }
    }

    pub fn state(&self) -> ModelState {
        self.shared.state.borrow().clone()
    }

    /// Tells when another model answers, or none.
    pub fn watch(&self) -> watch::Receiver<ModelState> {
        self.shared.state.subscribe()
    }

    pub fn downloads(&self) -> &Downloads {
        &self.shared.downloads
    }

    /// Chooses a model by a name that [`Roster::report`] shows, and writes the choice down.
    pub async fn use_model(&self, name: &str) -> Result<(), UseError> {
        let plan = self.plan_for(name.trim()).await?;
        let patch = choice::patch(&plan, &self.shared.seat().llm);
        (self.shared.remember)(&patch).map_err(UseError::NotKept)?;
        let mut seat = self.shared.seat();
        if let Plan::Embedded(model) | Plan::Server { model, .. } = &plan {
            seat.llm.model.clone_from(model);
        }
        let failed = matches!(&*self.shared.current.borrow(), Current::Failed { .. });
        if failed || seat.plan.as_ref() != Some(&plan) {
            self.begin(seat, Ok(plan));
        }
        Ok(())
    }

    async fn plan_for(&self, name: &str) -> Result<Plan, UseError> {
        if let Some((kind, model)) = choice::on_server(name) {
            let servers = self.servers().await;
            return choice::server_plan(kind, model, &servers);
        }
        if let (Some(model), Some(Plan::Server { provider, base_url, .. })) =
            (name.strip_prefix(SERVER), self.shared.seat().plan.clone())
        {
            return Ok(Plan::Server { provider, base_url, model: Some(model.to_owned()) });
        }
        if name == COMMAND && !self.shared.seat().llm.command.is_empty() {
            return Ok(Plan::Command);
        }
        let stem = name.strip_suffix(".gguf").unwrap_or(name);
        if self.shared.downloads.shelf().list().iter().any(|(here, _)| here == stem) {
            return Ok(Plan::Embedded(Some(stem.to_owned())));
        }
        let known = self.shared.downloads.catalogue().get(name).is_some();
        Err(if known { UseError::NotHere(name.to_owned()) } else { UseError::Unknown(name.to_owned()) })
    }

    /// Begins to bring a model, and uses it once it is here, if that is asked for or if there is no other.
    pub fn pull(&self, request: &PullRequest) -> Result<Download, PullError> {
        let download = self.shared.downloads.start(request)?;
        let (roster, name, then_use) = (self.clone(), download.name.clone(), request.then_use);
        tokio::spawn(async move {
            let finished = roster.shared.downloads.finished(&name).await;
            let came = finished.is_some_and(|download| download.state == DownloadState::Done);
            let needed = match roster.state() {
                ModelState::None { .. } => true,
                // It was brought again because it was broken.
                ModelState::Failed { name: broken, .. } => broken == name,
                ModelState::Loading { .. } | ModelState::Ready { .. } => false,
            };
            if came
                && (then_use || needed)
                && let Err(error) = roster.use_model(&name).await
            {
                tracing::warn!(%error, name, "the model is here, but it could not be chosen");
            }
        });
        Ok(download)
    }

    /// Deletes a model that is here, or what is kept of an unfinished download, by name.
    pub fn remove(&self, name: &str) -> Result<(), RemoveError> {
        let name = name.trim();
        let name = name.strip_suffix(".gguf").unwrap_or(name);
        // Held, so that the model is not chosen at the same moment.
        let _seat = self.shared.seat();
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

    /// The model servers that run on this machine.
    pub async fn servers(&self) -> Vec<LocalServer> {
        detect(&self.shared.http, self.shared.lookout).await
    }

    /// Begins to load. Who waits for the model waits for this one from here on.
    fn begin(&self, mut seat: MutexGuard<'_, Seat>, plan: Result<Plan, ModelError>) {
        seat.choice += 1;
        let choice = seat.choice;
        seat.plan = plan.as_ref().ok().cloned();
        let llm = seat.llm.clone();
        let machine = self.shared.machine();
        let named = plan.and_then(|plan| self.shared.named(plan, &machine));
        let (name, work) = match named {
            Ok(named) => named,
            Err(error) => return self.shared.seat_nobody(&seat, error, ""),
        };
        let before = self.shared.current.send_replace(Current::Loading);
        self.shared.show(ModelState::Loading { name: name.clone() });
        drop(seat);
        let shared = Arc::clone(&self.shared);
        tokio::spawn(async move {
            // Two large models at once may be more than the machine has, so the last one goes first.
            if let Current::Ready(model) = before {
                model.save().await;
            }
            let _turn = shared.loading.lock().await;
            if shared.seat().choice != choice {
                return;
            }
            let loaded = shared.load(&work, &llm).await;
            let seat = shared.seat();
            if seat.choice != choice {
                return;
            }
            match loaded {
                Ok(model) => {
                    let info = model.info();
                    let name = if let Work::File(file) = work { file.name } else { info.name };
                    shared.show(ModelState::Ready {
                        name,
                        kind: info.kind,
                        context: info.context,
                        vision: info.vision,
                    });
                    shared.current.send_replace(Current::Ready(model));
                }
                Err(error) => shared.seat_nobody(&seat, error, &name),
            }
        });
    }

    /// Asks a server again that did not answer. False where that is pointless.
    fn try_again(&self, error: &ModelError, choice: u64) -> bool {
        let seat = self.shared.seat();
        if seat.choice != choice {
            // Somebody else has begun to.
            return true;
        }
        let elsewhere = matches!(seat.plan, Some(Plan::Server { .. }));
        let passing =
            matches!(error, ModelError::Unreachable(_) | ModelError::Refused(_) | ModelError::Nonsense(_));
        // A file may have been put into the folder meanwhile.
        let came = matches!(error, ModelError::None(_));
        if !(elsewhere && passing || came) {
            return false;
        }
        let plan = Plan::of_seat(&seat);
        self.begin(seat, plan);
        true
    }
}

/// Before the names of models at the server of the settings, where that is not one of this machine's.
const SERVER: &str = "server/";
/// The name under which the command of the settings is chosen.
const COMMAND: &str = "command";

/// Settings that concern the model itself: all but those of a single answer and those in the plan.
fn essence(llm: &config::Llm) -> config::Llm {
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

/// The end of an error message, as something that stands by itself.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    format!("{}{}.", first.collect::<String>(), letters.as_str().trim_end_matches('.'))
}

impl Plan {
    fn of_seat(seat: &Seat) -> Result<Self, ModelError> {
        match &seat.plan {
            Some(plan) => Ok(plan.clone()),
            None => Self::of(&seat.llm),
        }
    }
}

/// What a plan comes down to.
enum Work {
    File(ModelFile),
    Connect(Plan),
}

impl Shared {
    fn seat(&self) -> MutexGuard<'_, Seat> {
        self.seat.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn machine(&self) -> Machine {
        let facts = host::machine();
        Machine {
            memory: facts.memory_total.unwrap_or(0),
            cores: u32::try_from(facts.physical_cores).unwrap_or(u32::MAX),
            disk_free: host::disk_free(self.downloads.shelf().folder()).unwrap_or(0),
        }
    }

    fn named(&self, plan: Plan, machine: &Machine) -> Result<(String, Work), ModelError> {
        match plan {
            Plan::Embedded(wanted) => {
                let downloads = &self.downloads;
                let file = file::find(downloads.shelf(), downloads.catalogue(), wanted.as_deref(), machine)?;
                Ok((file.name.clone(), Work::File(file)))
            }
            Plan::Server { ref model, ref base_url, .. } => {
                let name = model.clone().unwrap_or_else(|| {
                    reqwest::Url::parse(base_url)
                        .map_or_else(|_| "a model server".to_owned(), |url| crate::http::shown(&url))
                });
                Ok((name, Work::Connect(plan)))
            }
            Plan::Command => Ok((COMMAND.to_owned(), Work::Connect(plan))),
        }
    }

    async fn load(&self, work: &Work, llm: &config::Llm) -> Result<Arc<dyn ChatModel>, ModelError> {
        match work {
            Work::File(file) => {
                file::check(file, self.downloads.shelf(), self.downloads.catalogue()).await?;
                self.loader.load(&file.path, llm).await
            }
            Work::Connect(plan) => connect(&self.http, llm, plan).await,
        }
    }

    fn show(&self, state: ModelState) {
        self.state.send_if_modified(|shown| {
            let changed = *shown != state;
            if changed {
                tracing::debug!(?state, "the model that answers");
                *shown = state;
            }
            changed
        });
    }

    /// Nothing answers: because there is nothing, or because it failed.
    fn seat_nobody(&self, seat: &Seat, error: ModelError, name: &str) {
        self.show(match &error {
            ModelError::None(hint) => ModelState::None { hint: sentence(hint) },
            error => ModelState::Failed { name: name.to_owned(), message: error.to_string() },
        });
        self.current.send_replace(Current::Failed { error, choice: seat.choice });
    }
}
