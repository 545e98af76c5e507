//! Turns about code: the same round loop as in chat, with other tools, another context, and a proposal at the end.
//!
//! Before the first round, the workspace is indexed, the undecided changes of the conversation are taken over, a
//! checkpoint is created, and the context is gathered (`request_context`): mentioned files, the files that matter and
//! why, the rules and the map of the project, and notes on earlier failures. Each part has its share of the budget.
//!
//! The model gets the tools of the workspace and a few general ones, which pass the same gate. In a mode that only
//! reads, every tool that changes something refuses by itself, whatever the model calls. A small model gets no tools:
//! it writes whole files in code blocks, which become calls too.
//!
//! After a reply without calls, [`VerifyLoop`] decides whether the run goes on: a requested change that is missing is
//! asked for once, what changed is built and tested, and the first error goes back to the model until everything
//! passes, the same error returns, or the rounds are used up. At the end, all changes are one proposal.

mod actions;
mod code_blocks;
mod context_parts;
mod instructions;
mod mentions;
mod request_context;
mod similar_files;
mod verify_loop;

use std::sync::Arc;

use model::ChatModel;
use protocol::{CodeMode, CodeRequest, Event, ProposalId};
use store::Turn;
use workspace::{
    EditAccess, EditSession, OpenWorkspaces, Overlay, READ_ONLY_TOOLS, WorkspacePath, WorkspaceSession,
};

pub use self::actions::CodeActions;
use self::instructions::EditMethod;
use self::request_context::ContextGatherer;
use self::verify_loop::CodeRun;
pub use self::verify_loop::{VerifyLoop, report_result};
use crate::error::CompanionError;
use crate::model_size::ModelSize;
use crate::plan::TurnPlan;
use crate::prompt::tool_offer::{self, SchemaDetail, ToolOffer};
use crate::prompt::{
    Branch, MessageExtras, PrefixParts, PromptBuilder, PromptPrefix, SystemPrompt, ToolFormat,
};
use crate::services::Services;
use crate::tool_executor::ToolExecutor;
use crate::tool_set::ToolSet;
use crate::turn_log::TurnLog;

/// The companion's general tools that are available while coding: reading the memory, and the web where permitted.
const GENERAL_TOOLS: [&str; 6] =
    ["memory_read", "memory_list", "vector_search", "web_search", "web_fetch", "skill"];

/// The context length below which there is no room for tools beside the files.
const SHORT_CONTEXT: u32 = 4_000;

/// The reply to the user if the model returns no text and makes no calls.
pub const NO_ANSWER: &str = "The model gave no answer. Ask again, or in other words.";

/// The greatest length of a checkpoint's label, in characters. The label is the beginning of the request.
const LONGEST_LABEL: usize = 80;

/// The prepared state of a code turn before its first round.
pub(crate) struct PreparedCodeTurn<'a> {
    pub executor: ToolExecutor<'a>,
    pub prefix: PromptPrefix,
    pub extras: MessageExtras,
    /// An instruction that is put after the request.
    pub closing: Option<String>,
    pub plan: Option<TurnPlan>,
    pub verify_loop: VerifyLoop,
    pub most_rounds: u32,
}

/// Prepares a code turn: its session, tools, context and prompt.
pub(crate) async fn prepare<'a>(
    services: &'a Arc<Services>,
    prompts: &PromptBuilder,
    (turn, log): (&Turn, &'a Arc<TurnLog>),
    branch: &Branch,
    request: &CodeRequest,
    model: &dyn ChatModel,
) -> Result<PreparedCodeTurn<'a>, CompanionError> {
    let workspaces = services.workspaces()?;
    let workspace =
        workspaces.open(turn.user, request.root.as_deref()).await.map_err(CompanionError::refused)?;
    log.push(Event::Progress {
        stage: "looking at the workspace".into(),
        done: 0,
        total: 1,
        seconds_left: None,
    });
    workspace.ready().await.map_err(CompanionError::refused)?;
    let (info, settings) = (model.info(), services.settings());
    let small = ModelSize::of(info.parameters).is_small() || info.context < SHORT_CONTEXT;
    let edit_method = if small { EditMethod::Fences } else { EditMethod::Tools };
    let access = match request.mode {
        CodeMode::Agent | CodeMode::Repair => EditAccess::Change,
        CodeMode::Ask | CodeMode::Plan => EditAccess::Read,
    };
    let session = Arc::new(workspace.edit_session(access));
    let open = continue_open_changes(workspaces, turn, &workspace, &session).await;
    if access == EditAccess::Change {
        checkpoint(services, turn, &workspace, request).await;
    }
    let tools = workspace.tools(&session).map_err(CompanionError::Failed)?;
    let tool_set = ToolSet::of_mode(tools, &GENERAL_TOOLS);
    let tool_set =
        Arc::new(if access == EditAccess::Read { tool_set.offering(&READ_ONLY_TOOLS) } else { tool_set });
    let executor = ToolExecutor::new(services, log, true, branch.taint(), branch.user_messages()).await?;
    let mut executor = executor.with_tools(Arc::clone(&tool_set));
    executor.add_origins([workspace.origin()]);
    let formats = services.store.code_formats(&info.name).await?;
    let whole_files = instructions::prefers_whole_files(&formats);
    let prefix = prefix(services, prompts, &executor, model, (request.mode, edit_method, whole_files));
    let budget = prompts.budget(model);
    let system_tokens = model.count_tokens(&prefix.system.text).tokens;
    let context_budget = budget.prompt.saturating_sub(prefix.tool_tokens + system_tokens) / 2;
    let count = |text: &str| model.count_tokens(text).tokens;
    let gatherer = ContextGatherer { workspace: &workspace, session: &session, request, small };
    let context = gatherer.gather(services, &mut executor, turn, context_budget, &count).await?;
    log.push(Event::Context { files: context.files, parts: context.costs });
    let plan = request.plan_context.as_deref();
    let plan = plan.and_then(|text| TurnPlan::of_steps(&instructions::given_steps(text)));
    let mut texts = context.texts;
    texts.extend(plan.as_ref().map(TurnPlan::in_words));
    let target = context.target.as_ref().map(WorkspacePath::as_str);
    let closing = instructions::closing(request.mode, target.filter(|_| small));
    let extras = MessageExtras { texts, origins: executor.taint.origins().to_vec() };
    let verify_loop = VerifyLoop::new(CodeRun {
        workspace,
        session,
        mode: request.mode,
        edit_method,
        target: context.target,
        apply: request.apply.unwrap_or(settings.code.apply),
        request: request.text.clone(),
        verifies: settings.code.verify,
        repairs: settings.code.repairs,
        open,
        model: info.name.clone(),
    });
    let most_rounds = if small { settings.code.repairs + 2 } else { settings.code.rounds };
    Ok(PreparedCodeTurn { executor, prefix, extras, closing, plan, verify_loop, most_rounds })
}

