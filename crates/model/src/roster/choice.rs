use config::Provider;
use protocol::{ConfigPatch, LocalServer, ModelKind, ServerKind};
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::connect::ModelPlan;

/// The reason why a model cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum UseError {
    #[error("there is no model named “{0}”: `perigee models list` shows those that can be used")]
    Unknown(String),
    #[error("{0} is not installed: download it with `perigee models pull {0}`")]
    NotHere(String),
    #[error("{0} does not answer on this machine: start it and try again")]
    NoServer(&'static str),
    /// The choice could not be saved, so nothing was changed.
    #[error("{0}")]
    NotKept(String),
}

/// Returns the part of a model name before the slash.
pub(super) fn prefix(kind: ServerKind) -> &'static str {
    match kind {
        ServerKind::Ollama => "ollama",
        ServerKind::LmStudio => "lm-studio",
        ServerKind::LlamaServer => "llama-server",
    }
}

pub(super) fn model_kind(kind: ServerKind) -> ModelKind {
    match kind {
        ServerKind::Ollama => ModelKind::Ollama,
        ServerKind::LmStudio => ModelKind::OpenAi,
        ServerKind::LlamaServer => ModelKind::LlamaServer,
    }
}

/// Splits a name of the form `kind/model` into the server's kind and the model's own name.
pub(super) fn on_server(name: &str) -> Option<(ServerKind, &str)> {
    let (before, model) = name.split_once('/')?;
    let kinds = [ServerKind::Ollama, ServerKind::LmStudio, ServerKind::LlamaServer];
    let kind = kinds.into_iter().find(|kind| prefix(*kind) == before)?;
    (!model.is_empty()).then_some((kind, model))
}

pub(super) fn server_plan(
    kind: ServerKind,
    model: &str,
    servers: &[LocalServer],
) -> Result<ModelPlan, UseError> {
    let server = servers.iter().find(|server| server.kind == kind).ok_or(UseError::NoServer(match kind {
        ServerKind::Ollama => "Ollama",
        ServerKind::LmStudio => "LM Studio",
        ServerKind::LlamaServer => "llama-server",
    }))?;
    Ok(ModelPlan::Server {
        provider: Provider::Auto,
        base_url: server.base_url.clone(),
        model: Some(model.to_owned()),
    })
}

/// Returns the settings that make a plan permanent.
///
/// The provider is set only if `auto` would choose another one, so that an address which the user sets later takes
/// effect.
pub(super) fn patch(plan: &ModelPlan, llm: &config::Llm) -> ConfigPatch {
    let mut settings = Map::new();
    let mut set = |key: &str, value: Value| settings.insert(key.to_owned(), value);
    let named = match plan {
        ModelPlan::Embedded(model) => {
            set("llm.model", json!(model));
            (llm.base_url.is_some() || !llm.command.is_empty()).then_some(Provider::Embedded)
        }
        ModelPlan::Server { provider, base_url, model } => {
            set("llm.base_url", json!(base_url));
            set("llm.model", json!(model));
            (*provider != Provider::Auto).then_some(*provider)
        }
        ModelPlan::Command => llm.base_url.is_some().then_some(Provider::Command),
    };
    set("llm.provider", json!(named.map(Provider::as_str)));
    ConfigPatch(settings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_servers_model_is_named_after_it() {
        assert_eq!(on_server("ollama/qwen3:4b"), Some((ServerKind::Ollama, "qwen3:4b")));
        assert_eq!(on_server("lm-studio/maker/model"), Some((ServerKind::LmStudio, "maker/model")));
        for other in ["qwen3-4b", "ollama/", "other/x", "/x"] {
            assert_eq!(on_server(other), None, "{other}");
        }
    }

    #[test]
    fn a_choice_becomes_settings() {
        let servers =
            [LocalServer { kind: ServerKind::Ollama, base_url: "http://127.0.0.1:1".into(), models: vec![] }];
        let plan = server_plan(ServerKind::Ollama, "qwen3:4b", &servers).unwrap();
        let auto = config::Llm::default();
        assert_eq!(
            Value::Object(patch(&plan, &auto).0),
            json!({ "llm.provider": null, "llm.base_url": "http://127.0.0.1:1", "llm.model": "qwen3:4b" })
        );
        assert_eq!(server_plan(ServerKind::LmStudio, "x", &servers), Err(UseError::NoServer("LM Studio")));
    }

    #[test]
    fn the_provider_is_named_only_where_it_must_be() {
        let moon = ModelPlan::Embedded(Some("moon".into()));
        let provider = |plan: &ModelPlan, llm: &config::Llm| patch(plan, llm).0["llm.provider"].clone();
        let auto = config::Llm::default();
        let command = config::Llm { command: vec!["cat".into()], ..auto.clone() };
        let server = config::Llm { base_url: config::Url::parse("http://127.0.0.1:1"), ..command.clone() };
        for (plan, llm, expected) in [
            (&moon, &auto, Value::Null),
            (&moon, &command, json!("embedded")),
            (&moon, &server, json!("embedded")),
            (&ModelPlan::Command, &command, Value::Null),
            (&ModelPlan::Command, &server, json!("command")),
        ] {
            assert_eq!(provider(plan, llm), expected, "{plan:?}");
            // The saved settings produce the same plan at the next start.
            let mut written = llm.clone();
            written.provider = match &expected {
                Value::Null => Provider::Auto,
                Value::String(name) if name == "embedded" => Provider::Embedded,
                _ => Provider::Command,
            };
            written.model = Some("moon".into());
            assert_eq!(&ModelPlan::of(&written).unwrap(), plan);
        }
    }
}
