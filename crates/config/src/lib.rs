//! The settings: `config.toml` or Lumina's `config.json`, the environment, the command-line flags, and the paths of the
//! data folder.
//!
//! Each setting is described once, in the declaration of [`Config`] (`settings.rs`). The types, the example file, the
//! report for the settings page, the environment variables and the checks are derived from it. This crate only reads
//! and writes settings and acts on none. Parsing and editing are pure functions from text to values.
//!
//! Start with [`LiveConfig`], which holds the settings while the program runs.

// The tests create their own files and folders.
#![cfg_attr(test, allow(clippy::disallowed_methods))]

mod alias;
mod document;
mod edit;
mod example;
mod file;
mod kind;
mod live;
mod load;
mod paths;
mod report;
mod settings;
mod suggest;
mod table;

pub use example::example;
pub use kind::{McpOauth, McpServer, McpTransport, Url};
pub use live::{LiveConfig, SetError, UnusedSetting};
pub use load::{Environment, Flags, SettingSource};
pub use paths::{Folders, Paths};
pub use settings::{
    Apply, Auth, Bash, Body, BraveSearch, BuiltinTools, Chat, Code, Colours, Companion, ComputeDevice,
    Config, Emotion, Files, Heartbeat, Llm, Log, LogLevel, Map, Mcp, McpPackage, Models, Provider,
    SHORTEST_TOKEN, SearxngSearch, Server, SpeechProvider, Spotify, Stt, TitleStyle, ToolStyle, Tts,
    VectorSearch, VectorSource, WakeWord, Weather, WebSearch,
};
