//! Models: installed ones, the catalogue, and downloads.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// The response of `GET /api/models`: everything that the model picker shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelsReport {
    pub current: ModelState,
    pub installed: Vec<InstalledModel>,
    pub catalogue: Vec<CatalogueEntry>,
    /// Embedding models, which the memory uses. They cannot be used in a chat.
    #[serde(default)]
    #[ts(as = "Option<Vec<CatalogueEntry>>", optional)]
    pub embedding: Vec<CatalogueEntry>,
    pub servers: Vec<LocalServer>,
    pub downloads: Vec<Download>,
    /// The catalogue name of the best model for this machine.
    pub recommended: Option<String>,
    /// True if the current model is a very small one, meant only for trying things out.
    #[serde(default)]
    pub trial: bool,
    pub machine: Machine,
}

/// The model in use, or the reason why there is none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "state", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ModelState {
    /// No model is chosen. `hint` says how to choose one.
    None {
        hint: String,
    },
    Loading {
        name: String,
    },
    Ready {
        name: String,
        kind: ModelKind,
        context: u32,
        vision: bool,
    },
    Failed {
        name: String,
        message: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ModelKind {
    /// A GGUF file, run in this process.
    Embedded,
    #[serde(rename = "openai")]
    OpenAi,
    Ollama,
    LlamaServer,
    /// A program that reads a prompt and prints a reply.
    Command,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct InstalledModel {
    /// The name to use in `POST /api/models/use`: a catalogue name, a file name, or `server/model`.
    pub name: String,
    pub kind: ModelKind,
    #[ts(type = "number | null")]
    pub bytes: Option<u64>,
    pub current: bool,
}

/// A model that can be downloaded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CatalogueEntry {
    pub name: String,
    pub title: String,
    /// The purpose of the model, in one sentence.
    pub about: String,
    #[ts(type = "number")]
    pub bytes: u64,
    /// The memory that it needs while running, in bytes.
    #[ts(type = "number")]
    pub memory: u64,
    pub parameters: String,
    pub licence: String,
    pub sources: Vec<SourceKind>,
    pub installed: bool,
    /// True if this machine has enough memory for it.
    pub fits: bool,
    /// True for a very small model, meant only for trying things out.
    pub tiny: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SourceKind {
    Hub,
    /// A package from the Python package registry.
    Pip,
    /// A package from the npm registry.
    Npm,
    Url,
    File,
}

/// A model server found on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LocalServer {
    pub kind: ServerKind,
    pub base_url: String,
    pub models: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ServerKind {
    Ollama,
    LmStudio,
    LlamaServer,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Machine {
    #[ts(type = "number")]
    pub memory: u64,
    pub cores: u32,
    #[ts(type = "number")]
    pub disk_free: u64,
}

/// The request body of `POST /api/models/pull`. `name` is a catalogue name, a URL, or the path of a file on this
/// machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct PullRequest {
    pub name: String,
    /// The only source to use. If absent, each one is tried in turn.
    #[serde(default)]
    pub source: Option<SourceKind>,
    /// True to use the model as soon as it is available.
    #[serde(default)]
    #[ts(as = "Option<bool>")]
    pub then_use: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct UseModelRequest {
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Download {
    pub name: String,
    pub state: DownloadState,
    #[ts(type = "number")]
    pub received: u64,
    /// The total size in bytes; 0 while it is unknown.
    #[ts(type = "number")]
    pub total: u64,
    pub bytes_per_second: u32,
    pub seconds_left: Option<u32>,
    pub source: Option<SourceKind>,
    /// A text for the user: the current step, or what went wrong and what to do.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum DownloadState {
    Waiting,
    Running,
    Checking,
    Done,
    Failed,
    Cancelled,
}
