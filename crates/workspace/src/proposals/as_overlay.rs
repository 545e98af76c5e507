//! Creates an overlay from a proposal, to verify it or to continue from it.

use std::sync::Arc;

use protocol::{ProposalId, UserId};

use super::writing::open_root;
use super::{ProposalError, Proposals, blocking, written_content};
use crate::disk::read_from_disk;
use crate::overlay::Overlay;
use crate::path::WorkspacePath;
use crate::write_batch::Stale;

impl Proposals {
    /// Returns the changes of a proposal over the current files. Fails with [`ProposalError::Stale`] if any of them has
    /// changed since the proposal was made.
    pub async fn overlay(&self, user: UserId, id: ProposalId) -> Result<Overlay, ProposalError> {
        let (proposal, files) = self.store.whole_proposal(user, id).await?;
        if !proposal.kept {
            return Err(ProposalError::Pruned { title: proposal.title });
        }
        blocking(move || {
            let root = Arc::new(open_root(&proposal.root)?);
            let mut overlay = Overlay::new(Arc::clone(&root));
            let mut stale = Vec::new();
            for file in &files {
                let path = WorkspacePath::parse(&file.path)?;
                let on_disk = read_from_disk(&root, &path).ok().flatten().map(|found| found.bytes);
                if on_disk != file.before {
                    stale.push(path);
                    continue;
                }
                let changed = match written_content(file) {
                    Some(bytes) => overlay.write(&path, bytes.to_vec()),
                    None => overlay.delete(&path),
                };
                changed.map_err(|error| ProposalError::root(root.path(), &error))?;
                let runs = |mode: Option<u32>| mode.is_some_and(|mode| mode & 0o111 != 0);
                if file.after.is_some() && runs(file.after_mode) != runs(file.before_mode) {
                    overlay
                        .set_executable(&path, runs(file.after_mode))
                        .map_err(|error| ProposalError::root(root.path(), &error))?;
                }
            }
            if stale.is_empty() { Ok(overlay) } else { Err(Stale(stale).into()) }
        })
        .await
    }

    /// Returns the files of a proposal that have changed since it was made.
    pub async fn stale(&self, user: UserId, id: ProposalId) -> Result<Vec<WorkspacePath>, ProposalError> {
        match self.overlay(user, id).await {
            Ok(_) | Err(ProposalError::Pruned { .. }) => Ok(Vec::new()),
            Err(ProposalError::Stale(Stale(paths))) => Ok(paths),
            Err(other) => Err(other),
        }
    }
}
