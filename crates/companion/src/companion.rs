use std::sync::Arc;

use host::{Clock, IdSource};
use memory::{Memory, MemoryError, RecallRequest, RecallResult};
use model::{ChatModel, ModelRequest};
use protocol::{
    CodeRequest, CodeRunRequest, ConfirmRequest, ConversationId, ForgetReport, ForgetRequest, MessageId,
    Personality, PersonalityPatch, Push, TurnId, UserId, VerifyRequest, WaitingConfirmation,
};
use serde_json::{Map, Value};
use store::{BeginTurnResult, MessageTarget, NewTurn, Store, Turn};
use tokio::sync::Mutex;
use tools::Taint;
use workspace::OpenWorkspaces;

use crate::api::{ApiRequest, ApiTurns, BareAnswer};
use crate::background::{MemoryMaintenance, Prewarming};
use crate::code::CodeActions;
use crate::confirmations::PendingConfirmations;
use crate::conversation_upkeep::ConversationUpkeep;
use crate::error::CompanionError;
use crate::feed::Feed;
use crate::forgetting::ForgetService;
use crate::live_turns::LiveTurns;
use crate::memory_recall::MemoryRecall;
use crate::memory_updates::MemoryUpdates;
use crate::metrics::{TurnMetrics, TurnTotals};
use crate::model_source::{ModelSource, cache_key};
use crate::personality::Personalities;
use crate::prompt::PromptBuilder;
use crate::requested_call::RequestedCall;
use crate::services::Services;
use crate::settings::Settings;
use crate::soul::Soul;
use crate::tool_access::ToolAccess;
use crate::tool_executor::ToolExecutor;
use crate::turn::{self, NewTurnRun, TurnRunner};
use crate::turn_log::TurnLog;
use crate::unstored_turns::{UnstoredTurns, last_event};
use crate::user_message::UserMessage;

/// The number of locks under which turns begin; a conversation always has the same one.
const QUEUE_LOCKS: usize = 64;

/// The services that a [`Companion`] is made of.
pub struct CompanionParts {
    pub store: Arc<Store>,
    pub models: Arc<dyn ModelSource>,
    pub soul: Soul,
    pub clock: Arc<dyn Clock>,
    pub settings: Box<dyn Fn() -> Settings + Send + Sync>,
    pub feed: Arc<Feed>,
    pub tools: Arc<ToolAccess>,
    pub memory: Memory,
    pub forgetting: Arc<ForgetService>,
    /// The open workspaces for code.
    pub workspaces: Option<OpenWorkspaces>,
}

/// The companion: takes messages and answers them, one turn at a time in each conversation.
///
/// It only joins the components; each of them takes the services that it uses.
#[derive(Clone)]
pub struct Companion {
    components: Arc<Components>,
}

/// The components of the companion.
struct Components {
    services: Arc<Services>,
    prompts: Arc<PromptBuilder>,
    personalities: Arc<Personalities>,
    memory_updates: Arc<MemoryUpdates>,
    upkeep: Arc<ConversationUpkeep>,
    forgetting: Arc<ForgetService>,
    recall: Arc<MemoryRecall>,
    turns: Arc<LiveTurns>,
    metrics: Arc<TurnMetrics>,
    runner: Arc<TurnRunner>,
    unstored: UnstoredTurns,
    api: ApiTurns,
    code_actions: CodeActions,
    /// Locks under which turns begin one after the other, so that they queue in the order of their messages.
    queue_locks: [Mutex<()>; QUEUE_LOCKS],
    /// Held while a message that names no conversation finds or creates one.
    opening: Mutex<()>,
}

