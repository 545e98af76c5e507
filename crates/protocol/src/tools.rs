//! Tools: calls, permissions, confirmations, skills, and the audit log.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{ConversationId, GrantId, MessageId, UserId};

/// The harm that a tool can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Risk {
    Safe,
    /// The tool acts outside of the conversation.
    Risky,
    Dangerous,
}

/// The permission of a tool to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Permission {
    Allow,
    /// The user is asked each time, unless a grant or a command rule allows the call.
    Confirm,
    Block,
}

/// The origin of untrusted content, which neither the user nor the companion wrote.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", content = "name", rename_all = "camelCase")]
pub enum Origin {
    /// A web page at this address.
    Web(String),
    /// A search result at this address.
    Search(String),
    File(String),
    /// An MCP server or another program, with this name.
    Mcp(String),
    /// The tool descriptions of this MCP server, which are in every prompt that offers its tools.
    Tools(String),
    Picture(String),
    /// The workspace in this folder, and the output of commands there.
    Workspace(String),
}

/// Something to show on the screen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Command {
    /// The name of the tool or tag in lower case: `widget`, `map`, `web_search`.
    pub action: String,
    #[ts(type = "unknown")]
    pub payload: Value,
}

/// A request for the user's confirmation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    /// The id of the tool call. A question that the tool asks while it runs has a number appended: `call.1`.
    pub id: String,
    pub tool: String,
    /// The effect of the call, in one sentence.
    pub description: String,
    #[ts(type = "unknown")]
    pub args: Value,
    pub risk: Risk,
    /// The reason why confirmation is needed.
    pub why: String,
    /// True if untrusted content in the prompt may have caused the call. Grants do not apply then.
    pub tainted: bool,
    /// True if this must be confirmed every time. A permanent permission would have no effect and is not offered.
    #[serde(default)]
    pub every_time: bool,
    /// The deadline: RFC 3339, in UTC. No answer by then counts as a no.
    pub until: String,
    /// The JSON Schema of a flat object with values that the user can fill in; absent if there is nothing to fill in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub form: Option<Value>,
    /// The rule that would allow similar calls; absent if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rule: Option<String>,
}

/// A pending confirmation request, with its conversation and message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingConfirmation {
    pub conversation_id: ConversationId,
    pub message_id: MessageId,
    pub confirmation: Confirmation,
}

/// The response of `GET /api/chat/confirmations`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Confirmations {
    pub waiting: Vec<WaitingConfirmation>,
}

/// The request body of `POST /api/chat/confirm/{id}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct ConfirmRequest {
    pub approved: bool,
    /// The calls to allow from now on without confirmation. It has no effect if the request must be confirmed every
    /// time.
    #[serde(default)]
    pub remember: Option<Remember>,
    /// The values that the user filled in, if the request has a form.
    #[serde(default)]
    #[ts(optional, type = "Record<string, unknown>")]
    pub filled: Option<serde_json::Map<String, Value>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Remember {
    Tool,
    /// This tool with exactly these arguments.
    Arguments,
    /// The `rule` of the confirmation request.
    Rule,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfirmReply {
    /// False if the request was already answered, or is no longer pending.
    pub settled: bool,
}

/// A step of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanStep {
    pub title: String,
    pub status: StepStatus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum StepStatus {
    Pending,
    Running,
    Done,
    /// The turn ended before this step.
    Skipped,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum ToolStatus {
    /// The call was handed to the API client that offered the tool.
    Requested,
    /// The call waits for the user's confirmation.
    Waiting,
    Running,
    Done,
    Failed,
    /// The user declined, did not answer in time, or stopped the turn.
    Denied,
    /// The permissions or a skill do not allow the call, or it cannot be made here.
    Blocked,
}

/// A tool call as stored with a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Act {
    pub id: String,
    pub name: String,
    #[ts(type = "unknown")]
    pub args: Value,
    pub status: ToolStatus,
    /// The result as the model received it.
    #[ts(type = "unknown")]
    pub result: Option<Value>,
    pub ms: Option<u32>,
    /// The command that showed something on the screen; `null` if there was none.
    pub command: Option<Command>,
    /// The position of the call in the text of the message, in UTF-16 code units as in browsers.
    pub at: u32,
    pub pinned: bool,
}

/// A tool call whose display the user has pinned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PinnedAct {
    pub message_id: MessageId,
    pub act: Act,
}

/// The request body of `PUT /api/chats/{id}/pins`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PinRequest {
    #[serde(alias = "message_id")]
    pub message_id: MessageId,
    #[serde(alias = "act_id")]
    pub act_id: String,
    pub pinned: bool,
}

/// A tool as shown on the tools page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolInfo {
    pub name: String,
    pub description: String,
    #[ts(type = "unknown")]
    pub parameters: Value,
    pub risk: Risk,
    pub reads_private: bool,
    pub brings_untrusted: bool,
    pub sends_out: bool,
    pub changes: bool,
    /// The settings group of the tool, such as `memory`; `null` if it belongs to none.
    pub group: Option<String>,
    /// True if that group is on. A tool whose group is off is not offered and cannot run.
    pub on: bool,
    pub tags: Vec<String>,
    /// The permission in force: the one that the user has set, or else the default.
    pub permission: Permission,
    pub default_permission: Permission,
    pub time_limit_seconds: u32,
}

