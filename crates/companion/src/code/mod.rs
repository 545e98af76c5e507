//! Turns about code: the same round loop as in chat, with other tools, another context, and a proposal at the end.

mod context;
mod doing;
mod errand;
mod fences;
mod gathering;
mod meaning;
mod mentions;
mod prompting;

use std::sync::Arc;

use model::ChatModel;
use protocol::{CodeMode, CodeRequest, Event, ProposalId};
use store::Turn;
use workspace::{Access, Bench, Desk, LOOKING, Overlay, Session, WorkspacePath};

use self::errand::Order;
pub use self::errand::{Errand, conclude};
use self::gathering::Gathering;
use self::prompting::Manner;
use crate::acting::Acting;
use crate::assembly::{Beginning, Branch, Extra};
use crate::companion::Inner;
use crate::error::CompanionError;
use crate::kit::Kit;
use crate::offer::{self, Form, Offer, Style};
use crate::plan::Plan;
use crate::prompt::{Abilities, System};
use crate::scale::Scale;
use crate::turns::TurnLog;

/// The companion's general tools that are available while coding: reading the memory, and the web where permitted.
const HERS: [&str; 6] = ["memory_read", "memory_list", "vector_search", "web_search", "web_fetch", "skill"];

/// The context length below which there is no room for tools beside the files.
const SHORT_CONTEXT: u32 = 4_000;

/// The reply to the user if the model returns no text and makes no calls.
pub const NO_ANSWER: &str = "The model gave no answer. Ask again, or in other words.";

/// The greatest length of a checkpoint's label, in characters. The label is the beginning of the request.
const LONGEST_LABEL: usize = 80;

/// The prepared state of a code turn before its first round.
pub(crate) struct Prepared<'a> {
    pub acting: Acting<'a>,
    pub beginning: Beginning,
    pub extra: Extra,
    /// An instruction that is put after the request.
    pub closing: Option<String>,
    pub plan: Option<Plan>,
    pub errand: Errand,
    pub rounds: u32,
}

/// Prepares a code turn: its session, tools, context and prompt.
pub(crate) async fn prepare<'a>(
    inner: &'a Arc<Inner>,
    turn: &Turn,
    log: &'a Arc<TurnLog>,
    branch: &Branch,
    request: &CodeRequest,
    model: &dyn ChatModel,
) -> Result<Prepared<'a>, CompanionError> {
    let desk = inner.desk.as_ref().ok_or_else(|| refused("there are no workspaces here"))?;
    let bench = desk.bench(turn.user, request.root.as_deref()).await.map_err(refused)?;
    log.push(Event::Progress {
        stage: "looking at the workspace".into(),
        done: 0,
        total: 1,
        seconds_left: None,
    });
    bench.ready().await.map_err(refused)?;
    let (info, settings) = (model.info(), inner.settings());
    let small = Scale::of(info.parameters).is_small() || info.context < SHORT_CONTEXT;
    let manner = if small { Manner::Fences } else { Manner::Tools };
    let access = match request.mode {
        CodeMode::Agent | CodeMode::Repair => Access::Change,
        CodeMode::Ask | CodeMode::Plan => Access::Read,
    };
    let session = Arc::new(bench.session(access));
    let open = carry_on(desk, turn, &bench, &session).await;
    if access == Access::Change {
        checkpoint(inner, turn, &bench, request).await;
    }
    let tools = bench.tools(&session).map_err(CompanionError::Failed)?;
    let kit = Kit::of_mode(tools, &HERS);
    let kit = Arc::new(if access == Access::Read { kit.offering(&LOOKING) } else { kit });
    let mut acting =
        Acting::new(inner, log, true, branch.taint(), branch.users_words()).await?.with_kit(Arc::clone(&kit));
    acting.taint.add(bench.origin());
    let formats = inner.store.code_formats(&info.name).await?;
    let whole = prompting::prefers_whole_files(&formats);
    let beginning = inner.code_beginning(&acting, model, request.mode, (manner, whole));
    let budget = inner.budget(model);
    let room =
        budget.prompt.saturating_sub(beginning.tokens + model.count_tokens(&beginning.system.text).tokens)
            / 2;
    let count = |text: &str| model.count_tokens(text).tokens;
    let gathering = Gathering { bench: &bench, session: &session, request, small };
    let gathered = gathering.gather(inner, &mut acting, turn, room, &count).await?;
    log.push(Event::Context { files: gathered.files, parts: gathered.costs });
    let plan = request.plan_context.as_deref().and_then(|text| Plan::of_steps(&prompting::given_steps(text)));
    let mut texts = gathered.texts;
    texts.extend(plan.as_ref().map(Plan::in_words));
    let target = gathered.target.as_ref().map(WorkspacePath::as_str);
    let closing = prompting::closing(request.mode, target.filter(|_| small));
    let extra = Extra { texts, origins: acting.taint.origins().to_vec() };
    let errand = Errand::new(Order {
        bench,
        session,
        mode: request.mode,
        manner,
        target: gathered.target,
        apply: request.apply.unwrap_or(settings.code.apply),
        request: request.text.clone(),
        verifies: settings.code.verify,
        repairs: settings.code.repairs,
        open,
        model: info.name.clone(),
    });
    let rounds = if small { settings.code.repairs + 2 } else { settings.code.rounds };
    Ok(Prepared { acting, beginning, extra, closing, plan, errand, rounds })
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn refused(error: impl ToString) -> CompanionError {
    CompanionError::Refused(error.to_string())
}

