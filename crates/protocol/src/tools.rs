use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;
use utoipa::ToSchema;

use crate::{ConversationId, GrantId, MessageId, ToolStatus, UserId};

/// How much harm a tool can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Risk {
    Safe,
    /// It acts outside of the conversation.
    Risky,
    Dangerous,
}

/// Whether a tool may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Permission {
    Allow,
    /// The user is asked each time.
    Confirm,
    Block,
}

/// Where words came from that neither the user nor she wrote.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, ToSchema)]
#[serde(tag = "kind", content = "name", rename_all = "camelCase")]
pub enum Origin {
    /// A page at this address.
    Web(String),
    /// What a search found at this address.
    Search(String),
    File(String),
    /// A tool of another program.
    Mcp(String),
    /// What a server says of its tools, which stands in every prompt that offers them.
    Tools(String),
    Picture(String),
    /// The folder that she works in, and what commands print there.
    Workspace(String),
}

/// `command{action, payload}`: something to open on the screen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Command {
    /// The name of the tool or tag in small letters: `widget`, `map`, `web_search`.
    pub action: String,
    #[ts(type = "unknown")]
    pub payload: Value,
}

/// A question to the user: may she?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Confirmation {
    /// The tool call's. What the tool asks while it runs has a number behind it: `call.1`.
    pub id: String,
    pub tool: String,
    /// What it would do, in a sentence.
    pub description: String,
    #[ts(type = "unknown")]
    pub args: Value,
    pub risk: Risk,
    /// Why she asks.
    pub why: String,
    /// Words of others are in the prompt: they may have brought this about, and no grant counts.
    pub tainted: bool,
    /// It is asked about each time: a yes for good would change nothing, and is not offered.
    #[serde(default)]
    pub every_time: bool,
    /// No answer until then is a no.
    pub until: String,
    /// What can be filled in with the yes: the schema of a flat object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional, type = "unknown")]
    pub form: Option<Value>,
    /// Others like it, as the rule that would allow them has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rule: Option<String>,
}

/// A question that still waits, and where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WaitingConfirmation {
    pub conversation_id: ConversationId,
    pub message_id: MessageId,
    pub confirmation: Confirmation,
}

/// `GET /api/chat/confirmations`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Confirmations {
    pub waiting: Vec<WaitingConfirmation>,
}

/// `POST /api/chat/confirm/{id}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct ConfirmRequest {
    pub approved: bool,
    /// What is allowed from here on without asking, where that can be.
    #[serde(default)]
    pub remember: Option<Remember>,
    /// What was filled in, where the question had a form.
    #[serde(default)]
    #[ts(optional, type = "Record<string, unknown>")]
    pub filled: Option<serde_json::Map<String, Value>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum Remember {
    Tool,
    /// This tool with these very arguments.
    Arguments,
    /// What the question calls the `rule`.
    Rule,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ConfirmReply {
    /// False when it had been answered already, or it was too late.
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
    /// The turn ended before it.
    Skipped,
}

/// A tool call as a message keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Act {
    pub id: String,
    pub name: String,
    #[ts(type = "unknown")]
    pub args: Value,
    pub status: ToolStatus,
    /// What the model was told.
    #[ts(type = "unknown")]
    pub result: Option<Value>,
    pub ms: Option<u32>,
    /// What it opened on the screen.
    pub command: Option<Command>,
    /// Where in the message's text it stands, in characters (UTF-16 units, as browsers count).
    pub at: u32,
    pub pinned: bool,
}

/// Something on the screen that the user keeps at hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PinnedAct {
    pub message_id: MessageId,
    pub act: Act,
}

/// `PUT /api/chats/{id}/pins`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PinRequest {
    #[serde(alias = "message_id")]
    pub message_id: MessageId,
    #[serde(alias = "act_id")]
    pub act_id: String,
    pub pinned: bool,
}

/// A tool as the tools page shows it.
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
    /// The group of the settings that it belongs to, such as `memory`.
    pub group: Option<String>,
    /// Whether that group is on. A tool whose group is off is not offered and cannot run.
    pub on: bool,
    pub tags: Vec<String>,
    /// What holds: what the user said, or else the default.
    pub permission: Permission,
    pub default_permission: Permission,
    pub time_limit_seconds: u32,
}

