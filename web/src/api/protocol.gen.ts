// Generated from crates/protocol by `cargo xtask codegen`. Do not edit.

/**
 * A person who uses this Perigee. Every row of the database has its owner.
 */
export type UserId = string;

export type ConversationId = string;

/**
 * One node of a conversation's tree.
 */
export type MessageId = string;

/**
 * One run of the loop: from a message to the end of its answer.
 */
export type TurnId = string;

export type AttachmentId = string;

/**
 * An API token (its public name, never the secret).
 */
export type TokenId = string;

/**
 * A tool that may run with certain arguments.
 */
export type GrantId = string;

/**
 * Something that she knows.
 */
export type FactId = string;

/**
 * Changes to code, to be looked at.
 */
export type ProposalId = string;

/**
 * A state of a workspace that one can go back to.
 */
export type CheckpointId = string;

/**
 * Something that was learned about a workspace.
 */
export type NoteId = string;

/**
 * What a turn emits. `Metadata` comes first; `Done` or `Error` comes last.
 */
export type Event = { "type": "metadata", conversationId: ConversationId, model: string, turnId: TurnId, 
/**
 * Absent when an answer is made anew: there is no new user message then.
 */
userMessageId?: MessageId, messageId: MessageId, } | { "type": "progress", stage: string, done: number, total: number, 
/**
 * How long the rest will take, where that can be told.
 */
secondsLeft?: number, } | { "type": "memory", items: Array<MemoryItem>, } | { "type": "token", content: string, } | { "type": "reasoning", content: string, } | { "type": "tool", id: string, name: string, args: unknown, status: ToolStatus, 
/**
 * What the model was told.
 */
result?: unknown, 
/**
 * How long it ran.
 */
ms?: number, 
/**
 * Where in the text it was called, as in [`Act`](crate::Act): she finishes what she says first.
 */
at?: number, } | { "type": "toolOutput", id: string, text: string, } | { "type": "command", id: string, 
/**
 * The name of the tool or tag in small letters: `widget`, `map`, `web_search`.
 */
action: string, payload: unknown, } | { "type": "confirmation" } & Confirmation | { "type": "plan", steps: Array<PlanStep>, } | { "type": "context", files: Array<RelevantFile>, parts: Array<ContextPart>, } | { "type": "proposal", id: ProposalId, files: Array<ProposalFile>, } | { "type": "verify", stage: VerifyStage, ok?: boolean, output: string, errors: Array<VerifyError>, } | { "type": "meta" } & CodeMeta | { "type": "usage" } & Usage | { "type": "done", conversationId: ConversationId, messageId: MessageId, stopReason: StopReason, } | { "type": "error", message: string, code: ErrorCode, };

export type ToolStatus = "requested" | "waiting" | "running" | "done" | "failed" | "denied" | "blocked";

/**
 * Why the answer ended.
 */
export type StopReason = "end" | "length" | "toolCalls" | "stopped" | "cut";

/**
 * Tokens and times of a turn. Times are in milliseconds from the moment the message arrived.
 */
export type Usage = { promptTokens: number, 
/**
 * How many of the prompt's tokens did not have to be evaluated again.
 */
cachedTokens: number, completionTokens: number, firstTokenMs?: number, 
/**
 * How long she thought before the first word of the answer.
 */
reasoningMs?: number, totalMs: number, };

/**
 * The body of every answer that is not a success.
 */
export type ApiError = { code: ErrorCode, 
/**
 * What happened, what was kept, and what to do: in words for a person.
 */
message: string, };

export type ErrorCode = "badRequest" | "unauthorized" | "forbidden" | "notFound" | "methodNotAllowed" | "conflict" | "tooLarge" | "unsupportedMediaType" | "tooManyRequests" | "noModel" | "modelUnreachable" | "modelFailed" | "serviceUnreachable" | "contextFull" | "shuttingDown" | "internal";

/**
 * `POST /api/chat/stream` and `POST /api/chat`.
 */
export type ChatRequest = { message: string, 
/**
 * Without one, the conversation that was opened last goes on.
 */
conversationId?: ConversationId, 
/**
 * The message that this one replaces: the two become branches beside each other.
 */
editOf?: MessageId, attachments?: Array<AttachmentUpload>, 
/**
 * Chosen by the client, so that a message sent twice over a bad line is one turn.
 */
clientMessageId?: string, };

export type AttachmentUpload = { name: string, mime: string, 
/**
 * Base 64.
 */
data: string, };

export type AttachmentInfo = { id: AttachmentId, name: string, mime: string, bytes: number, };

/**
 * The answer of `POST /api/chat`: the same turn, gathered.
 */
export type ChatReply = { response: string, conversationId: ConversationId, turnId: TurnId, messageId: MessageId, };

/**
 * `POST /api/chats/{id}/regenerate`: another answer beside this one.
 */
export type RegenerateRequest = { messageId: MessageId, };

/**
 * `POST /api/chat/stop`.
 */
export type StopRequest = { turnId: TurnId, };

export type StopReply = { 
/**
 * False when the turn had already ended.
 */
stopped: boolean, };

/**
 * A turn that runs, or ran.
 */
export type TurnInfo = { turnId: TurnId, conversationId: ConversationId, messageId: MessageId, status: TurnStatus, };

export type TurnStatus = "running" | "ended";

/**
 * *Why did you say that?*: what she saw, and what it cost.
 */
export type Why = { turnId: TurnId, messageId: MessageId, model: string, fragments: Array<Fragment>, usage: Usage, timings: Timings, };

/**
 * One piece of the prompt, in the order in which the model read it.
 */
export type Fragment = { kind: FragmentKind, 
/**
 * Where it came from, in a few words: `soul/identity.md`, `message`, `summary`.
 */
source: string, text: string, tokens: number, };

export type FragmentKind = "soul" | "tools" | "skills" | "date" | "tone" | "summary" | "history" | "context" | "user" | "assistant" | "results";

/**
 * Milliseconds spent in each part of the turn.
 */
export type Timings = { 
/**
 * Waiting for an earlier turn of the same conversation.
 */
queuedMs: number, contextMs: number, 
/**
 * From the finished prompt to the first token.
 */
prefillMs: number, decodeMs: number, };

/**
 * What she does with a request about code.
 */
export type CodeMode = "agent" | "ask" | "plan" | "repair";

/**
 * What happens to what she changed.
 */
export type ApplyMode = "ask" | "auto";

/**
 * `POST /api/code/stream`.
 */
