use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use protocol::{Push, UserId};
use tokio::sync::watch;

/// The number of pushes that a reconnecting client can catch up on.
const REMEMBERED: usize = 512;

/// The numbered stream of pushes to all connected clients, so that a reconnecting client can catch up.
///
/// There is no queue per client: each reads from the same ring at its own pace, and a client that falls behind by more
/// than the ring holds is told to reload everything.
pub struct Feed {
    ring: Mutex<Ring>,
    newest: watch::Sender<u64>,
}

struct Ring {
    items: VecDeque<Item>,
    last: u64,
}

#[derive(Clone)]
struct Item {
    seq: u64,
    /// The recipient, or `None` for all users.
    user: Option<UserId>,
    push: Push,
}

/// A push with its number.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberedPush {
    pub seq: u64,
    pub push: Push,
}

impl Feed {
    /// Creates an empty feed whose numbers begin after `last`. Numbers must not repeat those of an earlier run, so
    /// `last` is the time in milliseconds.
    pub fn beginning_after(last: u64) -> Self {
        Self { ring: Mutex::new(Ring { items: VecDeque::new(), last }), newest: watch::Sender::new(last) }
    }

    pub fn tell(&self, user: UserId, push: Push) {
        self.add(Some(user), push);
    }

    pub fn tell_all(&self, push: Push) {
        self.add(None, push);
    }

    /// Returns a reader of the pushes after `last_seq`, or of new pushes only without it.
    pub fn subscribe(&self, user: UserId, last_seq: Option<u64>) -> FeedReader<'_> {
        let newest = self.newest.subscribe();
        let next = last_seq.unwrap_or(*newest.borrow());
        FeedReader { feed: self, user, seen: next, newest }
    }

    fn add(&self, user: Option<UserId>, push: Push) {
        let mut ring = self.lock();
        if push == Push::Forgotten {
            ring.forget(user);
        }
        ring.last += 1;
        let seq = ring.last;
        ring.items.push_back(Item { seq, user, push });
        if ring.items.len() > REMEMBERED {
            ring.items.pop_front();
        }
        drop(ring);
        self.newest.send_replace(seq);
    }

    fn lock(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ring {
    /// Removes chat, tool and audio content from the ring when something must be forgotten, so that it is not sent
    /// again to a reconnecting client. The numbers stay.
    fn forget(&mut self, user: Option<UserId>) {
        for item in &mut self.items {
            let theirs = user.is_none() || item.user.is_none() || item.user == user;
            if theirs && matches!(item.push, Push::Chat { .. } | Push::ToolCall { .. } | Push::Audio { .. }) {
                item.push = Push::Forgotten;
            }
        }
    }
}

pub struct FeedReader<'f> {
    feed: &'f Feed,
    user: UserId,
    seen: u64,
    newest: watch::Receiver<u64>,
}

impl FeedReader<'_> {
    /// Returns the number of the last push that this reader has received or skipped.
    pub fn seen(&self) -> u64 {
        self.seen
    }

    /// Waits for the next push for this user. Returns `None` only once the feed is gone.
    pub async fn next(&mut self) -> Option<NumberedPush> {
        loop {
            if let Some(found) = self.take() {
                return Some(found);
            }
            self.newest.changed().await.ok()?;
        }
    }

    fn take(&mut self) -> Option<NumberedPush> {
        let ring = self.feed.lock();
        let oldest = ring.items.front().map_or(ring.last.saturating_add(1), |item| item.seq);
        // The number comes from the client and may be any value.
        let next = self.seen.saturating_add(1);
        // A number of another run gives no position to catch up from.
        if next < oldest || self.seen > ring.last {
            self.seen = ring.last;
            return Some(NumberedPush { seq: ring.last, push: Push::Resync });
        }
        let unseen = usize::try_from(next - oldest).unwrap_or(usize::MAX);
        for item in ring.items.iter().skip(unseen) {
            self.seen = item.seq;
            if item.user.is_none_or(|user| user == self.user) {
                return Some(NumberedPush { seq: item.seq, push: item.push.clone() });
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: UserId = UserId::new(1);
    const YOU: UserId = UserId::new(2);

    #[tokio::test]
    async fn each_hears_what_is_theirs_in_order() {
        let feed = Feed::beginning_after(0);
        let mut mine = feed.subscribe(ME, None);
        feed.tell(YOU, Push::ChatOpened { id: None });
        feed.tell_all(Push::ConfigChanged);
        feed.tell(ME, Push::ChatOpened { id: None });
        assert_eq!(mine.next().await, Some(NumberedPush { seq: 2, push: Push::ConfigChanged }));
        assert_eq!(mine.next().await, Some(NumberedPush { seq: 3, push: Push::ChatOpened { id: None } }));
    }

    #[tokio::test]
    async fn one_that_was_away_catches_up_or_starts_over() {
        let feed = Feed::beginning_after(0);
        for _ in 0..3 {
            feed.tell_all(Push::ConfigChanged);
        }
        assert_eq!(feed.subscribe(ME, Some(1)).next().await.map(|item| item.seq), Some(2));
        for _ in 0..REMEMBERED {
            feed.tell_all(Push::ConfigChanged);
        }
        let far_behind = feed.subscribe(ME, Some(1)).next().await.unwrap();
        assert_eq!(far_behind.push, Push::Resync);
        for seen in [1_000_000, u64::MAX - 1, u64::MAX] {
            let from_another_run = feed.subscribe(ME, Some(seen)).next().await.unwrap();
            assert_eq!(from_another_run.push, Push::Resync, "{seen}");
        }
        let restarted = Feed::beginning_after(5000);
        assert_eq!(restarted.subscribe(ME, Some(515)).next().await.map(|item| item.push), Some(Push::Resync));
    }

    #[tokio::test]
    async fn what_was_forgotten_is_not_told_again() {
        let feed = Feed::beginning_after(0);
        let chat = |content: &str| Push::Chat {
            conversation_id: protocol::ConversationId::new(1),
            turn_id: protocol::TurnId::new(1),
            content: content.into(),
        };
        feed.tell(ME, chat("my secret"));
        feed.tell(YOU, chat("yours"));
        feed.tell(ME, Push::Forgotten);
        feed.tell(ME, chat("later"));
        let mut mine = feed.subscribe(ME, Some(0));
        for expected in [(1, Push::Forgotten), (3, Push::Forgotten), (4, chat("later"))] {
            assert_eq!(mine.next().await, Some(NumberedPush { seq: expected.0, push: expected.1 }));
        }
        assert_eq!(feed.subscribe(YOU, Some(0)).next().await.map(|item| item.push), Some(chat("yours")));
    }

    #[tokio::test]
    async fn a_waiting_reader_is_woken() {
        let feed = std::sync::Arc::new(Feed::beginning_after(0));
        let reader = tokio::spawn({
            let feed = feed.clone();
            async move { feed.subscribe(ME, Some(0)).next().await }
        });
        feed.tell(ME, Push::ConfigChanged);
        assert_eq!(reader.await.unwrap().map(|item| item.seq), Some(1));
    }
}
