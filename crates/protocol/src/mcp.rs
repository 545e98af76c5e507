use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;
use utoipa::ToSchema;

/// `GET /api/mcp/servers`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpServerList {
    pub servers: Vec<McpServerInfo>,
    pub sandbox: SandboxInfo,
    /// Those that she wrote, were taken away and can be had back.
    #[serde(default)]
    pub deleted: Vec<MadeDeleted>,
    /// Why those that she wrote cannot be listed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub trouble: Option<String>,
}

/// How well programs can be held on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SandboxInfo {
    /// `full`, `partial` or `none`.
    pub level: String,
    /// What keeps it from being full, and how to mend that.
    pub missing: Vec<String>,
}

/// A server that brings tools.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpServerInfo {
    pub name: String,
    pub kind: McpKind,
    pub state: McpState,
    /// What is wrong, where something is.
    pub trouble: Option<String>,
    /// The command line or the address; of one that she made, its file.
    pub reach: String,
    pub description: Option<String>,
    pub version: Option<String>,
    pub tools: Vec<McpToolInfo>,
    /// What it offers and cannot be used, and why.
    pub left_out: Vec<String>,
    pub has_resources: bool,
    pub has_prompts: bool,
    /// Where you stand with one that lets nobody in who has not signed in with it.
    pub sign_in: Option<McpSignIn>,
    /// What waits for your word. It is said yes to with this very text, so that nothing else is meant by it.
    pub asks: Option<String>,
    /// Of one that she made.
    pub made: Option<MadeInfo>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum McpKind {
    /// It stands in the settings.
    Configured,
    /// She wrote it herself.
    Made,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum McpState {
    /// It has never been let in, or is not what was let in.
    Asking,
    /// It is switched off in the settings.
    Disabled,
    /// It does not run, and starts when it is needed.
    Resting,
    Starting,
    Ready,
    /// It wants you to sign in with it.
    Locked,
    /// It failed, and is tried again.
    Failing,
    /// It failed too often.
    Failed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum McpSignIn {
    /// Without it, nothing can be used.
    Wanted,
    /// You are signed in, and something needs more rights than you gave it.
    More,
    Done,
}

/// `POST /api/mcp/servers/{name}/sign-in`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpSignInStart {
    /// The page to open in a browser. It leads back here.
    pub url: String,
}

/// A tool of a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpToolInfo {
    /// As the server calls it.
    pub name: String,
    /// As she calls it.
    pub full_name: String,
    pub description: String,
    #[ts(type = "unknown")]
    pub parameters: Value,
    pub standing: McpStanding,
    /// What it said of itself when it was let in, where it says something else now.
    pub was: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum McpStanding {
    Approved,
    New,
    Changed,
}

/// What is known of a server that she wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MadeInfo {
    /// What lies there, as a yes to it names it: the `seen` of an approval.
    pub digest: String,
    pub auto_start: bool,
    /// Whether it asks for the network.
    pub wants_network: bool,
    /// The hosts that it may reach, or could when it was let in; `*` is every public one.
    pub hosts: Vec<String>,
    pub created_at: String,
    pub changed_at: String,
    pub versions: Vec<MadeVersion>,
}

/// An earlier or the present text of a server that she wrote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MadeVersion {
    pub id: String,
    pub at: String,
    /// What the change was for.
    pub note: String,
}

/// `POST /api/mcp/servers`: adds one to the settings, in the form that other MCP clients use. Whoever sends it lets it in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpAddRequest {
    pub name: String,
    #[ts(type = "unknown")]
    #[schema(value_type = Object)]
    pub server: Map<String, Value>,
}

/// `POST /api/mcp/servers/{name}/approve`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct McpApproveRequest {
    /// What was shown as `asks`.
    pub seen: String,
    /// The hosts that it may reach from here on; `*` is every public one.
    #[serde(default)]
    pub hosts: Option<Vec<String>>,
}

/// `GET /api/mcp/servers/{name}/logs`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpLog {
    pub lines: Vec<McpLogLine>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct McpLogLine {
    pub at: String,
    pub text: String,
}

/// `GET /api/mcp/servers/{name}/source`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MadeSource {
    pub code: String,
    /// What was said yes to last; where that is not known, the version before it.
    pub before: Option<String>,
    /// What was said of it when it was let in, where something else is said now.
    pub described_before: Option<String>,
    /// Whether it asked for the network when it was let in, where that is another now.
    pub wanted_network_before: Option<bool>,
}

/// A server that she wrote and that was taken away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct MadeDeleted {
    pub name: String,
    pub description: String,
}