/// Loads the undecided changes of the conversation into the session, so that the run continues with them.
async fn carry_on(
    desk: &Desk,
    turn: &Turn,
    bench: &Bench,
    session: &Session,
) -> Option<(ProposalId, Overlay)> {
    match desk.open_changes(turn.user, turn.conversation, bench).await {
        Ok(open) => {
            if let Some((_, overlay)) = &open {
                session.replace_overlay(overlay.clone());
            }
            open
        }
        Err(error) => {
            tracing::warn!("open changes of {} are left out: {error}", bench.root());
            None
        }
    }
}

/// Creates a checkpoint of the files and the conversation before a run. An incognito conversation gets none.
async fn checkpoint(inner: &Inner, turn: &Turn, bench: &Bench, request: &CodeRequest) {
    if store::is_passing(turn.conversation) {
        return;
    }
    let label: String = request.text.lines().next().unwrap_or_default().chars().take(LONGEST_LABEL).collect();
    let said = match turn.user_message {
        Some(message) => inner.store.message(turn.user, turn.conversation, message).await.ok(),
        None => None,
    };
    let before = said.and_then(|message| message.parent);
    if let Err(error) = bench.checkpoint(turn.user, turn.conversation, before, &label).await {
        tracing::warn!("there is no way back to before this run: {error}");
    }
}

impl Inner {
    /// Composes the beginning of a prompt about code: the soul, the instructions, and the tools.
    fn code_beginning(
        &self,
        acting: &Acting<'_>,
        model: &dyn ChatModel,
        mode: CodeMode,
        (manner, whole_files): (Manner, bool),
    ) -> Beginning {
        let (settings, info, budget) = (self.settings(), model.info(), self.budget(model));
        // The tools may take more room than in chat: a user who requests code expects to wait longer, and the work
        // needs the tools.
        let room = if Scale::of(info.parameters).is_small() { budget.system } else { budget.context };
        let count = |text: &str| model.count_tokens(text).tokens;
        let style = Style::of(&info, settings.tools);
        let offer = match manner {
            Manner::Tools => {
                Offer::new((acting.kit(), &self.hands), acting.user(), style, Form::Full, room / 2, &count)
            }
            Manner::Fences => Offer::default(),
        };
        let mut instructions = prompting::instructions(mode, manner);
        if whole_files && manner == Manner::Tools && matches!(mode, CodeMode::Agent | CodeMode::Repair) {
            instructions.push_str(prompting::WHOLE_FILES);
        }
        let work = match &offer.hint {
            Some(hint) => format!("{instructions}\n\n{hint}"),
            None => instructions,
        };
        let abilities = Abilities { tools: Some(work), skills: None, tone: None, style: offer.style };
        let tokens = offer.specs.iter().map(|spec| offer::tokens(spec, &count)).sum();
        // The context of a small model has no room for the soul.
        let files = if manner == Manner::Fences {
            Vec::new()
        } else {
            self.soul.files(&settings.name, &settings.user_name)
        };
        let left = room.saturating_sub(tokens);
        let system = System::compose(&files, &abilities, &self.now(), left, &count);
        Beginning { system, offer, tokens }
    }
}
