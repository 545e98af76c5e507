use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use config::{LiveConfig, Llm, VectorSearch, VectorSource};
use memory::EmbeddingSource;
use model::{EmbeddingModel, Http, ModelError};
use tokio::sync::watch;

/// The pause after a failure: recall must not wait for a server that is down.
const RETRY_INTERVAL: Duration = Duration::from_mins(1);
/// The time that a caller waits while a model is being opened. A server may take longer to load it; until then, recall
/// uses words only.
const OPEN_TIMEOUT: Duration = Duration::from_secs(3);

/// The configured embedding model, opened on demand.
pub struct Embeddings {
    models: PathBuf,
    config: Arc<LiveConfig>,
    http: Http,
    state: Arc<Mutex<State>>,
}

type EmbeddingSettings = (VectorSearch, Llm);

#[derive(Default)]
struct State {
    /// The configuration that `model` was opened for.
    settings: Option<EmbeddingSettings>,
    model: Option<Arc<dyn EmbeddingModel>>,
    attempted: Option<Instant>,
    /// Closed as soon as the attempt has succeeded or failed.
    opening: Option<watch::Receiver<()>>,
}

impl Embeddings {
    pub fn new(models: PathBuf, config: Arc<LiveConfig>, http: Http) -> Self {
        Self { models, config, http, state: Arc::default() }
    }

    /// Starts opening the model in the background.
    fn begin(&self, state: &mut State, settings: EmbeddingSettings) {
        let (models, http, shared) = (self.models.clone(), self.http.clone(), Arc::clone(&self.state));
        let (opened, opening) = watch::channel(());
        *state = State {
            settings: Some(settings.clone()),
            model: None,
            attempted: Some(Instant::now()),
            opening: Some(opening),
        };
        tokio::spawn(async move {
            let model = open(&models, &http, &settings).await;
            let mut state = lock(&shared);
            // The configuration may have changed meanwhile.
            if state.settings.as_ref() == Some(&settings) {
                state.model = model;
            }
            drop((state, opened));
        });
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn open(
    models: &Path,
    http: &Http,
    (search, llm): &EmbeddingSettings,
) -> Option<Arc<dyn EmbeddingModel>> {
    let embedded = || match embedding::open(models) {
        Ok(model) => Some(Arc::new(model) as Arc<dyn EmbeddingModel>),
        Err(problem) => {
            tracing::debug!("no embedding model in this process: {problem}");
            None
        }
    };
    let server = async {
        match model::connect_embeddings(http, search, llm).await {
            Ok(model) => Some(model),
            Err(error) => {
                tracing::warn!("no embedding model at the server: {error}");
                None
            }
        }
    };
    let found = match search.source {
        VectorSource::Off => None,
        VectorSource::Server => server.await,
        // Most machines have no such server. With the vector store enabled, its configured server is meant.
        VectorSource::Auto if search.enabled => match server.await {
            Some(model) => Some(model),
            None => embedded(),
        },
        VectorSource::Auto | VectorSource::Embedded => embedded(),
    };
    found.map(|model| Arc::new(CollectionModel { model, collection: search.collection.clone() }) as _)
}

#[async_trait]
impl EmbeddingSource for Embeddings {
    async fn current(&self) -> Option<Arc<dyn EmbeddingModel>> {
        let config = self.config.current();
        let settings = (config.builtin_tools.vector_search.clone(), config.llm.clone());
        let (mut opening, attempted) = {
            let mut state = lock(&self.state);
            let same = state.settings.as_ref() == Some(&settings);
            if same && state.model.is_some() {
                return state.model.clone();
            }
            if !same || state.attempted.is_none_or(|attempted| attempted.elapsed() >= RETRY_INTERVAL) {
                self.begin(&mut state, settings.clone());
            }
            (state.opening.clone()?, state.attempted?)
        };
        let left = OPEN_TIMEOUT.saturating_sub(attempted.elapsed());
        // The channel closes when the attempt is over.
        let _ = tokio::time::timeout(left, opening.changed()).await;
        let state = lock(&self.state);
        state.model.clone().filter(|_| state.settings.as_ref() == Some(&settings))
    }
}

/// A model with the name of the collection that its vectors belong to.
struct CollectionModel {
    model: Arc<dyn EmbeddingModel>,
    collection: String,
}

#[async_trait]
impl EmbeddingModel for CollectionModel {
    fn name(&self) -> String {
        format!("{}/{}", self.collection, self.model.name())
    }

    fn dimensions(&self) -> usize {
        self.model.dimensions()
    }

    fn is_here(&self) -> bool {
        self.model.is_here()
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.model.embed(texts).await
    }
}
