//! Converts proposals to the form in which they are shown to the user.

use jiff::Timestamp;
use protocol::{DiffHunk, DiffLine, DiffLineKind, FileChangeKind, Proposal, ProposalFile};

use crate::diff::{DiffKind, Hunk, HunkLineKind};
use crate::path::WorkspacePath;
use crate::proposals::{ProposalView, ProposedFile};

fn file(proposed: &ProposedFile) -> ProposalFile {
    let ProposedFile { path, diff, decision, renamed_from, .. } = proposed;
    let kind = match diff.kind {
        _ if renamed_from.is_some() => FileChangeKind::Renamed,
        DiffKind::Added => FileChangeKind::Added,
        DiffKind::Deleted => FileChangeKind::Deleted,
        _ if diff.binary => FileChangeKind::Binary,
        _ => FileChangeKind::Changed,
    };
    ProposalFile {
        path: path.to_string(),
        kind,
        renamed_from: renamed_from.as_ref().map(ToString::to_string),
        added: diff.added,
        removed: diff.removed,
        decision: *decision,
        hunks: diff.hunks.iter().map(hunk).collect(),
    }
}

fn hunk(hunk: &Hunk) -> DiffHunk {
    let lines = hunk.lines.iter().map(|line| DiffLine {
        kind: match line.kind {
            HunkLineKind::Context => DiffLineKind::Same,
            HunkLineKind::Added => DiffLineKind::Added,
            HunkLineKind::Removed => DiffLineKind::Removed,
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

/// Returns a proposal with its diffs. A moved file is listed once.
pub fn shown(view: ProposalView) -> Proposal {
    let ProposalView { proposal, diffs, .. } = view;
    let sources: Vec<&WorkspacePath> = diffs.iter().filter_map(|file| file.renamed_from.as_ref()).collect();
    let files = diffs.iter().filter(|proposed| !sources.contains(&&proposed.path)).map(file);
    Proposal { files: files.collect(), ..listed(proposal) }
}

fn milliseconds(time: &str) -> i64 {
    time.parse::<Timestamp>().map_or(0, Timestamp::as_millisecond)
}

/// Returns a proposal in the form used in lists.
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
