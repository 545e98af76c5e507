//! Applies a proposal completely or in part.

use std::collections::BTreeMap;
use std::sync::Arc;

use protocol::{FileDecision, ProposalId, ProposalStatus, UserId};
use serde::Serialize;
use store::{CodeProposal, NewProposal, ProposalTransition, StoredCodeFile, WrittenFile};

use super::renames::{base, sources};
use super::undoing::change;
use super::writing::{ProposalWrite, open_root};
use super::{ProposalError, Proposals, blocking, require_status, stored_file, written_content};
use crate::change::PendingChange;
use crate::diff::{FileDiff, HunkId, accept_edited_hunks, accept_hunks};
use crate::disk::read_from_disk;
use crate::path::WorkspacePath;
use crate::write_batch::Stale;

/// The accepted parts of a proposal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProposalChoice {
    pub files: AcceptedFiles,
    pub rest: RestHandling,
    /// The revision that the user has seen. If the proposal has another one, nothing is applied.
    pub revision: Option<u32>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum AcceptedFiles {
    #[default]
    All,
    /// Only these files; others are not applied.
    Some(BTreeMap<WorkspacePath, AcceptedPart>),
}

/// The accepted part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AcceptedPart {
    All,
    None,
    /// These hunks as proposed, and others with text edited by the user.
    Hunks {
        accepted: Vec<HunkId>,
        edited: BTreeMap<HunkId, String>,
    },
}

impl AcceptedPart {
    /// Accepts these hunks as proposed.
    pub fn hunks(accepted: Vec<HunkId>) -> Self {
        Self::Hunks { accepted, edited: BTreeMap::new() }
    }
}

/// The handling of the parts that were not accepted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RestHandling {
    /// They stay open as a separate proposal: accepting one hunk does not decide about the others.
    #[default]
    Keep,
    Reject,
}

/// The result of applying a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AppliedProposal {
    pub id: ProposalId,
    /// The written and deleted files.
    pub files: Vec<WorkspacePath>,
    /// The proposal with the parts that stay open.
    pub rest: Option<ProposalId>,
}

impl Proposals {
    /// Writes the accepted parts to the workspace, all of them or none. If a file has changed since the proposal was
    /// made, nothing is written: [`ProposalError::Stale`].
    pub async fn apply(
        &self,
        user: UserId,
        id: ProposalId,
        choice: ProposalChoice,
    ) -> Result<AppliedProposal, ProposalError> {
        self.exclusively(move |this| async move {
            let (proposal, files) = this.store.whole_proposal(user, id).await?;
            require_status(&proposal, ProposalStatus::Open)?;
            if choice.revision.is_some_and(|seen| seen != proposal.revision) {
                return Err(ProposalError::Revised);
            }
            let plan = blocking(move || plan(&proposal, files, &choice)).await?;
            let files = plan.changes.keys().cloned().collect();
            let rest = this.write(user, id, plan).await?;
            Ok(AppliedProposal { id, files, rest })
        })
        .await
    }
}

fn plan(
    proposal: &CodeProposal,
    files: Vec<StoredCodeFile>,
    choice: &ProposalChoice,
) -> Result<ProposalWrite, ProposalError> {
    let root = Arc::new(open_root(&proposal.root)?);
    let files = decide(files, &choice.files)?;
    let (mut changes, mut stale) = (BTreeMap::new(), Vec::new());
    for file in files.iter().filter(|file| file.decision != FileDecision::None) {
        let path = WorkspacePath::parse(&file.path)?;
        match read_from_disk(&root, &path) {
            Ok(now) if now.as_ref().map(|now| &now.bytes) == file.before.as_ref() => {
                let change = change(now, written_content(file), file.before_mode, file.after_mode);
                changes.insert(path, change);
            }
            _ => stale.push(path),
        }
    }
    if !stale.is_empty() {
        return Err(Stale(stale).into());
    } else if changes.is_empty() {
        return Err(ProposalError::NothingChosen);
    }
    let record = |file: &StoredCodeFile| WrittenFile {
        path: file.path.clone(),
        decision: file.decision,
        written: file.written.clone(),
        merged: None,
    };
    let record = ProposalTransition {
        from: ProposalStatus::Open,
        revision: proposal.revision,
        to: ProposalStatus::Applied,
        mark: String::new(),
        folders: Vec::new(),
        files: files.iter().map(record).collect(),
        rest: if choice.rest == RestHandling::Keep { rest(proposal, files) } else { None },
    };
    Ok(ProposalWrite { root, changes, emptied: Vec::new(), record })
}

