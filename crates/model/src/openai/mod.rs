//! Servers with an OpenAI-compatible API: vLLM, LM Studio, llama-server, cloud providers.

mod facts;
mod request;
mod slots;
mod wire;

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use protocol::ModelKind;
use reqwest::Method;
use serde_json::{Map, Value, json};
use tokio::time::Instant;

use crate::http::{Endpoint, RequestOutcome, ResponseReader, is_loopback, openai_base, stopped};
use crate::{
    CacheKey, ChatModel, ChatStream, Http, ModelError, ModelInfo, ModelRequest, ServerOptions, TokenCount,
};
use request::Extras;
pub(crate) use request::{no_grammar, number, role, tools};
use slots::Slots;
use wire::OpenAiWire;
pub(crate) use wire::fresh_id;

/// A model on an OpenAI-compatible server.
#[derive(Debug)]
pub struct OpenAi {
    endpoint: Endpoint,
    info: ModelInfo,
    /// The slots of a llama-server; `None` for every other server.
    slots: Option<Slots>,
    /// Parameters to omit. Some servers refuse a request that contains a parameter they do not know.
    unwanted: Mutex<BTreeSet<&'static str>>,
}

impl OpenAi {
    /// Queries the server for its metadata. Fails if it does not respond.
    pub async fn connect(http: &Http, options: &ServerOptions) -> Result<Self, ModelError> {
        let endpoint = options.endpoint(http, openai_base(&options.base_url)?, "Start the server");
        let facts = facts::discover(&endpoint, options).await?;
        let kind = if facts.slots.is_some() { ModelKind::LlamaServer } else { ModelKind::OpenAi };
        let info = ModelInfo {
            name: facts.model,
            kind,
            is_here: is_loopback(&endpoint.base),
            context: facts.context.map_or(options.num_ctx, |context| context.min(options.num_ctx)),
            parameters: facts.parameters,
            vision: facts.vision,
            native_tools: true,
            reading_pace: None,
        };
        Ok(Self { endpoint, info, slots: facts.slots.map(Slots::new), unwanted: Mutex::default() })
    }

    /// Returns the names of the server's models.
    pub async fn models(http: &Http, options: &ServerOptions) -> Result<Vec<String>, ModelError> {
        let endpoint = options.endpoint(http, openai_base(&options.base_url)?, "Start the server");
        facts::models(&endpoint).await
    }

    fn extras(&self, key: Option<&CacheKey>) -> Extras {
        match &self.slots {
            Some(slots) => Extras::LlamaServer { slot: key.and_then(|key| slots.choose(key)) },
            None => Extras::None,
        }
    }

    fn without_unwanted(&self, mut body: Map<String, Value>) -> Value {
        for name in self.unwanted.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            let value = body.shift_remove(*name);
            if let ("max_tokens", Some(limit)) = (*name, value) {
                body.insert("max_completion_tokens".to_owned(), limit);
            }
        }
        Value::Object(body)
    }

    /// Records the parameter that a refusal is about. Returns false if the refusal has another reason or the parameter
    /// was already recorded.
    fn learns_from(&self, refusal: &str) -> bool {
        let Some(name) = unwanted_parameter(refusal) else { return false };
        self.unwanted.lock().unwrap_or_else(PoisonError::into_inner).insert(name)
    }
}

#[async_trait]
impl ChatModel for OpenAi {
    fn info(&self) -> ModelInfo {
        self.info.clone()
    }

