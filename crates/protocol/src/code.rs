//! Writing code: workspaces, requests, and what comes of them.

mod proposals;
mod verify;

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

pub use self::proposals::*;
pub use self::verify::*;
use crate::{CheckpointId, ConversationId, ProposalId};

/// What she does with a request about code.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum CodeMode {
    /// She changes files: as a proposal, until somebody says that they shall land.
    #[default]
    Agent,
    /// She answers, and changes nothing.
    #[serde(alias = "chat")]
    Ask,
    /// She writes down the steps, and changes nothing.
    Plan,
    /// She mends what an error is about.
    Repair,
}

/// What happens to what she changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ApplyMode {
    /// Somebody looks at it first.
    #[default]
    Ask,
    Auto,
}

/// `POST /api/code/stream`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[ts(optional_fields)]
pub struct CodeRequest {
    #[ts(as = "Option<CodeMode>")]
    pub mode: CodeMode,
    /// What is wanted. `@path`, `@folder/`, `@symbol`, `@diff`, `@terminal` and `@https://…` in it bring what they name.
    pub text: String,
    /// Without one, a conversation of its own begins.
    #[serde(alias = "conversation_id")]
    pub conversation_id: Option<ConversationId>,
    /// The workspace. Without one, it is the one that was used last.
    pub root: Option<String>,
    /// The file that is meant. Without one, she looks for those that matter, and says why.
    #[serde(alias = "focus_file")]
    pub focus_file: Option<String>,
    #[serde(alias = "extra_read_files")]
    #[ts(as = "Option<Vec<String>>")]
    pub extra_read_files: Vec<String>,
    #[serde(alias = "context_folders")]
    #[ts(as = "Option<Vec<String>>")]
    pub context_folders: Vec<String>,
    /// The steps of a plan that is to be carried out.
    #[serde(alias = "plan_context")]
    pub plan_context: Option<String>,
    /// What a build or a test printed last.
    #[serde(alias = "last_error")]
    pub last_error: Option<String>,
    pub apply: Option<ApplyMode>,
    #[serde(alias = "client_message_id")]
    pub client_message_id: Option<String>,
}

/// How far the index of a workspace is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "state", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum IndexState {
    /// Nobody has worked there since the program began.
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

/// A folder in which she writes code.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeRoot {
    pub path: String,
    pub name: String,
    /// The files and folders that are in play; none means all.
    pub include: Vec<String>,
    /// When it was used last, in milliseconds since 1970.
    #[ts(type = "number")]
    pub used_at: i64,
    pub index: IndexState,
    /// Why nothing can be done there any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trouble: Option<String>,
}

/// `GET /api/code/root`: the workspaces, the one in use first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeRootList {
    /// The path of the one in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub current: Option<String>,
    pub roots: Vec<CodeRoot>,
}

/// `POST /api/code/root`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeRootRequest {
    pub path: String,
}

/// `GET /api/code/folders?path=`: the folders inside of a folder of this machine, to choose a workspace among.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FolderList {
    /// The folder that is looked into; the user's own where none was named.
    pub path: String,
    /// The one that it lies in.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub parent: Option<String>,
    /// Without hidden ones, by name.
    pub folders: Vec<Folder>,
    /// There are more than are listed.
    pub more: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Folder {
    pub name: String,
    pub path: String,
    /// It looks like a project: it is a repository, or says how it is built.
    pub project: bool,
}

/// `POST /api/code/include`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct IncludeRequest {
    /// Relative to the root; none means all.
    pub paths: Vec<String>,
    /// The workspace; without one, it is the one that was used last.
    #[serde(default)]
    pub root: Option<String>,
}

/// A file of the workspace, as the list has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeFile {
    pub path: String,
    pub bytes: u32,
    /// Whether it is among what she may change.
    pub included: bool,
}

/// `GET /api/code/files`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeFileList {
    pub files: Vec<CodeFile>,
    /// There are more than are listed.
    pub more: bool,
}

/// Something that a file defines.
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

/// `GET /api/code/file?path=`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeFileView {
    pub path: String,
    /// Empty where it is no text.
    pub content: String,
    pub language: String,
    /// Of the bytes on the disk; it goes with what is saved.
    pub hash: String,
    pub bytes: u32,
    pub binary: bool,
    pub editable: bool,
    pub symbols: Vec<CodeSymbol>,
}

/// `PUT /api/code/file`: what somebody wrote in the editor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct SaveFileRequest {
    pub path: String,
    pub content: String,
    /// The file as it was when it was opened; nothing for a new one.
    #[serde(default)]
    pub hash: Option<String>,
    /// The workspace; without one, it is the one that was used last.
    #[serde(default)]
    pub root: Option<String>,
}

/// `POST /api/code/run`: a command of the user's own, in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct CodeRunRequest {
    pub command: String,
    /// The workspace; without one, it is the one that was used last.
    #[serde(default)]
    pub root: Option<String>,
}

/// Something that a run did, in a few words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeAction {
    /// The tool.
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub path: Option<String>,
    pub ok: bool,
    /// How the place was found, for an edit: `exact`, `indentation`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub strategy: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeDiff {
    pub path: String,
    /// As `diff -u` writes it.
    pub diff: String,
}

/// How a run ended: the event `meta`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeMeta {
    pub ok: bool,
    pub summary: String,
    /// What it changed.
    pub files: Vec<String>,
    pub diffs: Vec<CodeDiff>,
    pub actions: Vec<CodeAction>,
    pub duration_ms: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub proposal_id: Option<ProposalId>,
    pub requires_approval: bool,
    /// How and where she was asked, so that she can be asked again; nothing of what a person does by themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub mode: Option<CodeMode>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub root: Option<String>,
}

/// A file that was found to matter, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RelevantFile {
    pub path: String,
    pub reasons: Vec<String>,
}

/// A part of what a request is answered with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ContextPart {
    /// In a few words: `focus file src/main.rs`, `repo map`.
    pub source: String,
    pub tokens: u32,
    /// Not all of it had room.
    pub cut: bool,
}

/// Something that is remembered of the work here.
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
    /// What was changed.
    Change,
    /// What went wrong.
    Failure,
}

/// The files and the conversation as they were before a run.
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

/// `GET /api/code/history`, each the newest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CodeHistory {
    pub proposals: Vec<Proposal>,
    pub notes: Vec<CodeNote>,
    pub checkpoints: Vec<Checkpoint>,
}
