//! The clients connected to `/ws`, and which of a user's pages plays the companion's voice: the one that the user
//! looked at last.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::UserId;
use tokio::sync::watch;

/// The connected clients of all users.
#[derive(Default)]
pub struct Presence {
    connected: Mutex<ConnectedClients>,
    /// The number of changes so far.
    changes: watch::Sender<u64>,
}

#[derive(Default)]
struct ConnectedClients {
    clients: Vec<ConnectedClient>,
    /// A counter that orders the times at which clients were looked at.
    views: u64,
    next: u64,
}

struct ConnectedClient {
    id: u64,
    user: UserId,
    visible: bool,
    last_viewed: u64,
}

/// One client, for as long as it is connected.
pub struct ClientPresence {
    presence: Arc<Presence>,
    id: u64,
    user: UserId,
    changes: watch::Receiver<u64>,
}

impl Presence {
    /// Registers a client. It counts as visible until it reports otherwise, because clients of the original projects
    /// report nothing.
    pub fn enter(self: &Arc<Self>, user: UserId) -> ClientPresence {
        let mut connected = self.lock();
        connected.next += 1;
        connected.views += 1;
        let (id, last_viewed) = (connected.next, connected.views);
        connected.clients.push(ConnectedClient { id, user, visible: true, last_viewed });
        drop(connected);
        let changes = self.changes.subscribe();
        self.announce();
        ClientPresence { presence: Arc::clone(self), id, user, changes }
    }

    fn announce(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    fn lock(&self) -> MutexGuard<'_, ConnectedClients> {
        self.connected.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ClientPresence {
    pub fn set_visible(&self, visible: bool) {
        let mut connected = self.presence.lock();
        connected.views += 1;
        let last_viewed = connected.views;
        if let Some(client) = connected.clients.iter_mut().find(|client| client.id == self.id) {
            client.visible = visible;
            if visible {
                client.last_viewed = last_viewed;
            }
        }
        drop(connected);
        self.presence.announce();
    }

    /// Returns true if this client plays the companion's voice.
    pub fn speaks(&self) -> bool {
        let connected = self.presence.lock();
        let theirs = connected.clients.iter().filter(|client| client.user == self.user && client.visible);
        theirs.max_by_key(|client| client.last_viewed).is_some_and(|client| client.id == self.id)
    }

    /// Waits until a client connects, disconnects or changes its visibility.
    pub async fn changed(&mut self) {
        // The sender still exists, because `self.presence` keeps it alive.
        let _ = self.changes.changed().await;
    }
}

impl Drop for ClientPresence {
    fn drop(&mut self) {
        self.presence.lock().clients.retain(|client| client.id != self.id);
        self.presence.announce();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: UserId = UserId::new(1);
    const YOU: UserId = UserId::new(2);

    #[test]
    fn she_is_heard_where_each_looked_last() {
        let presence = Arc::new(Presence::default());
        let (first, other) = (presence.enter(ME), presence.enter(YOU));
        let second = presence.enter(ME);
        let speaks = || [first.speaks(), second.speaks(), other.speaks()];
        assert_eq!(speaks(), [false, true, true]);
        first.set_visible(true);
        assert_eq!(speaks(), [true, false, true]);
        first.set_visible(false);
        assert_eq!(speaks(), [false, true, true]);
        second.set_visible(false);
        assert_eq!(speaks(), [false, false, true], "nobody looks");
        first.set_visible(true);
        drop(second);
        assert!(first.speaks());
        drop(first);
        assert_eq!(presence.lock().clients.len(), 1);
    }
}
