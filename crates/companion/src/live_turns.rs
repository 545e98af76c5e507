use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::{ConversationId, TurnId, UserId};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::error::CompanionError;
use crate::turn_log::TurnLog;

/// The running and queued turns in the order of each conversation, the tasks in which they run, and the shutdown of
/// both.
#[derive(Default)]
pub struct LiveTurns {
    live: Mutex<Live>,
    tasks: TaskTracker,
    closing: CancellationToken,
}

#[derive(Default)]
struct Live {
    turns: HashMap<TurnId, Arc<TurnLog>>,
    /// The latest turn of each conversation.
    tails: HashMap<ConversationId, Arc<TurnLog>>,
}

impl LiveTurns {
    /// Registers a turn and returns the turn of the same conversation that it must wait for.
    pub fn enter(&self, log: &Arc<TurnLog>) -> Option<Arc<TurnLog>> {
        let earlier = {
            let mut live = self.lock();
            live.turns.insert(log.id, Arc::clone(log));
            live.tails.insert(log.conversation, Arc::clone(log))
        };
        // The turn was being registered while the shutdown stopped all turns.
        if self.is_closing() {
            log.stop();
        }
        earlier
    }

    /// Removes a turn, so that the next one of its conversation can begin.
    pub fn leave(&self, log: &Arc<TurnLog>) {
        let mut live = self.lock();
        live.turns.remove(&log.id);
        if live.tails.get(&log.conversation).is_some_and(|tail| tail.id == log.id) {
            live.tails.remove(&log.conversation);
        }
        log.release_queue();
    }

    /// Returns the turns of a conversation, running or queued.
    pub fn of(&self, user: UserId, conversation: ConversationId) -> Vec<Arc<TurnLog>> {
        let live = self.lock();
        let its = |log: &&Arc<TurnLog>| log.user == user && log.conversation == conversation;
        live.turns.values().filter(its).cloned().collect()
    }

    /// Returns a running turn if it belongs to this user.
    pub fn get(&self, user: UserId, id: TurnId) -> Option<Arc<TurnLog>> {
        self.lock().turns.get(&id).filter(|log| log.user == user).cloned()
    }

    pub fn len(&self) -> usize {
        self.lock().turns.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lock().turns.is_empty()
    }

    pub fn all(&self) -> Vec<Arc<TurnLog>> {
        self.lock().turns.values().cloned().collect()
    }

    /// Runs a task that the shutdown waits for.
    pub fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> tokio::task::JoinHandle<T> {
        self.tasks.spawn(task)
    }

    pub fn is_closing(&self) -> bool {
        self.closing.is_cancelled()
    }

    /// Waits until the shutdown begins.
    pub async fn closing(&self) {
        self.closing.cancelled().await;
    }

    /// Fails once the shutdown has begun.
    pub fn check_open(&self) -> Result<(), CompanionError> {
        if self.is_closing() { Err(CompanionError::ShuttingDown) } else { Ok(()) }
    }

    /// Stops every turn, and waits for all tasks to end.
    pub async fn close(&self) {
        self.closing.cancel();
        for log in self.all() {
            log.stop();
        }
        self.tasks.close();
        self.tasks.wait().await;
    }

    fn lock(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use protocol::MessageId;

    use super::*;

    #[test]
    fn turns_of_one_conversation_queue_up() {
        let turns = LiveTurns::default();
        let turn = |id, conversation| {
            Arc::new(TurnLog::new(
                TurnId::new(id),
                UserId::new(1),
                ConversationId::new(conversation),
                MessageId::new(id),
            ))
        };
        let (first, second, other) = (turn(1, 7), turn(2, 7), turn(3, 8));
        assert!(turns.enter(&first).is_none());
        assert_eq!(turns.enter(&second).map(|log| log.id), Some(first.id));
        assert!(turns.enter(&other).is_none());
        turns.leave(&first);
        assert_eq!(turns.enter(&turn(4, 7)).map(|log| log.id), Some(second.id));
        assert!(turns.get(UserId::new(1), second.id).is_some());
        assert!(turns.get(UserId::new(2), second.id).is_none());
    }
}
