use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use host::{Clock, IdSource};
use jiff::Zoned;
use memory::Memory;
use model::{CacheKey, ChatModel, ModelError};
use protocol::{
    CodeRequest, ConfirmRequest, ConversationId, Event, MessageId, ModelState, Push, TurnId, UserId,
    WaitingConfirmation,
};
use store::{Begun, NewAttachment, NewTurn, Store, StoreError, Target, Turn};
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use workspace::Desk;

use crate::confirmations::Questions;
use crate::error::CompanionError;
use crate::feed::Feed;
use crate::forget_tool::Forgetter;
use crate::forgetting::{Places, Work, Works};
use crate::hands::Hands;
use crate::settings::Settings;
use crate::soul::Soul;
use crate::tally::{Tallies, Tally};
use crate::turn;
use crate::turns::{LiveTurns, TurnLog};

pub const LONGEST_MESSAGE: usize = 256 * 1024;
pub const LARGEST_ATTACHMENT: usize = 16 * 1024 * 1024;
pub const MOST_ATTACHMENTS: usize = 10;

/// A source of the active chat model.
#[async_trait]
pub trait ModelSource: Send + Sync {
    /// Returns the active model. Waits while it is being loaded.
    async fn current(&self) -> Result<Arc<dyn ChatModel>, ModelError>;

    /// Returns the model's name, or an empty string if there is no model.
    fn name(&self) -> String;

    /// Drops the caches that any model keeps of a conversation, in memory and on disk.
    async fn forget(&self, key: &CacheKey);
}

#[async_trait]
impl ModelSource for model::Roster {
    async fn current(&self) -> Result<Arc<dyn ChatModel>, ModelError> {
        self.current().await
    }

    fn name(&self) -> String {
        match self.state() {
            ModelState::None { .. } => String::new(),
            ModelState::Loading { name }
            | ModelState::Ready { name, .. }
            | ModelState::Failed { name, .. } => name,
        }
    }

    async fn forget(&self, key: &CacheKey) {
        self.forget(key).await;
    }
}

/// The components of a [`Companion`].
pub struct Parts {
    pub store: Arc<Store>,
    pub models: Arc<dyn ModelSource>,
    pub soul: Soul,
    pub clock: Arc<dyn Clock>,
    pub settings: Box<dyn Fn() -> Settings + Send + Sync>,
    pub feed: Arc<Feed>,
    pub hands: Arc<Hands>,
    pub memory: Memory,
    pub places: Places,
    /// The tool by which the user asks Luna to forget something.
    pub forgetter: Forgetter,
    /// The open workspaces for code.
    pub desk: Option<Desk>,
}

/// A message to be answered.
#[derive(Debug, Clone, Default)]
pub struct Said {
    pub message: String,
    pub conversation: Option<ConversationId>,
    pub edit_of: Option<MessageId>,
    pub attachments: Vec<NewAttachment>,
    pub client_message_id: Option<String>,
    /// The details of a request about code, if it is one.
    pub code: Option<CodeRequest>,
}

/// The companion: takes messages and answers them, one turn at a time in each conversation.
#[derive(Clone)]
pub struct Companion {
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) store: Arc<Store>,
    pub(crate) models: Arc<dyn ModelSource>,
    pub(crate) soul: Soul,
    pub(crate) clock: Arc<dyn Clock>,
    settings: Box<dyn Fn() -> Settings + Send + Sync>,
    pub(crate) feed: Arc<Feed>,
    pub(crate) hands: Arc<Hands>,
    pub(crate) memory: Memory,
    pub(crate) places: Places,
    pub(crate) desk: Option<Desk>,
    pub(crate) questions: Questions,
    pub(crate) turns: LiveTurns,
    pub(crate) tally: Tally,
    /// Locks, chosen by conversation, under which turns begin one after the other, so that they queue in the order of
    /// their messages.
    doors: [Mutex<()>; DOORS],
    /// Allows one removal of memories at a time.
    pub(crate) forgetting: Mutex<()>,
    pub(crate) works: Arc<Works>,
    pub(crate) untended: std::sync::Mutex<HashMap<ConversationId, Turn>>,
    /// Allows one change of the mood at a time.
    pub(crate) moods: Mutex<()>,
    /// Held while a message that names no conversation finds or creates one.
    opening: Mutex<()>,
    pub(crate) tasks: TaskTracker,
    /// The source of ids for turns that are not stored, and for tool calls.
    pub(crate) ids: IdSource,
    pub(crate) closing: CancellationToken,
}