export type CodeRequest = { mode?: CodeMode, 
/**
 * What is wanted. `@path`, `@folder/`, `@symbol`, `@diff`, `@terminal` and `@https://…` in it bring what they name.
 */
text: string, 
/**
 * Without one, a conversation of its own begins.
 */
conversationId?: ConversationId, 
/**
 * The workspace. Without one, it is the one that was used last.
 */
root?: string, 
/**
 * The file that is meant. Without one, she looks for those that matter, and says why.
 */
focusFile?: string, extraReadFiles?: Array<string>, contextFolders?: Array<string>, 
/**
 * The steps of a plan that is to be carried out.
 */
planContext?: string, 
/**
 * What a build or a test printed last.
 */
lastError?: string, apply?: ApplyMode, clientMessageId?: string, };

/**
 * How far the index of a workspace is.
 */
export type IndexState = { "state": "asleep" } | { "state": "reading", done: number, total: number, } | { "state": "ready", files: number, symbols: number, } | { "state": "failed", message: string, };

/**
 * A folder in which she writes code.
 */
export type CodeRoot = { path: string, name: string, 
/**
 * The files and folders that are in play; none means all.
 */
include: Array<string>, 
/**
 * When it was used last, in milliseconds since 1970.
 */
usedAt: number, index: IndexState, 
/**
 * Why nothing can be done there any more.
 */
trouble?: string, };

/**
 * `GET /api/code/root`: the workspaces, the one in use first.
 */
export type CodeRootList = { 
/**
 * The path of the one in use.
 */
current?: string, roots: Array<CodeRoot>, };

/**
 * `POST /api/code/root`.
 */
export type CodeRootRequest = { path: string, };

/**
 * `GET /api/code/folders?path=`: the folders inside of a folder of this machine, to choose a workspace among.
 */
export type FolderList = { 
/**
 * The folder that is looked into; the user's own where none was named.
 */
path: string, 
/**
 * The one that it lies in.
 */
parent?: string, 
/**
 * Without hidden ones, by name.
 */
folders: Array<Folder>, 
/**
 * There are more than are listed.
 */
more: boolean, };

export type Folder = { name: string, path: string, 
/**
 * It looks like a project: it is a repository, or says how it is built.
 */
project: boolean, };

/**
 * `POST /api/code/include`.
 */
export type IncludeRequest = { 
/**
 * Relative to the root; none means all.
 */
paths: Array<string>, 
/**
 * The workspace; without one, it is the one that was used last.
 */
root?: string, };

/**
 * A file of the workspace, as the list has it.
 */
export type CodeFile = { path: string, bytes: number, 
/**
 * Whether it is among what she may change.
 */
included: boolean, };

/**
 * `GET /api/code/files`.
 */
export type CodeFileList = { files: Array<CodeFile>, 
/**
 * There are more than are listed.
 */
more: boolean, };

/**
 * Something that a file defines.
 */
export type CodeSymbol = { name: string, kind: string, line: number, endLine: number, container?: string, };

/**
 * `GET /api/code/file?path=`.
 */
export type CodeFileView = { path: string, 
/**
 * Empty where it is no text.
 */
content: string, language: string, 
/**
 * Of the bytes on the disk; it goes with what is saved.
 */
hash: string, bytes: number, binary: boolean, editable: boolean, symbols: Array<CodeSymbol>, };

/**
 * `PUT /api/code/file`: what somebody wrote in the editor.
 */
export type SaveFileRequest = { path: string, content: string, 
/**
 * The file as it was when it was opened; nothing for a new one.
 */
hash?: string, 
/**
 * The workspace; without one, it is the one that was used last.
 */
root?: string, };

/**
 * `POST /api/code/run`: a command of the user's own, in the sandbox.
 */
export type CodeRunRequest = { command: string, 
/**
 * The workspace; without one, it is the one that was used last.
 */
root?: string, };

/**
 * What became of a file.
 */
export type FileChangeKind = "added" | "deleted" | "changed" | "renamed" | "binary";

export type DiffLineKind = "same" | "added" | "removed";

export type DiffLine = { kind: DiffLineKind, text: string, 
/**
 * The last line, where no newline ends it.
 */
noNewline?: boolean, };

/**
 * A stretch of lines that changed, with a few around them.
 */
export type DiffHunk = { id: number, oldStart: number, oldLines: number, newStart: number, newLines: number, lines: Array<DiffLine>, };

export type ProposalFile = { path: string, kind: FileChangeKind, renamedFrom?: string, added: number, removed: number, 
/**
 * How much of it was taken; left out while nobody has decided.
 */
decision?: FileDecision, 
/**
 * Left out in lists.
 */
hunks: Array<DiffHunk>, };

/**
 * What became of changes that were proposed.
 */
export type ProposalStatus = "open" | "applied" | "rejected" | "undone";

/**
 * How much of a proposed file was taken.
 */
export type FileDecision = "open" | "all" | "some" | "none";

/**
 * All that she would change in one go.
 */
export type Proposal = { id: ProposalId, root: string, title: string, status: ProposalStatus, conversationId?: ConversationId, 
/**
 * In milliseconds since 1970.
 */
createdAt: number, files: Array<ProposalFile>, 
/**
 * How building and testing went with it.
 */
verify?: VerifyReport, 
/**
 * Files that have changed since: it cannot land as it is.
 */
stale: Array<string>, 
/**
 * When it became what it is, in milliseconds since 1970.
 */
changedAt: number, 
/**
 * Whether what it did can be taken back, or done again.
 */
canUndo: boolean, canRedo: boolean, };

/**
 * `GET /api/code/proposals`, the newest first.
 */
export type ProposalList = { proposals: Array<Proposal>, };

/**
 * What stands in the place of all lines that a hunk shows.
 */
export type EditedHunk = { id: number, text: string, };

/**
 * What is taken of a file.
 */
export type FileChoice = { path: string, 
/**
 * The hunks; nothing means all of them.
 */
hunks?: Array<number>, 
/**
 * Hunks that somebody wrote anew; they are taken as they are here.
 */
edited?: Array<EditedHunk>, };

/**
 * `POST /api/code/proposals/{id}/apply`.
 */
export type ApplyRequest = { 
/**
 * What is taken; nothing means all of it. The rest is left out.
 */
files?: Array<FileChoice>, };

export type VerifyStage = "build" | "test" | "run";

/**
 * Something that a build or a test complains of.
 */
export type VerifyError = { file?: string, line?: number, column?: number, message: string, };

/**
 * A stage of building and testing, and how it ended.
 */
export type VerifyStep = { stage: VerifyStage, command: string, ok: boolean, 
/**
 * The end of what it printed.
 */
output: string, errors: Array<VerifyError>, durationMs: number, };

export type VerifyOutcome = "passed" | "failed" | "timedOut" | "missing" | "nothing" | "stopped";

/**
 * `POST /api/code/verify`, and what a proposal shows beside its differences.
 */
