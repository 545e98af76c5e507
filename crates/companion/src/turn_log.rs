use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::Stream;
use futures_util::stream;
use protocol::{ConversationId, Event, MessageId, StopReason, TurnId, UserId};
use store::Turn;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// A live turn: its events so far, a way to wait for the next, and a way to stop it.
///
/// It outlives the connection that began it. Readers have no queue of their own: each walks the same log at its own
/// pace, so a slow one costs nothing and loses nothing.
pub struct TurnLog {
    pub id: TurnId,
    pub user: UserId,
    pub conversation: ConversationId,
    pub message: MessageId,
    cancel: CancellationToken,
    /// Cancelled once the next turn of the conversation may begin.
    left_queue: CancellationToken,
    events: Mutex<Vec<Event>>,
    length: watch::Sender<u32>,
    rebuilt: bool,
}

/// The result of reading a log at a position.
#[allow(clippy::large_enum_variant, reason = "it is taken apart where it is made")]
enum NextEvent {
    Event(Event),
    Wait,
    End,
}

impl TurnLog {
    pub fn new(id: TurnId, user: UserId, conversation: ConversationId, message: MessageId) -> Self {
        Self {
            id,
            user,
            conversation,
            message,
            cancel: CancellationToken::new(),
            left_queue: CancellationToken::new(),
            events: Mutex::new(Vec::new()),
            length: watch::Sender::new(0),
            rebuilt: false,
        }
    }

    /// Creates the log of an ended turn from its events.
    pub fn ended(turn: &Turn, events: Vec<Event>) -> Self {
        let log = Self::new(turn.id, turn.user, turn.conversation, turn.message);
        let length = u32::try_from(events.len()).unwrap_or(u32::MAX);
        *log.lock() = events;
        log.length.send_replace(length);
        log
    }

    /// Creates the log of a turn whose events have expired, with as few events as needed.
    pub fn rebuilt(turn: &Turn, events: Vec<Event>) -> Self {
        Self { rebuilt: true, ..Self::ended(turn, events) }
    }

    /// Returns true if the numbers of the events differ from those of the original run.
    pub fn is_rebuilt(&self) -> bool {
        self.rebuilt
    }

    /// Adds an event. Its number is its position in the log, counted from one.
    pub fn push(&self, event: Event) {
        let mut events = self.lock();
        events.push(event);
        let length = u32::try_from(events.len()).unwrap_or(u32::MAX);
        drop(events);
        self.length.send_replace(length);
    }

    /// Streams the events after number `after`, and then each as it arrives, until the last.
    ///
    /// If the process was killed, a reader may have seen more than reached the disk. It still gets the end of the turn,
    /// under a number that follows those it saw.
    pub fn follow(self: &Arc<Self>, after: u32) -> impl Stream<Item = (u32, Event)> + Send + 'static {
        let place = self.position_after(after);
        let state = (Arc::clone(self), self.length.subscribe(), place);
        stream::unfold(state, move |(log, mut length, seen)| async move {
            loop {
                match log.look(seen) {
                    NextEvent::Event(event) => {
                        let number = (seen + 1).saturating_add(after - place);
                        return Some(((number, event), (log, length, seen + 1)));
                    }
                    NextEvent::End => return None,
                    NextEvent::Wait => length.changed().await.ok()?,
                }
            }
        })
    }

    /// Waits until this turn, and every earlier one of its conversation, has left the queue.
    pub async fn has_left_queue(&self) {
        self.left_queue.cancelled().await;
    }

    /// Lets the next turn of the conversation begin.
    pub fn release_queue(&self) {
        self.left_queue.cancel();
    }

    /// Returns the position from which a reader that has seen `seen` events continues, which is never beyond `seen`.
    fn position_after(&self, seen: u32) -> u32 {
        let events = self.lock();
        let length = u32::try_from(events.len()).unwrap_or(u32::MAX);
        let was_cut = matches!(events.last(), Some(Event::Done { stop_reason: StopReason::Cut, .. }));
        let ended = events.last().is_some_and(Event::is_last);
        if (ended && seen > length) || (was_cut && seen == length) {
            length.saturating_sub(1)
        } else {
            seen.min(length)
        }
    }

    /// Returns the events from number `first` on.
    pub fn since(&self, first: u32) -> Vec<Event> {
        let skipped = usize::try_from(first.saturating_sub(1)).unwrap_or(usize::MAX);
        self.lock().iter().skip(skipped).cloned().collect()
    }

    pub fn is_ended(&self) -> bool {
        self.lock().last().is_some_and(Event::is_last)
    }

    pub fn stop(&self) {
        self.cancel.cancel();
    }

    pub fn cancelled(&self) -> &CancellationToken {
        &self.cancel
    }

    /// Returns the event after `seen` events. The event and the end are checked under one lock: with two, an event and
    /// the end that are pushed in between would be lost.
    fn look(&self, seen: u32) -> NextEvent {
        let events = self.lock();
        let next = usize::try_from(seen).ok().and_then(|place| events.get(place));
        match next {
            Some(event) => NextEvent::Event(event.clone()),
            None if events.last().is_some_and(Event::is_last) => NextEvent::End,
            None => NextEvent::Wait,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Event>> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner)
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
        assert!(log.is_ended());
    }

    #[tokio::test]
    async fn a_reader_that_saw_more_than_was_kept_learns_the_end_under_a_number_that_follows() {
        let whole = log();
        whole.push(token("a"));
        whole.push(done());
        let cut = log();
        cut.push(token("a"));
        let end = Event::Done {
            conversation_id: cut.conversation,
            message_id: cut.message,
            stop_reason: StopReason::Cut,
        };
        cut.push(end.clone());
        let cases = [
            (&whole, 1, vec![(2, done())]),
            (&whole, 2, vec![]),
            (&whole, 9, vec![(10, done())]),
            (&whole, u32::MAX, vec![(u32::MAX, done())]),
            (&cut, 1, vec![(2, end.clone())]),
            (&cut, 2, vec![(3, end.clone())]),
            (&cut, 120, vec![(121, end.clone())]),
        ];
        for (log, seen, expected) in cases {
            assert_eq!(log.follow(seen).collect::<Vec<_>>().await, expected, "after {seen}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_last_events_are_not_lost_to_a_reader_that_looks_while_they_come() {
        for _ in 0..2_000 {
            let log = log();
            let reader = tokio::spawn(log.follow(0).collect::<Vec<_>>());
            tokio::task::yield_now().await;
            log.push(token("a"));
            log.push(done());
            assert_eq!(reader.await.unwrap().len(), 2);
        }
    }
}
