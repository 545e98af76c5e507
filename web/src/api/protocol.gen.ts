// Generated from crates/protocol by `cargo xtask codegen`. Do not edit.

/**
 * The id of a user of this Perigee. Every row of the database belongs to a user.
 */
export type UserId = string;

export type ConversationId = string;

/**
 * The id of a message, a node in the tree of a conversation.
 */
export type MessageId = string;

/**
 * The id of a turn: one run from a message to the end of its reply.
 */
export type TurnId = string;

export type AttachmentId = string;

/**
 * The id of an API token or of a browser session. It is public and never the secret.
 */
export type TokenId = string;

/**
 * The id of a grant, which lets a tool run with certain arguments.
 */
export type GrantId = string;

/**
 * The id of a fact in the memory.
 */
export type FactId = string;

/**
 * The id of a proposal: changes to code that the user reviews.
 */
export type ProposalId = string;

/**
 * The id of a checkpoint: a state of a workspace that can be restored.
 */
export type CheckpointId = string;

/**
 * The id of a note about a workspace.
 */
export type NoteId = string;

/**
 * An event of a turn. `metadata` comes first; `done` or `error` comes last.
 */
export type Event = { "type": "metadata", conversationId: ConversationId, model: string, turnId: TurnId, 
/**
 * The id of the user's message. Absent when a reply is regenerated, because there is no new message then.
 */
userMessageId?: MessageId, messageId: MessageId, } | { "type": "progress", stage: string, done: number, total: number, 
/**
 * The estimated remaining time, in seconds; absent if unknown.
 */
secondsLeft?: number, } | { "type": "memory", items: Array<MemoryItem>, } | { "type": "token", content: string, } | { "type": "reasoning", content: string, } | { "type": "tool", id: string, name: string, args: unknown, status: ToolStatus, 
/**
 * The result as the model receives it.
 */
result?: unknown, 
/**
 * The time that the tool ran, in milliseconds.
 */
ms?: number, 
/**
 * The position of the call in the reply's text, in UTF-16 code units as in [`Act`](crate::Act). The text
 * before it is complete when the call is made.
 */
at?: number, } | { "type": "toolOutput", id: string, text: string, } | { "type": "command", id: string, 
/**
 * The name of the tool or tag in lower case: `widget`, `map`, `web_search`.
 */
action: string, payload: unknown, } | { "type": "confirmation" } & Confirmation | { "type": "plan", steps: Array<PlanStep>, } | { "type": "context", files: Array<RelevantFile>, parts: Array<ContextPart>, } | { "type": "proposal", id: ProposalId, files: Array<ProposalFile>, } | { "type": "verify", stage: VerifyStage, ok?: boolean, output: string, errors: Array<VerifyError>, } | { "type": "meta" } & CodeMeta | { "type": "usage" } & Usage | { "type": "done", conversationId: ConversationId, messageId: MessageId, stopReason: StopReason, } | { "type": "error", message: string, code: ErrorCode, };

export type ToolStatus = "requested" | "waiting" | "running" | "done" | "failed" | "denied" | "blocked";

/**
 * The reason why a reply ended.
 */
export type StopReason = "end" | "length" | "toolCalls" | "stopped" | "cut";

/**
 * The tokens and times of a turn. Times are in milliseconds; `firstTokenMs` and `totalMs` are counted from the arrival
 * of the message.
 */
export type Usage = { promptTokens: number, 
/**
 * The number of prompt tokens that did not have to be evaluated again.
 */
cachedTokens: number, completionTokens: number, firstTokenMs?: number, 
/**
 * The duration of the reasoning before the first text of the reply; absent if there was none.
 */
reasoningMs?: number, totalMs: number, };

/**
 * The body of every error response.
 */
export type ApiError = { code: ErrorCode, 
/**
 * A text for the user: what happened, what was kept, and what to do.
 */
message: string, };

export type ErrorCode = "badRequest" | "unauthorized" | "forbidden" | "notFound" | "methodNotAllowed" | "conflict" | "tooLarge" | "unsupportedMediaType" | "tooManyRequests" | "noModel" | "modelUnreachable" | "modelFailed" | "serviceUnreachable" | "contextFull" | "shuttingDown" | "internal";

/**
 * The request body of `POST /api/chat/stream` and `POST /api/chat`.
 */
export type ChatRequest = { message: string, 
/**
 * The conversation of the message. If absent, it is the one opened last, or a new one if none is open.
 */
conversationId?: ConversationId, 
/**
 * The message that this one replaces. Both are kept, as branches of the conversation.
 */
editOf?: MessageId, attachments?: Array<AttachmentUpload>, 
/**
 * An id chosen by the client. A message that is sent again with the same id, for example after a lost connection,
 * does not start another turn.
 */
clientMessageId?: string, };

export type AttachmentUpload = { name: string, mime: string, 
/**
 * The content of the file, in Base64.
 */
data: string, };

export type AttachmentInfo = { id: AttachmentId, name: string, mime: string, bytes: number, };

/**
 * The response of `POST /api/chat`: the complete reply, sent at the end of the turn.
 */
export type ChatReply = { response: string, conversationId: ConversationId, turnId: TurnId, messageId: MessageId, };

/**
 * The request body of `POST /api/chats/{id}/regenerate`, which creates another reply as a sibling of this message.
 */
export type RegenerateRequest = { messageId: MessageId, };

/**
 * The request body of `POST /api/chat/stop`.
 */
export type StopRequest = { turnId: TurnId, };

export type StopReply = { 
/**
 * False if the turn had already ended.
 */
stopped: boolean, };

/**
 * A running or ended turn.
 */
export type TurnInfo = { turnId: TurnId, conversationId: ConversationId, messageId: MessageId, status: TurnStatus, };

export type TurnStatus = "running" | "ended";

/**
 * The explanation of a reply (*Why did you say that?*): the prompt that the model read, and the cost.
 */
export type Why = { turnId: TurnId, messageId: MessageId, model: string, fragments: Array<Fragment>, usage: Usage, timings: Timings, };

/**
 * One piece of the prompt. The pieces are listed in the order in which the model read them.
 */
export type Fragment = { kind: FragmentKind, 
/**
 * The source, in a few words: `soul/identity.md`, `message`, `summary`.
 */
source: string, text: string, tokens: number, };

export type FragmentKind = "soul" | "tools" | "skills" | "date" | "tone" | "summary" | "history" | "context" | "user" | "assistant" | "results";

/**
 * The time spent in each part of the turn, in milliseconds.
 */
export type Timings = { 
/**
 * The wait for an earlier turn of the same conversation.
 */
queuedMs: number, contextMs: number, 
/**
 * The time from the finished prompt to the first token.
 */
prefillMs: number, decodeMs: number, };

/**
 * The mode of a request about code.
 */
export type CodeMode = "agent" | "ask" | "plan" | "repair";

/**
 * The handling of proposed changes. With `auto` they are applied at once if building and testing passed, if there was
 * nothing to build and test, or if verification is off.
 */
export type ApplyMode = "ask" | "auto";

/**
 * The request body of `POST /api/code/stream`.
 */
