//! Settings.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;
use utoipa::ToSchema;

/// The response of `GET /api/config`: the settings in force, and the problems in the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigReport {
    /// The path of the settings file. The file may not exist yet.
    pub path: String,
    pub sections: Vec<ConfigSection>,
    pub problems: Vec<ConfigProblem>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigSection {
    pub name: String,
    pub about: String,
    pub fields: Vec<ConfigField>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigField {
    /// The dotted key, as in `llm.base_url`.
    pub key: String,
    pub about: String,
    pub kind: FieldKind,
    /// The allowed values if the kind is `choice`.
    pub choices: Vec<String>,
    /// The value in force. For a secret it is only `true` (set) or `false` (not set).
    #[ts(type = "unknown")]
    pub value: Value,
    #[ts(type = "unknown")]
    pub default: Value,
    /// The source of the value: `default`, `file`, `environment` or `flag`. Values of the last two cannot be changed
    /// through the API.
    pub from: String,
    /// False if the part of the program that reads this key is not built yet.
    pub effective: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum FieldKind {
    Switch,
    Number,
    Text,
    Secret,
    Choice,
    List,
    /// A structured value, which is edited in the file.
    Table,
}

/// A problem in the settings file that the user should look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigProblem {
    pub message: String,
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// True if the file could not be used at all, so that the last valid settings stay in force.
    pub fatal: bool,
}

/// The request body of `PATCH /api/config`: dotted keys with their new values. `null` resets a key to its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(transparent)]
pub struct ConfigPatch(#[ts(type = "Record<string, unknown>")] pub Map<String, Value>);
