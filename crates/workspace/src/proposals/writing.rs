//! Makes applied changes final and finishes those interrupted by a crash.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use host::RootDir;
use protocol::{ProposalId, UserId};
use store::ProposalTransition;

use super::{ProposalError, Proposals, blocking};
use crate::change::PendingChange;
use crate::crash_points::crash_point;
use crate::journal::RecoveredWrite;
use crate::path::WorkspacePath;
use crate::write_batch::{WriteBatch, WriteBatchError, WrittenBatch};

/// The files that a proposal changes, and its resulting state.
pub struct ProposalWrite {
    pub root: Arc<RootDir>,
    pub changes: BTreeMap<WorkspacePath, PendingChange>,
    /// The folders that the changes may leave empty. Those are removed.
    pub emptied: Vec<String>,
    /// The state of the proposal afterwards. Its mark and folders are filled in later.
    pub record: ProposalTransition,
}

impl Proposals {
    /// Finishes changes interrupted by a crash: final ones are kept, others are rolled back. Call this at startup.
    pub async fn recover(&self) -> Result<Vec<RecoveredWrite>, ProposalError> {
        let lock = self.lock().await?;
        let recovered = self.finish_interrupted().await;
        drop(lock);
        recovered
    }

    /// Runs work on proposals exclusively, in this process and others. It runs as a separate task, so it is completed
    /// even if the caller is cancelled.
    pub(super) async fn exclusively<T, F>(
        &self,
        work: impl FnOnce(Self) -> F + Send + 'static,
    ) -> Result<T, ProposalError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, ProposalError>> + Send + 'static,
    {
        let this = self.clone();
        let working = tokio::spawn(async move {
            let _lock = this.lock().await?;
            this.finish_interrupted().await?;
            work(this).await
        });
        working.await.unwrap_or_else(|error| Err(ProposalError::Interrupted(error.to_string())))
    }

    async fn lock(&self) -> Result<File, ProposalError> {
        let journal = self.journal.clone();
        let failed = |error: std::io::Error| ProposalError::Write(WriteBatchError::Failed(error.to_string()));
        blocking(move || journal.lock().map_err(failed)).await
    }

    async fn finish_interrupted(&self) -> Result<Vec<RecoveredWrite>, ProposalError> {
        let journal = self.journal.clone();
        let entries = blocking(move || Ok(journal.unfinished())).await?;
        let mut recovered = Vec::new();
        for entry in entries {
            let is_final = match entry.mark().map(|mark| (mark, proposal_of(mark))) {
                Some((mark, Some(id))) => self.store.is_recorded(id, mark).await?,
                _ => false,
            };
            let found = blocking(move || {
                if is_final {
                    entry.keep_changes();
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
    pub(super) async fn write(
        &self,
        user: UserId,
        id: ProposalId,
        changes: ProposalWrite,
    ) -> Result<Option<ProposalId>, ProposalError> {
        let ProposalWrite { root, changes, emptied, mut record } = changes;
        let mark = format!("{id}:{}", host::hex(&host::random_bytes::<8>()));
        record.mark.clone_from(&mark);
        let (journal, to) = (self.journal.clone(), Arc::clone(&root));
        let written = blocking({
            let mark = mark.clone();
            move || {
                let batch = WriteBatch { root: &to, changes: &changes, emptied: &emptied, mark: Some(&mark) };
                Ok(batch.write(&journal)?)
            }
        })
        .await?;
        record.folders = written.folders().to_vec();
        let stored = self.store.record_transition(user, id, record).await;
        crash_point("recorded in the database");
        match stored {
            Ok(rest) => {
                commit(written).await?;
                Ok(rest)
            }
            Err(error) => self.handle_store_error(id, &mark, written, root, error.into()).await,
        }
    }

    /// Handles an error of the store: its record decides whether the changes are final.
    async fn handle_store_error(
        &self,
        id: ProposalId,
        mark: &str,
        written: WrittenBatch,
        root: Arc<RootDir>,
        error: ProposalError,
    ) -> Result<Option<ProposalId>, ProposalError> {
        match self.store.is_recorded(id, mark).await {
            Ok(true) => commit(written).await.map(|()| None),
            Ok(false) => {
                let left = blocking(move || Ok(written.roll_back(&root))).await?;
                if left.is_empty() {
                    return Err(error);
                }
                Err(ProposalError::Write(WriteBatchError::NotRestored { error: error.to_string(), left }))
            }
            // The next operation or start finishes the journal entry.
            Err(_) => Err(ProposalError::NotRecorded(error.to_string())),
        }
    }
}

async fn commit(written: WrittenBatch) -> Result<(), ProposalError> {
    blocking(move || {
        written.commit();
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