export type CodeRequest = { mode?: CodeMode, 
/**
 * The request. Mentions in it add what they name to the context: `@path`, `@folder/`, `@symbol`, `@diff`,
 * `@terminal` and `@https://…`.
 */
text: string, 
/**
 * The conversation to continue. If absent, a new one begins.
 */
conversationId?: ConversationId, 
/**
 * The path of the workspace, which becomes the current one. If absent, it is the one used last.
 */
root?: string, 
/**
 * The file that the request is about. If absent, relevant files are searched for, and the event `context` names
 * them with the reasons.
 */
focusFile?: string, extraReadFiles?: Array<string>, contextFolders?: Array<string>, 
/**
 * The steps of the plan to carry out.
 */
planContext?: string, 
/**
 * The last output of a build or test.
 */
lastError?: string, apply?: ApplyMode, clientMessageId?: string, };

/**
 * The state of a workspace's index.
 */
export type IndexState = { "state": "asleep" } | { "state": "reading", done: number, total: number, } | { "state": "ready", files: number, symbols: number, } | { "state": "failed", message: string, };

/**
 * A workspace: a folder in which the companion writes code.
 */
export type CodeRoot = { path: string, name: string, 
/**
 * The files and folders that may be changed, relative to the root. An empty list means all.
 */
include: Array<string>, 
/**
 * The time of the last use, in milliseconds since 1970.
 */
usedAt: number, index: IndexState, 
/**
 * The reason why the workspace can no longer be used; absent if it can.
 */
trouble?: string, };

/**
 * The response of `GET /api/code/root`: the workspaces, the current one first.
 */
export type CodeRootList = { 
/**
 * The path of the current workspace; absent if there is none.
 */
current?: string, roots: Array<CodeRoot>, };

/**
 * The request body of `POST /api/code/root`.
 */
export type CodeRootRequest = { path: string, };

/**
 * The response of `GET /api/code/folders?path=`: the subfolders of a folder on this machine, for choosing a workspace.
 */
export type FolderList = { 
/**
 * The path of the listed folder. Without `?path=` it is the user's home folder.
 */
path: string, 
/**
 * The path of the parent folder; absent at the root of the file system.
 */
parent?: string, 
/**
 * The subfolders without hidden ones, sorted by name.
 */
folders: Array<Folder>, 
/**
 * True if there are more folders than are listed.
 */
more: boolean, };

export type Folder = { name: string, path: string, 
/**
 * True if it looks like a project: a repository, or a folder with a build file.
 */
project: boolean, };

/**
 * The request body of `POST /api/code/include`.
 */
export type IncludeRequest = { 
/**
 * The files and folders that may be changed, relative to the root. An empty list means all.
 */
paths: Array<string>, 
/**
 * The path of the workspace. If absent, it is the one used last.
 */
root?: string, };

/**
 * A file in the list of a workspace.
 */
export type CodeFile = { path: string, bytes: number, 
/**
 * True if the companion may change it.
 */
included: boolean, };

/**
 * The response of `GET /api/code/files`.
 */
export type CodeFileList = { files: Array<CodeFile>, 
/**
 * True if there are more files than are listed.
 */
more: boolean, };

/**
 * A definition in a file.
 */
export type CodeSymbol = { name: string, kind: string, line: number, endLine: number, container?: string, };

/**
 * The response of `GET /api/code/file?path=`.
 */
export type CodeFileView = { path: string, 
/**
 * The text of the file; empty if the file is binary.
 */
content: string, language: string, 
/**
 * The SHA-256 of the bytes on disk, in hexadecimal. It must be sent back when the file is saved.
 */
hash: string, bytes: number, binary: boolean, editable: boolean, symbols: Array<CodeSymbol>, };

/**
 * The request body of `PUT /api/code/file`: a file that the user has edited.
 */
export type SaveFileRequest = { path: string, content: string, 
/**
 * The `hash` of the file when it was opened; absent for a new file. If the file has changed since, nothing is
 * written and the response is 409.
 */
hash?: string, 
/**
 * The path of the workspace. If absent, it is the one used last.
 */
root?: string, };

/**
 * The request body of `POST /api/code/run`, which runs a command of the user in the sandbox.
 */
export type CodeRunRequest = { command: string, 
/**
 * The path of the workspace. If absent, it is the one used last.
 */
root?: string, };

/**
 * The kind of change to a file.
 */
export type FileChangeKind = "added" | "deleted" | "changed" | "renamed" | "binary";

export type DiffLineKind = "same" | "added" | "removed";

export type DiffLine = { kind: DiffLineKind, text: string, 
/**
 * True for a last line that does not end with a newline; absent otherwise.
 */
noNewline?: boolean, };

/**
 * A range of changed lines with a few lines of context.
 */
export type DiffHunk = { id: number, oldStart: number, oldLines: number, newStart: number, newLines: number, lines: Array<DiffLine>, };

export type ProposalFile = { path: string, kind: FileChangeKind, renamedFrom?: string, added: number, removed: number, 
/**
 * The part of the file's changes that was accepted; absent while the user has not decided.
 */
decision?: FileDecision, 
/**
 * The hunks of the diff; empty in lists.
 */
hunks: Array<DiffHunk>, };

/**
 * The status of a proposal.
 */
export type ProposalStatus = "open" | "applied" | "rejected" | "undone";

/**
 * The part of a file's proposed changes that was accepted.
 */
export type FileDecision = "open" | "all" | "some" | "none";

/**
 * All changes that one run proposes.
 */
export type Proposal = { id: ProposalId, root: string, title: string, status: ProposalStatus, conversationId?: ConversationId, 
/**
 * The time of creation, in milliseconds since 1970.
 */
createdAt: number, files: Array<ProposalFile>, 
/**
 * The result of building and testing with these changes; absent if there is none.
 */
verify?: VerifyReport, 
/**
 * The files that have changed since, so that the proposal cannot be applied as it is. Empty unless it is open.
 */
stale: Array<string>, 
/**
 * The time at which its status or its content last changed, in milliseconds since 1970.
 */
changedAt: number, 
/**
 * True if the changes were applied and can be undone. `canRedo` is true if they were undone and can be applied
 * again.
 */
canUndo: boolean, canRedo: boolean, };

/**
 * The response of `GET /api/code/proposals`, newest first.
 */
export type ProposalList = { proposals: Array<Proposal>, };

/**
 * A hunk with the text that replaces all lines it shows.
 */
export type EditedHunk = { id: number, text: string, };

/**
 * The accepted part of a file.
 */
export type FileChoice = { path: string, 
/**
 * The ids of the accepted hunks. If absent, all hunks are accepted, or only the `edited` ones if there are any.
 */
hunks?: Array<number>, 
/**
 * Hunks that the user has rewritten. They are applied as given here.
 */
edited?: Array<EditedHunk>, };

/**
 * The request body of `POST /api/code/proposals/{id}/apply`.
 */
export type ApplyRequest = { 
/**
 * The accepted files. If absent, everything is accepted; otherwise the rest is rejected.
 */
files?: Array<FileChoice>, };

export type VerifyStage = "build" | "test" | "run";

/**
 * A problem that a build or a test reports.
 */
export type VerifyError = { file?: string, line?: number, column?: number, message: string, };

/**
 * A stage of building and testing, with its result.
 */
export type VerifyStep = { stage: VerifyStage, command: string, ok: boolean, 
/**
 * The end of the command's output.
 */
output: string, errors: Array<VerifyError>, durationMs: number, };

export type VerifyOutcome = "passed" | "failed" | "timedOut" | "missing" | "nothing" | "stopped";

