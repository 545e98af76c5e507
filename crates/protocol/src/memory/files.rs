//! Memory files and their history.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::Origin;

/// The response of `GET /api/memory/files`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryFileList {
    pub files: Vec<MemoryFile>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryFile {
    pub name: String,
    pub bytes: u32,
    pub changed_at: String,
    /// The origins of untrusted content in the file, beside the text of the user and the companion.
    pub origins: Vec<Origin>,
}

/// The response of `GET /api/memory/files/{name}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryFileView {
    pub file: MemoryFile,
    pub content: String,
    /// The changes to the file, newest first.
    pub history: Vec<MemoryFileChange>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MemoryFileChange {
    /// The id of the change, for `POST /api/memory/files/{name}/restore`.
    pub id: String,
    pub at: String,
    pub what: String,
    /// The content of the file after the change; `null` if the change deleted it.
    pub content: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RestoreMemoryFileRequest {
    pub id: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WriteMemoryFileRequest {
    pub content: String,
}
