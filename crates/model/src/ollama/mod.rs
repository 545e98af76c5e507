//! Ollama through its own API, the only one that lets a request set the context length.

mod request;
mod wire;

use async_trait::async_trait;
use protocol::ModelKind;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::http::{Endpoint, RequestOutcome, ResponseReader, is_loopback, ollama_root, stopped};
use crate::server::{choose_model, parameter_size};
use crate::{ChatModel, ChatStream, Http, ModelError, ModelInfo, ModelRequest, ServerOptions, TokenCount};
pub(crate) use request::KEEP_ALIVE;
use wire::OllamaWire;

pub(crate) const REMEDY: &str = "Start Ollama";

/// A model on an Ollama server.
#[derive(Debug)]
pub struct Ollama {
    endpoint: Endpoint,
    info: ModelInfo,
    /// True if the model sends its reasoning separately from the response.
    thinks: bool,
}

impl Ollama {
    /// Queries the server for the model's metadata. Fails if the server does not respond or does not have the model.
    pub async fn connect(http: &Http, options: &ServerOptions) -> Result<Self, ModelError> {
        let endpoint = options.endpoint(http, ollama_root(&options.base_url)?, REMEDY);
        let names = names(&endpoint).await?;
        let model = choose_model(options.model.as_deref(), &names, endpoint.errors.place())?;
        let question = json!({ "model": model });
        let Some(about) = endpoint.metadata(&endpoint.url("/api/show"), Some(&question)).await? else {
            return Err(endpoint.errors.not_pulled(&model));
        };
        let can = |what: &str| {
            about["capabilities"].as_array().is_some_and(|all| all.iter().any(|one| one == what))
        };
        let info = ModelInfo {
            kind: ModelKind::Ollama,
            // Ollama forwards requests for its cloud models to another host.
            is_here: is_loopback(&endpoint.base) && !model.ends_with("-cloud") && !model.ends_with(":cloud"),
            context: context_length(&about).map_or(options.num_ctx, |most| most.min(options.num_ctx)),
            parameters: about["model_info"]["general.parameter_count"]
                .as_u64()
                .or_else(|| parameter_size(about["details"]["parameter_size"].as_str()?)),
            vision: can("vision"),
            native_tools: can("tools"),
            reading_pace: None,
            name: model,
        };
        Ok(Self { endpoint, info, thinks: can("thinking") })
    }

    /// Returns the names of the server's models.
    pub async fn models(http: &Http, options: &ServerOptions) -> Result<Vec<String>, ModelError> {
        names(&options.endpoint(http, ollama_root(&options.base_url)?, REMEDY)).await
    }
}

async fn names(endpoint: &Endpoint) -> Result<Vec<String>, ModelError> {
    let list = endpoint.metadata(&endpoint.url("/api/tags"), None).await?;
    let list = list.ok_or_else(|| endpoint.errors.garbled(false))?;
    let Some(entries) = list["models"].as_array() else { return Err(endpoint.errors.garbled(false)) };
    Ok(entries.iter().filter_map(|entry| entry["name"].as_str().map(ToOwned::to_owned)).collect())
}

/// Finds the context length, whose key begins with the architecture: `llama.context_length`.
fn context_length(about: &Value) -> Option<u32> {
    let facts = about["model_info"].as_object()?;
    let (_, length) = facts.iter().find(|(name, _)| name.ends_with(".context_length"))?;
    length.as_u64().map(|length| u32::try_from(length).unwrap_or(u32::MAX))
}

#[async_trait]
impl ChatModel for Ollama {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    async fn chat(&self, request: ModelRequest) -> Result<ChatStream, ModelError> {
        let begun = Instant::now();
        let url = self.endpoint.url("/api/chat");
        let body = request::body(&self.info, self.thinks, &request)?;
        match self.endpoint.send(&url, &body, begun, &request.cancel).await? {
            RequestOutcome::Answered(response) => {
                Ok(ResponseReader::read(OllamaWire::default(), response, &self.endpoint, &request, begun))
            }
            RequestOutcome::Cancelled => Ok(stopped()),
            RequestOutcome::Refused(status, said) => {
                Err(self.endpoint.errors.status(status, &self.info.name, &said))
            }
        }
    }

    fn count_tokens(&self, text: &str) -> TokenCount {
        self.endpoint.estimator.count(text)
    }
}