/**
 * The result of building and testing, as shown with a proposal.
 */
export type VerifyReport = { outcome: VerifyOutcome, 
/**
 * A summary in one sentence.
 */
summary: string, steps: Array<VerifyStep>, };

/**
 * The request body of `POST /api/code/verify`.
 */
export type VerifyRequest = { 
/**
 * The proposal whose changes are built and tested. If absent, the files are taken as they are on disk.
 */
proposalId?: ProposalId, 
/**
 * The changed files. In a folder with several projects, the projects that contain them are built and tested.
 */
paths?: Array<string>, 
/**
 * The path of the workspace. If absent, it is the one used last.
 */
root?: string, };

/**
 * An action of a run, in short.
 */
export type CodeAction = { 
/**
 * The name of the tool.
 */
name: string, path?: string, ok: boolean, 
/**
 * The way in which an edit found its place, such as `exact` or `indentation`; absent for other actions.
 */
strategy?: string, };

export type CodeDiff = { path: string, 
/**
 * A unified diff, as `diff -u` writes it.
 */
diff: string, };

/**
 * The result of a run, sent as the event `meta`.
 */
export type CodeMeta = { ok: boolean, summary: string, 
/**
 * The paths of the changed files.
 */
files: Array<string>, diffs: Array<CodeDiff>, actions: Array<CodeAction>, durationMs: number, proposalId?: ProposalId, requiresApproval: boolean, 
/**
 * The mode of the request. Together with `root`, it allows the request to be repeated. Both are absent if the user
 * only built and tested.
 */
mode?: CodeMode, root?: string, };

/**
 * A file that was found to be relevant, with the reasons.
 */
export type RelevantFile = { path: string, reasons: Array<string>, };

/**
 * A part of the context of a request.
 */
export type ContextPart = { 
/**
 * A short label, such as `focus file src/main.rs` or `repo map`.
 */
source: string, tokens: number, 
/**
 * True if it was shortened or left out for lack of room.
 */
cut: boolean, };

/**
 * A note about earlier work in a workspace.
 */
export type CodeNote = { kind: CodeNoteKind, path?: string, text: string, createdAt: number, };

export type CodeNoteKind = "change" | "failure";

/**
 * The state of the files and the conversation before a run.
 */
export type Checkpoint = { id: CheckpointId, label: string, createdAt: number, conversationId?: ConversationId, };

/**
 * The response of `GET /api/code/history`. Each list is sorted newest first.
 */
export type CodeHistory = { proposals: Array<Proposal>, notes: Array<CodeNote>, checkpoints: Array<Checkpoint>, };

/**
 * The harm that a tool can do.
 */
export type Risk = "safe" | "risky" | "dangerous";

/**
 * The permission of a tool to run.
 */
export type Permission = "allow" | "confirm" | "block";

/**
 * The origin of untrusted content, which neither the user nor the companion wrote.
 */
export type Origin = { "kind": "web", "name": string } | { "kind": "search", "name": string } | { "kind": "file", "name": string } | { "kind": "mcp", "name": string } | { "kind": "tools", "name": string } | { "kind": "picture", "name": string } | { "kind": "workspace", "name": string };

/**
 * Something to show on the screen.
 */
export type Command = { 
/**
 * The name of the tool or tag in lower case: `widget`, `map`, `web_search`.
 */
action: string, payload: unknown, };

/**
 * A request for the user's confirmation.
 */
export type Confirmation = { 
/**
 * The id of the tool call. A question that the tool asks while it runs has a number appended: `call.1`.
 */
id: string, tool: string, 
/**
 * The effect of the call, in one sentence.
 */
description: string, args: unknown, risk: Risk, 
/**
 * The reason why confirmation is needed.
 */
why: string, 
/**
 * True if untrusted content in the prompt may have caused the call. Grants do not apply then.
 */
tainted: boolean, 
/**
 * True if this must be confirmed every time. A permanent permission would have no effect and is not offered.
 */
everyTime: boolean, 
/**
 * The deadline: RFC 3339, in UTC. No answer by then counts as a no.
 */
until: string, 
/**
 * The JSON Schema of a flat object with values that the user can fill in; absent if there is nothing to fill in.
 */
form?: unknown, 
/**
 * The rule that would allow similar calls; absent if there is none.
 */
rule?: string, };

/**
 * A pending confirmation request, with its conversation and message.
 */
export type WaitingConfirmation = { conversationId: ConversationId, messageId: MessageId, confirmation: Confirmation, };

/**
 * The response of `GET /api/chat/confirmations`.
 */
export type Confirmations = { waiting: Array<WaitingConfirmation>, };

/**
 * The request body of `POST /api/chat/confirm/{id}`.
 */
export type ConfirmRequest = { approved: boolean, 
/**
 * The calls to allow from now on without confirmation. It has no effect if the request must be confirmed every
 * time.
 */
remember?: Remember, 
/**
 * The values that the user filled in, if the request has a form.
 */
filled?: Record<string, unknown>, };

export type Remember = "tool" | "arguments" | "rule";

export type ConfirmReply = { 
/**
 * False if the request was already answered, or is no longer pending.
 */
settled: boolean, };

/**
 * A step of a plan.
 */
export type PlanStep = { title: string, status: StepStatus, };

export type StepStatus = "pending" | "running" | "done" | "skipped";

/**
 * A tool call as stored with a message.
 */
export type Act = { id: string, name: string, args: unknown, status: ToolStatus, 
/**
 * The result as the model received it.
 */
result: unknown, ms: number | null, 
/**
 * The command that showed something on the screen; `null` if there was none.
 */
command: Command | null, 
/**
 * The position of the call in the text of the message, in UTF-16 code units as in browsers.
 */
at: number, pinned: boolean, };

/**
 * A tool call whose display the user has pinned.
 */
export type PinnedAct = { messageId: MessageId, act: Act, };

/**
 * The request body of `PUT /api/chats/{id}/pins`.
 */
export type PinRequest = { messageId: MessageId, actId: string, pinned: boolean, };

/**
 * A tool as shown on the tools page.
 */
export type ToolInfo = { name: string, description: string, parameters: unknown, risk: Risk, readsPrivate: boolean, bringsUntrusted: boolean, sendsOut: boolean, changes: boolean, 
/**
 * The settings group of the tool, such as `memory`; `null` if it belongs to none.
 */
group: string | null, 
/**
 * True if that group is on. A tool whose group is off is not offered and cannot run.
 */
on: boolean, tags: Array<string>, 
/**
 * The permission in force: the one that the user has set, or else the default.
 */
permission: Permission, defaultPermission: Permission, timeLimitSeconds: number, };

/**
 * The response of `GET /api/tools`.
 */
export type ToolList = { tools: Array<ToolInfo>, };

/**
 * The request body of `POST /api/tools/{name}/run`, which runs a tool for the user. It passes the same permission
 * check as a call by the model.
 */
export type RunToolRequest = { args: unknown, conversationId?: ConversationId, };

/**
 * The response of `GET /api/permissions`: the permissions that differ from the defaults, and the grants.
 */
export type PermissionList = { permissions: { [key in string]: Permission }, grants: Array<Grant>, 
/**
 * The error in the permissions file, while the last valid permissions stay in force; `null` if there is none.
 */
trouble: string | null, };

