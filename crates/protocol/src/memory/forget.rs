//! Forgetting: requests and reports.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{FactId, MessageId};

/// The request body of `POST /api/memory/forget`: a fact, a message, or words wherever they occur. Without `confirm`
/// nothing is removed, and the report says what would be.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct ForgetRequest {
    #[serde(default)]
    pub fact: Option<FactId>,
    #[serde(default)]
    pub message: Option<MessageId>,
    #[serde(default)]
    pub words: Option<String>,
    /// Words of the report that are to be forgotten as well.
    #[serde(default)]
    pub also: Vec<String>,
    /// Words of the report that are to be kept.
    #[serde(default)]
    pub leave: Vec<String>,
    #[serde(default)]
    pub confirm: bool,
}

/// The report on what was forgotten, or would be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ForgetReport {
    /// False if nothing was removed because the request had no `confirm`.
    pub done: bool,
    /// The words that are searched for.
    pub words: Vec<String>,
    /// Words that reveal it too, but have other meanings elsewhere. They are kept unless the request lists them in
    /// `also`.
    pub offered: Vec<OfferedWords>,
    pub removed: Vec<ForgottenPlace>,
    /// The time after which the words are removed from the history of memory files; `null` if the history does not
    /// contain them.
    pub history_until: Option<String>,
    /// The backups that may contain the words. Backups are never changed.
    pub backups: Vec<BackupCopy>,
    /// The files in the data folder that still contain the words afterwards; empty if everything was removed.
    pub found: Vec<String>,
    /// The number of replies in progress, and of other active work, that may have read the words. What they write is
    /// searched when they end.
    pub running: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OfferedWords {
    pub words: String,
    /// The number of conversations that contain the words.
    pub conversations: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ForgottenPlace {
    /// The place: `facts`, `messages`, `titles`, `attachments`, `acts`, `permissions`, `summaries`, `prompts`,
    /// `events`, `audit`, `entries`, `files`, `code`, `state` or `other`.
    pub place: String,
    pub count: u32,
    /// The text around the first occurrence, if nothing was removed; `null` otherwise.
    pub example: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackupCopy {
    pub file: String,
    pub made_at: String,
}