export type VerifyReport = { outcome: VerifyOutcome, 
/**
 * In a sentence.
 */
summary: string, steps: Array<VerifyStep>, };

/**
 * `POST /api/code/verify`.
 */
export type VerifyRequest = { 
/**
 * With what this proposal would change; else the files as they are.
 */
proposalId?: ProposalId, 
/**
 * What changed: in a folder of many projects, those that hold these are looked at.
 */
paths?: Array<string>, 
/**
 * The workspace; without one, it is the one that was used last.
 */
root?: string, };

/**
 * Something that a run did, in a few words.
 */
export type CodeAction = { 
/**
 * The tool.
 */
name: string, path?: string, ok: boolean, 
/**
 * How the place was found, for an edit: `exact`, `indentation`.
 */
strategy?: string, };

export type CodeDiff = { path: string, 
/**
 * As `diff -u` writes it.
 */
diff: string, };

/**
 * How a run ended: the event `meta`.
 */
export type CodeMeta = { ok: boolean, summary: string, 
/**
 * What it changed.
 */
files: Array<string>, diffs: Array<CodeDiff>, actions: Array<CodeAction>, durationMs: number, proposalId?: ProposalId, requiresApproval: boolean, 
/**
 * How and where she was asked, so that she can be asked again; nothing of what a person does by themselves.
 */
mode?: CodeMode, root?: string, };

/**
 * A file that was found to matter, and why.
 */
export type RelevantFile = { path: string, reasons: Array<string>, };

/**
 * A part of what a request is answered with.
 */
export type ContextPart = { 
/**
 * In a few words: `focus file src/main.rs`, `repo map`.
 */
source: string, tokens: number, 
/**
 * Not all of it had room.
 */
cut: boolean, };

/**
 * Something that is remembered of the work here.
 */
export type CodeNote = { kind: CodeNoteKind, path?: string, text: string, createdAt: number, };

export type CodeNoteKind = "change" | "failure";

/**
 * The files and the conversation as they were before a run.
 */
export type Checkpoint = { id: CheckpointId, label: string, createdAt: number, conversationId?: ConversationId, };

/**
 * `GET /api/code/history`, each the newest first.
 */
export type CodeHistory = { proposals: Array<Proposal>, notes: Array<CodeNote>, checkpoints: Array<Checkpoint>, };

/**
 * How much harm a tool can do.
 */
export type Risk = "safe" | "risky" | "dangerous";

/**
 * Whether a tool may run.
 */
export type Permission = "allow" | "confirm" | "block";

/**
 * Where words came from that neither the user nor she wrote.
 */
export type Origin = { "kind": "web", "name": string } | { "kind": "search", "name": string } | { "kind": "file", "name": string } | { "kind": "mcp", "name": string } | { "kind": "tools", "name": string } | { "kind": "picture", "name": string } | { "kind": "workspace", "name": string };

/**
 * `command{action, payload}`: something to open on the screen.
 */
export type Command = { 
/**
 * The name of the tool or tag in small letters: `widget`, `map`, `web_search`.
 */
action: string, payload: unknown, };

/**
 * A question to the user: may she?
 */
export type Confirmation = { 
/**
 * The tool call's. What the tool asks while it runs has a number behind it: `call.1`.
 */
id: string, tool: string, 
/**
 * What it would do, in a sentence.
 */
description: string, args: unknown, risk: Risk, 
/**
 * Why she asks.
 */
why: string, 
/**
 * Words of others are in the prompt: they may have brought this about, and no grant counts.
 */
tainted: boolean, 
/**
 * It is asked about each time: a yes for good would change nothing, and is not offered.
 */
everyTime: boolean, 
/**
 * No answer until then is a no.
 */
until: string, 
/**
 * What can be filled in with the yes: the schema of a flat object.
 */
form?: unknown, 
/**
 * Others like it, as the rule that would allow them has it.
 */
rule?: string, };

/**
 * A question that still waits, and where.
 */
export type WaitingConfirmation = { conversationId: ConversationId, messageId: MessageId, confirmation: Confirmation, };

/**
 * `GET /api/chat/confirmations`.
 */
export type Confirmations = { waiting: Array<WaitingConfirmation>, };

/**
 * `POST /api/chat/confirm/{id}`.
 */
export type ConfirmRequest = { approved: boolean, 
/**
 * What is allowed from here on without asking, where that can be.
 */
remember?: Remember, 
/**
 * What was filled in, where the question had a form.
 */
filled?: Record<string, unknown>, };

export type Remember = "tool" | "arguments" | "rule";

export type ConfirmReply = { 
/**
 * False when it had been answered already, or it was too late.
 */
settled: boolean, };

/**
 * A step of a plan.
 */
export type PlanStep = { title: string, status: StepStatus, };

export type StepStatus = "pending" | "running" | "done" | "skipped";

/**
 * A tool call as a message keeps it.
 */
export type Act = { id: string, name: string, args: unknown, status: ToolStatus, 
/**
 * What the model was told.
 */
result: unknown, ms: number | null, 
/**
 * What it opened on the screen.
 */
command: Command | null, 
/**
 * Where in the message's text it stands, in characters (UTF-16 units, as browsers count).
 */
at: number, pinned: boolean, };

/**
 * Something on the screen that the user keeps at hand.
 */
export type PinnedAct = { messageId: MessageId, act: Act, };

/**
 * `PUT /api/chats/{id}/pins`.
 */
export type PinRequest = { messageId: MessageId, actId: string, pinned: boolean, };

/**
 * A tool as the tools page shows it.
 */
export type ToolInfo = { name: string, description: string, parameters: unknown, risk: Risk, readsPrivate: boolean, bringsUntrusted: boolean, sendsOut: boolean, changes: boolean, 
/**
 * The group of the settings that it belongs to, such as `memory`.
 */
group: string | null, 
/**
 * Whether that group is on. A tool whose group is off is not offered and cannot run.
 */
on: boolean, tags: Array<string>, 
/**
 * What holds: what the user said, or else the default.
 */
permission: Permission, defaultPermission: Permission, timeLimitSeconds: number, };

/**
 * `GET /api/tools`.
 */
export type ToolList = { tools: Array<ToolInfo>, };

/**
 * `POST /api/tools/{name}/run`: a button. It passes the same gate as a call of hers.
 */
export type RunToolRequest = { args: unknown, conversationId?: ConversationId, };

/**
 * `GET /api/permissions`: what differs from the defaults.
 */
export type PermissionList = { permissions: { [key in string]: Permission }, grants: Array<Grant>, 
/**
 * What is wrong with the file, while the last good one holds.
 */
trouble: string | null, };

/**
 * `PUT /api/permissions`: `{"web_fetch": "allow", "run_command": null}`; null goes back to the default.
 */
