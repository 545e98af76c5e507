use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;
use utoipa::ToSchema;

/// `GET /api/config`: the settings as they are in force, and what is wrong with the file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigReport {
    /// The file that was read, or would be written.
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
    /// Dotted, as in `llm.base_url`.
    pub key: String,
    pub about: String,
    pub kind: FieldKind,
    /// Allowed values, where the kind is `choice`.
    pub choices: Vec<String>,
    /// The value in force. A secret is only ever `true` (set) or `false`.
    #[ts(type = "unknown")]
    pub value: Value,
    #[ts(type = "unknown")]
    pub default: Value,
    /// Who decided: `default`, `file`, `environment` or `flag`. The last two cannot be changed here.
    pub from: String,
    /// False while the part that reads this key is not built yet.
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
    /// Something with a shape of its own, edited in the file.
    Table,
}

/// Something in the file that needs a person's eye.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfigProblem {
    pub message: String,
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// The file could not be used, and the last good settings are in force.
    pub fatal: bool,
}

/// `PATCH /api/config`: dotted keys and their new values; `null` returns a key to its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(transparent)]
pub struct ConfigPatch(#[ts(type = "Record<string, unknown>")] pub Map<String, Value>);