    async fn chat(&self, request: ModelRequest) -> Result<ChatStream, ModelError> {
        let begun = Instant::now();
        let url = self.endpoint.url("/chat/completions");
        let body = request::body(&self.info.name, &request, self.extras(request.cache_key.as_ref()))?;
        loop {
            let body = self.without_unwanted(body.clone());
            match self.endpoint.send(&url, &body, begun, &request.cancel).await? {
                RequestOutcome::Answered(response) => {
                    return Ok(ResponseReader::read(
                        OpenAiWire::default(),
                        response,
                        &self.endpoint,
                        &request,
                        begun,
                    ));
                }
                RequestOutcome::Cancelled => return Ok(stopped()),
                RequestOutcome::Refused(status, said)
                    if matches!(status.as_u16(), 400 | 422) && self.learns_from(&said) => {}
                RequestOutcome::Refused(status, said) => {
                    return Err(self.endpoint.errors.status(status, &self.info.name, &said));
                }
            }
        }
    }

    fn count_tokens(&self, text: &str) -> TokenCount {
        self.endpoint.estimator.count(text)
    }

    /// Does nothing on servers other than llama-server, the only one whose prompt cache can be addressed.
    async fn prewarm(&self, request: ModelRequest) -> Result<(), ModelError> {
        if self.slots.is_none() || request.cache_key.is_none() {
            return Ok(());
        }
        let mut body = request::body(&self.info.name, &request, self.extras(request.cache_key.as_ref()))?;
        body.shift_remove("max_tokens");
        body.shift_remove("stream_options");
        body.shift_remove("return_progress");
        body.insert("stream".to_owned(), json!(false));
        body.insert("n_predict".to_owned(), json!(0));
        let url = self.endpoint.url("/chat/completions");
        match self.endpoint.send(&url, &Value::Object(body), Instant::now(), &request.cancel).await? {
            RequestOutcome::Answered(_) | RequestOutcome::Cancelled => Ok(()),
            RequestOutcome::Refused(status, said) => {
                Err(self.endpoint.errors.status(status, &self.info.name, &said))
            }
        }
    }

    async fn forget(&self, key: &CacheKey) {
        let Some(slot) = self.slots.as_ref().and_then(|slots| slots.forget(key)) else { return };
        let url = facts::beside(&self.endpoint, &format!("/slots/{slot}?action=erase"));
        let erased = match self.endpoint.request(Method::POST, &url) {
            Ok(request) => request.send().await.is_ok_and(|response| response.status().is_success()),
            Err(_) => false,
        };
        if !erased {
            tracing::debug!(slot, "could not erase a slot; the server keeps it until it is used again");
        }
    }
}

/// Returns the parameter that a server rejects, if it can be omitted.
fn unwanted_parameter(refusal: &str) -> Option<&'static str> {
    const DISPENSABLE: &[&str] = &["max_tokens", "temperature", "top_p", "seed", "stop", "stream_options"];
    let value: Value = serde_json::from_str(refusal).ok()?;
    let error = if value["error"].is_object() { &value["error"] } else { &value };
    if let Some(named) = error["param"].as_str() {
        return DISPENSABLE.iter().copied().find(|name| *name == named);
    }
    let message = error["message"].as_str().or_else(|| value["detail"].as_str())?.to_lowercase();
    let complains =
        ["unsupported", "not supported", "unrecognized", "unknown", "extra inputs", "not permitted"];
    if !complains.iter().any(|word| message.contains(word)) {
        return None;
    }
    let mut words = message.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    words.find_map(|word| DISPENSABLE.iter().copied().find(|name| *name == word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_about_a_parameter_is_understood() {
        let cases = [
            (
                r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","param":"max_tokens"}}"#,
                Some("max_tokens"),
            ),
            (r#"{"error":{"message":"Unsupported value","param":"temperature"}}"#, Some("temperature")),
            (
                r#"{"error":{"message":"Unrecognized request argument supplied: stream_options"}}"#,
                Some("stream_options"),
            ),
            (r#"{"error":{"message":"No such model: stop-gap"}}"#, None),
            (r#"{"error":{"message":"bad","param":"messages"}}"#, None),
            ("<html>", None),
        ];
        for (refusal, expected) in cases {
            assert_eq!(unwanted_parameter(refusal), expected, "{refusal}");
        }
    }
}
