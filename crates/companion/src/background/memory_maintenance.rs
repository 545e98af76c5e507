use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use jiff::civil::Date;
use protocol::Push;

use super::supervisor::Process;
use crate::conversation_upkeep::ConversationUpkeep;
use crate::error::CompanionError;
use crate::forgetting::ForgetService;
use crate::memory_updates::{MemoryUpdates, ModelFactsRun};
use crate::personality::Personalities;
use crate::services::Services;

/// The number of messages read in one batch; other tasks run in between.
const SOME: u32 = 50;
/// The number of batches of vectors per pass. A request to forget waits for one pass at most.
const BATCHES: usize = 40;

/// The process `memory_maintenance`: reads unread messages, tidies the facts, and computes vectors.
pub struct MemoryMaintenance {
    services: Arc<Services>,
    forgetting: Arc<ForgetService>,
    updates: Arc<MemoryUpdates>,
    upkeep: Arc<ConversationUpkeep>,
    personalities: Arc<Personalities>,
    /// The sequence number of the memory, the day and the embedding model at the last run that found nothing to do.
    done: Mutex<Option<(i64, Date, Option<String>)>>,
}

impl MemoryMaintenance {
    pub(crate) fn new(
        services: Arc<Services>,
        forgetting: Arc<ForgetService>,
        updates: Arc<MemoryUpdates>,
        upkeep: Arc<ConversationUpkeep>,
        personalities: Arc<Personalities>,
    ) -> Self {
        Self { services, forgetting, updates, upkeep, personalities, done: Mutex::default() }
    }
}

#[async_trait]
impl Process for MemoryMaintenance {
    fn id(&self) -> &'static str {
        "memory_maintenance"
    }

    fn name(&self) -> &'static str {
        "Memory"
    }

    fn about(&self) -> &'static str {
        "Learns from what was said, summarises long conversations, merges what says the same, and lets go of what is \
         past or was never sure."
    }

    fn every(&self) -> Duration {
        Duration::from_mins(5)
    }

    async fn run(&self) -> Result<String, String> {
        loop {
            let work = self.forgetting.begin_work();
            let pass = self.pass().await;
            self.forgetting.end_work(work).await;
            let MaintenancePass { told, is_unfinished } = pass.map_err(|error| error.to_string())?;
            // Imported content is found only by its words until it has vectors, so another pass follows at once.
            if !is_unfinished {
                return Ok(told);
            }
        }
    }
}

/// The result of one pass.
struct MaintenancePass {
    told: String,
    /// True if vectors are still missing.
    is_unfinished: bool,
}

impl MemoryMaintenance {
    async fn pass(&self) -> Result<MaintenancePass, CompanionError> {
        let Self { services, forgetting, updates, .. } = self;
        let today = services.now().date();
        let before =
            (services.store.memory_seq().await?, today, services.memory.embedding_model_name().await);
        forgetting.resume().await?;
        let purged = forgetting.purge_file_history().await?;
        let summarised = self.upkeep.retry_failed().await?;
        let is_done = self.done.lock().unwrap_or_else(PoisonError::into_inner).as_ref() == Some(&before);
        // Messages that the model has not read yet do not count as changes.
        let by_model = if is_done { updates.learn_by_model().await? } else { ModelFactsRun::default() };
        if is_done && purged + summarised + by_model.found == 0 {
            let told = match by_model.read {
                0 => "nothing has changed".into(),
                read => format!("the model has read {read} messages and found nothing new"),
            };
            return Ok(MaintenancePass { told, is_unfinished: false });
        }
        let mut read = 0;
        loop {
            let some = services.memory.learn_from_unread(SOME).await?;
            if some.is_empty() {
                break;
            }
            read += some.len();
            for user in some.into_iter().map(|message| message.user).collect::<HashSet<_>>() {
                services.feed.tell(user, Push::MemoryChanged);
            }
            tokio::task::yield_now().await;
        }
        let users = services.store.users().await?;
        let by_model = if is_done { by_model } else { updates.learn_by_model().await? };
        let (mut changed, mut embedded, mut is_unfinished) = (0, 0, false);
        for user in users {
            let tidied = services.memory.maintain_facts(user.id).await?;
            changed += tidied.expired + tidied.faded + tidied.merged + tidied.promoted;
            self.personalities.pass_time(user.id).await?;
            for batch in 1..=BATCHES {
                let some = services.memory.embed_batch(user.id).await?;
                embedded += some;
                is_unfinished |= some > 0 && batch == BATCHES;
                if some == 0 {
                    break;
                }
            }
            while services.memory.assign_vector_regions(user.id).await? > 0 {
                tokio::task::yield_now().await;
            }
            if tidied != memory::FactMaintenance::default() {
                services.feed.tell(user.id, Push::MemoryChanged);
            }
        }
        services.memory.drop_stray_vectors().await?;
        services.store.trim_memory_changes().await?;
        // Changes made meanwhile are left to the next run, so only a run that changed nothing proves that all is done.
        let idle = read + by_model.found + changed + embedded == 0;
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = idle.then_some(before);
        let told = format!(
            "{read} messages read, {} more facts found by the model in {} messages, {changed} facts tidied, {embedded} vectors made, {summarised} conversations summarised",
            by_model.found, by_model.read
        );
        Ok(MaintenancePass { told, is_unfinished })
    }
}
