//! Updates of the memory after an answer: facts, personality and vectors.

mod model_facts;

use std::sync::Arc;

use persona::Reaction;
use protocol::{MessageStatus, Push};
use store::Turn;

pub use self::model_facts::ModelFactsRun;
use crate::error::CompanionError;
use crate::live_turns::LiveTurns;
use crate::personality::Personalities;
use crate::services::Services;

/// Learns from what was said.
pub(crate) struct MemoryUpdates {
    services: Arc<Services>,
    personalities: Arc<Personalities>,
    turns: Arc<LiveTurns>,
}

impl MemoryUpdates {
    pub fn new(services: Arc<Services>, personalities: Arc<Personalities>, turns: Arc<LiveTurns>) -> Self {
        Self { services, personalities, turns }
    }

    /// Does the memory work after an answer: learns facts, updates the personality, and embeds what is new. The
    /// maintenance makes up for anything that is interrupted.
    pub async fn reflect(&self, turn: &Turn) -> Result<(), CompanionError> {
        if store::is_incognito(turn.conversation) {
            return Ok(());
        }
        let Some(question) = turn.user_message else { return Ok(()) };
        if let Some(said) = self.services.store.said(turn.user, [question]).await?.remove(&question) {
            let learned = self.services.memory.learn_from(&said).await?;
            if !learned.is_empty() {
                self.services.feed.tell(turn.user, Push::MemoryChanged);
            }
            let answer = self.services.store.message(turn.user, turn.conversation, turn.message).await?;
            let again = answer.siblings.len() > 1;
            let reaction = match answer.status {
                MessageStatus::Partial => Some(Reaction::Stopped),
                _ if again => Some(Reaction::Regenerated),
                _ => None,
            };
            // A regenerated answer does not make the question count twice.
            let words = if again { "" } else { said.content.as_str() };
            self.personalities.react(turn.user, words, (turn.conversation, question), reaction).await?;
        }
        self.services.memory.embed_batch(turn.user).await?;
        Ok(())
    }
}
