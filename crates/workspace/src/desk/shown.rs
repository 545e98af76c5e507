//! Proposals as they are told to whoever decides.

use jiff::Timestamp;
use protocol::{DiffHunk, DiffLine, DiffLineKind, FileChangeKind, Proposal, ProposalFile};

use crate::diff::{DiffKind, FileDiff, Hunk, LineKind};
use crate::overlay::Overlay;
use crate::proposals::ProposalView;

/// What an overlay would change, without the lines.
pub fn brief(overlay: &Overlay) -> Vec<ProposalFile> {
    let changes = overlay.changes().iter();
    let files = changes.map(|(path, change)| {
        let diff = FileDiff::of(change.before.as_deref(), change.after.as_deref());
        ProposalFile { hunks: Vec::new(), ..file(path.to_string(), &diff, None) }
    });
    files.collect()
}

fn file(path: String, diff: &FileDiff, renamed_from: Option<String>) -> ProposalFile {
    let kind = match diff.kind {
        _ if renamed_from.is_some() => FileChangeKind::Renamed,
        DiffKind::Added => FileChangeKind::Added,
        DiffKind::Deleted => FileChangeKind::Deleted,
        _ if diff.binary => FileChangeKind::Binary,
        _ => FileChangeKind::Changed,
    };
    let hunks = diff.hunks.iter().map(hunk).collect();
    ProposalFile { path, kind, renamed_from, added: diff.added, removed: diff.removed, hunks }
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

/// A proposal with its differences.
pub fn shown(view: ProposalView) -> Proposal {
    let ProposalView { proposal, diffs, .. } = view;
    let files = diffs
        .into_iter()
        .map(|proposed| {
            file(
                proposed.path.to_string(),
                &proposed.diff,
                proposed.renamed_from.map(|from| from.to_string()),
            )
        })
        .collect();
    Proposal { files, ..listed(proposal) }
}

/// A proposal as it stands in a list.
pub fn listed(proposal: store::CodeProposal) -> Proposal {
    let is = |status| proposal.status == status && proposal.kept;
    Proposal {
        can_undo: is(protocol::ProposalStatus::Applied),
        can_redo: is(protocol::ProposalStatus::Undone),
        id: proposal.id,
        root: proposal.root,
        title: proposal.title,
        status: proposal.status,
        conversation_id: proposal.conversation,
        created_at: proposal.created_at.parse::<Timestamp>().map_or(0, Timestamp::as_millisecond),
        files: Vec::new(),
        verify: proposal.verify.and_then(|report| serde_json::from_value(report).ok()),
        stale: Vec::new(),
    }
}
