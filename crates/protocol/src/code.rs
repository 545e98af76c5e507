use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FileDecision {
    Open,
    All,
    Some,
    None,
}

/// What a note about a workspace tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CodeNoteKind {
    /// What was changed.
    Change,
    /// What went wrong.
    Failure,
}