const DOORS: usize = 64;

impl Companion {
    pub fn new(parts: Parts) -> Self {
        let Parts { store, models, soul, clock, settings, feed, hands, memory, places, forgetter, desk } =
            parts;
        let inner = Inner {
            store,
            models,
            soul,
            ids: IdSource::new(Arc::clone(&clock)),
            clock,
            settings,
            feed,
            hands,
            memory,
            places,
            desk,
            questions: Questions::default(),
            turns: LiveTurns::default(),
            tally: Tally::default(),
            doors: [const { Mutex::const_new(()) }; DOORS],
            untended: std::sync::Mutex::default(),
            forgetting: Mutex::default(),
            works: Arc::default(),
            moods: Mutex::new(()),
            opening: Mutex::new(()),
            tasks: TaskTracker::new(),
            closing: CancellationToken::new(),
        };
        let inner = Arc::new(inner);
        forgetter.belongs_to(&inner);
        Self { inner }
    }

    pub(crate) fn inner(&self) -> &Arc<Inner> {
        &self.inner
    }

    pub fn feed(&self) -> &Arc<Feed> {
        &self.inner.feed
    }

    /// Loads the user's memories in the background when a client connects, while the user is still typing.
    pub fn welcome(&self, user: UserId) {
        let inner = Arc::clone(&self.inner);
        // The task is not tracked, because a shutdown need not wait for it.
        tokio::spawn(async move {
            if let Err(error) = inner.memory.wake(user).await {
                tracing::warn!("the memory could not be read ahead: {error}");
            }
        });
    }

    pub fn tallies(&self) -> Tallies {
        self.inner.tally.read(self.inner.turns.all().len())
    }

    /// Stores the message and begins to answer it. Once this returns, the message is stored in any case.
    pub async fn say(&self, user: UserId, said: Said) -> Result<Arc<TurnLog>, CompanionError> {
        check(&said)?;
        let this = self.clone();
        self.whole(async move { this.store_and_begin(user, said).await }).await
    }

