use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use jiff::civil::Date;
use persona::Reaction;
use protocol::{MessageStatus, Push};
use store::Turn;

use crate::companion::{Companion, Inner};
use crate::error::CompanionError;
use crate::insight::Insight;
use crate::processes::Process;

/// The number of messages read in one batch; other tasks run in between.
const SOME: u32 = 50;
/// The number of batches of vectors per pass. A request to forget waits for one pass at most.
const BATCHES: usize = 40;

impl Inner {
    /// Does the memory work after an answer: learns facts, updates the personality, and embeds what is new. The
    /// maintenance makes up for anything that is interrupted.
    pub(crate) async fn reflect(&self, turn: &Turn) -> Result<(), CompanionError> {
        if store::is_passing(turn.conversation) {
            return Ok(());
        }
        let Some(question) = turn.user_message else { return Ok(()) };
        if let Some(said) = self.store.said(turn.user, [question]).await?.remove(&question) {
            let learned = self.memory.reflect(&said).await?;
            if !learned.is_empty() {
                self.feed.tell(turn.user, Push::MemoryChanged);
            }
            let answer = self.store.message(turn.user, turn.conversation, turn.message).await?;
            let again = answer.siblings.len() > 1;
            let reaction = match answer.status {
                MessageStatus::Partial => Some(Reaction::Stopped),
                _ if again => Some(Reaction::Regenerated),
                _ => None,
            };
            // A regenerated answer does not make the question count twice.
            let words = if again { "" } else { said.content.as_str() };
            self.feel(turn.user, words, (turn.conversation, question), reaction).await?;
        }
        self.memory.embed_some(turn.user).await?;
        Ok(())
    }
}

/// The process `memory_maintenance`: reads unread messages, tidies the facts, and computes vectors.
pub struct Maintenance {
    companion: Companion,
    /// The sequence number of the memory, the day and the embedding model at the last run that found nothing to do.
    done: Mutex<Option<(i64, Date, Option<String>)>>,
}

impl Maintenance {
    pub fn new(companion: Companion) -> Self {
        Self { companion, done: Mutex::default() }
    }
}

#[async_trait]
impl Process for Maintenance {
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
        let inner = self.companion.inner();
        loop {
            let work = inner.works.begin();
            let tended = self.tend().await;
            inner.end_work(work).await;
            let Tended { told, is_unfinished } = tended.map_err(|error| error.to_string())?;
            // Imported content is found only by its words until it has vectors, so another pass follows at once.
            if !is_unfinished {
                return Ok(told);
            }
        }
    }
}

/// The result of one pass.
struct Tended {
    told: String,
    /// True if vectors are still missing.
    is_unfinished: bool,
}

impl Maintenance {
    async fn tend(&self) -> Result<Tended, CompanionError> {
        let inner = self.companion.inner();
        let today = inner.now().date();
        let before = (inner.store.memory_seq().await?, today, inner.memory.embedder().await);
        self.companion.go_on_forgetting().await?;
        let purged = self.companion.purge_file_history().await?;
        let summarised = inner.summarise_waiting().await?;
        let is_done = self.done.lock().unwrap_or_else(PoisonError::into_inner).as_ref() == Some(&before);
        // Messages that the model has not read yet do not count as changes.
        let insight = if is_done { inner.learn_by_model().await? } else { Insight::default() };
        if is_done && purged + summarised + insight.found == 0 {
            let told = match insight.read {
                0 => "nothing has changed".into(),
                read => format!("the model has read {read} messages and found nothing new"),
            };
            return Ok(Tended { told, is_unfinished: false });
        }
        let mut read = 0;
        loop {
            let some = inner.memory.reflect_unread(SOME).await?;
            if some.is_empty() {
                break;
            }
            read += some.len();
            for user in some.into_iter().map(|message| message.user).collect::<HashSet<_>>() {
                inner.feed.tell(user, Push::MemoryChanged);
            }
            tokio::task::yield_now().await;
        }
        let users = inner.store.users().await?;
        let insight = if is_done { insight } else { inner.learn_by_model().await? };
        let (mut changed, mut embedded, mut is_unfinished) = (0, 0, false);
        for user in users {
            let tidied = inner.memory.tidy(user.id).await?;
            changed += tidied.expired + tidied.faded + tidied.merged + tidied.promoted;
            inner.rest(user.id).await?;
            for batch in 1..=BATCHES {
                let some = inner.memory.embed_some(user.id).await?;
                embedded += some;
                is_unfinished |= some > 0 && batch == BATCHES;
                if some == 0 {
                    break;
                }
            }
            while inner.memory.arrange_some(user.id).await? > 0 {
                tokio::task::yield_now().await;
            }
            if tidied != memory::Tidied::default() {
                inner.feed.tell(user.id, Push::MemoryChanged);
            }
        }
        inner.memory.drop_stray_vectors().await?;
        inner.store.trim_memory_changes().await?;
        // Changes made meanwhile are left to the next run, so only a run that changed nothing proves that all is done.
        let idle = read + insight.found + changed + embedded == 0;
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = idle.then_some(before);
        let told = format!(
            "{read} messages read, {} more facts found by the model in {} messages, {changed} facts tidied, {embedded} vectors made, {summarised} conversations summarised",
            insight.found, insight.read
        );
        Ok(Tended { told, is_unfinished })
    }
}

impl Inner {
    /// Settles conversations for which that failed after the answer. Returns their number.
    async fn summarise_waiting(&self) -> Result<usize, CompanionError> {
        let waiting = std::mem::take(&mut *self.untended.lock().unwrap_or_else(PoisonError::into_inner));
        let mut waiting = waiting.into_values();
        let mut done = 0;
        while let Some(turn) = waiting.next() {
            match self.settle(&turn).await {
                Ok(()) => done += 1,
                // The conversation was deleted meanwhile.
                Err(CompanionError::Store(store::StoreError::NotFound(_))) => {}
                Err(error) => {
                    self.put_off(&turn);
                    waiting.for_each(|turn| self.put_off(&turn));
                    return Err(error);
                }
            }
        }
        Ok(done)
    }

    /// Leaves the work after an answer to the maintenance.
    pub(crate) fn put_off(&self, turn: &Turn) {
        let mut untended = self.untended.lock().unwrap_or_else(PoisonError::into_inner);
        untended.insert(turn.conversation, turn.clone());
    }
}
