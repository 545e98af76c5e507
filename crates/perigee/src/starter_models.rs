use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use config::{Config, VectorSource};
use model::Downloads;
use protocol::{DownloadState, PullRequest};

/// The environment variable for a model file that an empty data folder adopts.
const CHAT_STARTER: &str = "PERIGEE_STARTER";
/// The environment variable for an embedding model, with its other files beside it.
const EMBEDDING_STARTER: &str = "PERIGEE_STARTER_FOR_MEANING";

/// Adopts the starter models, each unless a model of its kind exists or is configured. Blocks, so that the first
/// message already has an answer and semantic recall.
pub async fn adopt_starters(downloads: &Downloads, models: &Path, settings: &Config) {
    if let Some(file) = named(CHAT_STARTER).filter(|_| !has_chat_model(models, settings)) {
        match adopt(downloads, &file).await {
            Ok(name) => {
                eprintln!(
                    "{name} answers for now: a tiny model to try things with. For better ones: perigee models list"
                );
            }
            Err(why) => {
                eprintln!("The starter model {} could not be installed: {why}", file.display());
            }
        }
    }
    if let Some(file) = named(EMBEDDING_STARTER).filter(|_| !has_embedding_model(models, settings))
        && let Err(why) = adopt(downloads, &file).await
    {
        eprintln!("The starter model {} could not be installed: {why}", file.display());
        eprintln!(
            "Memories are found by their words alone. To find them by meaning: perigee models pull all-minilm-l6-v2"
        );
    }
}

fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).filter(|file: &OsString| !file.is_empty()).map(PathBuf::from)
}

async fn adopt(downloads: &Downloads, file: &Path) -> Result<String, String> {
    let path = std::path::absolute(file).map_err(|error| error.to_string())?;
    let request = PullRequest { name: path.display().to_string(), source: None, then_use: false };
    let download = downloads.start(&request).map_err(|error| error.to_string())?;
    match downloads.finished(&download.name).await {
        Some(last) if last.state == DownloadState::Done => Ok(last.name),
        Some(last) => Err(last.message),
        None => Err("it was not copied".into()),
    }
}

fn has_chat_model(models: &Path, Config { llm, .. }: &Config) -> bool {
    let is_configured = llm.model.is_some() || llm.base_url.is_some() || !llm.command.is_empty();
    let Ok(entries) = std::fs::read_dir(models) else { return is_configured };
    is_configured || entries.flatten().any(|entry| entry.path().extension() == Some(OsStr::new("gguf")))
}

fn has_embedding_model(models: &Path, settings: &Config) -> bool {
    let is_elsewhere =
        matches!(settings.builtin_tools.vector_search.source, VectorSource::Off | VectorSource::Server);
    is_elsewhere || embedding::open(models).is_ok()
}
