//! Undoes and redoes proposals, and rebases them on changed files.

use std::collections::BTreeMap;
use std::sync::Arc;

use protocol::{FileDecision, ProposalId, ProposalStatus, UserId};
use serde::Serialize;
use store::{CodeFile, CodeLanding, CodeProposal, LandedFile};

use super::settling::{Plan, open_root};
use super::{ProposalError, Proposals, blocking, expect, proposed, written};
use crate::diff::relay;
use crate::landing::{Found, on_disk};
use crate::overlay::{Change, OverlayError};
use crate::path::WorkspacePath;

/// The result of an undo or redo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Relanded {
    pub id: ProposalId,
    pub files: Vec<WorkspacePath>,
    /// The files that were changed elsewhere since; those changes are preserved.
    pub merged: Vec<WorkspacePath>,
}

/// The result of a rebase.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Rebased {
    pub id: ProposalId,
    /// The files whose change was merged with the current content.
    pub relaid: Vec<WorkspacePath>,
    /// The files that already have the proposed content and were dropped from the proposal.
    pub gone: Vec<WorkspacePath>,
}

impl Proposals {
    /// Undoes an applied proposal. Untouched files are restored byte for byte; later changes elsewhere in a file are
    /// preserved; if they overlap, nothing is changed ([`ProposalError::InTheWay`]).
    pub async fn undo(&self, user: UserId, id: ProposalId) -> Result<Relanded, ProposalError> {
        self.lead(user, id, ProposalStatus::Applied, ProposalStatus::Undone).await
    }

    /// Applies an undone proposal again.
    pub async fn redo(&self, user: UserId, id: ProposalId) -> Result<Relanded, ProposalError> {
        self.lead(user, id, ProposalStatus::Undone, ProposalStatus::Applied).await
    }

    /// Rebases an open proposal on the current files, for another review.
    pub async fn rebase(&self, user: UserId, id: ProposalId) -> Result<Rebased, ProposalError> {
        self.alone(move |this| async move {
            let (proposal, files) = this.store.whole_proposal(user, id).await?;
            expect(&proposal, ProposalStatus::Open)?;
            let revision = proposal.revision;
            let (files, rebased) = blocking(move || rebased(&proposal, files)).await?;
            if !(rebased.relaid.is_empty() && rebased.gone.is_empty()) {
                this.store.relay_proposal(user, id, revision, files).await?;
            }
            Ok(rebased)
        })
        .await
    }

    async fn lead(
        &self,
        user: UserId,
        id: ProposalId,
        from: ProposalStatus,
        to: ProposalStatus,
    ) -> Result<Relanded, ProposalError> {
        self.alone(move |this| async move {
            let (proposal, files) = this.store.whole_proposal(user, id).await?;
            expect(&proposal, from)?;
            let (way, files) = blocking(move || Ok((way(&proposal, &files, to)?, files))).await?;
            let doubtful: Vec<WorkspacePath> = way.unclear.iter().chain(&way.there).cloned().collect();
            let by = this.blamed(user, id, &files, &doubtful, to).await?;
            // A file that already has the target content is fine, unless another proposal gave it that content.
            if !(way.unclear.is_empty() && by.is_empty()) {
                return Err(ProposalError::InTheWay { paths: doubtful, by });
            }
            let (files, merged) = (way.plan.changes.keys().cloned().collect(), way.merged);
            this.land(user, id, way.plan).await?;
            Ok(Relanded { id, files, merged })
        })
        .await
    }
}

/// The plan of an undo or redo.
struct Way {
    plan: Plan,
    merged: Vec<WorkspacePath>,
    /// The files in which others have changed the same lines.
    unclear: Vec<WorkspacePath>,
    /// The files that already have the target content.
    there: Vec<WorkspacePath>,
}