/// The response of `GET /api/tools`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolList {
    pub tools: Vec<ToolInfo>,
}

/// The request body of `POST /api/tools/{name}/run`, which runs a tool for the user. It passes the same permission
/// check as a call by the model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct RunToolRequest {
    #[serde(default)]
    #[ts(type = "unknown")]
    pub args: serde_json::Map<String, Value>,
    #[serde(alias = "conversation_id", default)]
    pub conversation_id: Option<ConversationId>,
}

/// The response of `GET /api/permissions`: the permissions that differ from the defaults, and the grants.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PermissionList {
    pub permissions: std::collections::BTreeMap<String, Permission>,
    pub grants: Vec<Grant>,
    /// The error in the permissions file, while the last valid permissions stay in force; `null` if there is none.
    pub trouble: Option<String>,
}

/// The request body of `PUT /api/permissions`, such as `{"web_fetch": "allow", "run_command": null}`. `null` resets a
/// permission to its default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object)]
pub struct PermissionPatch(pub std::collections::BTreeMap<String, Option<Permission>>);

/// The response of `GET /api/commands/rules`: the rules for shell commands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommandRules {
    pub rules: Vec<CommandRule>,
    /// The rules that cannot be used, with the reasons.
    pub refused: Vec<RefusedRule>,
    /// The error in the rules file, while every command needs confirmation; `null` if there is none.
    pub trouble: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommandRule {
    pub id: String,
    /// The verdict: `allow`, `ask` or `deny`.
    pub verdict: String,
    pub pattern: String,
    /// The folder in which the rule applies; `null` means everywhere.
    pub root: Option<String>,
    /// Examples of command lines that the rule matches.
    pub matches: Vec<String>,
    pub note: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefusedRule {
    pub id: String,
    pub why: String,
}

/// The request body of `POST /api/commands/rules`, which allows similar commands to run without confirmation, or
/// restores a rule. Exactly one of the two fields must be given.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct AllowCommandRequest {
    /// An example of the commands to allow.
    #[serde(default)]
    pub line: Option<String>,
    /// A deleted rule to restore, as the deletion returned it.
    #[serde(default)]
    #[ts(optional, type = "unknown")]
    #[schema(value_type = Option<Object>)]
    pub rule: Option<Value>,
}

/// The response of `DELETE /api/commands/rules/{id}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakenBack {
    /// The rule as it was in the file, for restoring it.
    #[ts(type = "unknown")]
    #[schema(value_type = Object)]
    pub rule: Value,
}

/// A permission for a tool to run with exactly these arguments without confirmation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    pub id: GrantId,
    pub tool: String,
    #[ts(type = "unknown")]
    pub args: Value,
    pub created_at: String,
}

/// A skill as shown on the skills page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillInfo {
    pub name: String,
    pub description: String,
    /// The only tools that may run while the skill is followed; `null` means all.
    pub allowed_tools: Option<Vec<String>>,
    /// True if the skill came with the program.
    pub shipped: bool,
    pub licence: Option<String>,
    pub files: Vec<String>,
    /// The reason why the skill cannot be used; `null` if it can.
    pub trouble: Option<String>,
}

/// The response of `GET /api/skills`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillList {
    pub skills: Vec<SkillInfo>,
    /// The folder for the user's own skills.
    pub folder: String,
}

/// The response of `GET /api/skills/{name}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillView {
    pub skill: SkillInfo,
    /// The text of `SKILL.md` after the front matter.
    pub body: String,
}

/// The response of `GET /api/spotify`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpotifyState {
    pub status: SpotifyStatus,
    /// The redirect URL that the Spotify app has to allow.
    pub redirect: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SpotifyStatus {
    NotSetUp,
    SignedOut,
    SignedIn,
}

/// The response of `POST /api/spotify/begin`: the page for signing in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpotifyUrl {
    pub url: String,
}

/// The request body of `POST /api/spotify/finish`: the parameters with which Spotify redirected the browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpotifyCode {
    pub state: String,
    pub code: String,
}

/// A tool call in the audit log, whether it was made or refused.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    pub at: String,
    pub user: UserId,
    pub conversation_id: Option<ConversationId>,
    pub tool: String,
    #[ts(type = "unknown")]
    pub args: Value,
    /// The result, or the reason why there is none. Long texts are shortened.
    pub result: String,
    pub risk: Risk,
    pub decision: AuditDecision,
    /// The reason why the user was asked, or why the call was refused; `null` if there is none.
    pub why: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum AuditDecision {
    Allowed,
    /// The user confirmed the call.
    Approved,
    /// The user declined the call.
    Denied,
    /// The user did not answer in time.
    TimedOut,
    /// The reply was stopped while the call waited for confirmation.
    Stopped,
    Blocked,
    /// The arguments were not valid.
    Refused,
}

/// The response of `GET /api/audit`, newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditPage {
    pub entries: Vec<AuditEntry>,
    /// The value of `?cursor=` for older entries; `null` on the last page.
    pub next: Option<String>,
}