export type PermissionPatch = { [key in string]: Permission | null };

/**
 * A tool that may run with these very arguments without asking.
 */
export type Grant = { id: GrantId, tool: string, args: unknown, createdAt: string, };

/**
 * A skill as the skills page shows it.
 */
export type SkillInfo = { name: string, description: string, 
/**
 * The only tools that may run while the skill is followed; absent, all may.
 */
allowedTools: Array<string> | null, 
/**
 * Whether it came with the program.
 */
shipped: boolean, licence: string | null, files: Array<string>, 
/**
 * What is wrong with it, where it cannot be used.
 */
trouble: string | null, };

/**
 * `GET /api/skills`.
 */
export type SkillList = { skills: Array<SkillInfo>, 
/**
 * Where a user's own are put.
 */
folder: string, };

/**
 * `GET /api/skills/{name}`.
 */
export type SkillView = { skill: SkillInfo, 
/**
 * The text of `SKILL.md` after its front matter.
 */
body: string, };

/**
 * `GET /api/spotify`.
 */
export type SpotifyState = { status: SpotifyStatus, 
/**
 * The address that the Spotify app has to allow.
 */
redirect: string, };

export type SpotifyStatus = "notSetUp" | "signedOut" | "signedIn";

/**
 * Where to sign in.
 */
export type SpotifyUrl = { url: string, };

/**
 * What Spotify sent back.
 */
export type SpotifyCode = { state: string, code: string, };

/**
 * One act, or one that did not happen, as the audit log keeps it.
 */
export type AuditEntry = { at: string, user: UserId, conversationId: ConversationId | null, tool: string, args: unknown, 
/**
 * What came of it, or why nothing did; cut where it is long.
 */
result: string, risk: Risk, decision: AuditDecision, 
/**
 * Why the user was asked, or why it was refused.
 */
why: string | null, };

export type AuditDecision = "allowed" | "approved" | "denied" | "timedOut" | "stopped" | "blocked" | "refused";

/**
 * Newest first.
 */
export type AuditPage = { entries: Array<AuditEntry>, 
/**
 * Give it back as `?cursor=` for older ones.
 */
next: string | null, };

/**
 * `GET /api/commands/rules`: the rules about shell commands.
 */
export type CommandRules = { rules: Array<CommandRule>, 
/**
 * Those that cannot be used, and why.
 */
refused: Array<RefusedRule>, 
/**
 * What is wrong with the file, while every command asks.
 */
trouble: string | null, };

export type CommandRule = { id: string, 
/**
 * `allow`, `ask` or `deny`.
 */
verdict: string, pattern: string, 
/**
 * The folder that it holds in; everywhere if there is none.
 */
root: string | null, 
/**
 * Lines that it is about.
 */
matches: Array<string>, note: string, };

export type RefusedRule = { id: string, why: string, };

/**
 * `POST /api/commands/rules`: lets commands like this one run without a question, or puts a rule back.
 */
export type AllowCommandRequest = { 
/**
 * A command like those that are allowed from here on.
 */
line?: string, 
/**
 * A rule as it was when it was taken back.
 */
rule?: unknown, };

/**
 * `DELETE /api/commands/rules/{id}`.
 */
export type TakenBack = { 
/**
 * What was taken out of the file, to be put back.
 */
rule: unknown, };

/**
 * `GET /api/mcp/servers`.
 */
export type McpServerList = { servers: Array<McpServerInfo>, sandbox: SandboxInfo, 
/**
 * Those that she wrote, were taken away and can be had back.
 */
deleted: Array<MadeDeleted>, 
/**
 * Why those that she wrote cannot be listed.
 */
trouble?: string, };

/**
 * How well programs can be held on this machine.
 */
export type SandboxInfo = { 
/**
 * `full`, `partial` or `none`.
 */
level: string, 
/**
 * What keeps it from being full, and how to mend that.
 */
missing: Array<string>, };

/**
 * A server that brings tools.
 */
export type McpServerInfo = { name: string, kind: McpKind, state: McpState, 
/**
 * What is wrong, where something is.
 */
trouble: string | null, 
/**
 * The command line or the address; of one that she made, its file.
 */
reach: string, description: string | null, version: string | null, tools: Array<McpToolInfo>, 
/**
 * What it offers and cannot be used, and why.
 */
leftOut: Array<string>, hasResources: boolean, hasPrompts: boolean, 
/**
 * Where you stand with one that lets nobody in who has not signed in with it.
 */
signIn: McpSignIn | null, 
/**
 * What waits for your word. It is said yes to with this very text, so that nothing else is meant by it.
 */
asks: string | null, 
/**
 * Of one that she made.
 */
made: MadeInfo | null, };

export type McpKind = "configured" | "made";

export type McpState = "asking" | "disabled" | "resting" | "starting" | "ready" | "locked" | "failing" | "failed";

export type McpSignIn = "wanted" | "more" | "done";

/**
 * `POST /api/mcp/servers/{name}/sign-in`.
 */
export type McpSignInStart = { 
/**
 * The page to open in a browser. It leads back here.
 */
url: string, };

/**
 * A tool of a server.
 */
export type McpToolInfo = { 
/**
 * As the server calls it.
 */
name: string, 
/**
 * As she calls it.
 */
fullName: string, description: string, parameters: unknown, standing: McpStanding, 
/**
 * What it said of itself when it was let in, where it says something else now.
 */
was: string | null, };

export type McpStanding = "approved" | "new" | "changed";

/**
 * What is known of a server that she wrote.
 */
export type MadeInfo = { 
/**
 * What lies there, as a yes to it names it: the `seen` of an approval.
 */
digest: string, autoStart: boolean, 
/**
 * Whether it asks for the network.
 */
wantsNetwork: boolean, 
/**
 * The hosts that it may reach, or could when it was let in; `*` is every public one.
 */
hosts: Array<string>, createdAt: string, changedAt: string, versions: Array<MadeVersion>, };

/**
 * An earlier or the present text of a server that she wrote.
 */
export type MadeVersion = { id: string, at: string, 
/**
 * What the change was for.
 */
note: string, };

/**
 * `POST /api/mcp/servers`: adds one to the settings, in the form that other MCP clients use. Whoever sends it lets it in.
 */
export type McpAddRequest = { name: string, server: unknown, };

/**
 * `POST /api/mcp/servers/{name}/approve`.
 */
export type McpApproveRequest = { 
/**
 * What was shown as `asks`.
 */
seen: string, 
/**
 * The hosts that it may reach from here on; `*` is every public one.
 */
hosts?: Array<string>, };

/**
 * `GET /api/mcp/servers/{name}/logs`.
 */
export type McpLog = { lines: Array<McpLogLine>, };