    async fn store_and_begin(&self, user: UserId, said: Said) -> Result<Arc<TurnLog>, CompanionError> {
        let inner = &self.inner;
        // If several messages arrive at once, the first creates the conversation for all.
        let _opening = if said.conversation.is_none() { Some(inner.opening.lock().await) } else { None };
        let conversation = match (said.conversation, said.edit_of) {
            (Some(id), _) => Some(id),
            // An edited message determines the conversation.
            (None, Some(edited)) => Some(inner.store.conversation_of(user, edited).await?),
            // A code request without a conversation begins a new one.
            (None, None) if said.code.is_some() => None,
            (None, None) => inner.store.current(user).await?,
        };
        let _door = match conversation {
            Some(id) => Some(inner.door(id).lock().await),
            None => None,
        };
        let new = NewTurn {
            target: conversation.map_or(Target::Fresh, Target::Conversation),
            content: said.message,
            edit_of: said.edit_of,
            attachments: said.attachments,
            model: inner.models.name(),
            client_message_id: said.client_message_id,
        };
        match inner.store.begin_turn(user, new).await? {
            Begun::New(turn) => Ok(self.begin(turn, said.code)),
            Begun::Existing(turn) => match inner.turns.get(user, turn.id) {
                Some(live) => Ok(live),
                None => self.ended(user, turn).await,
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
        self.whole(async move {
            let inner = &this.inner;
            let _door = inner.door(conversation).lock().await;
            // Checks that the message belongs to this conversation.
            inner.store.message(user, conversation, message).await?;
            let turn = inner.store.begin_regeneration(user, message, &inner.models.name()).await?;
            Ok(this.begin(turn, None))
        })
        .await
    }

    /// Runs work to its end even if the client disconnects, so that a stored message is always answered.
    async fn whole(
        &self,
        work: impl Future<Output = Result<Arc<TurnLog>, CompanionError>> + Send + 'static,
    ) -> Result<Arc<TurnLog>, CompanionError> {
        self.inner.check_open()?;
        match self.inner.tasks.spawn(work).await {
            Ok(begun) => begun,
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => Err(CompanionError::ShuttingDown),
        }
    }

    /// Returns a running or ended turn. Fails with [`CompanionError::EventsGone`] if the client has already seen events
    /// (`seen` is not 0) and the stored events are gone.
    pub async fn turn(&self, user: UserId, id: TurnId, seen: u32) -> Result<Arc<TurnLog>, CompanionError> {
        if let Some(live) = self.inner.turns.get(user, id) {
            return Ok(live);
        }
        let turn = self.inner.store.turn(user, id).await?;
        // A turn without an end that is not running has either just begun, or its end could not be stored.
        let _opening = self.inner.opening.lock().await;
        let _door = self.inner.door(turn.conversation).lock().await;
        if let Some(live) = self.inner.turns.get(user, id) {
            return Ok(live);
        }
        let log = self.ended(user, turn).await?;
        if log.is_retold() && seen > 0 { Err(CompanionError::EventsGone) } else { Ok(log) }
    }

    /// Rebuilds a turn that is no longer running from the store.
    async fn ended(&self, user: UserId, turn: Turn) -> Result<Arc<TurnLog>, CompanionError> {
        let store = &self.inner.store;
        let turn = if turn.ended_at.is_some() { turn } else { store.recover_turn(user, turn.id).await? };
        let rows = store.turn_events(user, turn.id, None).await?;
        let mut events: Vec<Event> = rows.into_iter().flat_map(|row| row.events).collect();
        if !events.last().is_some_and(Event::is_last) {
            // The events are kept for a day; the message itself stays.
            return Ok(Arc::new(TurnLog::retold(&turn, self.inner.retell(&turn).await?)));
        }
        // The process was killed while the turn was queued.
        if !matches!(events.first(), Some(Event::Metadata { .. })) {
            events.insert(0, metadata(&turn));
        }
        Ok(Arc::new(TurnLog::ended(&turn, events)))
    }

    /// Deletes a conversation and stops its turns. It can be restored.
    pub async fn delete(&self, user: UserId, conversation: ConversationId) -> Result<(), CompanionError> {
        let inner = &self.inner;
        let _door = inner.door(conversation).lock().await;
        inner.store.delete_conversation(user, conversation).await?;
        let running = inner.turns.of(user, conversation);
        for log in &running {
            log.stop();
        }
        inner.feed.tell(user, Push::ChatDeleted { id: conversation });
        let models = Arc::clone(&inner.models);
        inner.tasks.spawn(async move {
            // A model writes its cache when an answer ends, so the cache is dropped after that.
            for log in running {
                log.gone().await;
            }
            models.forget(&cache_key(conversation)).await;
        });
        Ok(())
    }

    /// Stops a turn. Returns false if it had already ended.
    pub async fn stop(&self, user: UserId, id: TurnId) -> Result<bool, CompanionError> {
        match self.inner.turns.get(user, id) {
            Some(log) => {
                let running = !log.is_ended();
                log.stop();
                Ok(running)
            }
            None => Ok(self.inner.store.turn(user, id).await.map(|_| false)?),
        }
    }

    pub fn desk(&self) -> Option<&Desk> {
        self.inner.desk.as_ref()
    }

    pub fn memory(&self) -> &Memory {
        &self.inner.memory
    }

    pub fn hands(&self) -> &Arc<Hands> {
        &self.inner.hands
    }

    /// Answers a confirmation request. Returns false if it is no longer pending, and an error if the filled-in values
    /// do not fit; the request then stays pending.
    pub fn confirm(&self, user: UserId, id: &str, request: &ConfirmRequest) -> Result<bool, CompanionError> {
        self.inner.questions.answer(user, id, request).map_err(CompanionError::Refused)
    }

    /// Returns the user's pending confirmation requests, the oldest first.
    pub fn waiting(&self, user: UserId) -> Vec<WaitingConfirmation> {
        self.inner.questions.of(user)
    }

    /// Stops every running turn, keeps its results, and takes no more messages.
    pub async fn close(&self) {
        self.inner.closing.cancel();
        for log in self.inner.turns.all() {
            log.stop();
        }
        self.inner.tasks.close();
        self.inner.tasks.wait().await;
    }

    fn begin(&self, turn: Turn, code: Option<CodeRequest>) -> Arc<TurnLog> {
        let inner = &self.inner;
        let log = Arc::new(TurnLog::new(turn.id, turn.user, turn.conversation, turn.message));
        log.push(metadata(&turn));
        let earlier = inner.enter(&log);
        let (conversation_id, turn_id, message_id) = (turn.conversation, turn.id, turn.message);
        inner.feed.tell(turn.user, Push::TurnStarted { conversation_id, turn_id, message_id });
        inner.tasks.spawn(turn::run(Arc::clone(inner), turn, Arc::clone(&log), earlier, code));
        log
    }
}

/// Creates the first event of a turn.
pub(crate) fn metadata(turn: &Turn) -> Event {
    Event::Metadata {
        conversation_id: turn.conversation,
        model: turn.model.clone(),
        turn_id: turn.id,
        user_message_id: turn.user_message,
        message_id: turn.message,
    }
}

/// Returns the key of a model's cache for a conversation.
pub(crate) fn cache_key(conversation: ConversationId) -> CacheKey {
    CacheKey::new(conversation.to_string())
}

/// Returns the key of a cache that may be written to disk; `None` for an incognito conversation.
pub(crate) fn lasting_key(conversation: ConversationId) -> Option<CacheKey> {
    (!store::is_passing(conversation)).then(|| cache_key(conversation))
}

fn check(said: &Said) -> Result<(), CompanionError> {
    if said.message.trim().is_empty() && said.attachments.is_empty() {
        return Err(CompanionError::EmptyMessage);
    }
    if said.message.len() > LONGEST_MESSAGE {
        return Err(CompanionError::MessageTooLong { bytes: said.message.len(), limit: LONGEST_MESSAGE });
    }
    if said.attachments.len() > MOST_ATTACHMENTS {
        return Err(CompanionError::TooManyAttachments { limit: MOST_ATTACHMENTS });
    }
    match said.attachments.iter().find(|attachment| attachment.data.len() > LARGEST_ATTACHMENT) {
        None => Ok(()),
        Some(attachment) => Err(CompanionError::AttachmentTooLarge {
            name: attachment.name.clone(),
            bytes: attachment.data.len(),
            limit: LARGEST_ATTACHMENT,
        }),
    }
}

impl Inner {
    pub(crate) fn settings(&self) -> Settings {
        (self.settings)()
    }

    pub(crate) fn now(&self) -> Zoned {
        self.clock.now().to_zoned(self.clock.time_zone())
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.is_cancelled()
    }

    pub(crate) fn check_open(&self) -> Result<(), CompanionError> {
        if self.is_closing() { Err(CompanionError::ShuttingDown) } else { Ok(()) }
    }

    /// Registers a turn, and returns the turn of the same conversation that it must wait for.
    pub(crate) fn enter(&self, log: &Arc<TurnLog>) -> Option<Arc<TurnLog>> {
        let earlier = self.turns.enter(log);
        // The turn was being registered while the shutdown stopped all turns.
        if self.is_closing() {
            log.stop();
        }
        earlier
    }

    fn door(&self, conversation: ConversationId) -> &Mutex<()> {
        let place = conversation.get().cast_unsigned() % self.doors.len() as u64;
        &self.doors[usize::try_from(place).unwrap_or(0)]
    }

    /// Announces the end of a turn and does the deferred work.
    pub(crate) async fn after_turn(self: &Arc<Self>, turn: &Turn, work: Work) {
        let (conversation_id, turn_id, message_id) = (turn.conversation, turn.id, turn.message);
        self.feed.tell(turn.user, Push::TurnEnded { conversation_id, turn_id, message_id });
        let settled = tokio::select! {
            settled = async { self.reflect(turn).await.and(self.settle(turn).await) } => settled,
            () = self.closing.cancelled() => Ok(()),
        };
        match settled {
            // The conversation was deleted meanwhile.
            Ok(()) | Err(CompanionError::Store(StoreError::NotFound(_))) => {}
            Err(error) => {
                tracing::warn!("conversation {conversation_id} was not tidied up: {error}");
                self.put_off(turn);
            }
        }
        self.end_work(work).await;
        if let Ok(chat) = self.store.summary(turn.user, turn.conversation).await {
            self.feed.tell(turn.user, Push::ChatChanged { chat });
        }
    }
}
