//! Undoes and redoes proposals, and rebases them on changed files.

use std::collections::BTreeMap;
use std::sync::Arc;

use protocol::{FileDecision, ProposalId, ProposalStatus, UserId};
use serde::Serialize;
use store::{CodeProposal, ProposalTransition, StoredCodeFile, WrittenFile};

use super::writing::{ProposalWrite, open_root};
use super::{ProposalError, Proposals, blocking, require_status, stored_file, written_content};
use crate::change::{OverlayError, PendingChange};
use crate::diff::merge_change;
use crate::disk::{FileOnDisk, read_from_disk};
use crate::path::WorkspacePath;

/// The result of an undo or redo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UndoResult {
    pub id: ProposalId,
    pub files: Vec<WorkspacePath>,
    /// The files that were changed elsewhere since; those changes are preserved.
    pub merged: Vec<WorkspacePath>,
}

/// The result of a rebase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct RebasedProposal {
    pub id: ProposalId,
    /// The files whose change was merged with the current content.
    pub merged: Vec<WorkspacePath>,
    /// The files that already have the proposed content and were dropped from the proposal.
    pub already_there: Vec<WorkspacePath>,
}

impl Proposals {
    /// Undoes an applied proposal. Untouched files are restored byte for byte; later changes elsewhere in a file are
    /// preserved; if they overlap, nothing is changed ([`ProposalError::InTheWay`]).
    pub async fn undo(&self, user: UserId, id: ProposalId) -> Result<UndoResult, ProposalError> {
        self.switch(user, id, ProposalStatus::Applied, ProposalStatus::Undone).await
    }

    /// Applies an undone proposal again.
    pub async fn redo(&self, user: UserId, id: ProposalId) -> Result<UndoResult, ProposalError> {
        self.switch(user, id, ProposalStatus::Undone, ProposalStatus::Applied).await
    }

    /// Rebases an open proposal on the current files, for another review.
    pub async fn rebase(&self, user: UserId, id: ProposalId) -> Result<RebasedProposal, ProposalError> {
        self.exclusively(move |this| async move {
            let (proposal, files) = this.store.whole_proposal(user, id).await?;
            require_status(&proposal, ProposalStatus::Open)?;
            let revision = proposal.revision;
            let (files, rebased) = blocking(move || rebased(&proposal, files)).await?;
            if !(rebased.merged.is_empty() && rebased.already_there.is_empty()) {
                this.store.replace_proposal_files(user, id, revision, files).await?;
            }
            Ok(rebased)
        })
        .await
    }

    /// Switches a proposal between applied and undone.
    async fn switch(
        &self,
        user: UserId,
        id: ProposalId,
        from: ProposalStatus,
        to: ProposalStatus,
    ) -> Result<UndoResult, ProposalError> {
        self.exclusively(move |this| async move {
            let (proposal, files) = this.store.whole_proposal(user, id).await?;
            require_status(&proposal, from)?;
            let (plan, files) = blocking(move || Ok((plan(&proposal, &files, to)?, files))).await?;
            let doubtful: Vec<WorkspacePath> =
                plan.conflicting.iter().chain(&plan.already_there).cloned().collect();
            let by = this.conflicting_proposals(user, id, &files, &doubtful, to).await?;
            // A file that already has the target content is fine, unless another proposal gave it that content.
            if !(plan.conflicting.is_empty() && by.is_empty()) {
                return Err(ProposalError::InTheWay { paths: doubtful, by });
            }
            let (files, merged) = (plan.changes.changes.keys().cloned().collect(), plan.merged);
            this.write(user, id, plan.changes).await?;
            Ok(UndoResult { id, files, merged })
        })
        .await
    }
}

/// The plan of an undo or redo.
struct UndoPlan {
    changes: ProposalWrite,
    merged: Vec<WorkspacePath>,
    /// The files in which others have changed the same lines.
    conflicting: Vec<WorkspacePath>,
    /// The files that already have the target content.
    already_there: Vec<WorkspacePath>,
}

