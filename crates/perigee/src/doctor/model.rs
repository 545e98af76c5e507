//! Checks of the chat model: selection, integrity and response.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use config::Llm;
use futures_util::StreamExt as _;
use model::{
    CacheKey, Catalogue, ChatModel, DownloadOptions, Downloads, EngineLoader, Http, ModelError, ModelMessage,
    ModelRequest, ModelRole, Roster, RosterOptions, Sampling,
};
use protocol::{LocalServer, ModelState, ModelsReport, ServerKind};
use serde_json::{Value, json};
use terminal::{bytes, clean_line, count};
use tokio::sync::Notify;
use tools::sentence;

use super::check::{CheckDepth, DoctorCheck};
use super::installation::Installation;
use crate::engine_loader::EmbeddedEngineLoader;
use crate::lazy_model::{LoadSignal, ModelLoading};

/// The time limit for a model server to respond.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The time limit for loading a large model and generating a word.
const DEEP_TIMEOUT: Duration = Duration::from_mins(5);

pub async fn checks(installation: &Installation, depth: CheckDepth) -> Vec<DoctorCheck> {
    let (report, mut checks) = match &installation.server {
        Some(client) => {
            let asked = client.get::<ModelsReport>("/api/models").await;
            let Ok(report) = asked else {
                return vec![DoctorCheck::warn(
                    "model",
                    "The server does not list its models.",
                    "Start it again: perigee serve",
                )];
            };
            let checks = vec![of_state(&report.current)];
            (report, checks)
        }
        None => examine_here(installation, depth).await,
    };
    if depth == CheckDepth::Deep
        && let Some(client) = &installation.server
        && let ModelState::Ready { name, .. } = &report.current
    {
        let body =
            json!({"model": name, "max_tokens": 1, "messages": [{"role": "user", "content": "Say yes."}]});
        let began = Instant::now();
        let asked =
            tokio::time::timeout(DEEP_TIMEOUT, client.post::<Value>("/v1/chat/completions", &body)).await;
        checks.push(answered(asked.map(|done| done.map(drop).map_err(|error| format!("{error:#}"))), began));
    }
    checks.extend(too_large(&report));
    checks.push(servers(&report.servers));
    checks
}

fn of_state(state: &ModelState) -> DoctorCheck {
    match state {
        ModelState::Ready { name, context, .. } => {
            DoctorCheck::ok("model", format!("{} answers, with room for {context} tokens.", clean_line(name)))
        }
        ModelState::Loading { name } => DoctorCheck::ok("model", format!("{} is loading.", clean_line(name))),
        ModelState::Failed { message, .. } => {
            DoctorCheck::fail("model", sentence(message), "Choose another model: perigee models")
        }
        ModelState::None { hint } => DoctorCheck::warn(
            "model",
            "There is no model yet, so only the simplest questions can be answered.",
            sentence(hint),
        ),
    }
}

/// Checks the model without a server, through the roster. Nothing is loaded unless `depth` requires it.
async fn examine_here(installation: &Installation, depth: CheckDepth) -> (ModelsReport, Vec<DoctorCheck>) {
    let config = &installation.config;
    let (paths, settings) = (config.paths(), config.current());
    let http = Http::default();
    let options = DownloadOptions::new(&paths.models, &settings.models, http.clone());
    let reached = Arc::new(Notify::new());
    let loader: Arc<dyn EngineLoader> = match depth {
        CheckDepth::Usual => Arc::new(UnusedLoader { reached: Arc::clone(&reached) }),
        CheckDepth::Deep => Arc::new(EmbeddedEngineLoader {
            state_cache: paths.cache.join("states"),
            signal: LoadSignal::new(ModelLoading::AtOnce),
        }),
    };
    let roster = Roster::new(RosterOptions {
        llm: settings.llm.clone(),
        downloads: Downloads::new(options, Arc::new(Catalogue::default())),
        http,
        loader,
        remember: Arc::new(|_| Err("the check changes no settings".to_owned())),
        lookout: model::ServerDetection::default(),
    });
    let timeout = if depth == CheckDepth::Deep { DEEP_TIMEOUT } else { TIMEOUT };
    let checked = tokio::select! {
        () = reached.notified() => vec![chosen(&roster.state())],
        answered = tokio::time::timeout(timeout, roster.current()) => match answered {
            Err(_) => vec![DoctorCheck::fail("model", "The model does not respond.", "Check whether its server is running, or choose another: perigee models")],
            Ok(Err(ModelError::None(hint))) => vec![of_state(&ModelState::None { hint })],
            Ok(Err(error)) => vec![DoctorCheck::fail("model", sentence(&error.to_string()), "Choose another model, or download it again: perigee models")],
            Ok(Ok(model)) => {
                let mut checks = vec![of_state(&roster.state())];
                if depth == CheckDepth::Deep {
                    let began = Instant::now();
                    checks.push(answered_by(model.as_ref(), began).await);
                }
                checks
            }
        },
    };
    (roster.report().await, checked)
}

