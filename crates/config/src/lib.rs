//! The settings: `config.toml` or Lumina's `config.json`, the environment, the flags, and where everything is kept.
//!
//! Each setting is described once, in [`Config`]'s own declaration (`settings.rs`), and everything else follows from that:
//! the types, the example file, the report for the settings page, the names in the environment, the checks. This crate
//! acts on no setting; it reads and writes them. Parsing and editing are pure: texts in, values out.
//!
//! Start with [`LiveConfig`], which holds the settings while the program runs.

// The tests lay out files and folders of their own.
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
pub use kind::{McpOauth, McpReach, McpServer, Url};
pub use live::{IdleKey, LiveConfig, SetError};
pub use load::{Environment, Flags, Source};
pub use paths::{Folders, Paths};
pub use settings::{
    Apply, Auth, Bash, Body, BraveSearch, BuiltinTools, Chat, Code, Colours, Companion, ComputeDevice,
    Config, Emotion, Files, Heartbeat, Llm, Log, LogLevel, Map, Mcp, McpPackage, Models, Provider,
    SHORTEST_TOKEN, SearxngSearch, Server, SpeechProvider, Spotify, Stt, TitleStyle, ToolStyle, Tts,
    VectorSearch, VectorSource, WakeWord, Weather, WebSearch,
};