export type McpLogLine = { at: string, text: string, };

/**
 * `GET /api/mcp/servers/{name}/source`.
 */
export type MadeSource = { code: string, 
/**
 * What was said yes to last; where that is not known, the version before it.
 */
before: string | null, 
/**
 * What was said of it when it was let in, where something else is said now.
 */
describedBefore: string | null, 
/**
 * Whether it asked for the network when it was let in, where that is another now.
 */
wantedNetworkBefore: boolean | null, };

/**
 * A server that she wrote and that was taken away.
 */
export type MadeDeleted = { name: string, description: string, };

/**
 * A conversation as a row of the list. Times are RFC 3339, in UTC.
 */
export type ChatSummary = { id: ConversationId, title: string, createdAt: string, updatedAt: string, pinned: boolean, folder: string | null, tags: Array<string>, messageCount: number, 
/**
 * The beginning of the last message.
 */
preview: string, 
/**
 * It is remembered by nobody, and gone when it is closed.
 */
incognito: boolean, };

/**
 * `GET /api/chats`: newest first, pinned before all.
 */
export type ChatList = { chats: Array<ChatSummary>, 
/**
 * Give it back as `?cursor=` for the next page.
 */
next: string | null, 
/**
 * The conversation that a message without `conversationId` goes to.
 */
current: ConversationId | null, folders: Array<FolderCount>, 
/**
 * Most used first.
 */
tags: Array<TagCount>, };

export type FolderCount = { name: string, chats: number, };

export type TagCount = { name: string, chats: number, };

export type NewChatRequest = { title?: string, folder?: string, incognito: boolean, };

export type LoadChatRequest = { id: ConversationId, };

/**
 * `PATCH /api/chats/{id}`: what is absent stays; an empty folder takes the conversation out of its folder.
 */
export type ChatPatch = { title?: string, pinned?: boolean, folder?: string, tags?: Array<string>, };

/**
 * A conversation opened: the messages of the branch that is shown, oldest first.
 */
export type ChatView = { chat: ChatSummary, messages: Array<Message>, 
/**
 * Earlier messages exist: ask again with `?before=` this id.
 */
before: MessageId | null, 
/**
 * The turn that is running in this conversation, to be resumed.
 */
live: TurnInfo | null, summary: SummaryMark | null, 
/**
 * Of all branches, oldest first.
 */
pinned: Array<PinnedAct>, };

/**
 * Messages up to `upTo` reach the model as this summary; here they stay in full.
 */
export type SummaryMark = { upTo: MessageId, text: string, };

/**
 * One message of the shown branch. `siblings` are the branches at this point, itself included.
 */
export type Message = { id: MessageId, parent: MessageId | null, role: Role, content: string, reasoning: string | null, createdAt: string, status: MessageStatus, stopReason: StopReason | null, 
/**
 * Why the answer failed, where it did.
 */
error: string | null, errorCode: ErrorCode | null, model: string | null, turnId: TurnId | null, 
/**
 * What the answer cost, once it has ended.
 */
usage: Usage | null, attachments: Array<AttachmentInfo>, siblings: Array<MessageId>, 
/**
 * What she did in the course of the answer, in order.
 */
acts: Array<Act>, plan: Array<PlanStep>, 
/**
 * What she remembered for it, best first.
 */
memory: Array<MemoryItem>, 
/**
 * What work on code told beside its words: `context`, `verify`, `proposal` and `meta`, without their longest parts.
 */
work?: Array<Event>, };

export type Role = "user" | "assistant";

export type MessageStatus = "streaming" | "complete" | "partial" | "failed";

/**
 * `POST /api/chats/{id}/branch`: show the branch that holds this message.
 */
export type BranchRequest = { messageId: MessageId, };

export type SearchResults = { hits: Array<SearchHit>, next: string | null, };

/**
 * A message, or a title, that matches. `snippet` is plain text; `marks` are the matches in it as pairs of
 * start and end, counted in UTF-16 units as JavaScript counts them.
 */
export type SearchHit = { chat: ConversationId, title: string, message: MessageId | null, role: Role | null, createdAt: string, snippet: string, marks: Array<[number, number]>, };

/**
 * `GET /api/models`: everything that the model picker shows.
 */
export type ModelsReport = { current: ModelState, installed: Array<InstalledModel>, catalogue: Array<CatalogueEntry>, 
/**
 * Models that turn texts into vectors, for memory. They do not answer, so they cannot be used in a chat.
 */
embedding?: Array<CatalogueEntry>, servers: Array<LocalServer>, downloads: Array<Download>, 
/**
 * The catalogue's name of the best model for this machine.
 */
recommended: string | null, 
/**
 * What answers is there to try things, and too small to be good company.
 */
trial: boolean, machine: Machine, };

/**
 * What answers at the moment, or why nothing does.
 */
export type ModelState = { "state": "none", hint: string, } | { "state": "loading", name: string, } | { "state": "ready", name: string, kind: ModelKind, context: number, vision: boolean, } | { "state": "failed", name: string, message: string, };

export type ModelKind = "embedded" | "openai" | "ollama" | "llamaServer" | "command";

export type InstalledModel = { 
/**
 * What `use` takes: a catalogue name, a file name, or `server/model`.
 */
name: string, kind: ModelKind, bytes: number | null, current: boolean, };

/**
 * A model that can be brought here.
 */
export type CatalogueEntry = { name: string, title: string, 
/**
 * One sentence: what it is good for.
 */
about: string, bytes: number, 
/**
 * Memory that it needs while it runs.
 */
memory: number, parameters: string, licence: string, sources: Array<SourceKind>, installed: boolean, 
/**
 * Whether this machine has the memory for it.
 */
fits: boolean, 
/**
 * Small enough to try things, too small to be good company.
 */
tiny: boolean, };

export type SourceKind = "hub" | "pip" | "npm" | "url" | "file";

/**
 * A model server that was found on this machine.
 */
export type LocalServer = { kind: ServerKind, baseUrl: string, models: Array<string>, };

export type ServerKind = "ollama" | "lmStudio" | "llamaServer";

export type Machine = { memory: number, cores: number, diskFree: number, };

/**
 * `POST /api/models/pull`: a catalogue name, a URL, or the path of a file on this machine.
 */
export type PullRequest = { name: string, 
/**
 * Only this source; without it each is tried in turn.
 */
source?: SourceKind, 
/**
 * Answer with this model as soon as it is here.
 */
thenUse?: boolean, };

export type UseModelRequest = { name: string, };

export type Download = { name: string, state: DownloadState, received: number, 
/**
 * Zero while it is not known.
 */
total: number, bytesPerSecond: number, secondsLeft: number | null, source: SourceKind | null, 
/**
 * What is happening, or what went wrong and what to do.
 */
message: string, };

