use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::time::{Duration, Instant};

use tokio_util::sync::CancellationToken;

use super::ConnectionLimits;

/// The minimum number of bytes of a body within [`ConnectionLimits::body`].
const LEAST_BODY_BYTES: usize = 1024;

pub type Id = u64;

/// The origin of a connection. Each side has its own slots, so neither can use up those of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PeerSide {
    /// This machine, over plain HTTP.
    Here,
    /// Another machine, or any machine over TLS.
    Elsewhere,
}

/// The phase of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Connected; with TLS, the handshake is not complete.
    Handshake,
    /// The head of a request is awaited.
    Head,
    /// Between requests.
    Idle,
    /// A request is being read or answered.
    Request,
    /// Upgraded from HTTP. `since` is the time of the last data received.
    Upgraded,
}

/// A connecting machine, as far as addresses can tell machines apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Peer {
    pub side: PeerSide,
    network: IpAddr,
}

impl Peer {
    pub fn new(side: PeerSide, address: IpAddr) -> Self {
        Self { side, network: network_of(address) }
    }
}

/// All connections and the reason why each keeps the server waiting. Has no clock and no sockets.
#[derive(Debug)]
pub struct ConnectionTable {
    limits: ConnectionLimits,
    rows: HashMap<Id, Row>,
    last: Id,
}

#[derive(Debug)]
struct Row {
    peer: Peer,
    phase: Phase,
    since: Instant,
    /// The time since which the body of a request is waited for.
    body: Option<Instant>,
    /// The total waiting time for the body, and the bytes received in that time.
    pace: (Duration, usize),
    /// The time since which the other side has not taken the written data.
    stalled: Option<Instant>,
    end: CancellationToken,
}

/// The reason for waiting for the other side. If equally many connections wait for two reasons, the earlier one counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Waiting {
    /// The first or next request.
    Request,
    /// The rest of a body, or the client taking a response.
    Transfer,
    /// The next message of an upgraded connection.
    Message,
}

impl ConnectionTable {
    pub fn new(limits: ConnectionLimits) -> Self {
        Self { limits, rows: HashMap::new(), last: 0 }
    }

    /// Reserves a slot for a new connection. If there is none left, the connection that has kept the server waiting
    /// longest is closed; returns `None` if no connection keeps it waiting.
    pub fn admit(&mut self, peer: Peer, end: CancellationToken, now: Instant) -> Option<Id> {
        let of_side = |row: &Row| row.peer.side == peer.side;
        let of_address = |row: &Row| row.peer == peer;
        let (most, most_of_one) = match peer.side {
            PeerSide::Here => (self.limits.here, self.limits.here),
            PeerSide::Elsewhere => (self.limits.elsewhere, self.limits.of_one_address),
        };
        if self.count(of_address) >= most_of_one {
            self.close_one(of_address, now)?;
        } else if self.count(of_side) >= most {
            self.close_one(of_side, now)?;
        }
        self.last += 1;
        let row = Row {
            peer,
            phase: Phase::Handshake,
            since: now,
            body: None,
            pace: (Duration::ZERO, 0),
            stalled: None,
            end,
        };
        self.rows.insert(self.last, row);
        Some(self.last)
    }

    pub fn remove(&mut self, id: Id) {
        self.rows.remove(&id);
    }

    /// Closes all connections that have exceeded their timeout.
    pub fn end_overdue(&mut self, now: Instant) {
        let limits = &self.limits;
        self.rows.retain(|_, row| {
            let overdue = row.is_overdue(limits, now);
            if overdue {
                row.end.cancel();
            }
            !overdue
        });
    }

    fn count(&self, of: impl Fn(&Row) -> bool) -> usize {
        self.rows.values().filter(|row| of(row)).count()
    }

    /// Closes the longest waiting connection among those with the most common reason for waiting. A client that opens
    /// thousands of connections to lock out others is hit by this, and one that merely pauses a download is not.
    fn close_one(&mut self, of: impl Fn(&Row) -> bool, now: Instant) -> Option<()> {
        let waiting: Vec<(Id, Waiting, Duration)> = self
            .rows
            .iter()
            .filter(|(_, row)| of(row))
            .filter_map(|(id, row)| row.waits(now).map(|(what, elapsed)| (*id, what, elapsed)))
            .collect();
        let kinds = [Waiting::Request, Waiting::Transfer, Waiting::Message];
        let count = |kind: Waiting| waiting.iter().filter(|(_, what, _)| *what == kind).count();
        let most = kinds.into_iter().max_by_key(|kind| (count(*kind), Reverse(*kind)))?;
        let of_most = waiting.iter().filter(|(_, what, _)| *what == most);
        let (id, ..) = of_most.max_by_key(|(id, _, elapsed)| (*elapsed, Reverse(*id)))?;
        self.rows.remove(id)?.end.cancel();
        Some(())
    }