/**
 * The request body of `PUT /api/permissions`, such as `{"web_fetch": "allow", "run_command": null}`. `null` resets a
 * permission to its default.
 */
export type PermissionPatch = { [key in string]: Permission | null };

/**
 * A permission for a tool to run with exactly these arguments without confirmation.
 */
export type Grant = { id: GrantId, tool: string, args: unknown, createdAt: string, };

/**
 * A skill as shown on the skills page.
 */
export type SkillInfo = { name: string, description: string, 
/**
 * The only tools that may run while the skill is followed; `null` means all.
 */
allowedTools: Array<string> | null, 
/**
 * True if the skill came with the program.
 */
shipped: boolean, licence: string | null, files: Array<string>, 
/**
 * The reason why the skill cannot be used; `null` if it can.
 */
trouble: string | null, };

/**
 * The response of `GET /api/skills`.
 */
export type SkillList = { skills: Array<SkillInfo>, 
/**
 * The folder for the user's own skills.
 */
folder: string, };

/**
 * The response of `GET /api/skills/{name}`.
 */
export type SkillView = { skill: SkillInfo, 
/**
 * The text of `SKILL.md` after the front matter.
 */
body: string, };

/**
 * The response of `GET /api/spotify`.
 */
export type SpotifyState = { status: SpotifyStatus, 
/**
 * The redirect URL that the Spotify app has to allow.
 */
redirect: string, };

export type SpotifyStatus = "notSetUp" | "signedOut" | "signedIn";

/**
 * The response of `POST /api/spotify/begin`: the page for signing in.
 */
export type SpotifyUrl = { url: string, };

/**
 * The request body of `POST /api/spotify/finish`: the parameters with which Spotify redirected the browser.
 */
export type SpotifyCode = { state: string, code: string, };

/**
 * A tool call in the audit log, whether it was made or refused.
 */
export type AuditEntry = { at: string, user: UserId, conversationId: ConversationId | null, tool: string, args: unknown, 
/**
 * The result, or the reason why there is none. Long texts are shortened.
 */
result: string, risk: Risk, decision: AuditDecision, 
/**
 * The reason why the user was asked, or why the call was refused; `null` if there is none.
 */
why: string | null, };

export type AuditDecision = "allowed" | "approved" | "denied" | "timedOut" | "stopped" | "blocked" | "refused";

/**
 * The response of `GET /api/audit`, newest first.
 */
export type AuditPage = { entries: Array<AuditEntry>, 
/**
 * The value of `?cursor=` for older entries; `null` on the last page.
 */
next: string | null, };

/**
 * The response of `GET /api/commands/rules`: the rules for shell commands.
 */
export type CommandRules = { rules: Array<CommandRule>, 
/**
 * The rules that cannot be used, with the reasons.
 */
refused: Array<RefusedRule>, 
/**
 * The error in the rules file, while every command needs confirmation; `null` if there is none.
 */
trouble: string | null, };

export type CommandRule = { id: string, 
/**
 * The verdict: `allow`, `ask` or `deny`.
 */
verdict: string, pattern: string, 
/**
 * The folder in which the rule applies; `null` means everywhere.
 */
root: string | null, 
/**
 * Examples of command lines that the rule matches.
 */
matches: Array<string>, note: string, };

export type RefusedRule = { id: string, why: string, };

/**
 * The request body of `POST /api/commands/rules`, which allows similar commands to run without confirmation, or
 * restores a rule. Exactly one of the two fields must be given.
 */
export type AllowCommandRequest = { 
/**
 * An example of the commands to allow.
 */
line?: string, 
/**
 * A deleted rule to restore, as the deletion returned it.
 */
rule?: unknown, };

/**
 * The response of `DELETE /api/commands/rules/{id}`.
 */
export type TakenBack = { 
/**
 * The rule as it was in the file, for restoring it.
 */
rule: unknown, };

/**
 * The response of `GET /api/mcp/servers`.
 */
export type McpServerList = { servers: Array<McpServerInfo>, sandbox: SandboxInfo, 
/**
 * The deleted generated servers that can be restored.
 */
deleted: Array<MadeDeleted>, 
/**
 * The reason why the generated servers cannot be listed; absent if they can.
 */
trouble?: string, };

/**
 * The sandbox of this machine.
 */
export type SandboxInfo = { 
/**
 * The level of isolation: `full`, `partial` or `none`.
 */
level: string, 
/**
 * The reasons why isolation is not full, and how to fix them.
 */
missing: Array<string>, };

/**
 * An MCP server that provides tools.
 */
export type McpServerInfo = { name: string, kind: McpKind, state: McpState, 
/**
 * The current problem; `null` if there is none.
 */
trouble: string | null, 
/**
 * The command line or the URL; for a generated server, the path of its source file.
 */
reach: string, description: string | null, version: string | null, tools: Array<McpToolInfo>, 
/**
 * Offers of the server that cannot be used, with the reasons.
 */
leftOut: Array<string>, hasResources: boolean, hasPrompts: boolean, 
/**
 * The state of signing in; `null` if the server has not required it.
 */
signIn: McpSignIn | null, 
/**
 * A digest of what waits for the user's approval; `null` if nothing does. An approval sends it back as `seen`, so
 * that nothing else is approved.
 */
asks: string | null, 
/**
 * The details of a generated server; `null` for other servers.
 */
made: MadeInfo | null, };

export type McpKind = "configured" | "made";

export type McpState = "asking" | "disabled" | "resting" | "starting" | "ready" | "locked" | "failing" | "failed";

export type McpSignIn = "wanted" | "more" | "done";

/**
 * The response of `POST /api/mcp/servers/{name}/sign-in`.
 */
export type McpSignInStart = { 
/**
 * The URL of the page to open in a browser. It redirects back to Perigee.
 */
url: string, };

/**
 * A tool of an MCP server.
 */
export type McpToolInfo = { 
/**
 * The name that the server uses.
 */
name: string, 
/**
 * The name that the model uses.
 */
fullName: string, description: string, parameters: unknown, standing: McpStanding, 
/**
 * The approved description, if the tool has changed since it was approved; `null` otherwise.
 */
was: string | null, };

export type McpStanding = "approved" | "new" | "changed";

/**
 * The details of a generated server.
 */
export type MadeInfo = { 
/**
 * A digest of the current source, description and network request: the `seen` of an approval.
 */
digest: string, autoStart: boolean, 
/**
 * True if the server requests network access.
 */
wantsNetwork: boolean, 
/**
 * The hosts that the server may reach, or could reach when it was last approved. `*` means every public host.
 */
hosts: Array<string>, createdAt: string, changedAt: string, versions: Array<MadeVersion>, };

/**
 * An earlier or the current version of a generated server.
 */
export type MadeVersion = { id: string, at: string, 
/**
 * The purpose of the change.
 */
note: string, };

/**
 * The request body of `POST /api/mcp/servers`, which adds a server to the settings and approves it. `server` has the
 * form that other MCP clients use.
 */
export type McpAddRequest = { name: string, server: unknown, };

/**
 * The request body of `POST /api/mcp/servers/{name}/approve`.
 */
export type McpApproveRequest = { 
/**
 * The value of `asks` that was shown to the user.
 */
seen: string, 
/**
 * The hosts that a generated server may reach from now on; `*` means every public host. If absent, the hosts stay
 * as they are.
 */
hosts?: Array<string>, };

