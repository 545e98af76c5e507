//! Conversion of a turn's events into updates for an editor.

use std::path::Path;

use agent_client_protocol_schema::v1::{
    ContentChunk, Diff, PermissionOption, PermissionOptionKind, Plan, PlanEntry, PlanEntryPriority,
    PlanEntryStatus, SessionUpdate, ToolCall, ToolCallContent, ToolCallLocation, ToolCallStatus,
    ToolCallUpdate, ToolCallUpdateFields, ToolKind,
};
use protocol::{
    Confirmation, DiffHunk, DiffLineKind, Event, PlanStep, ProposalFile, StepStatus, ToolStatus, VerifyStage,
};
use serde_json::Value;

/// The longest tool result sent to the editor, in bytes.
const MAX_RESULT_BYTES: usize = 10_000;

/// Returns the update for an event, or `None` if the editor does not need it or is asked about it separately.
pub fn update(event: &Event, root: &Path, known: &mut KnownCalls) -> Option<SessionUpdate> {
    Some(match event {
        Event::Token { content } => {
            SessionUpdate::AgentMessageChunk(ContentChunk::new(content.as_str().into()))
        }
        Event::Reasoning { content } => {
            SessionUpdate::AgentThoughtChunk(ContentChunk::new(content.as_str().into()))
        }
        Event::Plan { steps } => SessionUpdate::Plan(Plan::new(steps.iter().map(plan_entry).collect())),
        Event::Context { files, .. } if !files.is_empty() => {
            let files = files.iter().map(|file| match file.reasons.as_slice() {
                [] => file.path.clone(),
                reasons => format!("{} ({})", file.path, reasons.join(", ")),
            });
            let text = format!("Looks at {}.\n", files.collect::<Vec<_>>().join("; "));
            SessionUpdate::AgentThoughtChunk(ContentChunk::new(text.into()))
        }
        Event::Tool { id, name, args, status, result, .. } => {
            tool(known, root, id, name, args, *status, result.as_ref())
        }
        Event::Verify { stage, ok, output, .. } => verify(known, *stage, *ok, output),
        _ => return None,
    })
}

/// The tool calls that the editor has been told about.
#[derive(Debug, Default)]
pub struct KnownCalls {
    calls: Vec<String>,
    /// The number of builds and tests so far, which gives each its own call id.
    verified: u32,
    verifying: Option<String>,
}

impl KnownCalls {
    /// Returns true the first time it sees a call id.
    fn is_new(&mut self, id: &str) -> bool {
        let new = !self.calls.iter().any(|known| known == id);
        if new {
            self.calls.push(id.to_owned());
        }
        new
    }
}

fn tool(
    known: &mut KnownCalls,
    root: &Path,
    id: &str,
    name: &str,
    args: &Value,
    status: ToolStatus,
    result: Option<&Value>,
) -> SessionUpdate {
    let status = match status {
        ToolStatus::Requested | ToolStatus::Waiting => ToolCallStatus::Pending,
        ToolStatus::Running => ToolCallStatus::InProgress,
        ToolStatus::Done => ToolCallStatus::Completed,
        ToolStatus::Failed | ToolStatus::Denied | ToolStatus::Blocked => ToolCallStatus::Failed,
    };
    let content: Option<Vec<ToolCallContent>> = result.map(|result| vec![text(result).into()]);
    if !known.is_new(id) {
        let fields = ToolCallUpdateFields::new().status(status).content(content);
        return SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(id.to_owned(), fields));
    }
    let path = args.get("path").and_then(Value::as_str);
    let places = path.map(|path| ToolCallLocation::new(root.join(path))).into_iter().collect();
    let call = ToolCall::new(id.to_owned(), title(name, args))
        .kind(kind(name))
        .status(status)
        .locations(places)
        .content(content.unwrap_or_default())
        .raw_input(args.clone());
    SessionUpdate::ToolCall(call)
}

fn text(result: &Value) -> String {
    let text = result.as_str().map_or_else(|| result.to_string(), str::to_owned);
    let end = text.floor_char_boundary(MAX_RESULT_BYTES);
    if end < text.len() { format!("{}\n…", &text[..end]) } else { text }
}

/// The title of a call: `read_file src/main.rs`, `run_terminal_cmd cargo test`.
fn title(name: &str, args: &Value) -> String {
    let what = ["path", "command", "pattern", "query", "name", "from"];
    let what = what.iter().find_map(|key| args.get(*key).and_then(Value::as_str));
    what.map_or_else(|| name.to_owned(), |what| format!("{name} {}", what.lines().next().unwrap_or_default()))
}

