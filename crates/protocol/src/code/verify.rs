//! Building and testing: what is asked, and how it went.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::ProposalId;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum VerifyStage {
    Build,
    Test,
    Run,
}

/// Something that a build or a test complains of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerifyError {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub column: Option<u32>,
    pub message: String,
}

/// A stage of building and testing, and how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerifyStep {
    pub stage: VerifyStage,
    pub command: String,
    pub ok: bool,
    /// The end of what it printed.
    pub output: String,
    pub errors: Vec<VerifyError>,
    pub duration_ms: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum VerifyOutcome {
    Passed,
    Failed,
    TimedOut,
    /// A program that it needs is not on this machine.
    Missing,
    /// There is nothing here that could be built or tested.
    Nothing,
    /// It was stopped, or somebody said no.
    Stopped,
}

/// `POST /api/code/verify`, and what a proposal shows beside its differences.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerifyReport {
    pub outcome: VerifyOutcome,
    /// In a sentence.
    pub summary: String,
    pub steps: Vec<VerifyStep>,
}

/// `POST /api/code/verify`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[ts(optional_fields)]
pub struct VerifyRequest {
    /// With what this proposal would change; else the files as they are.
    #[serde(alias = "proposal_id")]
    pub proposal_id: Option<ProposalId>,
    /// What changed: in a folder of many projects, those that hold these are looked at.
    #[ts(as = "Option<Vec<String>>")]
    pub paths: Vec<String>,
    /// The workspace; without one, it is the one that was used last.
    pub root: Option<String>,
}