/**
 * The response of `GET /api/mcp/servers/{name}/logs`.
 */
export type McpLog = { lines: Array<McpLogLine>, };

export type McpLogLine = { at: string, text: string, };

/**
 * The response of `GET /api/mcp/servers/{name}/source`.
 */
export type MadeSource = { code: string, 
/**
 * The source that was last approved or, if that is unknown, the previous version; `null` if there is neither.
 */
before: string | null, 
/**
 * The approved description, if it differs from the current one; `null` otherwise.
 */
describedBefore: string | null, 
/**
 * The network request at the time of the approval, if it differs from the current one; `null` otherwise.
 */
wantedNetworkBefore: boolean | null, };

/**
 * A generated server that was deleted.
 */
export type MadeDeleted = { name: string, description: string, };

/**
 * A conversation as listed. Times are RFC 3339, in UTC.
 */
export type ChatSummary = { id: ConversationId, title: string, createdAt: string, updatedAt: string, pinned: boolean, folder: string | null, tags: Array<string>, messageCount: number, 
/**
 * The beginning of the last message.
 */
preview: string, 
/**
 * True for an incognito conversation: nothing is learned from it, and it is deleted when it is closed.
 */
incognito: boolean, };

/**
 * The response of `GET /api/chats`: pinned conversations first, then the most recently changed.
 */
export type ChatList = { chats: Array<ChatSummary>, 
/**
 * The value of `?cursor=` for the next page; `null` on the last page.
 */
next: string | null, 
/**
 * The conversation that receives a message without `conversationId`. If `null`, such a message opens a new one.
 */
current: ConversationId | null, folders: Array<FolderCount>, 
/**
 * The tags in use, most used first.
 */
tags: Array<TagCount>, };

export type FolderCount = { name: string, chats: number, };

export type TagCount = { name: string, chats: number, };

export type NewChatRequest = { title?: string, folder?: string, incognito: boolean, };

export type LoadChatRequest = { id: ConversationId, };

/**
 * The request body of `PATCH /api/chats/{id}`. Absent fields stay as they are; an empty `folder` takes the
 * conversation out of its folder.
 */
export type ChatPatch = { title?: string, pinned?: boolean, folder?: string, tags?: Array<string>, };

/**
 * An open conversation with the messages of the active branch, oldest first.
 */
export type ChatView = { chat: ChatSummary, messages: Array<Message>, 
/**
 * The value of `?before=` for earlier messages; `null` if there are none.
 */
before: MessageId | null, 
/**
 * The turn that is running in this conversation and can be resumed; `null` if there is none.
 */
live: TurnInfo | null, summary: SummaryMark | null, 
/**
 * The pinned tool calls of all branches, oldest first.
 */
pinned: Array<PinnedAct>, };

/**
 * A summary that the model reads in place of the messages up to and including `upTo`. The conversation still shows
 * these messages in full.
 */
export type SummaryMark = { upTo: MessageId, text: string, };

/**
 * A message of the active branch. `siblings` are the branches at this point, including this one.
 */
export type Message = { id: MessageId, parent: MessageId | null, role: Role, content: string, reasoning: string | null, createdAt: string, status: MessageStatus, stopReason: StopReason | null, 
/**
 * The error that ended the reply; `null` if it did not fail.
 */
error: string | null, errorCode: ErrorCode | null, model: string | null, turnId: TurnId | null, 
/**
 * The cost of the reply; `null` until it has ended.
 */
usage: Usage | null, attachments: Array<AttachmentInfo>, siblings: Array<MessageId>, 
/**
 * The tool calls made for the reply, in order.
 */
acts: Array<Act>, plan: Array<PlanStep>, 
/**
 * The memories recalled for the reply, best first.
 */
memory: Array<MemoryItem>, 
/**
 * The events of work on code that are kept: `context`, `verify`, `proposal` and `meta`, without their longest
 * parts. Absent if there are none.
 */
work?: Array<Event>, };

export type Role = "user" | "assistant";

export type MessageStatus = "streaming" | "complete" | "partial" | "failed";

/**
 * The request body of `POST /api/chats/{id}/branch`, which makes the branch with this message the active one.
 */
export type BranchRequest = { messageId: MessageId, };

export type SearchResults = { hits: Array<SearchHit>, next: string | null, };

/**
 * A message or title that matches a search. For a title, `message` and `role` are `null`. `snippet` is plain text;
 * `marks` are the matches in it as pairs of start and end, counted in UTF-16 code units as in JavaScript.
 */
export type SearchHit = { chat: ConversationId, title: string, message: MessageId | null, role: Role | null, createdAt: string, snippet: string, marks: Array<[number, number]>, };

/**
 * The response of `GET /api/models`: everything that the model picker shows.
 */
export type ModelsReport = { current: ModelState, installed: Array<InstalledModel>, catalogue: Array<CatalogueEntry>, 
/**
 * Embedding models, which the memory uses. They cannot be used in a chat.
 */
embedding?: Array<CatalogueEntry>, servers: Array<LocalServer>, downloads: Array<Download>, 
/**
 * The catalogue name of the best model for this machine.
 */
recommended: string | null, 
/**
 * True if the current model is a very small one, meant only for trying things out.
 */
trial: boolean, machine: Machine, };

/**
 * The model in use, or the reason why there is none.
 */
export type ModelState = { "state": "none", hint: string, } | { "state": "loading", name: string, } | { "state": "ready", name: string, kind: ModelKind, context: number, vision: boolean, } | { "state": "failed", name: string, message: string, };

export type ModelKind = "embedded" | "openai" | "ollama" | "llamaServer" | "command";

export type InstalledModel = { 
/**
 * The name to use in `POST /api/models/use`: a catalogue name, a file name, or `server/model`.
 */
name: string, kind: ModelKind, bytes: number | null, current: boolean, };

/**
 * A model that can be downloaded.
 */
export type CatalogueEntry = { name: string, title: string, 
/**
 * The purpose of the model, in one sentence.
 */
about: string, bytes: number, 
/**
 * The memory that it needs while running, in bytes.
 */
memory: number, parameters: string, licence: string, sources: Array<SourceKind>, installed: boolean, 
/**
 * True if this machine has enough memory for it.
 */
fits: boolean, 
/**
 * True for a very small model, meant only for trying things out.
 */
tiny: boolean, };

export type SourceKind = "hub" | "pip" | "npm" | "url" | "file";

/**
 * A model server found on this machine.
 */
export type LocalServer = { kind: ServerKind, baseUrl: string, models: Array<string>, };

export type ServerKind = "ollama" | "lmStudio" | "llamaServer";

export type Machine = { memory: number, cores: number, diskFree: number, };

/**
 * The request body of `POST /api/models/pull`. `name` is a catalogue name, a URL, or the path of a file on this
 * machine.
 */
export type PullRequest = { name: string, 
/**
 * The only source to use. If absent, each one is tried in turn.
 */
source?: SourceKind, 
/**
 * True to use the model as soon as it is available.
 */
thenUse?: boolean, };

export type UseModelRequest = { name: string, };

export type Download = { name: string, state: DownloadState, received: number, 
/**
 * The total size in bytes; 0 while it is unknown.
 */
total: number, bytesPerSecond: number, secondsLeft: number | null, source: SourceKind | null, 
/**
 * A text for the user: the current step, or what went wrong and what to do.
 */
message: string, };