fn kind(name: &str) -> ToolKind {
    match name {
        "read_file" | "list_files" | "view_diff" | "view_repo_map" | "symbols" => ToolKind::Read,
        "grep" | "glob" | "codebase_search" => ToolKind::Search,
        "search_replace" | "multi_edit" | "edit_existing_file" | "write_file" | "create_new_file"
        | "apply_patch" => ToolKind::Edit,
        "delete_file" => ToolKind::Delete,
        "rename_file" => ToolKind::Move,
        "run_terminal_cmd" | "run_command" => ToolKind::Execute,
        "fetch_page" | "web_search" => ToolKind::Fetch,
        _ => ToolKind::Other,
    }
}

fn verify(known: &mut KnownCalls, stage: VerifyStage, ok: Option<bool>, output: &str) -> SessionUpdate {
    let title = match stage {
        VerifyStage::Build => "Build",
        VerifyStage::Test => "Tests",
        VerifyStage::Run => "Run",
    };
    let status = match ok {
        None => ToolCallStatus::InProgress,
        Some(true) => ToolCallStatus::Completed,
        Some(false) => ToolCallStatus::Failed,
    };
    let is_new = known.verifying.is_none();
    if is_new {
        known.verified += 1;
    }
    let id = known.verifying.get_or_insert_with(|| format!("verify-{}", known.verified)).clone();
    if ok.is_some() {
        known.verifying = None;
    }
    let content: Vec<ToolCallContent> = vec![text(&Value::from(output)).into()];
    if is_new {
        let call = ToolCall::new(id, title).kind(ToolKind::Execute).status(status).content(content);
        return SessionUpdate::ToolCall(call);
    }
    // The output arrives in pieces; the last event contains all of it.
    let fields = ToolCallUpdateFields::new().status(status).content(ok.map(|_| content));
    SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(id, fields))
}

fn plan_entry(step: &PlanStep) -> PlanEntry {
    let status = match step.status {
        StepStatus::Pending => PlanEntryStatus::Pending,
        StepStatus::Running => PlanEntryStatus::InProgress,
        StepStatus::Done | StepStatus::Skipped => PlanEntryStatus::Completed,
    };
    PlanEntry::new(step.title.clone(), PlanEntryPriority::Medium, status)
}

/// The options for answering a confirmation request.
pub fn permission_options(question: &Confirmation) -> Vec<PermissionOption> {
    let mut options = vec![
        PermissionOption::new("yes", "Allow", PermissionOptionKind::AllowOnce),
        PermissionOption::new("no", "Don't allow", PermissionOptionKind::RejectOnce),
    ];
    if !question.tainted && !question.every_time {
        options.insert(1, PermissionOption::new("always", "Always allow", PermissionOptionKind::AllowAlways));
    }
    options
}

/// The tool call that a confirmation request is about.
pub fn permission_request(question: &Confirmation) -> ToolCallUpdate {
    let text = format!("{}\n\n{}", question.description, question.why);
    let fields = ToolCallUpdateFields::new()
        .title(title(&question.tool, &question.args))
        .kind(kind(&question.tool))
        .status(ToolCallStatus::Pending)
        .content(vec![text.into()])
        .raw_input(question.args.clone());
    ToolCallUpdate::new(question.id.clone(), fields)
}

/// A changed file of a proposal, with each of its hunks.
pub fn file_change(id: &str, file: &ProposalFile, root: &Path) -> ToolCall {
    let path = root.join(&file.path);
    let diffs = file.hunks.iter().filter(|hunk| !hunk.lines.is_empty());
    let diffs = diffs.map(|hunk| {
        let old = hunk_side(hunk, DiffLineKind::Removed);
        let is_there = file.kind != protocol::FileChangeKind::Added;
        Diff::new(path.clone(), hunk_side(hunk, DiffLineKind::Added)).old_text(is_there.then_some(old))
    });
    ToolCall::new(id.to_owned(), format!("Change {} (+{} −{})", file.path, file.added, file.removed))
        .kind(ToolKind::Edit)
        .status(ToolCallStatus::Pending)
        .locations(vec![
            ToolCallLocation::new(path.clone()).line(file.hunks.first().map(|hunk| hunk.new_start)),
        ])
        .content(diffs.map(ToolCallContent::Diff).collect::<Vec<_>>())
}

/// Returns the lines of one side of a hunk.
fn hunk_side(hunk: &DiffHunk, kind: DiffLineKind) -> String {
    let mut text = String::new();
    for line in hunk.lines.iter().filter(|line| line.kind == DiffLineKind::Same || line.kind == kind) {
        text.push_str(&line.text);
        if !line.no_newline {
            text.push('\n');
        }
    }
    text
}
