use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// `GET /api/health`, which needs no token and says nothing private.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    pub status: String,
    pub name: String,
    pub version: String,
}

/// One entry of `GET /api/processes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessInfo {
    pub id: String,
    pub name: String,
    pub about: String,
    /// In words: `every 5 minutes`.
    pub schedule: String,
    pub state: ProcessState,
    pub last_run: Option<String>,
    pub next_run: Option<String>,
    pub last_outcome: Option<ProcessOutcome>,
    pub runs: u32,
    /// Failures in a row; the wait grows with them.
    pub failures: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ProcessState {
    Waiting,
    Running,
    Paused,
    /// Waiting longer than the schedule says, after a failure.
    BackingOff,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessOutcome {
    pub ok: bool,
    /// What it did, or what went wrong.
    pub message: String,
    pub millis: u32,
}
