//! Proposed changes, and the user's decisions about them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use super::VerifyReport;
use crate::{ConversationId, ProposalId};

/// The kind of change to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FileChangeKind {
    Added,
    Deleted,
    Changed,
    Renamed,
    /// A changed binary file, for which there is no diff.
    Binary,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DiffLineKind {
    Same,
    Added,
    Removed,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiffLine {
    pub kind: DiffLineKind,
    pub text: String,
    /// True for a last line that does not end with a newline; absent otherwise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub no_newline: bool,
}

/// A range of changed lines with a few lines of context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DiffHunk {
    pub id: u32,
    pub old_start: u32,
    pub old_lines: u32,
    pub new_start: u32,
    pub new_lines: u32,
    pub lines: Vec<DiffLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposalFile {
    pub path: String,
    pub kind: FileChangeKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub renamed_from: Option<String>,
    pub added: u32,
    pub removed: u32,
    /// The part of the file's changes that was accepted; absent while the user has not decided.
    #[serde(default, skip_serializing_if = "FileDecision::is_open")]
    #[ts(optional, as = "Option<FileDecision>")]
    pub decision: FileDecision,
    /// The hunks of the diff; empty in lists.
    pub hunks: Vec<DiffHunk>,
}

/// The status of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ProposalStatus {
    Open,
    Applied,
    Rejected,
    /// Applied, and then undone.
    Undone,
}

/// The part of a file's proposed changes that was accepted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FileDecision {
    #[default]
    Open,
    All,
    Some,
    None,
}

impl FileDecision {
    pub fn is_open(&self) -> bool {
        *self == Self::Open
    }
}

/// All changes that one run proposes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    pub id: ProposalId,
    pub root: String,
    pub title: String,
    pub status: ProposalStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub conversation_id: Option<ConversationId>,
    /// The time of creation, in milliseconds since 1970.
    #[ts(type = "number")]
    pub created_at: i64,
    pub files: Vec<ProposalFile>,
    /// The result of building and testing with these changes; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub verify: Option<VerifyReport>,
    /// The files that have changed since, so that the proposal cannot be applied as it is. Empty unless it is open.
    pub stale: Vec<String>,
    /// The time at which its status or its content last changed, in milliseconds since 1970.
    #[ts(type = "number")]
    pub changed_at: i64,
    /// True if the changes were applied and can be undone. `canRedo` is true if they were undone and can be applied
    /// again.
    pub can_undo: bool,
    pub can_redo: bool,
}

/// The response of `GET /api/code/proposals`, newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposalList {
    pub proposals: Vec<Proposal>,
}

/// The accepted part of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct FileChoice {
    pub path: String,
    /// The ids of the accepted hunks. If absent, all hunks are accepted, or only the `edited` ones if there are any.
    #[serde(default)]
    pub hunks: Option<Vec<u32>>,
    /// Hunks that the user has rewritten. They are applied as given here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<EditedHunk>>")]
    pub edited: Vec<EditedHunk>,
}

/// A hunk with the text that replaces all lines it shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditedHunk {
    pub id: u32,
    pub text: String,
}

/// The request body of `POST /api/code/proposals/{id}/apply`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[ts(optional_fields)]
pub struct ApplyRequest {
    /// The accepted files. If absent, everything is accepted; otherwise the rest is rejected.
    pub files: Option<Vec<FileChoice>>,
}