export type DownloadState = "waiting" | "running" | "checking" | "done" | "failed" | "cancelled";

/**
 * The category of a fact.
 */
export type FactCategory = "personal" | "preference" | "relationship" | "event" | "goal" | "health" | "context" | "behaviour";

/**
 * The status of a fact. Only current facts count.
 */
export type FactStatus = "current" | "unconfirmed" | "superseded" | "expired" | "faded" | "merged";

/**
 * The source of a fact.
 */
export type FactSource = { "kind": "conversation", conversationId: ConversationId, messageId: MessageId, title: string, } | { "kind": "person" } | { "kind": "import", name: string, } | { "kind": "program", name: string, };

/**
 * A fact in the memory. Times are RFC 3339, in UTC; confidence and importance are between 0 and 1.
 */
export type Fact = { id: FactId, category: FactCategory, 
/**
 * The person that the fact is about; empty for the user.
 */
subject: string, 
/**
 * The fact as a self-contained sentence.
 */
content: string, 
/**
 * The text from which the fact was taken; `null` if there is none.
 */
quote: string | null, source: FactSource, 
/**
 * The confidence as of today. It fades while the fact is not mentioned.
 */
confidence: number, 
/**
 * The number of days after which half of the confidence is lost; `null` if it does not fade.
 */
halfLifeDays: number | null, importance: number, createdAt: string, updatedAt: string, lastUsedAt: string | null, useCount: number, validFrom: string | null, validTo: string | null, expiresAt: string | null, 
/**
 * True if the fact never leaves this machine and is shown to nobody but the user.
 */
private: boolean, status: FactStatus, supersededBy: FactId | null, 
/**
 * A later message that may have made the fact untrue; `null` if there is none. The companion does not state the
 * fact until the user decides.
 */
doubt: FactDoubt | null, 
/**
 * The origins of untrusted content on which the fact is based, beside the user's own words.
 */
origins: Array<Origin>, };

/**
 * The response of `GET /api/memory`: newest first, or best match first with `?q=`.
 */
export type FactList = { facts: Array<Fact>, 
/**
 * The value of `?cursor=` for the next page; `null` on the last page.
 */
next: string | null, 
/**
 * The number of current facts in each category, regardless of the search.
 */
categories: Array<CategoryCount>, 
/**
 * The number of facts that wait for the user's confirmation.
 */
unconfirmed: number, total: number, };

export type CategoryCount = { category: FactCategory, facts: number, };

/**
 * The request body of `POST /api/memory`.
 */
export type NewFactRequest = { content: string, category?: FactCategory, subject?: string, importance?: number, 
/**
 * The confidence, from 0 to 1. If absent, a fact that the user writes down gets 0.95.
 */
confidence?: number, private: boolean, 
/**
 * A day such as `2026-05-01`, or a timestamp.
 */
validFrom?: string, expiresAt?: string, };

/**
 * The request body of `PATCH /api/memory/{id}`. Absent fields stay as they are. An empty `expiresAt` means never, and
 * an empty `subject` means the user.
 */
export type FactPatch = { content?: string, 
/**
 * The person that the fact is about.
 */
subject?: string, category?: FactCategory, importance?: number, 
/**
 * The confidence, from 0 to 1.
 */
confidence?: number, private?: boolean, expiresAt?: string, 
/**
 * The decision on a fact that is unconfirmed or in doubt: true confirms it, false rejects it. True also restores a
 * fact that has faded.
 */
confirmed?: boolean, };

/**
 * The request body of `POST /api/memory/merge`. The facts are merged into the first one, whose text becomes `content`,
 * or stays as it is if `content` is absent.
 */
export type MergeFactsRequest = { ids: Array<FactId>, content?: string, };

/**
 * The response of `GET /api/memory/{id}/history`: the changes to a fact, oldest first.
 */
export type FactHistory = { changes: Array<FactChange>, 
/**
 * True if `POST /api/memory/{id}/undo` can undo a change.
 */
canUndo: boolean, };

export type FactChange = { at: string, kind: FactChangeKind, 
/**
 * The text of the fact before the change; `null` if there was none.
 */
before: string | null, 
/**
 * Other changes beside the text.
 */
changed: Array<FactDifference>, 
/**
 * The other fact of a merge or a contradiction; `null` for other changes.
 */
other: FactId | null, otherContent: string | null, };

export type FactChangeKind = "learned" | "repeated" | "edited" | "confirmed" | "superseded" | "replaced" | "merged" | "expired" | "doubted" | "faded" | "promoted" | "undone";

export type FactDifference = { "what": "subject", from: string, to: string, } | { "what": "category", from: FactCategory, to: FactCategory, } | { "what": "private", to: boolean, } | { "what": "expiry", from: string | null, to: string | null, };

/**
 * A message that mentions a change, in words from which no fact could be read.
 */
export type FactDoubt = { conversationId: ConversationId, messageId: MessageId, 
/**
 * The time of the message: RFC 3339, in UTC.
 */
at: string, words: string, };

/**
 * The kind of a memory.
 */
export type MemoryKind = "fact" | "message" | "summary" | "file" | "entry";

/**
 * A memory recalled for a message, with its source and how well it matches.
 */
export type MemoryItem = { kind: MemoryKind, 
/**
 * The id of the fact, message or entry, the name of the file, or, for a summary, the id of the conversation.
 */
id: string, text: string, 
/**
 * The person who said it, or whom it is about; empty for the user.
 */
who: string, 
/**
 * The time at which it was said or learned: RFC 3339, in UTC.
 */
at: string | null, score: number, 
/**
 * The parts of the score: `words`, `meaning`, `person`, `day`, `telling`, `time` and `recency`, largest first; for
 * a fact, `fact` and `importance`.
 */
parts: Array<ScorePart>, conversationId: ConversationId | null, messageId: MessageId | null, 
/**
 * The title of the conversation; `null` if there is none.
 */
title: string | null, origins: Array<Origin>, };

export type ScorePart = { name: string, value: number, };

/**
 * The progress of embedding: `done` of `of` texts can be found by their meaning.
 */
export type ReadingProgress = { done: number, of: number, };

/**
 * The response of `GET /api/memory/recall?q=`: the memories that this message would recall.
 */
export type RecallReply = { items: Array<MemoryItem>, 
/**
 * True if nothing matches well enough to be an answer: an honest *I don't know that*.
 */
refused: boolean, 
/**
 * True if the items include everything that the user has said so far, because it is short enough to be read as a
 * whole. The items may then be listed even though none of them is an answer.
 */
whole: boolean, 
/**
 * The progress of embedding conversations; `null` if little or nothing is left to embed. Until then they are found
 * by their words only.
 */
reading: ReadingProgress | null, millis: number, };

/**
 * The request body of `POST /api/memory/forget`: a fact, a message, or words wherever they occur. Without `confirm`
 * nothing is removed, and the report says what would be.
 */
export type ForgetRequest = { fact?: FactId, message?: MessageId, words?: string, 
/**
 * Words of the report that are to be forgotten as well.
 */
also: Array<string>, 
/**
 * Words of the report that are to be kept.
 */
leave: Array<string>, confirm: boolean, };

/**
 * The report on what was forgotten, or would be.
 */
