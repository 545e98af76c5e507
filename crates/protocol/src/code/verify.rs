//! Building and testing: requests and results.

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

/// A problem that a build or a test reports.
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

/// A stage of building and testing, with its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerifyStep {
    pub stage: VerifyStage,
    pub command: String,
    pub ok: bool,
    /// The end of the command's output.
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
    /// A required program is not installed, or a stage could not be run.
    Missing,
    /// There is nothing to build or test.
    Nothing,
    /// It was stopped before it finished.
    Stopped,
}

/// The result of building and testing, as shown with a proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerifyReport {
    pub outcome: VerifyOutcome,
    /// A summary in one sentence.
    pub summary: String,
    pub steps: Vec<VerifyStep>,
}

/// The request body of `POST /api/code/verify`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[ts(optional_fields)]
pub struct VerifyRequest {
    /// The proposal whose changes are built and tested. If absent, the files are taken as they are on disk.
    #[serde(alias = "proposal_id")]
    pub proposal_id: Option<ProposalId>,
    /// The changed files. In a folder with several projects, the projects that contain them are built and tested.
    #[ts(as = "Option<Vec<String>>")]
    pub paths: Vec<String>,
    /// The path of the workspace. If absent, it is the one used last.
    pub root: Option<String>,
}
