//! Proposed changes and the user's decisions about them.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use protocol::{
    ApplyRequest, CodeHistory, CodeNote, CodeNoteKind, ConversationId, FileChoice, Proposal, ProposalFile,
    ProposalId, ProposalStatus, UserId, VerifyReport,
};
use store::{NewCodeNote, ProposalQuery};

use super::proposal_view::{listed, shown};
use super::{OpenWorkspaces, WorkspaceSession, WorkspaceSessionError};
use crate::diff::HunkId;
use crate::disk::read_from_disk;
use crate::edit_session::EditSession;
use crate::history::GitHistory;
use crate::overlay::Overlay;
use crate::path::WorkspacePath;
use crate::proposals::{
    AcceptedFiles, AcceptedPart, FIRST_REVISION, ProposalChoice, ProposalError, ProposalMeta, RestHandling,
};

/// The maximum number of listed proposals.
const MOST_LISTED: u32 = 100;
const MOST_NOTES: u32 = 50;
/// The number of commits read to find files that are changed together.
const MOST_COMMITS: usize = 2_000;

impl OpenWorkspaces {
    /// Returns the user's proposals in a workspace, newest first. If `root` is `None`, the workspace used last is
    /// meant.
    pub async fn list_proposals(
        &self,
        user: UserId,
        root: Option<String>,
    ) -> Result<Vec<Proposal>, WorkspaceSessionError> {
        let Some(root) = self.root_or_current(user, root).await? else { return Ok(Vec::new()) };
        let query = ProposalQuery { root: Some(root), limit: MOST_LISTED, ..ProposalQuery::default() };
        let mut proposals = Vec::new();
        for proposal in self.proposals().list(user, query).await?.into_iter().map(listed) {
            // A proposal that cannot be compared reports the reason when it is opened.
            let stale = self.stale(user, &proposal).await.unwrap_or_default();
            proposals.push(Proposal { stale, ..proposal });
        }
        Ok(proposals)
    }

    /// Returns a proposal with its diffs and the files that have become stale.
    pub async fn proposal(&self, user: UserId, id: ProposalId) -> Result<Proposal, WorkspaceSessionError> {
        let proposal = shown(self.proposals().get(user, id).await?);
        Ok(Proposal { stale: self.stale(user, &proposal).await?, ..proposal })
    }

    /// Returns the files of an open proposal that have changed since it was made.
    async fn stale(&self, user: UserId, proposal: &Proposal) -> Result<Vec<String>, WorkspaceSessionError> {
        if proposal.status != ProposalStatus::Open {
            return Ok(Vec::new());
        }
        let stale = self.proposals().stale(user, proposal.id).await?;
        Ok(stale.iter().map(ToString::to_string).collect())
    }

    pub async fn apply_proposal(
        &self,
        user: UserId,
        id: ProposalId,
        request: ApplyRequest,
    ) -> Result<(), WorkspaceSessionError> {
        let files = match request.files {
            None => AcceptedFiles::All,
            Some(files) => {
                let accepted = files
                    .into_iter()
                    .map(|choice| Ok((WorkspacePath::parse(&choice.path)?, accepted_part(choice))));
                let mut accepted = accepted.collect::<Result<BTreeMap<_, _>, ProposalError>>()?;
                // Accepting a moved file also accepts the deletion at its old path.
                for moved in self.proposals().get(user, id).await?.diffs {
                    let is_accepted =
                        accepted.get(&moved.path).is_some_and(|part| *part != AcceptedPart::None);
                    if let (true, Some(from)) = (is_accepted, moved.renamed_from) {
                        accepted.insert(from, AcceptedPart::All);
                    }
                }
                AcceptedFiles::Some(accepted)
            }
        };
        // A user who accepts a part has seen the rest, so the rest is rejected.
        let choice = ProposalChoice { files, rest: RestHandling::Reject, revision: None };
        self.proposals().apply(user, id, choice).await?;
        Ok(())
    }

    /// Returns the changes of a proposal as an overlay over the current files.
    pub async fn proposal_overlay(
        &self,
        user: UserId,
        id: ProposalId,
    ) -> Result<Overlay, WorkspaceSessionError> {
        Ok(self.proposals().overlay(user, id).await?)
    }

    /// Stores the verify report of a proposal.
    pub async fn record_verification(
        &self,
        user: UserId,
        id: ProposalId,
        report: &VerifyReport,
    ) -> Result<(), WorkspaceSessionError> {
        let revision = self.proposals().get(user, id).await?.proposal.revision;
        let report = serde_json::to_value(report).unwrap_or_default();
        Ok(self.proposals().record_verification(user, id, revision, &report).await?)
    }

    /// Returns the undecided changes of a conversation. A caller that continues from them must supersede the proposal
    /// once a new one replaces it.
    pub async fn open_changes(
        &self,
        user: UserId,
        conversation: ConversationId,
        session: &WorkspaceSession,
    ) -> Result<Option<(ProposalId, Overlay)>, WorkspaceSessionError> {
        let query = ProposalQuery {
            root: Some(session.root()),
            status: Some(ProposalStatus::Open),
            conversation: Some(conversation),
            limit: 1,
            ..ProposalQuery::default()
        };
        let Some(open) = self.proposals().list(user, query).await?.into_iter().next() else {
            return Ok(None);
        };
        Ok(Some((open.id, self.proposals().overlay(user, open.id).await?)))
    }