/// Sets the decision and the accepted content of each file.
fn decide(
    mut files: Vec<StoredCodeFile>,
    accepted: &AcceptedFiles,
) -> Result<Vec<StoredCodeFile>, ProposalError> {
    let AcceptedFiles::Some(accepted) = accepted else {
        for file in &mut files {
            file.decision = FileDecision::All;
        }
        return Ok(files);
    };
    if let Some(unknown) = accepted.keys().find(|path| !files.iter().any(|file| file.path == path.as_str())) {
        return Err(ProposalError::NoSuchFile(unknown.clone()));
    }
    let sources = sources(&files);
    for at in 0..files.len() {
        let path = WorkspacePath::parse(&files[at].path)?;
        let (decision, written) = match accepted.get(&path) {
            Some(AcceptedPart::All) => (FileDecision::All, None),
            Some(AcceptedPart::None) | None => (FileDecision::None, None),
            Some(AcceptedPart::Hunks { accepted, edited }) => {
                let sides = (base(&files, sources[at], at), files[at].after.as_deref());
                decide_hunks(sides, path, accepted, edited)?
            }
        };
        files[at].decision = decision;
        files[at].written = written;
    }
    Ok(files)
}

/// Returns the decision for these hunks, and the content to write if it differs from the proposed one.
fn decide_hunks(
    (before, after): (Option<&[u8]>, Option<&[u8]>),
    path: WorkspacePath,
    hunks: &[HunkId],
    edited: &BTreeMap<HunkId, String>,
) -> Result<(FileDecision, Option<Vec<u8>>), ProposalError> {
    let known: Vec<HunkId> = FileDiff::of(before, after).ids().collect();
    if let Some(&hunk) = hunks.iter().chain(edited.keys()).find(|hunk| !known.contains(hunk)) {
        return Err(ProposalError::NoSuchHunk { path, hunk });
    }
    let is_whole = known.iter().all(|hunk| hunks.contains(hunk) || edited.contains_key(hunk));
    let decision = if is_whole { FileDecision::All } else { FileDecision::Some };
    if !edited.is_empty() {
        let written =
            accept_edited_hunks(before, after, hunks, edited).ok_or(ProposalError::NotEditable(path))?;
        let decision = if Some(written.as_slice()) == before { FileDecision::None } else { decision };
        Ok((decision, Some(written)))
    } else if hunks.is_empty() {
        Ok((FileDecision::None, None))
    } else if is_whole {
        Ok((decision, None))
    } else {
        Ok((decision, accept_hunks(before, after, hunks)))
    }
}

/// Returns a proposal with the rest of the changes, based on the content to be written.
fn rest(proposal: &CodeProposal, files: Vec<StoredCodeFile>) -> Option<NewProposal> {
    let left = files.into_iter().filter_map(|file| {
        let StoredCodeFile { path, before, after, written, before_mode, after_mode, decision, .. } = file;
        let change = match decision {
            FileDecision::Open | FileDecision::None => {
                PendingChange { before, after, before_mode, after_mode }
            }
            // The mode was applied together with the accepted hunks.
            FileDecision::Some => {
                PendingChange { before: written, after, before_mode: after_mode, after_mode }
            }
            FileDecision::All => return None,
        };
        Some(stored_file(path, change))
    });
    let files: Vec<StoredCodeFile> = left.collect();
    if files.is_empty() {
        return None;
    }
    let CodeProposal { id, root, conversation, message, turn, title, summary, .. } = proposal.clone();
    Some(NewProposal { root, conversation, message, turn, rest_of: Some(id), title, summary, files })
}
