//! Embedding models on a server: they turn texts into vectors of equal length.

mod batches;
mod flaw;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use host::Secret;
use reqwest::StatusCode;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::http::{
    EMBEDDINGS, Endpoint, RequestOutcome, ServerErrors, is_loopback, ollama_root, openai_base, same_server,
};
use crate::{EmbeddingModel, Http, ModelError, Retry, Timeouts, TokenEstimator, ollama};
use batches::batches;
pub use wire::EmbeddingApi;

/// The maximum size of one vector in bytes: enough for 16,384 numbers in the longest form that JSON permits.
const LONGEST_VECTOR: usize = 1 << 20;
/// The maximum size in bytes of everything around the vectors.
const LONGEST_FRAME: usize = 64 << 10;

/// The address and settings of an embedding model.
#[derive(Clone)]
pub struct EmbeddingOptions {
    pub base_url: String,
    pub api_key: Secret,
    pub model: String,
    /// The time limit for one request, in which the server may also have to load the model.
    pub timeout: Duration,
    pub retry: Retry,
}

impl EmbeddingOptions {
    /// Creates the options from the settings. The API key was given for the chat server, so it is used only if both are
    /// the same server.
    pub fn new(search: &config::VectorSearch, llm: &config::Llm) -> Self {
        let base_url = search.ollama_url.as_str().to_owned();
        let known = llm.base_url.as_ref().is_some_and(|chat| same_server(chat.as_str(), &base_url));
        Self {
            api_key: if known { llm.api_key.clone() } else { Secret::default() },
            model: search.model.clone(),
            timeout: Duration::from_secs(llm.first_token_timeout_seconds.into()),
            retry: Retry { attempts: llm.retries.saturating_add(1), ..Retry::default() },
            base_url,
        }
    }
}

/// An embedding model on a server.
///
/// A long list of texts is split into several consecutive requests. A text of only white space is sent as a full stop,
/// because servers refuse a list that contains an empty text. If a text has more tokens than the model accepts, Ollama
/// truncates it, and other servers mostly refuse the request.
#[derive(Debug)]
pub struct RemoteEmbeddings {
    server: Server,
    dimensions: usize,
}

impl RemoteEmbeddings {
    /// Connects and embeds one word to learn the length of the vectors. Fails if the server does not respond or does
    /// not have the model.
    pub async fn connect(
        http: &Http,
        api: EmbeddingApi,
        options: &EmbeddingOptions,
    ) -> Result<Self, ModelError> {
        let server = Server::new(http, api, options)?;
        let vectors = server.embed(&["moon".to_owned()], None).await?;
        Ok(Self { dimensions: vectors.first().map_or(0, Vec::len), server })
    }
}

#[async_trait]
impl EmbeddingModel for RemoteEmbeddings {
    fn name(&self) -> String {
        self.server.model.clone()
    }

    fn dimensions(&self) -> usize {
        self.dimensions
    }

    fn is_here(&self) -> bool {
        is_loopback(&self.server.endpoint.base)
    }

    async fn embed(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut vectors = Vec::with_capacity(texts.len());
        for batch in batches(texts) {
            vectors.extend(self.server.embed(batch, Some(self.dimensions)).await?);
        }
        Ok(vectors)
    }
}

#[derive(Debug)]
struct Server {
    endpoint: Endpoint,
    path: &'static str,
    api: EmbeddingApi,
    model: String,
}

impl Server {
    fn new(http: &Http, api: EmbeddingApi, options: &EmbeddingOptions) -> Result<Self, ModelError> {
        let (base, path, remedy) = match api {
            EmbeddingApi::OpenAi => {
                (openai_base(&options.base_url), "/embeddings", "Start Ollama or another server there")
            }
            EmbeddingApi::Ollama => (ollama_root(&options.base_url), "/api/embed", ollama::REMEDY),
        };
        let base = base.map_err(|_| EMBEDDINGS.bad_address())?;
        let endpoint = Endpoint {
            http: http.clone(),
            errors: ServerErrors::new(&EMBEDDINGS, &base, remedy, options.api_key.clone()),
            base,
            key: options.api_key.clone(),
            timeouts: Timeouts { first_token: options.timeout, between_tokens: options.timeout },
            retry: options.retry,
            estimator: Arc::new(TokenEstimator::default()),
        };
        Ok(Self { endpoint, path, api, model: options.model.clone() })
    }

    /// Returns the vectors of one request, in the order of the texts. Without `dimensions`, any length is accepted.
    async fn embed(&self, texts: &[String], dimensions: Option<usize>) -> Result<Vec<Vec<f32>>, ModelError> {
        let begun = Instant::now();
        let errors = &self.endpoint.errors;
        let url = self.endpoint.url(self.path);
        let question = wire::question(self.api, &self.model, texts);
        // Callers cancel by dropping the future, so this token is never cancelled.
        let response = match self.endpoint.send(&url, &question, begun, &CancellationToken::new()).await? {
            RequestOutcome::Answered(response) => response,
            RequestOutcome::Refused(status, said) => return Err(self.refused(status, &said)),
            RequestOutcome::Cancelled => return Err(errors.silent()),
        };
        let longest = LONGEST_FRAME + texts.len() * LONGEST_VECTOR;
        let answer = self.endpoint.whole(response, longest, begun).await?;
        let vectors = wire::vectors(self.api, &answer, texts.len(), dimensions);
        vectors.map_err(|flaw| flaw.in_words(errors, &self.model))
    }

    fn refused(&self, status: StatusCode, said: &str) -> ModelError {
        // An Ollama that is too old for this route responds in plain text; JSON means that the model is missing.
        let about_the_model = serde_json::from_str::<serde_json::Value>(said).is_ok();
        if self.api == EmbeddingApi::Ollama && status == StatusCode::NOT_FOUND && about_the_model {
            return self.endpoint.errors.not_pulled(&self.model);
        }
        self.endpoint.errors.status(status, &self.model, said)
    }
}