impl Companion {
    pub fn new(parts: CompanionParts) -> Self {
        let CompanionParts {
            store,
            models,
            soul,
            clock,
            settings,
            feed,
            tools,
            memory,
            forgetting,
            workspaces,
        } = parts;
        let services = Arc::new(Services {
            store,
            models,
            soul,
            ids: IdSource::new(Arc::clone(&clock)),
            clock,
            current_settings: settings,
            feed,
            tools,
            memory,
            open_workspaces: workspaces,
            confirmations: PendingConfirmations::default(),
        });
        let (turns, metrics) = (Arc::new(LiveTurns::default()), Arc::new(TurnMetrics::default()));
        let personalities = Arc::new(Personalities::new(Arc::clone(&services)));
        let prompts = Arc::new(PromptBuilder::new(Arc::clone(&services), Arc::clone(&personalities)));
        let recall = Arc::new(MemoryRecall::new(Arc::clone(&services)));
        let memory_updates = Arc::new(MemoryUpdates::new(
            Arc::clone(&services),
            Arc::clone(&personalities),
            Arc::clone(&turns),
        ));
        let upkeep = Arc::new(ConversationUpkeep::new(Arc::clone(&services), Arc::clone(&prompts)));
        let runner = Arc::new(TurnRunner {
            services: Arc::clone(&services),
            turns: Arc::clone(&turns),
            metrics: Arc::clone(&metrics),
            prompts: Arc::clone(&prompts),
            recall: Arc::clone(&recall),
            memory_updates: Arc::clone(&memory_updates),
            upkeep: Arc::clone(&upkeep),
            forgetting: Arc::clone(&forgetting),
        });
        let unstored = UnstoredTurns {
            services: Arc::clone(&services),
            turns: Arc::clone(&turns),
            forgetting: Arc::clone(&forgetting),
        };
        let api = ApiTurns {
            services: Arc::clone(&services),
            prompts: Arc::clone(&prompts),
            recall: Arc::clone(&recall),
            metrics: Arc::clone(&metrics),
            turns: Arc::clone(&turns),
            unstored: unstored.clone(),
        };
        let components = Components {
            code_actions: CodeActions::new(unstored.clone()),
            services,
            prompts,
            personalities,
            memory_updates,
            upkeep,
            forgetting,
            recall,
            turns,
            metrics,
            runner,
            unstored,
            api,
            queue_locks: [const { Mutex::const_new(()) }; QUEUE_LOCKS],
            opening: Mutex::new(()),
        };
        Self { components: Arc::new(components) }
    }

    pub fn feed(&self) -> &Arc<Feed> {
        &self.components.services.feed
    }

    pub fn memory(&self) -> &Memory {
        &self.components.services.memory
    }

    pub fn tools(&self) -> &Arc<ToolAccess> {
        &self.components.services.tools
    }

    pub fn workspaces(&self) -> Option<&OpenWorkspaces> {
        self.components.services.open_workspaces.as_ref()
    }

    pub fn forgetting(&self) -> &Arc<ForgetService> {
        &self.components.forgetting
    }

    /// Returns the numbers of turns and tokens since the start.
    pub fn totals(&self) -> TurnTotals {
        self.components.metrics.totals(self.components.turns.len())
    }

    /// Returns the background process that keeps the memory in order.
    pub fn memory_maintenance(&self) -> MemoryMaintenance {
        let Components { services, forgetting, memory_updates, upkeep, personalities, .. } =
            &*self.components;
        MemoryMaintenance::new(
            Arc::clone(services),
            Arc::clone(forgetting),
            Arc::clone(memory_updates),
            Arc::clone(upkeep),
            Arc::clone(personalities),
        )
    }

    /// Returns the background process that keeps the beginning of every prompt in the model's cache. `ready` returns the
    /// active model if it is ready at this moment; it must not load one, because no request needs it yet.
    pub fn prewarming(
        &self,
        ready: impl Fn() -> Option<Arc<dyn ChatModel>> + Send + Sync + 'static,
    ) -> Prewarming {
        let Components { services, prompts, .. } = &*self.components;
        Prewarming::new(Arc::clone(services), Arc::clone(prompts), ready)
    }

    /// Loads the user's memories in the background when a client connects, while the user is still typing.
    pub fn welcome(&self, user: UserId) {
        let memory = self.memory().clone();
        // The task is not tracked, because a shutdown need not wait for it.
        tokio::spawn(async move {
            if let Err(error) = memory.warm_up(user).await {
                tracing::warn!("the memory could not be loaded in advance: {error}");
            }
        });
    }

    /// Stores the message and begins to answer it. Once this returns, the message is stored in any case.
    pub async fn say(&self, user: UserId, message: UserMessage) -> Result<Arc<TurnLog>, CompanionError> {
        message.check()?;
        let this = self.clone();
        self.run_to_end(async move { this.store_and_begin(user, message).await }).await
    }

