//! The clients connected to `/ws`, and which of a user's pages plays the companion's voice: the one that the user
//! looked at last.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::UserId;
use tokio::sync::watch;

#[derive(Default)]
pub struct Presence {
    room: Mutex<Room>,
    /// The number of changes so far.
    changes: watch::Sender<u64>,
}

#[derive(Default)]
struct Room {
    seats: Vec<Place>,
    /// A counter that orders the looks, to find the last one.
    looks: u64,
    next: u64,
}

struct Place {
    id: u64,
    user: UserId,
    visible: bool,
    looked: u64,
}

/// One client, for as long as it is connected.
pub struct Seat {
    presence: Arc<Presence>,
    id: u64,
    user: UserId,
    changes: watch::Receiver<u64>,
}

impl Presence {
    /// Registers a client. It counts as visible until it reports otherwise, because clients of the original projects
    /// report nothing.
    pub fn enter(self: &Arc<Self>, user: UserId) -> Seat {
        let mut room = self.lock();
        room.next += 1;
        room.looks += 1;
        let (id, looked) = (room.next, room.looks);
        room.seats.push(Place { id, user, visible: true, looked });
        drop(room);
        let changes = self.changes.subscribe();
        self.tell();
        Seat { presence: Arc::clone(self), id, user, changes }
    }

    fn tell(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    fn lock(&self) -> MutexGuard<'_, Room> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Seat {
    pub fn set_visible(&self, visible: bool) {
        let mut room = self.presence.lock();
        room.looks += 1;
        let looked = room.looks;
        if let Some(place) = room.seats.iter_mut().find(|place| place.id == self.id) {
            place.visible = visible;
            if visible {
                place.looked = looked;
            }
        }
        drop(room);
        self.presence.tell();
    }

    /// Returns true if this client plays the companion's voice.
    pub fn speaks(&self) -> bool {
        let room = self.presence.lock();
        let theirs = room.seats.iter().filter(|place| place.user == self.user && place.visible);
        theirs.max_by_key(|place| place.looked).is_some_and(|place| place.id == self.id)
    }

    /// Waits until a client connects, disconnects or changes its visibility.
    pub async fn changed(&mut self) {
        // The sender cannot be gone, because the seat keeps the presence alive.
        let _ = self.changes.changed().await;
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.presence.lock().seats.retain(|place| place.id != self.id);
        self.presence.tell();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ME: UserId = UserId::new(1);
    const YOU: UserId = UserId::new(2);

    #[test]
    fn she_is_heard_where_each_looked_last() {
        let room = Arc::new(Presence::default());
        let (first, other) = (room.enter(ME), room.enter(YOU));
        let second = room.enter(ME);
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
        assert_eq!(room.lock().seats.len(), 1);
    }
}
