//! What she would change, and what is taken of it.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use super::VerifyReport;
use crate::{ConversationId, ProposalId};

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FileChangeKind {
    Added,
    Deleted,
    Changed,
    Renamed,
    /// It is no text, so there is nothing to show of it.
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
    /// The last line, where no newline ends it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(optional, as = "Option<bool>")]
    pub no_newline: bool,
}

/// A stretch of lines that changed, with a few around them.
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
    /// How much of it was taken; left out while nobody has decided.
    #[serde(default, skip_serializing_if = "FileDecision::is_open")]
    #[ts(optional, as = "Option<FileDecision>")]
    pub decision: FileDecision,
    /// Left out in lists.
    pub hunks: Vec<DiffHunk>,
}

/// What became of changes that were proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ProposalStatus {
    Open,
    Applied,
    Rejected,
    /// It was applied, and taken back.
    Undone,
}

/// How much of a proposed file was taken.
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

/// All that she would change in one go.
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
    /// In milliseconds since 1970.
    #[ts(type = "number")]
    pub created_at: i64,
    pub files: Vec<ProposalFile>,
    /// How building and testing went with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub verify: Option<VerifyReport>,
    /// Files that have changed since: it cannot land as it is.
    pub stale: Vec<String>,
    /// When it became what it is, in milliseconds since 1970.
    #[ts(type = "number")]
    pub changed_at: i64,
    /// Whether what it did can be taken back, or done again.
    pub can_undo: bool,
    pub can_redo: bool,
}

/// `GET /api/code/proposals`, the newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposalList {
    pub proposals: Vec<Proposal>,
}

/// What is taken of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct FileChoice {
    pub path: String,
    /// The hunks; nothing means all of them.
    #[serde(default)]
    pub hunks: Option<Vec<u32>>,
    /// Hunks that somebody wrote anew; they are taken as they are here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<EditedHunk>>")]
    pub edited: Vec<EditedHunk>,
}

/// What stands in the place of all lines that a hunk shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct EditedHunk {
    pub id: u32,
    pub text: String,
}

/// `POST /api/code/proposals/{id}/apply`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[ts(optional_fields)]
pub struct ApplyRequest {
    /// What is taken; nothing means all of it. The rest is left out.
    pub files: Option<Vec<FileChoice>>,
}