export type DownloadState = "waiting" | "running" | "checking" | "done" | "failed" | "cancelled";

/**
 * What a fact is about.
 */
export type FactCategory = "personal" | "preference" | "relationship" | "event" | "goal" | "health" | "context" | "behaviour";

/**
 * Whether a fact counts.
 */
export type FactStatus = "current" | "unconfirmed" | "superseded" | "expired" | "faded" | "merged";

/**
 * Where a fact came from.
 */
export type FactSource = { "kind": "conversation", conversationId: ConversationId, messageId: MessageId, title: string, } | { "kind": "person" } | { "kind": "import", name: string, } | { "kind": "program", name: string, };

/**
 * Something that she knows. Times are RFC 3339, in UTC; confidence and importance lie between 0 and 1.
 */
export type Fact = { id: FactId, category: FactCategory, 
/**
 * Whom it is about; empty for the user.
 */
subject: string, 
/**
 * A sentence that can stand alone.
 */
content: string, 
/**
 * The words that it was taken from.
 */
quote: string | null, source: FactSource, 
/**
 * As it is today: it fades while nobody speaks of it.
 */
confidence: number, 
/**
 * How fast: the days after which half of its confidence is gone, where it fades at all.
 */
halfLifeDays: number | null, importance: number, createdAt: string, updatedAt: string, lastUsedAt: string | null, useCount: number, validFrom: string | null, validTo: string | null, expiresAt: string | null, 
/**
 * It never leaves this machine, and is told to nobody but the user.
 */
private: boolean, status: FactStatus, supersededBy: FactId | null, 
/**
 * A later message that may have changed it. Until somebody says whether it did, she does not state it.
 */
doubt: FactDoubt | null, 
/**
 * Whose words it rests on, beside the user's.
 */
origins: Array<Origin>, };

/**
 * `GET /api/memory`: newest first, or best first where something is searched for.
 */
export type FactList = { facts: Array<Fact>, 
/**
 * Give it back as `?cursor=` for the next page.
 */
next: string | null, 
/**
 * How many current facts each category has, whatever is searched for.
 */
categories: Array<CategoryCount>, 
/**
 * How many wait for a yes.
 */
unconfirmed: number, total: number, };

export type CategoryCount = { category: FactCategory, facts: number, };

/**
 * `POST /api/memory`.
 */
export type NewFactRequest = { content: string, category?: FactCategory, subject?: string, importance?: number, 
/**
 * How sure it is, from 0 to 1; what is written by hand is nearly sure.
 */
confidence?: number, private: boolean, 
/**
 * A day, `2026-05-01`, or a moment.
 */
validFrom?: string, expiresAt?: string, };

/**
 * `PATCH /api/memory/{id}`: what is absent stays; an empty `expiresAt` means never, an empty `subject` the user.
 */
export type FactPatch = { content?: string, 
/**
 * Whom it is about.
 */
subject?: string, category?: FactCategory, importance?: number, 
/**
 * How sure it is, from 0 to 1.
 */
confidence?: number, private?: boolean, expiresAt?: string, 
/**
 * A yes or no to a fact that waits for one or is in doubt, or one brought back that had faded.
 */
confirmed?: boolean, };

/**
 * `POST /api/memory/merge`: the facts become one, the first of them, which says `content` or what it said.
 */
export type MergeFactsRequest = { ids: Array<FactId>, content?: string, };

/**
 * `GET /api/memory/{id}/history`: what happened to a fact, oldest first.
 */
export type FactHistory = { changes: Array<FactChange>, 
/**
 * Whether `POST /api/memory/{id}/undo` has something to take back.
 */
canUndo: boolean, };

export type FactChange = { at: string, kind: FactChangeKind, 
/**
 * Said before it, where the words changed.
 */
before: string | null, 
/**
 * What else became otherwise.
 */
changed: Array<FactDifference>, 
/**
 * The other fact of a merge or a contradiction.
 */
other: FactId | null, otherContent: string | null, };

export type FactChangeKind = "learned" | "repeated" | "edited" | "confirmed" | "superseded" | "replaced" | "merged" | "expired" | "doubted" | "faded" | "promoted" | "undone";

export type FactDifference = { "what": "subject", from: string, to: string, } | { "what": "category", from: FactCategory, to: FactCategory, } | { "what": "private", to: boolean, } | { "what": "expiry", from: string | null, to: string | null, };

/**
 * A message that speaks of a change, in words out of which nothing could be read.
 */
export type FactDoubt = { conversationId: ConversationId, messageId: MessageId, 
/**
 * RFC 3339, in UTC.
 */
at: string, words: string, };

/**
 * What kind of thing was remembered.
 */
export type MemoryKind = "fact" | "message" | "summary" | "file" | "entry";

/**
 * Something that was remembered for a message, with where it stands and how well it fits.
 */
export type MemoryItem = { kind: MemoryKind, 
/**
 * The fact's or message's id, the file's name, or the entry's id.
 */
id: string, text: string, 
/**
 * Who said it, or whom it is about; empty for the user.
 */
who: string, 
/**
 * When it was said or learned.
 */
at: string | null, score: number, 
/**
 * What the score is made of, largest first: `words`, `meaning`, `person`, `day`, `importance`, `recency`.
 */
parts: Array<ScorePart>, conversationId: ConversationId | null, messageId: MessageId | null, 
/**
 * The conversation's title.
 */
title: string | null, origins: Array<Origin>, };

export type ScorePart = { name: string, value: number, };

/**
 * How many of so many texts can be found by what they mean.
 */
export type ReadingProgress = { done: number, of: number, };

/**
 * `GET /api/memory/recall?q=`: what would be recalled for this message.
 */
export type RecallReply = { items: Array<MemoryItem>, 
/**
 * Nothing came near enough to be an answer: an honest *I don't know that*.
 */
refused: boolean, 
/**
 * All that the user said so far is among the items, since it is little enough to be read whole. It comes also where
 * nothing of it answers.
 */
whole: boolean, 
/**
 * Conversations are being read in. Until then they are found by their words.
 */
reading: ReadingProgress | null, millis: number, };

/**
 * `POST /api/memory/forget`: a fact, a message, or words wherever they stand. Without `confirm`, nothing is
 * removed, and the report says what would be.
 */
export type ForgetRequest = { fact?: FactId, message?: MessageId, words?: string, 
/**
 * Words of the report that are to be looked for, too.
 */
also: Array<string>, 
/**
 * Words of the report that are to stay.
 */
leave: Array<string>, confirm: boolean, };

/**
 * What forgetting removed, or would remove.
 */
