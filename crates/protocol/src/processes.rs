//! Health, and background processes.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// The response of `GET /api/health`, which needs no token and contains nothing private.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Health {
    pub status: String,
    pub name: String,
    pub version: String,
}

/// A background process, as listed by `GET /api/processes`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessInfo {
    pub id: String,
    pub name: String,
    pub about: String,
    /// The schedule in words, such as `every 5 minutes`.
    pub schedule: String,
    pub state: ProcessState,
    pub last_run: Option<String>,
    pub next_run: Option<String>,
    pub last_outcome: Option<ProcessOutcome>,
    pub runs: u32,
    /// The number of consecutive failures. The wait before the next run grows with it.
    pub failures: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ProcessState {
    Waiting,
    Running,
    Paused,
    /// Waiting longer than scheduled, after a failure.
    BackingOff,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProcessOutcome {
    pub ok: bool,
    /// A text for the user: what the run did, or what went wrong.
    pub message: String,
    pub millis: u32,
}
