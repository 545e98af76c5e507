use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// `GET /api/models`: everything that the model picker shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModelsReport {
    pub current: ModelState,
    pub installed: Vec<InstalledModel>,
    pub catalogue: Vec<CatalogueEntry>,
    /// Models that turn texts into vectors, for memory. They do not answer, so they cannot be used in a chat.
    #[serde(default)]
    #[ts(as = "Option<Vec<CatalogueEntry>>", optional)]
    pub embedding: Vec<CatalogueEntry>,
    pub servers: Vec<LocalServer>,
    pub downloads: Vec<Download>,
    /// The catalogue's name of the best model for this machine.
    pub recommended: Option<String>,
    /// What answers is there to try things, and too small to be good company.
    #[serde(default)]
    pub trial: bool,
    pub machine: Machine,
}

/// What answers at the moment, or why nothing does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "state", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum ModelState {
    /// No model is chosen.
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
    /// In this process, from a GGUF file.
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
    /// What `use` takes: a catalogue name, a file name, or `server/model`.
    pub name: String,
    pub kind: ModelKind,
    #[ts(type = "number | null")]
    pub bytes: Option<u64>,
    pub current: bool,
}

/// A model that can be brought here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CatalogueEntry {
    pub name: String,
    pub title: String,
    /// One sentence: what it is good for.
    pub about: String,
    #[ts(type = "number")]
    pub bytes: u64,
    /// Memory that it needs while it runs.
    #[ts(type = "number")]
    pub memory: u64,
    pub parameters: String,
    pub licence: String,
    pub sources: Vec<SourceKind>,
    pub installed: bool,
    /// Whether this machine has the memory for it.
    pub fits: bool,
    /// Small enough to try things, too small to be good company.
    pub tiny: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SourceKind {
    Hub,
    /// A package of the Python registry.
    Pip,
    /// A package of the npm registry.
    Npm,
    Url,
    File,
}

/// A model server that was found on this machine.
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

/// `POST /api/models/pull`: a catalogue name, a URL, or the path of a file on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct PullRequest {
    pub name: String,
    /// Only this source; without it each is tried in turn.
    #[serde(default)]
    pub source: Option<SourceKind>,
    /// Answer with this model as soon as it is here.
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
    /// Zero while it is not known.
    #[ts(type = "number")]
    pub total: u64,
    pub bytes_per_second: u32,
    pub seconds_left: Option<u32>,
    pub source: Option<SourceKind>,
    /// What is happening, or what went wrong and what to do.
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
