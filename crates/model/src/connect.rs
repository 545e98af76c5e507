use std::sync::Arc;
use std::time::Duration;

use config::Provider;
use reqwest::Url;
use tokio::time::timeout;

use crate::http::{ollama_root, read_json};
use crate::{
    ChatModel, CommandModel, EmbeddingApi, EmbeddingModel, EmbeddingOptions, Http, ModelError, Ollama,
    OpenAi, RemoteEmbeddings, ServerOptions,
};

/// The model source that the settings select.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ModelPlan {
    /// A local model file by name; without a name, the best installed one.
    Embedded(Option<String>),
    /// A model server; without a model name, the first model that the server lists.
    Server {
        provider: Provider,
        base_url: String,
        model: Option<String>,
    },
    Command,
}

impl ModelPlan {
    pub(crate) fn of(llm: &config::Llm) -> Result<Self, ModelError> {
        let address = llm.base_url.as_ref().map(|url| url.as_str().to_owned());
        let server = |default: Option<&str>| {
            let base_url = address.clone().or_else(|| default.map(ToOwned::to_owned)).ok_or_else(|| {
                ModelError::None(
                    "llm.base_url is not set. Set it to the address of the model server".to_owned(),
                )
            })?;
            Ok(Self::Server { provider: llm.provider, base_url, model: llm.model.clone() })
        };
        match llm.provider {
            Provider::Command => Ok(Self::Command),
            Provider::Ollama => server(Some("http://127.0.0.1:11434")),
            Provider::LlamaServer => server(Some("http://127.0.0.1:8080")),
            Provider::OpenAi => server(None),
            Provider::Auto if address.is_some() => server(None),
            Provider::Auto if !llm.command.is_empty() => Ok(Self::Command),
            Provider::Auto | Provider::Embedded => Ok(Self::Embedded(llm.model.clone())),
        }
    }
}

/// Connects to the server or command that the settings select.
pub(crate) async fn connect(
    http: &Http,
    llm: &config::Llm,
    plan: &ModelPlan,
) -> Result<Arc<dyn ChatModel>, ModelError> {
    let ModelPlan::Server { provider, base_url, model } = plan else {
        return Ok(Arc::new(CommandModel::new(llm)?));
    };
    let options = ServerOptions { model: model.clone(), ..ServerOptions::new(base_url, llm) };
    let ollama = match provider {
        Provider::Ollama => true,
        Provider::Auto => is_ollama(http, base_url).await,
        _ => false,
    };
    Ok(if ollama {
        Arc::new(Ollama::connect(http, &options).await?)
    } else {
        Arc::new(OpenAi::connect(http, &options).await?)
    })
}

/// Connects to the embedding model that the settings select, through Ollama's API or the OpenAI API.
pub async fn connect_embeddings(
    http: &Http,
    search: &config::VectorSearch,
    llm: &config::Llm,
) -> Result<Arc<dyn EmbeddingModel>, ModelError> {
    let options = EmbeddingOptions::new(search, llm);
    let ollama = is_ollama(http, &options.base_url).await;
    let api = if ollama { EmbeddingApi::Ollama } else { EmbeddingApi::OpenAi };
    Ok(Arc::new(RemoteEmbeddings::connect(http, api, &options).await?))
}

/// Returns the names of the models on the server at `base_url`; empty if the server does not list them.
pub(crate) async fn models_of(http: &Http, llm: &config::Llm, base_url: &str) -> Vec<String> {
    let options = ServerOptions::new(base_url, llm);
    let names = if is_ollama(http, base_url).await {
        Ollama::models(http, &options).await
    } else {
        OpenAi::models(http, &options).await
    };
    names.unwrap_or_default()
}

/// Detects Ollama. It supports the OpenAI format too, but only its own API lets a request set the context length and
/// truncate texts that are too long to embed.
async fn is_ollama(http: &Http, base_url: &str) -> bool {
    let asking = async {
        let root = ollama_root(base_url).ok()?;
        let url = Url::parse(&format!("{}/api/version", root.as_str().trim_end_matches('/'))).ok()?;
        let response = http.client(&url).ok()?.get(url).send().await.ok()?;
        let answer = read_json(response).await?;
        answer.get("version").cloned()
    };
    timeout(Duration::from_secs(2), asking).await.ok().flatten().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_say_who_answers() {
        let auto = config::Llm::default();
        assert_eq!(ModelPlan::of(&auto).unwrap(), ModelPlan::Embedded(None));
        let command = config::Llm { command: vec!["cat".into()], ..auto.clone() };
        assert_eq!(ModelPlan::of(&command).unwrap(), ModelPlan::Command);
        let embedded = config::Llm { provider: Provider::Embedded, model: Some("moon".into()), ..command };
        assert_eq!(ModelPlan::of(&embedded).unwrap(), ModelPlan::Embedded(Some("moon".into())));
        let ollama = config::Llm { provider: Provider::Ollama, ..auto.clone() };
        let base_url = "http://127.0.0.1:11434".to_owned();
        assert_eq!(
            ModelPlan::of(&ollama).unwrap(),
            ModelPlan::Server { provider: Provider::Ollama, base_url, model: None }
        );
        let openai = config::Llm { provider: Provider::OpenAi, ..auto };
        assert!(ModelPlan::of(&openai).unwrap_err().to_string().contains("llm.base_url"));
    }
}
