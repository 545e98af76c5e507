//! The upkeep of a conversation after an answer: its title, and summaries of old messages.

mod title;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use config::TitleStyle;
use model::ChatModel;
use protocol::{ConversationId, MessageStatus, Push, Role};
use store::{EpochSummary, NewPromptEpoch, Turn};

use crate::error::CompanionError;
use crate::model_size::is_tiny;
use crate::model_source::lasting_key;
use crate::prompt::{self, Branch, PromptBuilder, compaction, private_facts};
use crate::services::Services;

/// Keeps conversations in order after an answer: sets their titles and summarises old messages.
pub(crate) struct ConversationUpkeep {
    services: Arc<Services>,
    prompts: Arc<PromptBuilder>,
    /// The turns whose upkeep failed, to be tried again by the maintenance.
    failed: Mutex<HashMap<ConversationId, Turn>>,
}

impl ConversationUpkeep {
    pub fn new(services: Arc<Services>, prompts: Arc<PromptBuilder>) -> Self {
        Self { services, prompts, failed: Mutex::default() }
    }

    /// Does the work that follows an answer: sets the title and summarises old messages.
    pub async fn run(&self, turn: &Turn) -> Result<(), CompanionError> {
        let mut branch = Branch::up_to(&self.services.store, turn, turn.message).await?;
        let style = self.services.settings().title;
        let first = branch.summary().is_none() && branch.path.len() <= 2 && style != TitleStyle::Off;
        let question = branch.path.iter().find(|message| first && message.role == Role::User);
        if let Some(question) = question {
            self.set_title(turn, &title::from_message(&question.content)).await?;
        }
        let answer = branch.path.last().filter(|message| message.status == MessageStatus::Complete);
        let Some(answer) = answer else { return Ok(()) };
        let Ok(model) = self.services.models.current().await else { return Ok(()) };
        if let Some(question) = question.filter(|_| style == TitleStyle::Auto)
            && let Some(name) = title::from_model(model.as_ref(), &question.content, &answer.content).await
        {
            self.set_title(turn, &name).await?;
        }
        private_facts::remove(&self.services.memory, turn.user, &mut branch, model.as_ref()).await?;
        self.compact(turn, &branch, model.as_ref()).await
    }

    async fn set_title(&self, turn: &Turn, title: &str) -> Result<(), CompanionError> {
        if !title.is_empty()
            && let Some(chat) =
                self.services.store.set_auto_title(turn.user, turn.conversation, title).await?
        {
            self.services.feed.tell(turn.user, Push::ChatChanged { chat });
        }
        Ok(())
    }

    /// Summarises the older part of a branch that approaches the model's limit, and lets the model read the shorter
    /// prompt in advance.
    async fn compact(
        &self,
        turn: &Turn,
        branch: &Branch,
        model: &dyn ChatModel,
    ) -> Result<(), CompanionError> {
        // A very small model reads only the end of a conversation and no summary.
        if is_tiny(model) {
            return Ok(());
        }
        let settings = self.services.settings();
        let budget = self.prompts.budget(model);
        let count = |text: &str| model.count_tokens(text).tokens;
        let Some(epoch) = &branch.epoch else { return Ok(()) };
        let user = self.services.store.user(turn.user).await?;
        let prefix = self.prompts.prefix(&user, model).await;
        let today = prefix.system;
        if !today.has_soul_of(&epoch.system) {
            // The next message begins a new epoch, for example in a mode with its own prefix.
            return Ok(());
        }
        let system = prompt::SystemPrompt::fixed(epoch.system.clone(), &today, &count);
        let whole = prompt::assemble(&system, epoch.summary.as_ref(), &branch.path, |_| Vec::new(), &count);
        let whole = whole.tokens + prefix.tool_tokens;
        if !compaction::is_due(budget, whole, settings.summarise_at) {
            return Ok(());
        }
        let fixed = count(&system.text) + prefix.tool_tokens;
        let target = compaction::target(budget, fixed, settings.summarise_to);
        let gone = prompt::messages_to_summarise(&branch.path, target, &count);
        if gone == 0 {
            return Ok(());
        }
        let most = compaction::longest_summary(budget);
        let text = compaction::summarise(model, branch.summary(), &branch.path[..gone], most, &count).await;
        let origins = prompt::origins(branch.summary(), &branch.path[..gone]);
        let summary = EpochSummary { text, up_to: branch.path[gone - 1].id, origins };
        let new = NewPromptEpoch { system: today.text.clone(), summary: Some(summary.clone()) };
        self.services.store.begin_epoch(turn.user, turn.conversation, new).await?;
        let (conversation_id, up_to) = (turn.conversation, summary.up_to);
        self.services.feed.tell(turn.user, Push::ChatSummarised { conversation_id, up_to });
        let next = prompt::assemble(&today, Some(&summary), &branch.path[gone..], |_| Vec::new(), &count);
        let request = model::ModelRequest {
            messages: next.messages,
            opening: next.opening,
            tools: prefix.offer.specs,
            cache_key: lasting_key(turn.conversation),
            priority: model::Priority::Background,
            ..model::ModelRequest::default()
        };
        model.prewarm(request).await?;
        Ok(())
    }

    /// Does the upkeep of conversations for which it failed after the answer. Returns their number.
    pub async fn retry_failed(&self) -> Result<usize, CompanionError> {
        let waiting = std::mem::take(&mut *self.failed.lock().unwrap_or_else(PoisonError::into_inner));
        let mut waiting = waiting.into_values();
        let mut done = 0;
        while let Some(turn) = waiting.next() {
            match self.run(&turn).await {
                Ok(()) => done += 1,
                // The conversation was deleted meanwhile.
                Err(CompanionError::Store(store::StoreError::NotFound(_))) => {}
                Err(error) => {
                    self.retry_later(&turn);
                    waiting.for_each(|turn| self.retry_later(&turn));
                    return Err(error);
                }
            }
        }
        Ok(done)
    }

    /// Leaves the work after an answer to the maintenance.
    pub fn retry_later(&self, turn: &Turn) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.insert(turn.conversation, turn.clone());
    }
}
