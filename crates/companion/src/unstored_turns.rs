//! Turns outside of stored conversations: requests of API clients, buttons, and actions in a workspace. They can be
//! followed and stopped like any other turn.

use std::sync::Arc;

use protocol::{ConversationId, Event, MessageId, StopReason, TurnId, UserId};

use crate::error::CompanionError;
use crate::forgetting::ForgetService;
use crate::live_turns::LiveTurns;
use crate::services::Services;
use crate::turn_log::TurnLog;

/// Opens and runs turns that are not stored.
#[derive(Clone)]
pub(crate) struct UnstoredTurns {
    pub services: Arc<Services>,
    pub turns: Arc<LiveTurns>,
    pub forgetting: Arc<ForgetService>,
}

impl UnstoredTurns {
    /// Runs work in a turn of its own. The work returns the last event of the turn.
    pub fn begin<F: Future<Output = Event> + Send>(
        &self,
        user: UserId,
        work: impl FnOnce(Arc<TurnLog>) -> F + Send + 'static,
    ) -> Result<Arc<TurnLog>, CompanionError> {
        let log = self.open(user)?;
        let (this, running) = (self.clone(), Arc::clone(&log));
        self.turns.spawn(async move {
            let guard = this.forgetting.begin_work();
            let last = work(Arc::clone(&running)).await;
            running.push(last);
            this.turns.leave(&running);
            this.forgetting.end_work(guard).await;
        });
        Ok(log)
    }

    fn open(&self, user: UserId) -> Result<Arc<TurnLog>, CompanionError> {
        self.turns.check_open()?;
        let ids = &self.services.ids;
        let (turn_id, conversation_id) = (TurnId::new(ids.next()), ConversationId::new(ids.next()));
        let message_id = MessageId::new(ids.next());
        let log = Arc::new(TurnLog::new(turn_id, user, conversation_id, message_id));
        let model = self.services.models.name();
        log.push(Event::Metadata { conversation_id, model, turn_id, user_message_id: None, message_id });
        self.turns.enter(&log);
        Ok(log)
    }
}

/// Returns the last event of a turn without an answer of its own.
pub(crate) fn last_event(log: &TurnLog, result: Result<(), CompanionError>) -> Event {
    let stop_reason = if log.cancelled().is_cancelled() { StopReason::Stopped } else { StopReason::End };
    match result {
        Ok(()) => Event::Done { conversation_id: log.conversation, message_id: log.message, stop_reason },
        Err(error) => Event::Error { message: error.to_string(), code: error.code() },
    }
}
