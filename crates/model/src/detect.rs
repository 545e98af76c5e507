use std::time::Duration;

use protocol::{LocalServer, ServerKind};
use reqwest::Url;
use serde_json::Value;
use tokio::time::timeout;

use crate::Http;
use crate::http::read_json;

/// Ports and timeout for the search for model servers on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerDetection {
    pub ollama: u16,
    pub lm_studio: u16,
    pub llama_server: u16,
    /// The timeout for each server. A local server answers well within it.
    pub patience: Duration,
}

impl Default for ServerDetection {
    fn default() -> Self {
        Self { ollama: 11434, lm_studio: 1234, llama_server: 8080, patience: Duration::from_millis(300) }
    }
}

/// Returns the model servers that run on this machine. All are queried concurrently, each with a timeout.
pub async fn detect(http: &Http, lookout: ServerDetection) -> Vec<LocalServer> {
    let patience = lookout.patience;
    let (ollama, studio, llama) = tokio::join!(
        timeout(patience, ollama(http, lookout.ollama)),
        timeout(patience, lm_studio(http, lookout.lm_studio)),
        timeout(patience, llama_server(http, lookout.llama_server))
    );
    [ollama, studio, llama].into_iter().flatten().flatten().collect()
}

async fn ollama(http: &Http, port: u16) -> Option<LocalServer> {
    let tags = ask(http, port, "/api/tags").await?;
    let models = names(&tags["models"], "name")?;
    Some(LocalServer { kind: ServerKind::Ollama, base_url: format!("http://127.0.0.1:{port}"), models })
}

async fn lm_studio(http: &Http, port: u16) -> Option<LocalServer> {
    let list = ask(http, port, "/api/v0/models").await?;
    let talking: Vec<_> =
        list["data"].as_array()?.iter().filter(|model| model["type"] != "embeddings").cloned().collect();
    let models = names(&Value::Array(talking), "id")?;
    Some(LocalServer { kind: ServerKind::LmStudio, base_url: format!("http://127.0.0.1:{port}/v1"), models })
}

async fn llama_server(http: &Http, port: u16) -> Option<LocalServer> {
    let (props, list) = tokio::join!(ask(http, port, "/props"), ask(http, port, "/v1/models"));
    // Many programs use this port; only llama-server has this field.
    props?.get("default_generation_settings")?;
    let models = names(&list?["data"], "id")?;
    Some(LocalServer {
        kind: ServerKind::LlamaServer,
        base_url: format!("http://127.0.0.1:{port}/v1"),
        models,
    })
}

async fn ask(http: &Http, port: u16, path: &str) -> Option<Value> {
    let url = Url::parse(&format!("http://127.0.0.1:{port}{path}")).ok()?;
    let response = http.client(&url).ok()?.get(url).send().await.ok()?;
    read_json(response).await
}

fn names(list: &Value, key: &str) -> Option<Vec<String>> {
    Some(list.as_array()?.iter().filter_map(|model| model[key].as_str().map(ToOwned::to_owned)).collect())
}
