use reqwest::Url;
use serde_json::Value;

use crate::http::Endpoint;
use crate::server::{choose_model, has_vision, parameters_in};
use crate::{ModelError, ServerOptions};

/// The metadata that a server reports.
#[derive(Debug)]
pub(super) struct Facts {
    pub(super) model: String,
    pub(super) context: Option<u32>,
    pub(super) parameters: Option<u64>,
    pub(super) vision: bool,
    /// The number of slots; only llama-server reports it.
    pub(super) slots: Option<u32>,
}

pub(super) async fn discover(endpoint: &Endpoint, options: &ServerOptions) -> Result<Facts, ModelError> {
    let list = endpoint.metadata(&endpoint.url("/models"), None).await?.unwrap_or_default();
    let model = choose_model(options.model.as_deref(), &names(&list), endpoint.errors.place())?;
    let entry = entry(&list, &model);
    // Cloud providers have none of these routes, and servers on home networks mostly run without TLS.
    let (props, studio) = if endpoint.base.scheme() == "http" {
        let (props, studio) = (beside(endpoint, "/props"), beside(endpoint, "/api/v0/models"));
        let (props, studio) = tokio::join!(endpoint.metadata(&props, None), endpoint.metadata(&studio, None));
        (props.ok().flatten().unwrap_or_default(), studio.ok().flatten().unwrap_or_default())
    } else {
        (Value::Null, Value::Null)
    };
    let studio = self::entry(&studio, &model);
    let contexts = [
        &props["default_generation_settings"]["n_ctx"],
        &studio["loaded_context_length"],
        &studio["max_context_length"],
        &entry["max_model_len"],
        &entry["context_length"],
        &entry["context_window"],
    ];
    let vision =
        props["modalities"]["vision"].as_bool().or_else(|| studio["type"].as_str().map(|kind| kind == "vlm"));
    Ok(Facts {
        context: contexts.into_iter().find_map(number).filter(|&context| context > 0),
        parameters: entry["meta"]["n_params"].as_u64().or_else(|| parameters_in(&model)),
        vision: vision.unwrap_or_else(|| has_vision(&model)),
        slots: number(&props["total_slots"]),
        model,
    })
}

pub(super) async fn models(endpoint: &Endpoint) -> Result<Vec<String>, ModelError> {
    let list = endpoint.metadata(&endpoint.url("/models"), None).await?;
    list.map(|list| names(&list)).ok_or_else(|| endpoint.errors.garbled(false))
}

/// Returns the URL of a route next to the versioned ones: `/props` next to `/v1`.
pub(super) fn beside(endpoint: &Endpoint, path: &str) -> Url {
    let mut url = endpoint.url(path);
    let root = endpoint.base.path().trim_end_matches('/');
    let root = root.rsplit_once('/').map_or("", |(before, _)| before);
    url.set_path(&format!("{root}{}", path.split('?').next().unwrap_or_default()));
    url
}

fn names(list: &Value) -> Vec<String> {
    let entries = list["data"].as_array().into_iter().flatten();
    entries.filter_map(|entry| entry["id"].as_str().map(ToOwned::to_owned)).collect()
}

/// Returns a model's list entry. A list with a single entry yields that one under any name.
fn entry(list: &Value, model: &str) -> Value {
    let entries = list["data"].as_array().map(Vec::as_slice).unwrap_or_default();
    let named = entries.iter().find(|entry| entry["id"] == model);
    let only = Some(entries).filter(|entries| entries.len() == 1).and_then(|entries| entries.first());
    named.or(only).cloned().unwrap_or_default()
}

fn number(value: &Value) -> Option<u32> {
    value.as_u64().map(|number| u32::try_from(number).unwrap_or(u32::MAX))
}
