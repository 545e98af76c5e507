//! Work on code: workspaces, requests and results.

mod proposals;
mod verify;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

pub use self::proposals::*;
pub use self::verify::*;
use crate::{CheckpointId, ConversationId, ProposalId};

/// The mode of a request about code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CodeMode {
    /// Changes files. The changes are a proposal until they are applied.
    #[default]
    Agent,
    /// Answers, and changes nothing.
    #[serde(alias = "chat")]
    Ask,
    /// Writes down the steps, and changes nothing.
    Plan,
    /// Fixes the cause of an error.
    Repair,
}

/// The handling of proposed changes. With `auto` they are applied at once if building and testing passed, if there was
/// nothing to build and test, or if verification is off.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ApplyMode {
    /// The user reviews the changes first.
    #[default]
    Ask,
    Auto,
}

/// The request body of `POST /api/code/stream`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[ts(optional_fields)]
pub struct CodeRequest {
    #[ts(as = "Option<CodeMode>")]
    pub mode: CodeMode,
    /// The request. Mentions in it add what they name to the context: `@path`, `@folder/`, `@symbol`, `@diff`,
    /// `@terminal` and `@https://…`.
    pub text: String,
    /// The conversation to continue. If absent, a new one begins.
    #[serde(alias = "conversation_id")]
    pub conversation_id: Option<ConversationId>,
    /// The path of the workspace, which becomes the current one. If absent, it is the one used last.
    pub root: Option<String>,
    /// The file that the request is about. If absent, relevant files are searched for, and the event `context` names
    /// them with the reasons.
    #[serde(alias = "focus_file")]
    pub focus_file: Option<String>,
    #[serde(alias = "extra_read_files")]
    #[ts(as = "Option<Vec<String>>")]
    pub extra_read_files: Vec<String>,
    #[serde(alias = "context_folders")]
    #[ts(as = "Option<Vec<String>>")]
    pub context_folders: Vec<String>,
    /// The steps of the plan to carry out.
    #[serde(alias = "plan_context")]
    pub plan_context: Option<String>,
    /// The last output of a build or test.
    #[serde(alias = "last_error")]
    pub last_error: Option<String>,
    pub apply: Option<ApplyMode>,
    #[serde(alias = "client_message_id")]
    pub client_message_id: Option<String>,
}

/// The state of a workspace's index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "state", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum IndexState {
    /// The workspace has not been used since the program started.
    Asleep,
    Reading {
        done: u32,
        total: u32,
    },
    Ready {
        files: u32,
        symbols: u32,
    },
    Failed {
        message: String,
    },
}

/// A workspace: a folder in which the companion writes code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeRoot {
    pub path: String,
    pub name: String,
    /// The files and folders that may be changed, relative to the root. An empty list means all.
    pub include: Vec<String>,
    /// The time of the last use, in milliseconds since 1970.
    #[ts(type = "number")]
    pub used_at: i64,
    pub index: IndexState,
    /// The reason why the workspace can no longer be used; absent if it can.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trouble: Option<String>,
}

/// The response of `GET /api/code/root`: the workspaces, the current one first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeRootList {
    /// The path of the current workspace; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub current: Option<String>,
    pub roots: Vec<CodeRoot>,
}

/// The request body of `POST /api/code/root`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeRootRequest {
    pub path: String,
}

/// The response of `GET /api/code/folders?path=`: the subfolders of a folder on this machine, for choosing a workspace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FolderList {
    /// The path of the listed folder. Without `?path=` it is the user's home folder.
    pub path: String,
    /// The path of the parent folder; absent at the root of the file system.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub parent: Option<String>,
    /// The subfolders without hidden ones, sorted by name.
    pub folders: Vec<Folder>,
    /// True if there are more folders than are listed.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Folder {
    pub name: String,
    pub path: String,
    /// True if it looks like a project: a repository, or a folder with a build file.
    pub project: bool,
}

/// The request body of `POST /api/code/include`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct IncludeRequest {
    /// The files and folders that may be changed, relative to the root. An empty list means all.
    pub paths: Vec<String>,
    /// The path of the workspace. If absent, it is the one used last.
    #[serde(default)]
    pub root: Option<String>,
}

/// A file in the list of a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeFile {
    pub path: String,
    pub bytes: u32,
    /// True if the companion may change it.
    pub included: bool,
}

/// The response of `GET /api/code/files`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeFileList {
    pub files: Vec<CodeFile>,
    /// True if there are more files than are listed.
    pub more: bool,
}

/// A definition in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeSymbol {
    pub name: String,
    pub kind: String,
    pub line: u32,
    pub end_line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub container: Option<String>,
}

/// The response of `GET /api/code/file?path=`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeFileView {
    pub path: String,
    /// The text of the file; empty if the file is binary.
    pub content: String,
    pub language: String,
    /// The SHA-256 of the bytes on disk, in hexadecimal. It must be sent back when the file is saved.
    pub hash: String,
    pub bytes: u32,
    pub binary: bool,
    pub editable: bool,
    pub symbols: Vec<CodeSymbol>,
}

/// The request body of `PUT /api/code/file`: a file that the user has edited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct SaveFileRequest {
    pub path: String,
    pub content: String,
    /// The `hash` of the file when it was opened; absent for a new file. If the file has changed since, nothing is
    /// written and the response is 409.
    #[serde(default)]
    pub hash: Option<String>,
    /// The path of the workspace. If absent, it is the one used last.
    #[serde(default)]
    pub root: Option<String>,
}

/// The request body of `POST /api/code/run`, which runs a command of the user in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct CodeRunRequest {
    pub command: String,
    /// The path of the workspace. If absent, it is the one used last.
    #[serde(default)]
    pub root: Option<String>,
}

/// An action of a run, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeAction {
    /// The name of the tool.
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path: Option<String>,
    pub ok: bool,
    /// The way in which an edit found its place, such as `exact` or `indentation`; absent for other actions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub strategy: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeDiff {
    pub path: String,
    /// A unified diff, as `diff -u` writes it.
    pub diff: String,
}

/// The result of a run, sent as the event `meta`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeMeta {
    pub ok: bool,
    pub summary: String,
    /// The paths of the changed files.
    pub files: Vec<String>,
    pub diffs: Vec<CodeDiff>,
    pub actions: Vec<CodeAction>,
    pub duration_ms: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub proposal_id: Option<ProposalId>,
    pub requires_approval: bool,
    /// The mode of the request. Together with `root`, it allows the request to be repeated. Both are absent if the user
    /// only built and tested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mode: Option<CodeMode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub root: Option<String>,
}

/// A file that was found to be relevant, with the reasons.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RelevantFile {
    pub path: String,
    pub reasons: Vec<String>,
}

/// A part of the context of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextPart {
    /// A short label, such as `focus file src/main.rs` or `repo map`.
    pub source: String,
    pub tokens: u32,
    /// True if it was shortened or left out for lack of room.
    pub cut: bool,
}

/// A note about earlier work in a workspace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeNote {
    pub kind: CodeNoteKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path: Option<String>,
    pub text: String,
    #[ts(type = "number")]
    pub created_at: i64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CodeNoteKind {
    /// A change that was made.
    Change,
    /// A failure after a change.
    Failure,
}

/// The state of the files and the conversation before a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Checkpoint {
    pub id: CheckpointId,
    pub label: String,
    #[ts(type = "number")]
    pub created_at: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub conversation_id: Option<ConversationId>,
}

/// The response of `GET /api/code/history`. Each list is sorted newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeHistory {
    pub proposals: Vec<Proposal>,
    pub notes: Vec<CodeNote>,
    pub checkpoints: Vec<Checkpoint>,
}