export type ForgetReport = { 
/**
 * False if nothing was removed because the request had no `confirm`.
 */
done: boolean, 
/**
 * The words that are searched for.
 */
words: Array<string>, 
/**
 * Words that reveal it too, but have other meanings elsewhere. They are kept unless the request lists them in
 * `also`.
 */
offered: Array<OfferedWords>, removed: Array<ForgottenPlace>, 
/**
 * The time after which the words are removed from the history of memory files; `null` if the history does not
 * contain them.
 */
historyUntil: string | null, 
/**
 * The backups that may contain the words. Backups are never changed.
 */
backups: Array<BackupCopy>, 
/**
 * The files in the data folder that still contain the words afterwards; empty if everything was removed.
 */
found: Array<string>, 
/**
 * The number of replies in progress, and of other active work, that may have read the words. What they write is
 * searched when they end.
 */
running: number, };

export type ForgottenPlace = { 
/**
 * The place: `facts`, `messages`, `titles`, `attachments`, `acts`, `permissions`, `summaries`, `prompts`,
 * `events`, `audit`, `entries`, `files`, `code`, `state` or `other`.
 */
place: string, count: number, 
/**
 * The text around the first occurrence, if nothing was removed; `null` otherwise.
 */
example: string | null, };

export type BackupCopy = { file: string, madeAt: string, };

export type OfferedWords = { words: string, 
/**
 * The number of conversations that contain the words.
 */
conversations: number, };

/**
 * The response of `POST /api/memory/import`: the number of imported items of each kind.
 */
export type MemoryImportReply = { 
/**
 * The detected format of the file: `perigee`, `markdown`, `chatgpt` or `sillytavern`.
 */
format: string, facts: number, conversations: number, messages: number, entries: number, files: number, 
/**
 * The number of items that were already known.
 */
known: number, problems: Array<string>, };

/**
 * One day of the memory's timeline. Its entries are listed newest first.
 */
export type MemoryDay = { 
/**
 * The date, as in `2026-05-01`.
 */
day: string, entries: Array<TimelineEntry>, };

export type TimelineEntry = { at: string, kind: FactChangeKind, fact: Fact, before: string | null, };

/**
 * The response of `GET /api/memory/timeline?before=`.
 */
export type Timeline = { days: Array<MemoryDay>, next: string | null, };

/**
 * The response of `GET /api/memory/files`.
 */
export type MemoryFileList = { files: Array<MemoryFile>, };

export type MemoryFile = { name: string, bytes: number, changedAt: string, 
/**
 * The origins of untrusted content in the file, beside the text of the user and the companion.
 */
origins: Array<Origin>, };

/**
 * The response of `GET /api/memory/files/{name}`.
 */
export type MemoryFileView = { file: MemoryFile, content: string, 
/**
 * The changes to the file, newest first.
 */
history: Array<MemoryFileChange>, };

export type MemoryFileChange = { 
/**
 * The id of the change, for `POST /api/memory/files/{name}/restore`.
 */
id: string, at: string, what: string, 
/**
 * The content of the file after the change; `null` if the change deleted it.
 */
content: string | null, };

export type RestoreMemoryFileRequest = { id: string, };

export type WriteMemoryFileRequest = { content: string, };

/**
 * An entry of the vector store.
 */
export type VectorEntry = { id: string, content: string, metadata: Record<string, unknown>, createdAt: string, updatedAt: string, origins: Array<Origin>, };

/**
 * The response of `GET /api/vector`: newest first.
 */
export type VectorEntryList = { entries: Array<VectorEntry>, total: number, };

/**
 * The request body of `POST /api/vector` and of `PUT /api/vector/{id}`, where the id is in the path. Without an id,
 * one is generated.
 */
export type SaveVectorRequest = { id?: string, content: string, metadata: Record<string, unknown>, 
/**
 * The origins of untrusted content in a restored entry. Origins that a replaced entry has are kept in any case.
 */
origins?: Array<Origin>, 
/**
 * The original creation time of a restored entry.
 */
createdAt?: string, };

/**
 * A dimension of the companion's personality.
 */
export type Dimension = "mood" | "energy" | "formality" | "humor" | "supportNeed" | "verbosity" | "depth" | "questionFrequency";

/**
 * The response of `GET /api/personality`.
 */
export type Personality = { traits: Array<Trait>, 
/**
 * The description of the personality that the model reads.
 */
tone: string, 
/**
 * True if `POST /api/personality/undo` can undo a change.
 */
canUndo: boolean, };

export type Trait = { dimension: Dimension, 
/**
 * The current value, from 0.05 to 0.95.
 */
value: number, 
/**
 * The value to which it returns over time.
 */
rest: number, locked: boolean, 
/**
 * The changes of the value, oldest first.
 */
moves: Array<TraitMove>, };

export type TraitMove = { at: string, value: number, 
/**
 * The cause in a few words: “you laughed”.
 */
why: string, conversationId: ConversationId | null, messageId: MessageId | null, };

/**
 * The request body of `PATCH /api/personality`. Traits that are not listed stay as they are.
 */
export type PersonalityPatch = { traits: Array<TraitPatch>, };

export type TraitPatch = { dimension: Dimension, value?: number, locked?: boolean, };

/**
 * The response of `GET /api/config`: the settings in force, and the problems in the file.
 */
export type ConfigReport = { 
/**
 * The path of the settings file. The file may not exist yet.
 */
path: string, sections: Array<ConfigSection>, problems: Array<ConfigProblem>, };

export type ConfigSection = { name: string, about: string, fields: Array<ConfigField>, };

export type ConfigField = { 
/**
 * The dotted key, as in `llm.base_url`.
 */
key: string, about: string, kind: FieldKind, 
/**
 * The allowed values if the kind is `choice`.
 */
choices: Array<string>, 
/**
 * The value in force. For a secret it is only `true` (set) or `false` (not set).
 */
value: unknown, default: unknown, 
/**
 * The source of the value: `default`, `file`, `environment` or `flag`. Values of the last two cannot be changed
 * through the API.
 */
from: string, 
/**
 * False if the part of the program that reads this key is not built yet.
 */
effective: boolean, };

export type FieldKind = "switch" | "number" | "text" | "secret" | "choice" | "list" | "table";

/**
 * A problem in the settings file that the user should look at.
 */
export type ConfigProblem = { message: string, line: number | null, column: number | null, 
/**
 * True if the file could not be used at all, so that the last valid settings stay in force.
 */
fatal: boolean, };

/**
 * The request body of `PATCH /api/config`: dotted keys with their new values. `null` resets a key to its default.
 */
export type ConfigPatch = Record<string, unknown>;

/**
 * The request body of `POST /api/auth/login`: either the API token, or a one-time code as `perigee open` issues it.
 */
export type LoginRequest = { token?: string, code?: string, };

/**
 * The response of `GET /api/auth/status` and `POST /api/auth/login`.
 */
export type AuthStatus = { 
/**
 * Always true, because authentication cannot be switched off.
 */
enabled: boolean, authenticated: boolean, user: User | null, };

export type User = { id: UserId, name: string, owner: boolean, };

export type NewUserRequest = { name: string, };

/**
 * A code that signs in one browser once. It belongs in the fragment of the URL.
 */
export type OpenCode = { code: string, seconds: number, };

/**
 * A permission of a token. `all` permits everything that the token's user may do; the others permit less.
 */
