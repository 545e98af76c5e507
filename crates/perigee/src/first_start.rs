use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use config::Llm;
use model::Downloads;
use protocol::{DownloadState, PullRequest};

/// Names a model file that an empty home may take over.
const STARTER: &str = "PERIGEE_STARTER";

/// Takes over the starter model, where there is one and no other model is here or configured.
pub async fn take_starter(downloads: &Downloads, models: &Path, llm: &Llm) {
    let Some(file) = std::env::var_os(STARTER).filter(|file| !file.is_empty()).map(PathBuf::from) else {
        return;
    };
    if is_configured(llm) || has_model(models) {
        return;
    }
    match take(downloads, &file).await {
        Ok(name) => eprintln!("{name} answers for a start: tiny, to try things. Others: perigee models list"),
        Err(why) => eprintln!("The starter model {} could not be taken over: {why}", file.display()),
    }
}

async fn take(downloads: &Downloads, file: &Path) -> Result<String, String> {
    let path = std::path::absolute(file).map_err(|error| error.to_string())?;
    let request = PullRequest { name: path.display().to_string(), source: None, then_use: false };
    let download = downloads.start(&request).map_err(|error| error.to_string())?;
    match downloads.finished(&download.name).await {
        Some(last) if last.state == DownloadState::Done => Ok(last.name),
        Some(last) => Err(last.message),
        None => Err("it did not arrive".into()),
    }
}

fn is_configured(llm: &Llm) -> bool {
    llm.model.is_some() || llm.base_url.is_some() || !llm.command.is_empty()
}

fn has_model(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| entry.path().extension() == Some(OsStr::new("gguf")))
}