export type ForgetReport = { 
/**
 * False for what has only been looked up.
 */
done: boolean, 
/**
 * The words that are looked for.
 */
words: Array<string>, 
/**
 * Words that would say it, too, and mean other things elsewhere: they stay, unless they are asked for.
 */
offered: Array<OfferedWords>, removed: Array<ForgottenPlace>, 
/**
 * Files and their history go after this moment.
 */
historyUntil: string | null, 
/**
 * Backups are as they were made.
 */
backups: Array<BackupCopy>, 
/**
 * Where the words were found afterwards, in files of the data folder: nothing, if all went well.
 */
found: Array<string>, 
/**
 * Answers that are being written, and other work that may have read the words: what it writes is looked through
 * when it ends.
 */
running: number, };

export type ForgottenPlace = { 
/**
 * `facts`, `messages`, `summaries`, `prompts`, `events`, `audit`, `vectors`, `files`, `state`.
 */
place: string, count: number, 
/**
 * The beginning of what stood there, for what has only been looked up.
 */
example: string | null, };

export type BackupCopy = { file: string, madeAt: string, };

export type OfferedWords = { words: string, 
/**
 * How many conversations have them.
 */
conversations: number, };

/**
 * `POST /api/memory/import`: what came in.
 */
export type MemoryImportReply = { 
/**
 * What the file was taken for: `perigee`, `markdown`, `chatgpt`, `sillytavern`.
 */
format: string, facts: number, conversations: number, messages: number, entries: number, files: number, 
/**
 * What was there already.
 */
known: number, problems: Array<string>, };

/**
 * One day of the memory's timeline, newest first.
 */
export type MemoryDay = { 
/**
 * `2026-05-01`.
 */
day: string, entries: Array<TimelineEntry>, };

export type TimelineEntry = { at: string, kind: FactChangeKind, fact: Fact, before: string | null, };

/**
 * `GET /api/memory/timeline?before=`.
 */
export type Timeline = { days: Array<MemoryDay>, next: string | null, };

/**
 * `GET /api/memory/files`.
 */
export type MemoryFileList = { files: Array<MemoryFile>, };

export type MemoryFile = { name: string, bytes: number, changedAt: string, 
/**
 * Whose words are in it, beside the user's and hers.
 */
origins: Array<Origin>, };

/**
 * `GET /api/memory/files/{name}`.
 */
export type MemoryFileView = { file: MemoryFile, content: string, 
/**
 * Newest first.
 */
history: Array<MemoryFileChange>, };

export type MemoryFileChange = { 
/**
 * Give it to `POST /api/memory/files/{name}/restore`.
 */
id: string, at: string, what: string, 
/**
 * What the file said after the change; absent where it was deleted.
 */
content: string | null, };

export type RestoreMemoryFileRequest = { id: string, };

export type WriteMemoryFileRequest = { content: string, };

/**
 * An entry of the vector store.
 */
export type VectorEntry = { id: string, content: string, metadata: Record<string, unknown>, createdAt: string, updatedAt: string, origins: Array<Origin>, };

/**
 * `GET /api/vector`: newest first.
 */
export type VectorEntryList = { entries: Array<VectorEntry>, total: number, };

/**
 * `POST /api/vector`, and `PUT /api/vector/{id}`, where the id stands in the address. Without an id, one is made.
 */
export type SaveVectorRequest = { id?: string, content: string, metadata: Record<string, unknown>, 
/**
 * Whose words it has, of one that is brought back; those that it had stay in any case.
 */
origins?: Array<Origin>, 
/**
 * When it was made, of one that is brought back.
 */
createdAt?: string, };

/**
 * One side of how she is.
 */
export type Dimension = "mood" | "energy" | "formality" | "humor" | "supportNeed" | "verbosity" | "depth" | "questionFrequency";

/**
 * `GET /api/personality`.
 */
export type Personality = { traits: Array<Trait>, 
/**
 * What the model reads of it.
 */
tone: string, 
/**
 * Whether `POST /api/personality/undo` has something to take back.
 */
canUndo: boolean, };

export type Trait = { dimension: Dimension, 
/**
 * From 0.05 to 0.95.
 */
value: number, 
/**
 * Where it is pulled back to.
 */
rest: number, locked: boolean, 
/**
 * What moved it, oldest first.
 */
moves: Array<TraitMove>, };

export type TraitMove = { at: string, value: number, 
/**
 * In a few words: “you laughed”.
 */
why: string, conversationId: ConversationId | null, messageId: MessageId | null, };

/**
 * `PATCH /api/personality`: what is absent stays.
 */
export type PersonalityPatch = { traits: Array<TraitPatch>, };

export type TraitPatch = { dimension: Dimension, value?: number, locked?: boolean, };

/**
 * `GET /api/config`: the settings as they are in force, and what is wrong with the file.
 */
export type ConfigReport = { 
/**
 * The file that was read, or would be written.
 */
path: string, sections: Array<ConfigSection>, problems: Array<ConfigProblem>, };

export type ConfigSection = { name: string, about: string, fields: Array<ConfigField>, };

export type ConfigField = { 
/**
 * Dotted, as in `llm.base_url`.
 */
key: string, about: string, kind: FieldKind, 
/**
 * Allowed values, where the kind is `choice`.
 */
choices: Array<string>, 
/**
 * The value in force. A secret is only ever `true` (set) or `false`.
 */
value: unknown, default: unknown, 
/**
 * Who decided: `default`, `file`, `environment` or `flag`. The last two cannot be changed here.
 */
from: string, 
/**
 * False while the part that reads this key is not built yet.
 */
effective: boolean, };

export type FieldKind = "switch" | "number" | "text" | "secret" | "choice" | "list" | "table";

/**
 * Something in the file that needs a person's eye.
 */
export type ConfigProblem = { message: string, line: number | null, column: number | null, 
/**
 * The file could not be used, and the last good settings are in force.
 */
fatal: boolean, };

/**
 * `PATCH /api/config`: dotted keys and their new values; `null` returns a key to its default.
 */
export type ConfigPatch = Record<string, unknown>;

/**
 * `POST /api/auth/login`: the API token, or a one-time code of `perigee open`.
 */
export type LoginRequest = { token?: string, code?: string, };

/**
 * `GET /api/auth/status`.
 */
export type AuthStatus = { 
/**
 * Always true: there is no way to switch it off.
 */
enabled: boolean, authenticated: boolean, user: User | null, };

export type User = { id: UserId, name: string, owner: boolean, };

export type NewUserRequest = { name: string, };

/**
 * A code for one login, to be put into the URL's fragment.
 */
export type OpenCode = { code: string, seconds: number, };

/**
 * What a token may do. `all` is the owner's; the others are lesser.
 */
