//! Proposals as they are told to whoever decides.

use jiff::Timestamp;
use protocol::{DiffHunk, DiffLine, DiffLineKind, FileChangeKind, FileDecision, Proposal, ProposalFile};

use crate::diff::{DiffKind, FileDiff, Hunk, LineKind};
use crate::path::WorkspacePath;
use crate::proposals::{ProposalView, ProposedFile};

fn file(path: String, diff: &FileDiff, decision: FileDecision) -> ProposalFile {
    let kind = match diff.kind {
        DiffKind::Added => FileChangeKind::Added,
        DiffKind::Deleted => FileChangeKind::Deleted,
        _ if diff.binary => FileChangeKind::Binary,
        _ => FileChangeKind::Changed,
    };
    let hunks = diff.hunks.iter().map(hunk).collect();
    let (added, removed) = (diff.added, diff.removed);
    ProposalFile { path, kind, renamed_from: None, added, removed, decision, hunks }
}

/// A file that only has another name now: one piece, without lines.
fn renamed(proposed: &ProposedFile, from: &WorkspacePath) -> ProposalFile {
    ProposalFile {
        path: proposed.path.to_string(),
        kind: FileChangeKind::Renamed,
        renamed_from: Some(from.to_string()),
        added: 0,
        removed: 0,
        decision: proposed.decision,
        hunks: vec![DiffHunk {
            id: 0,
            old_start: 0,
            old_lines: 0,
            new_start: 0,
            new_lines: 0,
            lines: Vec::new(),
        }],
    }
}

fn hunk(hunk: &Hunk) -> DiffHunk {
    let lines = hunk.lines.iter().map(|line| DiffLine {
        kind: match line.kind {
            LineKind::Context => DiffLineKind::Same,
            LineKind::Added => DiffLineKind::Added,
            LineKind::Removed => DiffLineKind::Removed,
        },
        text: line.text.clone(),
        no_newline: line.no_newline,
    });
    DiffHunk {
        id: hunk.id.0,
        old_start: hunk.old_start,
        old_lines: hunk.old_lines,
        new_start: hunk.new_start,
        new_lines: hunk.new_lines,
        lines: lines.collect(),
    }
}

/// A proposal with its differences. A file that was moved stands there once.
pub fn shown(view: ProposalView) -> Proposal {
    let ProposalView { proposal, diffs, .. } = view;
    let sources: Vec<&WorkspacePath> = diffs.iter().filter_map(|file| file.renamed_from.as_ref()).collect();
    let files = diffs.iter().filter(|proposed| !sources.contains(&&proposed.path)).map(|proposed| {
        match &proposed.renamed_from {
            Some(from) => renamed(proposed, from),
            None => file(proposed.path.to_string(), &proposed.diff, proposed.decision),
        }
    });
    Proposal { files: files.collect(), ..listed(proposal) }
}

fn milliseconds(time: &str) -> i64 {
    time.parse::<Timestamp>().map_or(0, Timestamp::as_millisecond)
}

/// A proposal as it stands in a list.
pub fn listed(proposal: store::CodeProposal) -> Proposal {
    let is = |status| proposal.status == status && proposal.kept;
    let files = proposal.files.iter().map(|file| ProposalFile {
        path: file.path.clone(),
        kind: match (file.was_there, file.is_there) {
            (false, _) => FileChangeKind::Added,
            (_, false) => FileChangeKind::Deleted,
            _ if file.binary => FileChangeKind::Binary,
            _ => FileChangeKind::Changed,
        },
        renamed_from: None,
        added: file.added,
        removed: file.removed,
        decision: file.decision,
        hunks: Vec::new(),
    });
    let files = files.collect();
    Proposal {
        can_undo: is(protocol::ProposalStatus::Applied),
        can_redo: is(protocol::ProposalStatus::Undone),
        id: proposal.id,
        changed_at: milliseconds(&proposal.changed_at),
        root: proposal.root,
        title: proposal.title,
        status: proposal.status,
        conversation_id: proposal.conversation,
        created_at: milliseconds(&proposal.created_at),
        files,
        verify: proposal.verify.and_then(|report| serde_json::from_value(report).ok()),
        stale: Vec::new(),
    }
}