    async fn store_and_begin(
        &self,
        user: UserId,
        message: UserMessage,
    ) -> Result<Arc<TurnLog>, CompanionError> {
        let Components { services, turns, opening, .. } = &*self.components;
        // If several messages arrive at once, the first creates the conversation for all.
        let _opening = if message.conversation.is_none() { Some(opening.lock().await) } else { None };
        let conversation = match (message.conversation, message.edit_of) {
            (Some(id), _) => Some(id),
            // An edited message determines the conversation.
            (None, Some(edited)) => Some(services.store.conversation_of(user, edited).await?),
            // A code request without a conversation begins a new one.
            (None, None) if message.code.is_some() => None,
            (None, None) => services.store.current(user).await?,
        };
        let _queue = match conversation {
            Some(id) => Some(self.queue_lock(id).lock().await),
            None => None,
        };
        let new = NewTurn {
            target: conversation.map_or(MessageTarget::Fresh, MessageTarget::Conversation),
            content: message.message,
            edit_of: message.edit_of,
            attachments: message.attachments,
            model: services.models.name(),
            client_message_id: message.client_message_id,
        };
        match services.store.begin_turn(user, new).await? {
            BeginTurnResult::New(turn) => Ok(self.begin(turn, message.code)),
            BeginTurnResult::Existing(turn) => match turns.get(user, turn.id) {
                Some(live) => Ok(live),
                None => turn::ended_turn(&services.store, user, turn).await,
            },
        }
    }

    /// Begins another answer beside an existing one.
    pub async fn regenerate(
        &self,
        user: UserId,
        conversation: ConversationId,
        message: MessageId,
    ) -> Result<Arc<TurnLog>, CompanionError> {
        let this = self.clone();
        self.run_to_end(async move {
            let services = &this.components.services;
            let _queue = this.queue_lock(conversation).lock().await;
            // Checks that the message belongs to this conversation.
            services.store.message(user, conversation, message).await?;
            let turn = services.store.begin_regeneration(user, message, &services.models.name()).await?;
            Ok(this.begin(turn, None))
        })
        .await
    }

    /// Runs work to its end even if the client disconnects, so that a stored message is always answered.
    async fn run_to_end(
        &self,
        work: impl Future<Output = Result<Arc<TurnLog>, CompanionError>> + Send + 'static,
    ) -> Result<Arc<TurnLog>, CompanionError> {
        self.components.turns.check_open()?;
        match self.components.turns.spawn(work).await {
            Ok(begun) => begun,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => Err(CompanionError::ShuttingDown),
        }
    }

    fn begin(&self, turn: Turn, code: Option<CodeRequest>) -> Arc<TurnLog> {
        let Components { services, turns, runner, .. } = &*self.components;
        let log = Arc::new(TurnLog::new(turn.id, turn.user, turn.conversation, turn.message));
        log.push(turn::metadata(&turn));
        let earlier = turns.enter(&log);
        let (conversation_id, turn_id, message_id) = (turn.conversation, turn.id, turn.message);
        services.feed.tell(turn.user, Push::TurnStarted { conversation_id, turn_id, message_id });
        let run = NewTurnRun { turn, log: Arc::clone(&log), earlier, code };
        turns.spawn(Arc::clone(runner).run(run));
        log
    }

    fn queue_lock(&self, conversation: ConversationId) -> &Mutex<()> {
        let locks = &self.components.queue_locks;
        let number = conversation.get().cast_unsigned() % locks.len() as u64;
        &locks[usize::try_from(number).unwrap_or(0)]
    }

    /// Returns a running or ended turn. Fails with [`CompanionError::EventsGone`] if the client has already seen events
    /// (`seen` is not 0) and the stored events are gone.
    pub async fn turn(&self, user: UserId, id: TurnId, seen: u32) -> Result<Arc<TurnLog>, CompanionError> {
        let Components { services, turns, opening, .. } = &*self.components;
        if let Some(live) = turns.get(user, id) {
            return Ok(live);
        }
        let turn = services.store.turn(user, id).await?;
        // A turn without an end that is not running has either just begun, or its end could not be stored.
        let _opening = opening.lock().await;
        let _queue = self.queue_lock(turn.conversation).lock().await;
        if let Some(live) = turns.get(user, id) {
            return Ok(live);
        }
        let log = turn::ended_turn(&services.store, user, turn).await?;
        if log.is_rebuilt() && seen > 0 { Err(CompanionError::EventsGone) } else { Ok(log) }
    }

    /// Deletes a conversation and stops its turns. It can be restored.
    pub async fn delete(&self, user: UserId, conversation: ConversationId) -> Result<(), CompanionError> {
        let Components { services, turns, .. } = &*self.components;
        let _queue = self.queue_lock(conversation).lock().await;
        services.store.delete_conversation(user, conversation).await?;
        let running = turns.of(user, conversation);
        for log in &running {
            log.stop();
        }
        services.feed.tell(user, Push::ChatDeleted { id: conversation });
        let models = Arc::clone(&services.models);
        turns.spawn(async move {
            // A model writes its cache when an answer ends, so the cache is dropped after that.
            for log in running {
                log.has_left_queue().await;
            }
            models.forget(&cache_key(conversation)).await;
        });
        Ok(())
    }