export type Scope = "all" | "chat" | "memory.read" | "memory.write" | "voice";

export type NewTokenRequest = { name: string, scopes: Array<Scope>, 
/**
 * The user that the token is for; the owner if absent.
 */
user?: UserId, };

export type TokenInfo = { id: TokenId, name: string, user: UserId, scopes: Array<Scope>, createdAt: string, lastUsedAt: string | null, };

/**
 * A new token with its secret, which is never shown again.
 */
export type TokenSecret = { token: TokenInfo, secret: string, };

/**
 * A signed-in browser.
 */
export type SessionInfo = { id: TokenId, user: UserId, createdAt: string, lastUsedAt: string, agent: string, current: boolean, };

/**
 * The response of `GET /api/health`, which needs no token and contains nothing private.
 */
export type Health = { status: string, name: string, version: string, };

/**
 * A background process, as listed by `GET /api/processes`.
 */
export type ProcessInfo = { id: string, name: string, about: string, 
/**
 * The schedule in words, such as `every 5 minutes`.
 */
schedule: string, state: ProcessState, lastRun: string | null, nextRun: string | null, lastOutcome: ProcessOutcome | null, runs: number, 
/**
 * The number of consecutive failures. The wait before the next run grows with it.
 */
failures: number, };

export type ProcessState = "waiting" | "running" | "paused" | "backingOff";

export type ProcessOutcome = { ok: boolean, 
/**
 * A text for the user: what the run did, or what went wrong.
 */
message: string, millis: number, };

/**
 * A facial expression of the avatar.
 */
export type Expression = "happy" | "angry" | "sad" | "relaxed" | "surprised" | "neutral";

/**
 * The state of the avatar between animations.
 */
export type BodyState = "idle" | "thinking" | "answering";

/**
 * A mouth shape. Times are in seconds from the beginning of the sound.
 */
export type Viseme = { at: number, seconds: number, shape: MouthShape, 
/**
 * The strength of the shape, from 0 to 1.
 */
weight: number, };

export type MouthShape = "aa" | "ih" | "ou" | "ee" | "oh" | "closed";

export type AnimationList = { animations: Array<AnimationInfo>, };

export type AnimationInfo = { name: string, 
/**
 * The URL of the animation file. It changes with the file, so that the response can be cached indefinitely.
 */
url: string, format: AnimationFormat, 
/**
 * True for a built-in animation, false for a file in `assets/anims`.
 */
own: boolean, 
/**
 * True if it repeats until another animation is played. Other animations are played once.
 */
looped: boolean, };

export type AnimationFormat = "vrma" | "fbx";

/**
 * The available backgrounds, and the current one.
 */
export type BackgroundList = { backgrounds: Array<BackgroundInfo>, 
/**
 * The `filename` of the current background.
 */
current: string, };

export type BackgroundInfo = { 
/**
 * A file in `assets/backgrounds`, a colour such as `#101830`, or one of the computed skies `night` and `dusk`.
 */
filename: string, kind: BackgroundKind, 
/**
 * The URL of a picture; `null` for other kinds.
 */
url: string | null, };

export type BackgroundKind = "sky" | "colour" | "picture";

export type BackgroundChoice = { filename: string, };

/**
 * The current avatar, and the available ones.
 */
export type BodyReport = { 
/**
 * The chosen avatar file in `assets/models`; `null` for the built-in avatar.
 */
model: string | null, 
/**
 * The URL of the current avatar. It changes with the avatar.
 */
url: string, 
/**
 * The name of the palette that is chosen for the built-in avatar.
 */
palette: string, models: Array<ModelFile>, palettes: Array<PaletteInfo>, 
/**
 * The reason why the chosen avatar is not shown; `null` if it is.
 */
trouble: string | null, };

export type ModelFile = { filename: string, url: string, bytes: number, };

export type PaletteInfo = { name: string, title: string, 
/**
 * The URL of the built-in avatar in these colours.
 */
url: string, 
/**
 * A few of the colours, from face to scarf, as `#rrggbb`.
 */
colours: Array<string>, };

/**
 * The avatar settings to change. Absent fields stay as they are.
 */
export type BodyChoice = { 
/**
 * A file in `assets/models`; an empty string chooses the built-in avatar.
 */
model?: string, palette?: string, };

/**
 * A folder of `assets`.
 */
export type AssetKind = "models" | "anims" | "backgrounds";

/**
 * The state of access from the local network.
 */
export type LanReport = { 
/**
 * True if `server.lan` is on and the server listens.
 */
on: boolean, 
/**
 * The URLs at which the server can be reached, the likeliest first.
 */
addresses: Array<string>, 
/**
 * The port, on every address of this machine; `null` while the server does not listen.
 */
port: number | null, 
/**
 * The SHA-256 fingerprint of the certificate authority, in the form in which phones show it; `null` while the
 * server does not listen.
 */
fingerprint: string | null, 
/**
 * The reason why the server cannot be reached although `server.lan` is on; `null` if there is none.
 */
trouble: string | null, };

/**
 * A link that signs in one phone.
 */
export type LanCode = { 
/**
 * The URL, with a code that signs in one browser.
 */
url: string, 
/**
 * The time for which the code is valid, in seconds.
 */
seconds: number, 
/**
 * The URL as a QR code, one string per row: `#` is dark, `.` is light.
 */
rows: Array<string>, };

/**
 * A message from the server over `/ws`. Beside these fields, each message has a `seq`. A client that reconnects with
 * `?lastSeq=` receives what it missed, or `resync` if that is no longer available.
 */
export type Push = { "action": "hello", clientId: string, version: string, } | { "action": "resync" } | { "action": "chat_changed", chat: ChatSummary, } | { "action": "chat_deleted", id: ConversationId, } | { "action": "chat_opened", id: ConversationId | null, } | { "action": "turn_started", conversationId: ConversationId, turnId: TurnId, messageId: MessageId, } | { "action": "turn_ended", conversationId: ConversationId, turnId: TurnId, messageId: MessageId, } | { "action": "chat_summarised", conversationId: ConversationId, upTo: MessageId, } | { "action": "download", download: Download, } | { "action": "model", current: ModelState, } | { "action": "config_changed" } | { "action": "confirmation_asked", waiting: WaitingConfirmation, } | { "action": "confirmation_settled", id: string, } | { "action": "permissions_changed" } | { "action": "tools_changed" } | { "action": "memory_changed" } | { "action": "forgotten" } | { "action": "personality_changed" } | { "action": "code_index", root: string, index: IndexState, } | { "action": "code_changed", root: string, } | { "action": "body_changed" } | { "action": "play", animation: string, } | { "action": "set_background", filename: string, } | { "action": "expression", expression: Expression, 
/**
 * The intensity, from 0 to 1.
 */
intensity: number, } | { "action": "state", state: BodyState, } | { "action": "speaker", speaks: boolean, } | { "action": "tool_call", conversationId: ConversationId, name: string, arguments: unknown, } | { "action": "chat", conversationId: ConversationId, turnId: TurnId, content: string, } | { "action": "audio", turnId: TurnId, 
/**
 * A WAV file, in Base64.
 */
data: string, text: string, visemes: Array<Viseme>, };

/**
 * A message from a client over `/ws`.
 */
export type ClientMessage = { "action": "presence", visible: boolean, };