    fn change(&mut self, id: Id, change: impl FnOnce(&mut Row)) {
        // A closed connection may report for a moment longer.
        if let Some(row) = self.rows.get_mut(&id) {
            change(row);
        }
    }

    /// Marks the connection as established: a request may follow.
    pub fn is_open(&mut self, id: Id, now: Instant) {
        self.change(id, |row| row.set_phase(Phase::Head, now));
    }

    /// Records received data. Between requests, it is the beginning of the next one.
    pub fn something_came(&mut self, id: Id, now: Instant) {
        self.change(id, |row| match row.phase {
            Phase::Idle => row.set_phase(Phase::Head, now),
            Phase::Upgraded => row.since = now,
            Phase::Handshake | Phase::Head | Phase::Request => {}
        });
    }

    pub fn request_came(&mut self, id: Id, now: Instant) {
        self.change(id, |row| row.set_phase(Phase::Request, now));
    }

    pub fn upgraded(&mut self, id: Id, now: Instant) {
        self.change(id, |row| row.set_phase(Phase::Upgraded, now));
    }

    /// Marks the response as complete, although the client may not have taken all of it.
    pub fn answered(&mut self, id: Id, now: Instant) {
        self.change(id, |row| {
            if row.phase == Phase::Request {
                row.set_phase(Phase::Idle, now);
            }
        });
    }

    pub fn waits_for_body(&mut self, id: Id, now: Instant) {
        self.change(id, |row| {
            row.body.get_or_insert(now);
        });
    }

    pub fn body_came(&mut self, id: Id, bytes: usize, now: Instant) {
        self.change(id, |row| {
            let (waited, came) = &mut row.pace;
            *waited += row.body.take().map_or(Duration::ZERO, |since| now.saturating_duration_since(since));
            *came += bytes;
            if *came >= LEAST_BODY_BYTES {
                row.pace = (Duration::ZERO, 0);
            }
        });
    }

    pub fn body_ended(&mut self, id: Id) {
        self.change(id, |row| row.body = None);
    }

    /// Records that no more data can be written for the moment.
    pub fn stalls(&mut self, id: Id, now: Instant) {
        self.change(id, |row| {
            row.stalled.get_or_insert(now);
        });
    }

    pub fn flows(&mut self, id: Id, now: Instant) {
        self.change(id, |row| {
            // The client's time to respond starts when it has received the data.
            if row.stalled.take().is_some() {
                row.since = now;
            }
        });
    }
}

impl Row {
    fn set_phase(&mut self, phase: Phase, now: Instant) {
        (self.phase, self.since, self.body, self.pace) = (phase, now, None, (Duration::ZERO, 0));
    }

    fn waits(&self, now: Instant) -> Option<(Waiting, Duration)> {
        let elapsed = |since: Instant| now.saturating_duration_since(since);
        if let Some(since) = self.stalled {
            return Some((Waiting::Transfer, elapsed(since)));
        }
        match self.phase {
            Phase::Handshake | Phase::Head | Phase::Idle => Some((Waiting::Request, elapsed(self.since))),
            Phase::Request => self.body.map(|since| (Waiting::Transfer, self.pace.0 + elapsed(since))),
            Phase::Upgraded => Some((Waiting::Message, elapsed(self.since))),
        }
    }

    fn is_overdue(&self, limits: &ConnectionLimits, now: Instant) -> bool {
        // A paused download may be resumed at any time.
        if self.stalled.is_some() {
            return false;
        }
        let Some((_, elapsed)) = self.waits(now) else { return false };
        elapsed
            > match self.phase {
                Phase::Handshake => limits.handshake,
                Phase::Head => limits.head,
                Phase::Idle => limits.idle,
                Phase::Request => limits.body,
                Phase::Upgraded => limits.silence,
            }
    }
}

/// Returns the network of an IPv6 address, because one machine can have any number of addresses in it.
fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(six) => {
            let [a, b, c, d, ..] = six.segments();
            Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
        }
        four @ IpAddr::V4(_) => four,
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
