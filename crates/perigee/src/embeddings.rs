use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use async_trait::async_trait;
use config::{LiveConfig, Llm, VectorSearch, VectorSource};
use memory::EmbeddingSource;
use model::{EmbeddingModel, Http, ModelError};
use tokio::sync::watch;

/// The pause after a failure: recall must not wait for a server that is down.
const PATIENCE: Duration = Duration::from_mins(1);
/// The time that a caller waits while a model is being opened. A server may take longer to load it; until then, recall
/// uses words only.
const OPENING: Duration = Duration::from_secs(3);

/// The configured embedding model, opened on demand.
pub struct Embeddings {
    models: PathBuf,
    config: Arc<LiveConfig>,
    http: Http,
    held: Arc<Mutex<Held>>,
}

type Wish = (VectorSearch, Llm);

#[derive(Default)]
struct Held {
    /// The configuration that `model` was opened for.
    wish: Option<Wish>,
    model: Option<Arc<dyn EmbeddingModel>>,
    tried: Option<Instant>,
    /// Closed as soon as the attempt has succeeded or failed.
    opening: Option<watch::Receiver<()>>,
}

impl Embeddings {
    pub fn new(models: PathBuf, config: Arc<LiveConfig>, http: Http) -> Self {
        Self { models, config, http, held: Arc::default() }
    }

    /// Starts opening the model in the background.
    fn begin(&self, held: &mut Held, wish: Wish) {
        let (models, http, ours) = (self.models.clone(), self.http.clone(), Arc::clone(&self.held));
        let (opened, opening) = watch::channel(());
        *held = Held {
            wish: Some(wish.clone()),
            model: None,
            tried: Some(Instant::now()),
            opening: Some(opening),
        };
        tokio::spawn(async move {
            let model = open(&models, &http, &wish).await;
            let mut held = lock(&ours);
            // The configuration may have changed meanwhile.
            if held.wish.as_ref() == Some(&wish) {
                held.model = model;
            }
            drop((held, opened));
        });
    }
}

fn lock(held: &Mutex<Held>) -> MutexGuard<'_, Held> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn open(models: &Path, http: &Http, (search, llm): &Wish) -> Option<Arc<dyn EmbeddingModel>> {
    let embedded = || match embedding::open(models) {
        Ok(model) => Some(Arc::new(model) as Arc<dyn EmbeddingModel>),
        Err(problem) => {
            tracing::debug!("no embedding model in this program: {problem}");
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
    found.map(|model| Arc::new(Collected { model, collection: search.collection.clone() }) as _)
}

#[async_trait]
impl EmbeddingSource for Embeddings {
    async fn current(&self) -> Option<Arc<dyn EmbeddingModel>> {
        let settings = self.config.current();
        let wish = (settings.builtin_tools.vector_search.clone(), settings.llm.clone());
        let (mut opening, tried) = {
            let mut held = lock(&self.held);
            let same = held.wish.as_ref() == Some(&wish);
            if same && held.model.is_some() {
                return held.model.clone();
            }
            if !same || held.tried.is_none_or(|tried| tried.elapsed() >= PATIENCE) {
                self.begin(&mut held, wish.clone());
            }
            (held.opening.clone()?, held.tried?)
        };
        let left = OPENING.saturating_sub(tried.elapsed());
        // The channel closes when the attempt is over.
        let _ = tokio::time::timeout(left, opening.changed()).await;
        let held = lock(&self.held);
        held.model.clone().filter(|_| held.wish.as_ref() == Some(&wish))
    }
}

/// A model with the name of the collection that its vectors belong to.
struct Collected {
    model: Arc<dyn EmbeddingModel>,
    collection: String,
}

#[async_trait]
impl EmbeddingModel for Collected {
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