/// `GET /api/tools`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ToolList {
    pub tools: Vec<ToolInfo>,
}

/// `POST /api/tools/{name}/run`: a button. It passes the same gate as a call of hers.
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

/// `GET /api/permissions`: what differs from the defaults.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PermissionList {
    pub permissions: std::collections::BTreeMap<String, Permission>,
    pub grants: Vec<Grant>,
    /// What is wrong with the file, while the last good one holds.
    pub trouble: Option<String>,
}

/// `PUT /api/permissions`: `{"web_fetch": "allow", "run_command": null}`; null goes back to the default.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(transparent)]
#[schema(value_type = Object)]
pub struct PermissionPatch(pub std::collections::BTreeMap<String, Option<Permission>>);

/// `GET /api/commands/rules`: the rules about shell commands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommandRules {
    pub rules: Vec<CommandRule>,
    /// Those that cannot be used, and why.
    pub refused: Vec<RefusedRule>,
    /// What is wrong with the file, while every command asks.
    pub trouble: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CommandRule {
    pub id: String,
    /// `allow`, `ask` or `deny`.
    pub verdict: String,
    pub pattern: String,
    /// The folder that it holds in; everywhere if there is none.
    pub root: Option<String>,
    /// Lines that it is about.
    pub matches: Vec<String>,
    pub note: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RefusedRule {
    pub id: String,
    pub why: String,
}

/// `POST /api/commands/rules`: lets commands like this one run without a question, or puts a rule back.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
#[ts(optional_fields)]
pub struct AllowCommandRequest {
    /// A command like those that are allowed from here on.
    #[serde(default)]
    pub line: Option<String>,
    /// A rule as it was when it was taken back.
    #[serde(default)]
    #[ts(optional, type = "unknown")]
    #[schema(value_type = Option<Object>)]
    pub rule: Option<Value>,
}

/// `DELETE /api/commands/rules/{id}`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TakenBack {
    /// What was taken out of the file, to be put back.
    #[ts(type = "unknown")]
    #[schema(value_type = Object)]
    pub rule: Value,
}

/// A tool that may run with these very arguments without asking.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Grant {
    pub id: GrantId,
    pub tool: String,
    #[ts(type = "unknown")]
    pub args: Value,
    pub created_at: String,
}

/// A skill as the skills page shows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillInfo {
    pub name: String,
    pub description: String,
    /// The only tools that may run while the skill is followed; absent, all may.
    pub allowed_tools: Option<Vec<String>>,
    /// Whether it came with the program.
    pub shipped: bool,
    pub licence: Option<String>,
    pub files: Vec<String>,
    /// What is wrong with it, where it cannot be used.
    pub trouble: Option<String>,
}

/// `GET /api/skills`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillList {
    pub skills: Vec<SkillInfo>,
    /// Where a user's own are put.
    pub folder: String,
}

/// `GET /api/skills/{name}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SkillView {
    pub skill: SkillInfo,
    /// The text of `SKILL.md` after its front matter.
    pub body: String,
}

/// `GET /api/spotify`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpotifyState {
    pub status: SpotifyStatus,
    /// The address that the Spotify app has to allow.
    pub redirect: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum SpotifyStatus {
    NotSetUp,
    SignedOut,
    SignedIn,
}

/// Where to sign in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpotifyUrl {
    pub url: String,
}

/// What Spotify sent back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SpotifyCode {
    pub state: String,
    pub code: String,
}

/// One act, or one that did not happen, as the audit log keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    pub at: String,
    pub user: UserId,
    pub conversation_id: Option<ConversationId>,
    pub tool: String,
    #[ts(type = "unknown")]
    pub args: Value,
    /// What came of it, or why nothing did; cut where it is long.
    pub result: String,
    pub risk: Risk,
    pub decision: AuditDecision,
    /// Why the user was asked, or why it was refused.
    pub why: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum AuditDecision {
    Allowed,
    /// The user said yes.
    Approved,
    /// The user said no.
    Denied,
    /// Nobody answered in time.
    TimedOut,
    /// The answer was stopped while the question stood.
    Stopped,
    Blocked,
    /// The arguments did not fit.
    Refused,
}

/// Newest first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AuditPage {
    pub entries: Vec<AuditEntry>,
    /// Give it back as `?cursor=` for older ones.
    pub next: Option<String>,
}
