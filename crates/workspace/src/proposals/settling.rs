//! Makes applied changes final and settles those interrupted by a crash.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use host::RootDir;
use protocol::{ProposalId, UserId};
use store::CodeLanding;

use super::{ProposalError, Proposals, blocking};
use crate::journal::Recovered;
use crate::landing::{LandError, Landed, Landing};
use crate::overlay::Change;
use crate::path::WorkspacePath;
use crate::steps::step;

/// The changes to write, and the resulting state of the proposal.
pub struct Plan {
    pub root: Arc<RootDir>,
    pub changes: BTreeMap<WorkspacePath, Change>,
    /// The folders to remove if they are empty.
    pub leave: Vec<String>,
    /// The new state; its mark and folders are filled in later.
    pub landing: CodeLanding,
}

impl Proposals {
    /// Settles changes interrupted by a crash: final ones are kept, others are rolled back. Call this at startup.
    pub async fn recover(&self) -> Result<Vec<Recovered>, ProposalError> {
        let held = self.hold().await?;
        let recovered = self.settle_left().await;
        drop(held);
        recovered
    }

    /// Runs work on proposals exclusively, in this process and others. It runs as a separate task, so it is completed
    /// even if the caller is cancelled.
    pub(super) async fn alone<T, F>(
        &self,
        work: impl FnOnce(Self) -> F + Send + 'static,
    ) -> Result<T, ProposalError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, ProposalError>> + Send + 'static,
    {
        let this = self.clone();
        let working = tokio::spawn(async move {
            let _held = this.hold().await?;
            this.settle_left().await?;
            work(this).await
        });
        working.await.unwrap_or_else(|error| Err(ProposalError::Broken(error.to_string())))
    }

    async fn hold(&self) -> Result<File, ProposalError> {
        let journal = self.journal.clone();
        let failed = |error: std::io::Error| ProposalError::Land(LandError::Failed(error.to_string()));
        blocking(move || journal.alone().map_err(failed)).await
    }

    async fn settle_left(&self) -> Result<Vec<Recovered>, ProposalError> {
        let journal = self.journal.clone();
        let entries = blocking(move || Ok(journal.unfinished())).await?;
        let mut recovered = Vec::new();
        for entry in entries {
            let counts = match entry.mark().map(|mark| (mark, proposal_of(mark))) {
                Some((mark, Some(id))) => self.store.is_landed(id, mark).await?,
                _ => false,
            };
            let found = blocking(move || {
                if counts {
                    entry.keep();
                    return Ok(None);
                }
                Ok(entry.recover())
            });
            recovered.extend(found.await?);
        }
        Ok(recovered)
    }

    /// Writes the changes of a plan and makes them final, or leaves everything unchanged. Returns the proposal with the
    /// parts that were not accepted.
    pub(super) async fn land(
        &self,
        user: UserId,
        id: ProposalId,
        plan: Plan,
    ) -> Result<Option<ProposalId>, ProposalError> {
        let Plan { root, changes, leave, mut landing } = plan;
        let mark = format!("{id}:{}", host::hex(&host::random_bytes::<8>()));
        landing.mark.clone_from(&mark);
        let (journal, to) = (self.journal.clone(), Arc::clone(&root));
        let landed = blocking({
            let mark = mark.clone();
            move || {
                let landing = Landing { root: &to, changes: &changes, leave: &leave, mark: Some(&mark) };
                Ok(landing.land(&journal)?)
            }
        })
        .await?;
        landing.folders = landed.folders().to_vec();
        let stored = self.store.land_proposal(user, id, landing).await;
        step("stored");
        match stored {
            Ok(rest) => {
                keep(landed).await?;
                Ok(rest)
            }
            Err(error) => self.settle_failed(id, &mark, landed, root, error.into()).await,
        }
    }

    /// Handles an error of the store: its record decides whether the changes are final.
    async fn settle_failed(
        &self,
        id: ProposalId,
        mark: &str,
        landed: Landed,
        root: Arc<RootDir>,
        error: ProposalError,
    ) -> Result<Option<ProposalId>, ProposalError> {
        match self.store.is_landed(id, mark).await {
            Ok(true) => keep(landed).await.map(|()| None),
            Ok(false) => {
                let left = blocking(move || Ok(landed.put_back(&root))).await?;
                if left.is_empty() {
                    return Err(error);
                }
                Err(ProposalError::Land(LandError::Torn { error: error.to_string(), left }))
            }
            // The next operation or start settles the journal entry.
            Err(_) => Err(ProposalError::Unsettled(error.to_string())),
        }
    }
}

async fn keep(landed: Landed) -> Result<(), ProposalError> {
    blocking(move || {
        landed.keep();
        Ok(())
    })
    .await
}

fn proposal_of(mark: &str) -> Option<ProposalId> {
    mark.split_once(':')?.0.parse().ok()
}

/// Opens the root of a proposal. Fails if the path is not canonical any more, for example after a folder was replaced
/// by a link.
pub fn open_root(path: &str) -> Result<RootDir, ProposalError> {
    let path = Path::new(path);
    match path.canonicalize() {
        Ok(found) if found == path => RootDir::open(path).map_err(|error| ProposalError::root(path, &error)),
        Ok(_) => Err(ProposalError::root(path, &"another folder is in its place")),
        Err(error) => Err(ProposalError::root(path, &error)),
    }
}