fn plan(
    proposal: &CodeProposal,
    files: &[StoredCodeFile],
    to: ProposalStatus,
) -> Result<UndoPlan, ProposalError> {
    let root = Arc::new(open_root(&proposal.root)?);
    let (mut changes, mut recorded) = (BTreeMap::new(), Vec::new());
    let (mut merged, mut conflicting, mut already_there) = (Vec::new(), Vec::new(), Vec::new());
    for file in files.iter().filter(|file| matches!(file.decision, FileDecision::All | FileDecision::Some)) {
        let path = WorkspacePath::parse(&file.path)?;
        let [(base, base_mode), (target, target_mode)] = sides(file, to);
        let now = read_from_disk(&root, &path);
        let mut pair = None;
        // If the last operation merged this file and it is unchanged since, its content before the merge is restored.
        let back =
            file.merged.as_ref().filter(|(_, made)| matches!(&now, Ok(Some(now)) if now.bytes == *made));
        let fit = if back.is_some() { ChangeFit::Exact(now.ok().flatten()) } else { fit(now, base, target) };
        let target = back.map_or(target, |(found, _)| Some(found));
        match fit {
            ChangeFit::Exact(now) => {
                changes.insert(path, change(now, target, base_mode, target_mode));
            }
            ChangeFit::Merged(now, bytes) => {
                pair = Some((now.bytes.clone(), bytes.clone()));
                changes.insert(path.clone(), change(Some(now), Some(&bytes), base_mode, target_mode));
                merged.push(path);
            }
            ChangeFit::AlreadyThere => already_there.push(path),
            ChangeFit::Conflict => conflicting.push(path),
        }
        let (path, decision) = (file.path.clone(), file.decision);
        recorded.push(WrittenFile { path, decision, written: None, merged: pair });
    }
    let record = ProposalTransition {
        from: proposal.status,
        revision: proposal.revision,
        to,
        mark: String::new(),
        folders: Vec::new(),
        files: recorded,
        rest: None,
    };
    // The folders created by the last operation, in either direction.
    let emptied = proposal.folders.clone();
    Ok(UndoPlan {
        changes: ProposalWrite { root, changes, emptied, record },
        merged,
        conflicting,
        already_there,
    })
}

/// Returns the base and the target of a file, each with its mode.
pub fn sides(file: &StoredCodeFile, to: ProposalStatus) -> [(Option<&[u8]>, Option<u32>); 2] {
    let [before, after] =
        [(file.before.as_deref(), file.before_mode), (written_content(file), file.after_mode)];
    if to == ProposalStatus::Undone { [after, before] } else { [before, after] }
}

/// The relation of a change to the current file.
pub enum ChangeFit {
    /// The file has the base content.
    Exact(Option<FileOnDisk>),
    /// The file has other content, which the change can be merged into.
    Merged(FileOnDisk, Vec<u8>),
    /// The file already has the target content.
    AlreadyThere,
    /// The file has been changed in the same lines.
    Conflict,
}

pub fn fit(
    now: Result<Option<FileOnDisk>, OverlayError>,
    base: Option<&[u8]>,
    target: Option<&[u8]>,
) -> ChangeFit {
    let Ok(now) = now else { return ChangeFit::Conflict };
    let bytes = now.as_ref().map(|now| now.bytes.as_slice());
    if bytes == base {
        return ChangeFit::Exact(now);
    } else if bytes == target {
        return ChangeFit::AlreadyThere;
    }
    match (base, target, now) {
        (Some(base), Some(target), Some(now)) => match merge_change(base, target, &now.bytes) {
            Some(bytes) => ChangeFit::Merged(now, bytes),
            None => ChangeFit::Conflict,
        },
        _ => ChangeFit::Conflict,
    }
}

/// Returns the change from the current file to the target. The mode changes only if that is part of the change.
pub fn change(
    now: Option<FileOnDisk>,
    target: Option<&[u8]>,
    base_mode: Option<u32>,
    target_mode: Option<u32>,
) -> PendingChange {
    let before_mode = now.as_ref().and_then(|now| now.mode);
    let after_mode = match (&now, target) {
        (_, None) => None,
        (Some(_), Some(_)) if base_mode == target_mode => before_mode,
        _ => target_mode,
    };
    let after = target.map(<[u8]>::to_vec);
    PendingChange { before: now.map(|now| now.bytes), after, before_mode, after_mode }
}

fn rebased(
    proposal: &CodeProposal,
    files: Vec<StoredCodeFile>,
) -> Result<(Vec<StoredCodeFile>, RebasedProposal), ProposalError> {
    let root = open_root(&proposal.root)?;
    let mut rebased = RebasedProposal { id: proposal.id, merged: Vec::new(), already_there: Vec::new() };
    let (mut kept, mut unclear) = (Vec::new(), Vec::new());
    for file in files {
        let path = WorkspacePath::parse(&file.path)?;
        match fit(read_from_disk(&root, &path), file.before.as_deref(), file.after.as_deref()) {
            ChangeFit::Exact(_) => kept.push(file),
            ChangeFit::Merged(now, bytes) => {
                let change = change(Some(now), Some(&bytes), file.before_mode, file.after_mode);
                kept.push(stored_file(file.path, change));
                rebased.merged.push(path);
            }
            ChangeFit::AlreadyThere => rebased.already_there.push(path),
            ChangeFit::Conflict => unclear.push(path),
        }
    }
    if !unclear.is_empty() {
        Err(ProposalError::Unclear(unclear))
    } else if kept.is_empty() {
        Err(ProposalError::AlreadyThere)
    } else {
        Ok((kept, rebased))
    }
}