/// Reports the selected model. A model that is loading or ready exists and has the right checksum.
fn chosen(state: &ModelState) -> DoctorCheck {
    let name = match state {
        ModelState::Loading { name } | ModelState::Ready { name, .. } | ModelState::Failed { name, .. } => {
            clean_line(name)
        }
        ModelState::None { .. } => String::new(),
    };
    DoctorCheck::ok("model", format!("{name} is chosen, and its file is intact (--deep lets it answer)."))
}

async fn answered_by(model: &dyn ChatModel, began: Instant) -> DoctorCheck {
    let request = ModelRequest {
        messages: vec![ModelMessage::text(ModelRole::User, "Say yes.")],
        sampling: Sampling { max_tokens: 1, ..Sampling::default() },
        ..ModelRequest::default()
    };
    let asked = tokio::time::timeout(DEEP_TIMEOUT, async {
        let mut deltas = model.chat(request).await.map_err(|error| error.to_string())?;
        while let Some(delta) = deltas.next().await {
            delta.map_err(|error| error.to_string())?;
        }
        Ok(())
    });
    answered(asked.await, began)
}

fn answered(asked: Result<Result<(), String>, tokio::time::error::Elapsed>, began: Instant) -> DoctorCheck {
    let mend = "Choose another model: perigee models";
    match asked {
        Ok(Ok(())) => {
            DoctorCheck::ok("model-answers", format!("It answered after {} ms.", began.elapsed().as_millis()))
        }
        Ok(Err(error)) => {
            DoctorCheck::fail("model-answers", format!("It does not answer: {}", sentence(&error)), mend)
        }
        Err(_) => DoctorCheck::fail("model-answers", "It did not answer within five minutes.", mend),
    }
}

/// Warns about a model that needs more memory than the machine has, which slows everything down.
fn too_large(report: &ModelsReport) -> Option<DoctorCheck> {
    let current = report.installed.iter().find(|model| model.current)?;
    let entry = report.catalogue.iter().find(|entry| entry.name == current.name && !entry.fits)?;
    let message = format!(
        "{} needs {} of memory, which is more than this machine has.",
        entry.name,
        bytes(entry.memory)
    );
    let better = report.recommended.as_deref().unwrap_or("a smaller one");
    Some(DoctorCheck::warn(
        "model-fits",
        message,
        format!("Use a smaller one: perigee models pull {better} --use"),
    ))
}

fn servers(servers: &[LocalServer]) -> DoctorCheck {
    if servers.is_empty() {
        return DoctorCheck::ok("servers", "No other model server runs on this machine.");
    }
    let names: Vec<String> = servers
        .iter()
        .map(|server| {
            let kind = match server.kind {
                ServerKind::Ollama => "Ollama",
                ServerKind::LmStudio => "LM Studio",
                ServerKind::LlamaServer => "llama-server",
            };
            format!("{kind} with {}", count(server.models.len(), "model"))
        })
        .collect();
    DoctorCheck::ok("servers", format!("This machine runs {}.", names.join(", ")))
}

/// A loader that records that a model would be loaded, and loads nothing.
struct UnusedLoader {
    reached: Arc<Notify>,
}

#[async_trait]
impl EngineLoader for UnusedLoader {
    async fn load(&self, _: &Path, _: &Llm) -> Result<Arc<dyn ChatModel>, ModelError> {
        self.reached.notify_one();
        std::future::pending().await
    }

    async fn forget(&self, _: &CacheKey) {}
}