    /// Stops a turn. Returns false if it had already ended.
    pub async fn stop(&self, user: UserId, id: TurnId) -> Result<bool, CompanionError> {
        match self.components.turns.get(user, id) {
            Some(log) => {
                let running = !log.is_ended();
                log.stop();
                Ok(running)
            }
            None => Ok(self.components.services.store.turn(user, id).await.map(|_| false)?),
        }
    }

    /// Answers a confirmation request. Returns false if it is no longer pending, and an error if the filled-in values
    /// do not fit; the request then stays pending.
    pub fn confirm(&self, user: UserId, id: &str, request: &ConfirmRequest) -> Result<bool, CompanionError> {
        let confirmations = &self.components.services.confirmations;
        confirmations.answer(user, id, request).map_err(CompanionError::Refused)
    }

    /// Returns the user's pending confirmation requests, the oldest first.
    pub fn waiting(&self, user: UserId) -> Vec<WaitingConfirmation> {
        self.components.services.confirmations.of(user)
    }

    /// Runs a full turn for an API client. Nothing of it is stored, and nothing is learned from it.
    pub fn answer_api(&self, user: UserId, request: ApiRequest) -> Result<Arc<TurnLog>, CompanionError> {
        self.components.api.begin(user, request)
    }

    /// Returns the bare model's answer for an API client, from the same model that the companion uses.
    pub async fn answer_bare(&self, request: ModelRequest) -> Result<BareAnswer, CompanionError> {
        self.components.api.answer_bare(request).await
    }

    /// Runs one tool that the user starts directly with a button. The call passes the same permission check as the
    /// model's calls and is not part of a conversation.
    pub fn run_tool(
        &self,
        user: UserId,
        tool: String,
        args: Map<String, Value>,
        conversation: Option<ConversationId>,
    ) -> Result<Arc<TurnLog>, CompanionError> {
        let services = Arc::clone(&self.components.services);
        self.components.unstored.begin(user, move |log| async move {
            // The user pressed the button, so no untrusted content caused the call and the taint is empty.
            let executor = ToolExecutor::new(&services, &log, false, Taint::default(), Vec::new()).await;
            let result = match executor {
                Ok(executor) => {
                    let mut executor = executor.audited_in(conversation);
                    executor.execute(vec![RequestedCall::new(tool, args)]).await;
                    Ok(())
                }
                Err(error) => Err(error.into()),
            };
            last_event(&log, result)
        })
    }

    /// Runs a command of the user in their workspace.
    pub async fn run_in_workspace(
        &self,
        user: UserId,
        request: CodeRunRequest,
    ) -> Result<Arc<TurnLog>, CompanionError> {
        self.components.code_actions.run_command(user, request).await
    }

    /// Builds and tests a workspace.
    pub async fn verify_workspace(
        &self,
        user: UserId,
        request: VerifyRequest,
    ) -> Result<Arc<TurnLog>, CompanionError> {
        self.components.code_actions.verify(user, request).await
    }

    /// Returns what a model with enough room would recall, for the user or for a program.
    pub async fn recall_for_display(
        &self,
        user: UserId,
        recall: RecallRequest,
    ) -> Result<RecallResult, MemoryError> {
        self.components.recall.for_display(user, recall).await
    }

    /// Forgets a fact, a message, or words everywhere. Without `confirm`, only reports what would be removed.
    pub async fn forget(&self, user: UserId, request: ForgetRequest) -> Result<ForgetReport, CompanionError> {
        self.components.forgetting.forget(user, request).await
    }

    pub async fn personality(&self, user: UserId) -> Result<Personality, CompanionError> {
        self.components.personalities.report(user).await
    }

    /// Sets traits by hand. The given values become the resting values.
    pub async fn set_personality(
        &self,
        user: UserId,
        patch: PersonalityPatch,
    ) -> Result<Personality, CompanionError> {
        self.components.personalities.set(user, patch).await
    }

    /// Resets the personality to its initial state.
    pub async fn reset_personality(&self, user: UserId) -> Result<Personality, CompanionError> {
        self.components.personalities.reset(user).await
    }

    /// Reverts the last change by hand.
    pub async fn undo_personality(&self, user: UserId) -> Result<Personality, CompanionError> {
        self.components.personalities.undo(user).await
    }

    /// Stops every running turn, keeps its results, and takes no more messages.
    pub async fn close(&self) {
        self.components.turns.close().await;
    }
}