fn way(proposal: &CodeProposal, files: &[CodeFile], to: ProposalStatus) -> Result<Way, ProposalError> {
    let root = Arc::new(open_root(&proposal.root)?);
    let (mut changes, mut landed) = (BTreeMap::new(), Vec::new());
    let (mut merged, mut unclear, mut there) = (Vec::new(), Vec::new(), Vec::new());
    for file in files.iter().filter(|file| matches!(file.decision, FileDecision::All | FileDecision::Some)) {
        let path = WorkspacePath::parse(&file.path)?;
        let [(base, base_mode), (target, target_mode)] = sides(file, to);
        let now = on_disk(&root, &path);
        let mut pair = None;
        // If the last operation merged this file and it is unchanged since, its content before the merge is restored.
        let back =
            file.merged.as_ref().filter(|(_, made)| matches!(&now, Ok(Some(now)) if now.bytes == *made));
        let fit = if back.is_some() { Laid::Exact(now.ok().flatten()) } else { laid(now, base, target) };
        let target = back.map_or(target, |(found, _)| Some(found));
        match fit {
            Laid::Exact(now) => {
                changes.insert(path, change(now, target, base_mode, target_mode));
            }
            Laid::Merged(now, bytes) => {
                pair = Some((now.bytes.clone(), bytes.clone()));
                changes.insert(path.clone(), change(Some(now), Some(&bytes), base_mode, target_mode));
                merged.push(path);
            }
            Laid::There => there.push(path),
            Laid::Unclear => unclear.push(path),
        }
        let (path, decision) = (file.path.clone(), file.decision);
        landed.push(LandedFile { path, decision, written: None, merged: pair });
    }
    let landing = CodeLanding {
        from: proposal.status,
        revision: proposal.revision,
        to,
        mark: String::new(),
        folders: Vec::new(),
        files: landed,
        rest: None,
    };
    // The folders created by the last operation, in either direction.
    let leave = proposal.folders.clone();
    Ok(Way { plan: Plan { root, changes, leave, landing }, merged, unclear, there })
}

/// Returns the base and the target of a file, each with its mode.
pub fn sides(file: &CodeFile, to: ProposalStatus) -> [(Option<&[u8]>, Option<u32>); 2] {
    let [before, after] = [(file.before.as_deref(), file.before_mode), (written(file), file.after_mode)];
    if to == ProposalStatus::Undone { [after, before] } else { [before, after] }
}

/// The relation of a change to the current file.
pub enum Laid {
    /// The file has the base content.
    Exact(Option<Found>),
    /// The file has other content, which the change can be merged into.
    Merged(Found, Vec<u8>),
    /// The file already has the target content.
    There,
    Unclear,
}

pub fn laid(now: Result<Option<Found>, OverlayError>, base: Option<&[u8]>, target: Option<&[u8]>) -> Laid {
    let Ok(now) = now else { return Laid::Unclear };
    let bytes = now.as_ref().map(|now| now.bytes.as_slice());
    if bytes == base {
        return Laid::Exact(now);
    } else if bytes == target {
        return Laid::There;
    }
    match (base, target, now) {
        (Some(base), Some(target), Some(now)) => match relay(base, target, &now.bytes) {
            Some(bytes) => Laid::Merged(now, bytes),
            None => Laid::Unclear,
        },
        _ => Laid::Unclear,
    }
}

/// Returns the change from the current file to the target. The mode changes only if that is part of the change.
pub fn change(
    now: Option<Found>,
    target: Option<&[u8]>,
    base_mode: Option<u32>,
    target_mode: Option<u32>,
) -> Change {
    let before_mode = now.as_ref().and_then(|now| now.mode);
    let after_mode = match (&now, target) {
        (_, None) => None,
        (Some(_), Some(_)) if base_mode == target_mode => before_mode,
        _ => target_mode,
    };
    let after = target.map(<[u8]>::to_vec);
    Change { before: now.map(|now| now.bytes), after, before_mode, after_mode }
}

fn rebased(proposal: &CodeProposal, files: Vec<CodeFile>) -> Result<(Vec<CodeFile>, Rebased), ProposalError> {
    let root = open_root(&proposal.root)?;
    let mut rebased = Rebased { id: proposal.id, relaid: Vec::new(), gone: Vec::new() };
    let (mut relaid, mut unclear) = (Vec::new(), Vec::new());
    for file in files {
        let path = WorkspacePath::parse(&file.path)?;
        match laid(on_disk(&root, &path), file.before.as_deref(), file.after.as_deref()) {
            Laid::Exact(_) => relaid.push(file),
            Laid::Merged(now, bytes) => {
                let change = change(Some(now), Some(&bytes), file.before_mode, file.after_mode);
                relaid.push(proposed(file.path, change));
                rebased.relaid.push(path);
            }
            Laid::There => rebased.gone.push(path),
            Laid::Unclear => unclear.push(path),
        }
    }
    if !unclear.is_empty() {
        Err(ProposalError::Unclear(unclear))
    } else if relaid.is_empty() {
        Err(ProposalError::AlreadyThere)
    } else {
        Ok((relaid, rebased))
    }
}
