use std::net::IpAddr;

use host::ManualClock;

use super::*;
use crate::connections::PeerSide;

fn secret(number: usize) -> SecretHash {
    SecretHash::of(&number.to_string())
}

fn peer(side: PeerSide, address: &str) -> Peer {
    Peer::new(side, address.parse::<IpAddr>().unwrap())
}

fn owner() -> Peer {
    peer(PeerSide::Here, "127.0.0.1")
}

fn begun() -> (Arc<ManualClock>, Arc<Attempts>) {
    let clock = Arc::new(ManualClock::at("2026-11-15T12:00:00Z"));
    let shared: Arc<dyn Clock> = clock.clone();
    (clock, Arc::new(Attempts::new(shared)))
}

fn waits(attempts: &Attempts, peer: Peer, number: usize) -> bool {
    attempts.lock().queue_for(peer, secret(number), attempts.clock.now()).is_some()
}

fn floods(attempts: &Attempts, peer: Peer) {
    for number in 0..UNDELAYED {
        attempts.was(peer, secret(number), false);
    }
}

#[tokio::test]
async fn who_tries_many_tokens_waits_and_who_has_one_does_not() {
    let (clock, attempts) = begun();
    attempts.was(owner(), secret(1_000), true);
    for number in 0..UNDELAYED {
        assert!(!waits(&attempts, owner(), number), "{number}");
        attempts.was(owner(), secret(number), false);
        // Repeating the same token does not count as another attempt.
        attempts.was(owner(), secret(0), false);
    }
    assert!(waits(&attempts, owner(), 2_000), "one that nobody knows waits its turn");
    assert!(!waits(&attempts, owner(), 1_000), "what was good never waits");
    assert!(!waits(&attempts, owner(), 0), "nor what is known to be wrong");
    attempts.was(owner(), secret(1_000), false);
    assert!(!waits(&attempts, owner(), 1_000), "it is no guess");
    clock.advance(MINUTE);
    assert!(!waits(&attempts, owner(), 2_000), "a minute later it is forgiven");
}

#[tokio::test]
async fn who_tries_many_tokens_keeps_waiting_nobody_who_comes_from_elsewhere() {
    let evil = peer(PeerSide::Elsewhere, "192.168.1.66");
    let of_the_new_kind = peer(PeerSide::Elsewhere, "fd00:1:2:3::1");
    let cases = [
        (evil, owner(), false),
        (evil, peer(PeerSide::Elsewhere, "192.168.1.67"), false),
        // In any notation.
        (evil, peer(PeerSide::Elsewhere, "::ffff:192.168.1.66"), true),
        // One machine can have a whole network of IPv6 addresses.
        (of_the_new_kind, peer(PeerSide::Elsewhere, "fd00:1:2:3:ffff::2"), true),
        (of_the_new_kind, peer(PeerSide::Elsewhere, "fd00:1:2:4::1"), false),
        // Over TLS, this machine is treated like any other.
        (peer(PeerSide::Elsewhere, "127.0.0.1"), owner(), false),
        (owner(), evil, false),
    ];
    for (tries, other, shares) in cases {
        let (_, attempts) = begun();
        floods(&attempts, tries);
        assert!(waits(&attempts, tries, 2_000), "{tries:?}");
        assert_eq!(waits(&attempts, other, 2_000), shares, "{tries:?} and {other:?}");
    }
}

#[tokio::test]
async fn many_at_once_are_as_slow_as_one_after_the_other() {
    let (clock, attempts) = begun();
    floods(&attempts, owner());
    let tries = (0..MOST_WAITING + 40).map(|number| {
        let attempts = Arc::clone(&attempts);
        tokio::spawn(async move { attempts.wait(owner(), secret(5_000 + number)).await })
    });
    let tries: Vec<_> = tries.collect();
    let ended = || tries.iter().filter(|tried| tried.is_finished()).count();
    let settle = async || {
        for _ in 0..200 {
            tokio::task::yield_now().await;
        }
    };
    settle().await;
    assert_eq!(ended(), 40, "more do not even wait");
    assert_eq!(
        attempts.wait(peer(PeerSide::Elsewhere, "192.168.1.67"), secret(1)).await,
        Ok(()),
        "others go by"
    );
    for number in 1..=MOST_WAITING {
        clock.advance(PAUSE);
        settle().await;
        assert_eq!(ended(), 40 + number, "one at a time");
    }
}

#[tokio::test]
async fn a_crowd_of_machines_takes_no_more_room_than_there_is_and_gains_nothing_by_it() {
    let (clock, attempts) = begun();
    let of_crowd = |number: usize| {
        let number = u32::try_from(number).unwrap();
        Peer::new(PeerSide::Elsewhere, std::net::Ipv4Addr::from(0x0a00_0000 + number).into())
    };
    for number in 0..MOST_PEERS {
        floods(&attempts, of_crowd(number));
    }
    assert!(waits(&attempts, of_crowd(0), 2_000), "nobody's tries are forgotten for another's sake");
    // Machines without a place of their own share one.
    for number in 0..UNDELAYED {
        assert!(!waits(&attempts, of_crowd(MOST_PEERS + number), 3_000 + number), "{number}");
    }
    assert!(waits(&attempts, of_crowd(2 * MOST_PEERS), 2_000));
    assert_eq!(attempts.lock().by_peer.len(), MOST_PEERS);
    clock.advance(MINUTE);
    assert!(!waits(&attempts, of_crowd(2 * MOST_PEERS), 2_000), "a minute later there is room again");
    assert_eq!(attempts.lock().by_peer.len(), 1);
    // The list of wrong tokens is bounded too.
    for number in 0..10 * MOST_WRONG {
        attempts.was(owner(), secret(number), false);
    }
    assert_eq!(attempts.lock().by_peer[&owner()].wrong.len(), MOST_WRONG);
}