/// Loads the undecided changes of the conversation into the session, so that the run continues with them.
async fn continue_open_changes(
    workspaces: &OpenWorkspaces,
    turn: &Turn,
    workspace: &WorkspaceSession,
    session: &EditSession,
) -> Option<(ProposalId, Overlay)> {
    match workspaces.open_changes(turn.user, turn.conversation, workspace).await {
        Ok(open) => {
            if let Some((_, overlay)) = &open {
                session.replace_overlay(overlay.clone());
            }
            open
        }
        Err(error) => {
            tracing::warn!("open changes of {} are left out: {error}", workspace.root());
            None
        }
    }
}

/// Creates a checkpoint of the files and the conversation before a run. An incognito conversation gets none.
async fn checkpoint(services: &Services, turn: &Turn, workspace: &WorkspaceSession, request: &CodeRequest) {
    if store::is_incognito(turn.conversation) {
        return;
    }
    let label: String = request.text.lines().next().unwrap_or_default().chars().take(LONGEST_LABEL).collect();
    let said = match turn.user_message {
        Some(message) => services.store.message(turn.user, turn.conversation, message).await.ok(),
        None => None,
    };
    let before = said.and_then(|message| message.parent);
    if let Err(error) = workspace.checkpoint(turn.user, turn.conversation, before, &label).await {
        tracing::warn!("there is no way back to before this run: {error}");
    }
}

/// Composes the beginning of a prompt about code: the soul, the instructions, and the tools.
fn prefix(
    services: &Services,
    prompts: &PromptBuilder,
    executor: &ToolExecutor<'_>,
    model: &dyn ChatModel,
    (mode, edit_method, whole_files): (CodeMode, EditMethod, bool),
) -> PromptPrefix {
    let (settings, info, budget) = (services.settings(), model.info(), prompts.budget(model));
    // The tools may take more room than in chat: a user who requests code expects to wait longer, and the work needs
    // the tools.
    let room = if ModelSize::of(info.parameters).is_small() { budget.system } else { budget.context };
    let count = |text: &str| model.count_tokens(text).tokens;
    let format = ToolFormat::of(&info, settings.tools);
    let offer = match edit_method {
        EditMethod::Tools => {
            let tools = (executor.tool_set().as_ref(), services.tools.as_ref());
            ToolOffer::new(tools, executor.user(), format, SchemaDetail::Full, room / 2, &count)
        }
        EditMethod::Fences => ToolOffer::default(),
    };
    let mut instructions = instructions::instructions(mode, edit_method);
    let changes_files = matches!(mode, CodeMode::Agent | CodeMode::Repair);
    if whole_files && edit_method == EditMethod::Tools && changes_files {
        instructions.push_str(instructions::WHOLE_FILES);
    }
    let tools = match &offer.hint {
        Some(hint) => format!("{instructions}\n\n{hint}"),
        None => instructions,
    };
    let parts = PrefixParts { tools: Some(tools), skills: None, tone: None, format: offer.format };
    let tool_tokens = offer.specs.iter().map(|spec| tool_offer::tokens(spec, &count)).sum();
    // The context of a small model has no room for the soul.
    let files = if edit_method == EditMethod::Fences {
        Vec::new()
    } else {
        services.soul.files(&settings.name, &settings.user_name)
    };
    let left = room.saturating_sub(tool_tokens);
    let system = SystemPrompt::compose(&files, &parts, &services.now(), left, &count);
    PromptPrefix { system, offer, tool_tokens }
}
