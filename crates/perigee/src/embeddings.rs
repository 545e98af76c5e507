use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use config::{LiveConfig, Llm, VectorSearch, VectorSource};
use memory::EmbeddingSource;
use model::{EmbeddingModel, Http, ModelError};
use tokio::sync::Mutex;

/// After a failure, nobody tries again for this long: recall must not wait for a server that is not there.
const PATIENCE: Duration = Duration::from_mins(1);

/// The embedding model that the settings name, opened when it is needed.
pub struct Embeddings {
    models: PathBuf,
    config: Arc<LiveConfig>,
    http: Http,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    /// What it was opened for, and what came of it.
    wish: Option<(VectorSearch, Llm)>,
    model: Option<Arc<dyn EmbeddingModel>>,
    tried: Option<Instant>,
}

impl Embeddings {
    pub fn new(models: PathBuf, config: Arc<LiveConfig>, http: Http) -> Self {
        Self { models, config, http, held: Mutex::default() }
    }

    async fn open(&self, search: &VectorSearch, llm: &Llm) -> Option<Arc<dyn EmbeddingModel>> {
        let embedded = || match embedding::open(&self.models) {
            Ok(model) => Some(Arc::new(model) as Arc<dyn EmbeddingModel>),
            Err(problem) => {
                tracing::debug!("no embedding model in this program: {problem}");
                None
            }
        };
        let server = async {
            match model::connect_embeddings(&self.http, search, llm).await {
                Ok(model) => Some(model),
                Err(error) => {
                    tracing::debug!("no embedding model at the server: {error}");
                    None
                }
            }
        };
        let found = match search.source {
            VectorSource::Off => None,
            VectorSource::Server => server.await,
            // Most machines have no server there. Who switches the vector store on means the one that is named with it.
            VectorSource::Auto if search.enabled => match server.await {
                Some(model) => Some(model),
                None => embedded(),
            },
            VectorSource::Auto | VectorSource::Embedded => embedded(),
        };
        found.map(|model| Arc::new(Collected { model, collection: search.collection.clone() }) as _)
    }
}

#[async_trait]
impl EmbeddingSource for Embeddings {
    async fn current(&self) -> Option<Arc<dyn EmbeddingModel>> {
        let settings = self.config.current();
        let (search, llm) = (&settings.builtin_tools.vector_search, &settings.llm);
        let mut held = self.held.lock().await;
        let same = held.wish.as_ref().is_some_and(|(known, asked)| known == search && asked == llm);
        if same && held.model.is_some() {
            return held.model.clone();
        }
        if same && held.tried.is_some_and(|tried| tried.elapsed() < PATIENCE) {
            return None;
        }
        held.model = self.open(search, llm).await;
        held.wish = Some((search.clone(), llm.clone()));
        held.tried = Some(Instant::now());
        held.model.clone()
    }
}

/// A model with the name of the collection that its vectors go to.
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