export type Scope = "all" | "chat" | "memory.read" | "memory.write" | "voice";

export type NewTokenRequest = { name: string, scopes: Array<Scope>, 
/**
 * For another person than the owner.
 */
user?: UserId, };

export type TokenInfo = { id: TokenId, name: string, user: UserId, scopes: Array<Scope>, createdAt: string, lastUsedAt: string | null, };

/**
 * The one time that a token's secret is shown.
 */
export type TokenSecret = { token: TokenInfo, secret: string, };

/**
 * A browser that is signed in.
 */
export type SessionInfo = { id: TokenId, user: UserId, createdAt: string, lastUsedAt: string, agent: string, current: boolean, };

/**
 * `GET /api/health`, which needs no token and says nothing private.
 */
export type Health = { status: string, name: string, version: string, };

/**
 * One entry of `GET /api/processes`.
 */
export type ProcessInfo = { id: string, name: string, about: string, 
/**
 * In words: `every 5 minutes`.
 */
schedule: string, state: ProcessState, lastRun: string | null, nextRun: string | null, lastOutcome: ProcessOutcome | null, runs: number, 
/**
 * Failures in a row; the wait grows with them.
 */
failures: number, };

export type ProcessState = "waiting" | "running" | "paused" | "backingOff";

export type ProcessOutcome = { ok: boolean, 
/**
 * What it did, or what went wrong.
 */
message: string, millis: number, };

/**
 * What her face can show.
 */
export type Expression = "happy" | "angry" | "sad" | "relaxed" | "surprised" | "neutral";

/**
 * What her body does between her animations.
 */
export type BodyState = "idle" | "thinking" | "answering";

/**
 * A shape of the mouth, in seconds from the beginning of the sound.
 */
export type Viseme = { at: number, seconds: number, shape: MouthShape, 
/**
 * From 0 to 1.
 */
weight: number, };

export type MouthShape = "aa" | "ih" | "ou" | "ee" | "oh" | "closed";

export type AnimationList = { animations: Array<AnimationInfo>, };

export type AnimationInfo = { name: string, 
/**
 * Changes with the file, so that it may be kept for ever.
 */
url: string, format: AnimationFormat, 
/**
 * Made by this program; another is a file in `assets/anims`.
 */
own: boolean, 
/**
 * It goes on until another one is played; the others are played once.
 */
looped: boolean, };

export type AnimationFormat = "vrma" | "fbx";

/**
 * What stands behind her, and all that could.
 */
export type BackgroundList = { backgrounds: Array<BackgroundInfo>, 
/**
 * The `filename` of the one that is shown.
 */
current: string, };

export type BackgroundInfo = { 
/**
 * A file in `assets/backgrounds`, a colour such as `#101830`, or `night` and `dusk`, which are computed.
 */
filename: string, kind: BackgroundKind, 
/**
 * Of a picture.
 */
url: string | null, };

export type BackgroundKind = "sky" | "colour" | "picture";

export type BackgroundChoice = { filename: string, };

/**
 * Her body, and all that she could wear.
 */
export type BodyReport = { 
/**
 * The file of her body in `assets/models`; none is her own.
 */
model: string | null, 
/**
 * Where that body is: it changes with the body.
 */
url: string, 
/**
 * The colours of her own body.
 */
palette: string, models: Array<ModelFile>, palettes: Array<PaletteInfo>, 
/**
 * Why a body that was chosen is not worn.
 */
trouble: string | null, };

export type ModelFile = { filename: string, url: string, bytes: number, };

export type PaletteInfo = { name: string, title: string, 
/**
 * Her own body in these colours.
 */
url: string, 
/**
 * From her face to her scarf, as `#rrggbb`.
 */
colours: Array<string>, };

/**
 * What of her body is to change.
 */
export type BodyChoice = { 
/**
 * A file in `assets/models`; the empty word is her own.
 */
model?: string, palette?: string, };

/**
 * The folders of `assets`.
 */
export type AssetKind = "models" | "anims" | "backgrounds";

/**
 * Whether she can be reached from your network, and where.
 */
export type LanReport = { 
/**
 * `server.lan` is on, and she listens.
 */
on: boolean, 
/**
 * Where, the likeliest first.
 */
addresses: Array<string>, 
/**
 * At which port, on every address of this machine.
 */
port: number | null, 
/**
 * By which the certificate's authority is recognised: SHA-256, as phones show it.
 */
fingerprint: string | null, 
/**
 * Why she cannot be reached although she should.
 */
trouble: string | null, };

/**
 * A way in for one phone.
 */
export type LanCode = { 
/**
 * With a code that signs one browser in.
 */
url: string, 
/**
 * How long it does so.
 */
seconds: number, 
/**
 * The address as a QR code: a row of `#` and `.` for each line.
 */
rows: Array<string>, };

/**
 * What the server sends over `/ws`. Each message carries a `seq` beside these fields; a client that comes
 * back with `?lastSeq=` gets what it missed, or `resync` where that is no longer known.
 */
export type Push = { "action": "hello", clientId: string, version: string, } | { "action": "resync" } | { "action": "chat_changed", chat: ChatSummary, } | { "action": "chat_deleted", id: ConversationId, } | { "action": "chat_opened", id: ConversationId | null, } | { "action": "turn_started", conversationId: ConversationId, turnId: TurnId, messageId: MessageId, } | { "action": "turn_ended", conversationId: ConversationId, turnId: TurnId, messageId: MessageId, } | { "action": "chat_summarised", conversationId: ConversationId, upTo: MessageId, } | { "action": "download", download: Download, } | { "action": "model", current: ModelState, } | { "action": "config_changed" } | { "action": "confirmation_asked", waiting: WaitingConfirmation, } | { "action": "confirmation_settled", id: string, } | { "action": "permissions_changed" } | { "action": "tools_changed" } | { "action": "memory_changed" } | { "action": "forgotten" } | { "action": "personality_changed" } | { "action": "code_index", root: string, index: IndexState, } | { "action": "code_changed", root: string, } | { "action": "body_changed" } | { "action": "play", animation: string, } | { "action": "set_background", filename: string, } | { "action": "expression", expression: Expression, 
/**
 * From 0 to 1.
 */
intensity: number, } | { "action": "state", state: BodyState, } | { "action": "speaker", speaks: boolean, } | { "action": "tool_call", conversationId: ConversationId, name: string, arguments: unknown, } | { "action": "chat", conversationId: ConversationId, turnId: TurnId, content: string, } | { "action": "audio", turnId: TurnId, 
/**
 * A WAV file in base64.
 */
data: string, text: string, visemes: Array<Viseme>, };

/**
 * What a client sends over `/ws`.
 */
export type ClientMessage = { "action": "presence", visible: boolean, };
