use std::sync::Arc;

use persona::{DIMENSIONS, MessageContext, PersonalityChange, PersonalityState, Reaction, Tone};
use protocol::{ConversationId, MessageId, Personality, PersonalityPatch, Push, Trait, TraitMove, UserId};
use store::{StoreError, StoredTraitChange};
use tokio::sync::Mutex;

use crate::error::CompanionError;
use crate::services::Services;

/// The conversation and message that caused a change.
#[derive(Debug, Clone, Copy, Default)]
struct ChangeCause {
    conversation: Option<ConversationId>,
    message: Option<MessageId>,
}

/// The companion's personality towards each user.
pub(crate) struct Personalities {
    services: Arc<Services>,
    /// Allows one change at a time.
    changing: Mutex<()>,
}

impl Personalities {
    pub fn new(services: Arc<Services>) -> Self {
        Self { services, changing: Mutex::default() }
    }

    pub async fn report(&self, user: UserId) -> Result<Personality, CompanionError> {
        let (state, can_undo) = self.load(user).await?;
        let moves = self.services.store.personality_moves(user).await?;
        let trait_move = |one: &StoredTraitChange| TraitMove {
            at: one.at.to_string(),
            value: one.value,
            why: one.why.clone(),
            conversation_id: one.conversation,
            message_id: one.message,
        };
        let current_trait = |dimension| {
            let current = state.dimension(dimension);
            Trait {
                dimension,
                value: rounded(current.value),
                rest: rounded(current.rest),
                locked: current.locked,
                moves: moves.iter().filter(|one| one.dimension == dimension).map(trait_move).collect(),
            }
        };
        Ok(Personality {
            traits: DIMENSIONS.into_iter().map(current_trait).collect(),
            tone: persona::tone(&state).text,
            can_undo,
        })
    }

    /// Sets traits by hand. The given values become the resting values.
    pub async fn set(&self, user: UserId, patch: PersonalityPatch) -> Result<Personality, CompanionError> {
        let is_share = |value: f32| (0.0..=1.0).contains(&value);
        if let Some(wrong) = patch.traits.iter().find(|one| !one.value.is_none_or(is_share)) {
            let value = wrong.value.unwrap_or_default();
            let words = format!("no side of her can be {value}: choose a value from 0 to 1");
            return Err(CompanionError::Refused(words));
        }
        let _changing = self.changing.lock().await;
        let (mut state, _) = self.load(user).await?;
        let before = state.clone();
        let mut moves = Vec::new();
        for one in patch.traits {
            moves.extend(one.value.and_then(|value| state.choose(one.dimension, f64::from(value))));
            if let Some(locked) = one.locked {
                state.lock(one.dimension, locked);
            }
        }
        // An unchanged state must not become an undo step.
        if state != before {
            self.store_manual_change(user, &before, &state, moves).await?;
        }
        self.report(user).await
    }

    /// Resets the personality to its initial state.
    pub async fn reset(&self, user: UserId) -> Result<Personality, CompanionError> {
        let _changing = self.changing.lock().await;
        let (mut state, _) = self.load(user).await?;
        let before = state.clone();
        let moves = state.reset();
        self.store_manual_change(user, &before, &state, moves).await?;
        self.report(user).await
    }

    /// Reverts the last change by hand. Later changes from conversations stay.
    pub async fn undo(&self, user: UserId) -> Result<Personality, CompanionError> {
        let _changing = self.changing.lock().await;
        let (mut state, _) = self.load(user).await?;
        let moves = state.take_back(&parsed(&self.services.store.undone_personality(user).await?));
        self.store_state(user, &state, moves, ChangeCause::default(), None).await?;
        self.report(user).await
    }

    /// Returns the text about the current personality for the prompt.
    pub async fn tone(&self, user: UserId) -> Tone {
        match self.load(user).await {
            Ok((state, _)) => persona::tone(&state),
            Err(error) => {
                tracing::warn!("the personality cannot be read: {error}");
                persona::tone(&PersonalityState::default())
            }
        }
    }

    /// Changes the personality in response to a message or to a reaction to an answer.
    pub async fn react(
        &self,
        user: UserId,
        message: &str,
        from: (ConversationId, MessageId),
        reaction: Option<Reaction>,
    ) -> Result<(), StoreError> {
        let _changing = self.changing.lock().await;
        let (mut state, _) = self.load(user).await?;
        let now = self.services.now().datetime();
        let mut moves = persona::decay(&mut state, now);
        let context = MessageContext { now, since_last: None, reaction };
        moves.extend(persona::apply_message(&mut state, &persona::read(message), &context));
        let cause = ChangeCause { conversation: Some(from.0), message: Some(from.1) };
        self.store_state(user, &state, moves, cause, None).await
    }

    /// Applies the passage of time. Without an effect nothing is stored, and the next call counts from the same moment.
    pub async fn pass_time(&self, user: UserId) -> Result<(), StoreError> {
        let _changing = self.changing.lock().await;
        let (mut state, _) = self.load(user).await?;
        let moves = persona::decay(&mut state, self.services.now().datetime());
        if moves.is_empty() {
            return Ok(());
        }
        self.store_state(user, &state, moves, ChangeCause::default(), None).await
    }

    /// Stores a change by hand together with its undo step.
    async fn store_manual_change(
        &self,
        user: UserId,
        before: &PersonalityState,
        state: &PersonalityState,
        moves: Vec<PersonalityChange>,
    ) -> Result<(), StoreError> {
        let changed = before.changed_by_hand(state);
        self.store_state(user, state, moves, ChangeCause::default(), Some(&changed)).await
    }

    async fn load(&self, user: UserId) -> Result<(PersonalityState, bool), StoreError> {
        let stored = self.services.store.personality(user).await?;
        Ok(stored.map(|stored| (parsed(&stored.state), stored.can_undo)).unwrap_or_default())
    }

    async fn store_state(
        &self,
        user: UserId,
        state: &PersonalityState,
        moves: Vec<PersonalityChange>,
        cause: ChangeCause,
        undo: Option<&PersonalityState>,
    ) -> Result<(), StoreError> {
        let mut state = state.clone();
        state.showed(&persona::tone(&state));
        let now = self.services.clock.now();
        let moves: Vec<StoredTraitChange> = moves
            .into_iter()
            .map(|one| StoredTraitChange {
                at: now,
                dimension: one.dimension,
                value: rounded(one.to),
                why: one.why.to_owned(),
                conversation: cause.conversation,
                message: cause.message,
            })
            .collect();
        let told = !moves.is_empty() || undo.is_some();
        let text = |state: &PersonalityState| serde_json::to_string(state).unwrap_or_default();
        self.services.store.keep_personality(user, text(&state), moves, undo.map(text)).await?;
        if told {
            self.services.feed.tell(user, Push::PersonalityChanged);
        }
        Ok(())
    }
}

/// Parses a stored state. An unreadable one becomes the initial state.
fn parsed(state: &str) -> PersonalityState {
    serde_json::from_str(state).unwrap_or_default()
}

#[allow(clippy::cast_possible_truncation, reason = "a number between nought and one")]
fn rounded(value: f64) -> f32 {
    value as f32
}
