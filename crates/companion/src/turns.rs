use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::Stream;
use futures_util::stream;
use protocol::{ConversationId, Event, MessageId, StopReason, TurnId, TurnInfo, TurnStatus, UserId};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// One turn as it happens: its events so far, and a way to wait for the next or to stop it.
///
/// It outlives the connection that began it. Readers have no queue of their own: each walks the same log at
/// its own pace, so a slow one costs nothing and loses nothing.
pub struct TurnLog {
    pub id: TurnId,
    pub user: UserId,
    pub conversation: ConversationId,
    pub message: MessageId,
    cancel: CancellationToken,
    /// Cancelled once the next turn of the conversation may begin.
    gone: CancellationToken,
    events: Mutex<Vec<Event>>,
    length: watch::Sender<u32>,
}

impl TurnLog {
    pub fn new(id: TurnId, user: UserId, conversation: ConversationId, message: MessageId) -> Self {
        Self {
            id,
            user,
            conversation,
            message,
            cancel: CancellationToken::new(),
            gone: CancellationToken::new(),
            events: Mutex::new(Vec::new()),
            length: watch::Sender::new(0),
        }
    }

    /// A turn that has ended, from what was stored of it.
    pub fn ended(info: &TurnInfo, user: UserId, events: Vec<Event>) -> Self {
        let log = Self::new(info.turn_id, user, info.conversation_id, info.message_id);
        let length = u32::try_from(events.len()).unwrap_or(u32::MAX);
        *log.lock() = events;
        log.length.send_replace(length);
        log
    }

    /// Adds an event. Its number is its place in the log, counted from one.
    pub fn push(&self, event: Event) {
        let mut events = self.lock();
        events.push(event);
        let length = u32::try_from(events.len()).unwrap_or(u32::MAX);
        drop(events);
        self.length.send_replace(length);
    }

    /// The events after number `after`, and then each as it comes, until the last.
    pub fn follow(self: &Arc<Self>, after: u32) -> impl Stream<Item = (u32, Event)> + Send + 'static {
        let state = (Arc::clone(self), self.length.subscribe(), after);
        stream::unfold(state, |(log, mut length, seen)| async move {
            loop {
                if let Some(event) = log.event(seen + 1) {
                    return Some(((seen + 1, event), (log, length, seen + 1)));
                }
                if log.is_ended() || length.changed().await.is_err() {
                    return None;
                }
            }
        })
    }

    /// Waits until this turn, and every earlier one of its conversation, has left the queue.
    pub async fn gone(&self) {
        self.gone.cancelled().await;
    }

    /// Where a reader goes on that has seen so many events. If the program was killed, it may have seen more than
    /// reached the disk: it still learns how the turn ended.
    pub fn place_after(&self, seen: u32) -> u32 {
        let events = self.lock();
        let length = u32::try_from(events.len()).unwrap_or(u32::MAX);
        let was_cut = matches!(events.last(), Some(Event::Done { stop_reason: StopReason::Cut, .. }));
        if seen > length || (was_cut && seen == length) { length.saturating_sub(1) } else { seen }
    }

    /// The events from number `first` on.
    pub fn since(&self, first: u32) -> Vec<Event> {
        let skipped = usize::try_from(first.saturating_sub(1)).unwrap_or(usize::MAX);
        self.lock().iter().skip(skipped).cloned().collect()
    }

    pub fn is_ended(&self) -> bool {
        self.lock().last().is_some_and(Event::is_last)
    }

    pub fn info(&self) -> TurnInfo {
        TurnInfo {
            turn_id: self.id,
            conversation_id: self.conversation,
            message_id: self.message,
            status: if self.is_ended() { TurnStatus::Ended } else { TurnStatus::Running },
        }
    }

    pub fn stop(&self) {
        self.cancel.cancel();
    }

    pub fn cancelled(&self) -> &CancellationToken {
        &self.cancel
    }

    fn event(&self, seq: u32) -> Option<Event> {
        self.lock().get(usize::try_from(seq.checked_sub(1)?).ok()?).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Event>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The turns that run, and the order in which those of one conversation do.
#[derive(Default)]
pub struct LiveTurns {
    live: Mutex<Live>,
}

#[derive(Default)]
struct Live {
    turns: HashMap<TurnId, Arc<TurnLog>>,
    /// The turn of each conversation that was begun last.
    tails: HashMap<ConversationId, Arc<TurnLog>>,
}

impl LiveTurns {
    /// Registers a turn and returns the one of the same conversation that it has to wait for.
    pub fn enter(&self, log: &Arc<TurnLog>) -> Option<Arc<TurnLog>> {
        let mut live = self.lock();
        live.turns.insert(log.id, Arc::clone(log));
        live.tails.insert(log.conversation, Arc::clone(log))
    }

    /// Lets the turn go, and the next one of its conversation begin.
    pub fn leave(&self, log: &Arc<TurnLog>) {
        let mut live = self.lock();
        live.turns.remove(&log.id);
        if live.tails.get(&log.conversation).is_some_and(|tail| tail.id == log.id) {
            live.tails.remove(&log.conversation);
        }
        log.gone.cancel();
    }

    /// A running turn, if it is this user's.
    pub fn get(&self, user: UserId, id: TurnId) -> Option<Arc<TurnLog>> {
        self.lock().turns.get(&id).filter(|log| log.user == user).cloned()
    }

    pub fn all(&self) -> Vec<Arc<TurnLog>> {
        self.lock().turns.values().cloned().collect()
    }

    fn lock(&self) -> MutexGuard<'_, Live> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt;

    use super::*;

    fn log() -> Arc<TurnLog> {
        Arc::new(TurnLog::new(TurnId::new(1), UserId::new(1), ConversationId::new(1), MessageId::new(1)))
    }

    fn token(text: &str) -> Event {
        Event::Token { content: text.into() }
    }

    fn done() -> Event {
        Event::Done {
            conversation_id: ConversationId::new(1),
            message_id: MessageId::new(1),
            stop_reason: StopReason::End,
        }
    }

    #[tokio::test]
    async fn every_reader_gets_every_event_once_wherever_it_begins() {
        let log = log();
        log.push(token("a"));
        let early = tokio::spawn(log.follow(0).collect::<Vec<_>>());
        log.push(token("b"));
        let resumed = tokio::spawn(log.follow(1).collect::<Vec<_>>());
        log.push(done());
        let late: Vec<_> = log.follow(2).collect().await;
        assert_eq!(early.await.unwrap(), [(1, token("a")), (2, token("b")), (3, done())]);
        assert_eq!(resumed.await.unwrap(), [(2, token("b")), (3, done())]);
        assert_eq!(late, [(3, done())]);
        assert_eq!(log.follow(9).collect::<Vec<_>>().await, []);
        assert!(log.is_ended());
    }

    #[test]
    fn a_reader_that_saw_more_than_was_kept_learns_the_end() {
        let log = log();
        log.push(token("a"));
        log.push(done());
        assert_eq!([0, 1, 2, 3, 9].map(|seen| log.place_after(seen)), [0, 1, 2, 1, 1]);
        let cut = Arc::new(TurnLog::new(log.id, log.user, log.conversation, log.message));
        cut.push(token("a"));
        let (conversation_id, message_id) = (log.conversation, log.message);
        cut.push(Event::Done { conversation_id, message_id, stop_reason: StopReason::Cut });
        assert_eq!([0, 1, 2, 3, 9].map(|seen| cut.place_after(seen)), [0, 1, 1, 1, 1]);
    }

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