    /// Returns the given workspace, or the current one, in its stored form.
    async fn root_or_current(
        &self,
        user: UserId,
        root: Option<String>,
    ) -> Result<Option<String>, WorkspaceSessionError> {
        Ok(match root {
            Some(root) => Some(root),
            None => self.roots(user).await?.current,
        })
    }

    pub async fn history(
        &self,
        user: UserId,
        root: Option<String>,
    ) -> Result<CodeHistory, WorkspaceSessionError> {
        let Some(root) = self.root_or_current(user, root).await? else { return Ok(CodeHistory::default()) };
        let notes = self.shared.parts.store.code_notes(user, &root, None, None, MOST_NOTES).await?;
        let notes = notes.into_iter().map(|note| CodeNote {
            kind: note.kind,
            path: note.path,
            text: note.text,
            created_at: note.created_at.parse::<Timestamp>().map_or(0, Timestamp::as_millisecond),
        });
        let checkpoints = self.checkpoints(user, &root).await?;
        let proposals = self.list_proposals(user, Some(root)).await?;
        Ok(CodeHistory { proposals, notes: notes.collect(), checkpoints })
    }
}

fn accepted_part(choice: FileChoice) -> AcceptedPart {
    let FileChoice { hunks, edited, .. } = choice;
    match hunks {
        Some(hunks) if hunks.is_empty() && edited.is_empty() => AcceptedPart::None,
        None if edited.is_empty() => AcceptedPart::All,
        hunks => AcceptedPart::Hunks {
            accepted: hunks.unwrap_or_default().into_iter().map(HunkId).collect(),
            edited: edited.into_iter().map(|hunk| (HunkId(hunk.id), hunk.text)).collect(),
        },
    }
}

impl WorkspaceSession {
    /// Stores all changes of a run as one proposal, with the verify report. Returns the proposal and its files without
    /// hunks.
    pub async fn propose(
        &self,
        user: UserId,
        overlay: &Overlay,
        meta: ProposalMeta,
        report: Option<&VerifyReport>,
    ) -> Result<(ProposalId, Vec<ProposalFile>), String> {
        let proposals = &self.shared.proposals;
        let to_text = |error: ProposalError| error.to_string();
        let id = proposals.propose(user, overlay, meta).await.map_err(to_text)?;
        if let Some(report) = report {
            let report = serde_json::to_value(report).unwrap_or_default();
            if let Err(error) = proposals.record_verification(user, id, FIRST_REVISION, &report).await {
                tracing::warn!("the verify report of a proposal cannot be stored: {error}");
            }
        }
        let files = shown(proposals.get(user, id).await.map_err(to_text)?).files.into_iter();
        Ok((id, files.map(|file| ProposalFile { hunks: Vec::new(), ..file }).collect()))
    }

    /// Rejects a proposal that was replaced by another one.
    pub async fn supersede(&self, user: UserId, id: ProposalId) {
        if let Err(error) = self.shared.proposals.reject(user, id).await {
            tracing::warn!("a superseded proposal cannot be rejected: {error}");
        }
    }

    /// Applies a proposal completely.
    pub async fn apply_all(&self, user: UserId, id: ProposalId) -> Result<(), String> {
        let applied = self.shared.proposals.apply(user, id, ProposalChoice::default()).await;
        applied.map(|_| ()).map_err(|error| error.to_string())
    }

    /// Stores notes about the changed files and the remaining failures.
    pub async fn add_notes(
        &self,
        user: UserId,
        summary: &str,
        overlay: &Overlay,
        failed: Option<&VerifyReport>,
    ) {
        let files: Vec<String> = overlay.changes().keys().map(ToString::to_string).collect();
        let path = if let [only] = files.as_slice() { Some(only.clone()) } else { None };
        let change = NewCodeNote {
            root: self.root(),
            kind: CodeNoteKind::Change,
            path: path.clone(),
            text: format!("{}: {summary}", files.join(", ")),
            fingerprint: None,
        };
        let failure = failed.map(|report| NewCodeNote {
            kind: CodeNoteKind::Failure,
            text: format!("After a change of {}: {}", files.join(", "), report.summary),
            fingerprint: Some(report.summary.clone()),
            ..change.clone()
        });
        for note in [Some(change), failure].into_iter().flatten() {
            if let Err(error) = self.shared.parts.store.add_code_note(user, note).await {
                tracing::warn!("a note about {} cannot be stored: {error}", self.root());
            }
        }
    }

    /// Returns the git history of the workspace, if it has one.
    pub fn history(&self) -> Option<Arc<GitHistory>> {
        match GitHistory::read(self.workspace(), MOST_COMMITS) {
            Ok(history) => history.map(Arc::new),
            Err(error) => {
                tracing::warn!("{}: {error}", self.root());
                None
            }
        }
    }

    /// Returns the diff against the last commit, including a session's changes.
    pub fn uncommitted(&self, session: &EditSession) -> Result<String, String> {
        let overlay = session.overlay();
        let mut diffs = Vec::new();
        for (path, committed) in
            crate::history::changed_since_commit(self.workspace()).map_err(|error| error.to_string())?
        {
            let current = match overlay.changes().get(&path) {
                Some(change) => change.after.clone(),
                None => {
                    read_from_disk(self.workspace().root(), &path).ok().flatten().map(|found| found.bytes)
                }
            };
            diffs.push(crate::diff::FileDiff::of(committed.as_deref(), current.as_deref()).to_unified(&path));
        }
        if diffs.is_empty() {
            Ok("Nothing differs from the last commit.".to_owned())
        } else {
            Ok(diffs.join("\n"))
        }
    }
}
