use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;

const NOON: &str = "2025-06-01T12:00:00Z";

fn after(clock: &ManualClock, seconds: i64) -> Timestamp {
    clock.now() + jiff::SignedDuration::from_secs(seconds)
}

#[tokio::test]
async fn the_system_clock_does_not_wait_for_the_past() {
    let clock = SystemClock;
    clock.sleep_until(clock.now()).await;
    clock.sleep_until(Timestamp::UNIX_EPOCH).await;
    let soon = clock.now() + jiff::SignedDuration::from_millis(5);
    clock.sleep_until(soon).await;
    assert!(clock.now() >= soon);
}

#[tokio::test]
async fn only_those_who_are_due_wake() {
    let clock = Arc::new(ManualClock::at(NOON));
    let woken = Arc::new(AtomicUsize::new(0));
    let sleep = |seconds| {
        let (clock, woken, at) = (clock.clone(), woken.clone(), after(&clock, seconds));
        tokio::spawn(async move {
            clock.sleep_until(at).await;
            woken.fetch_add(1, Ordering::SeqCst);
        })
    };
    let (first, second) = (sleep(10), sleep(20));
    clock.sleepers(2).await;
    assert_eq!(clock.next_deadline(), Some(after(&clock, 10)));

    clock.advance(Duration::from_secs(15));
    first.await.unwrap();
    assert_eq!(woken.load(Ordering::SeqCst), 1);
    assert_eq!(clock.next_deadline(), Some(after(&clock, 5)));

    clock.advance(Duration::from_secs(5));
    second.await.unwrap();
    assert_eq!(clock.next_deadline(), None);
}

#[tokio::test]
async fn a_loop_that_sleeps_again_is_awaited_anew() {
    let clock = Arc::new(ManualClock::at(NOON));
    let rounds = Arc::new(AtomicUsize::new(0));
    let task = tokio::spawn({
        let (clock, rounds) = (clock.clone(), rounds.clone());
        async move {
            loop {
                clock.sleep_until(after(&clock, 60)).await;
                rounds.fetch_add(1, Ordering::SeqCst);
            }
        }
    });
    for round in 0..50 {
        clock.sleepers(1).await;
        assert_eq!(rounds.load(Ordering::SeqCst), round);
        clock.advance(Duration::from_mins(1));
    }
    clock.sleepers(1).await;
    assert_eq!(rounds.load(Ordering::SeqCst), 50);
    task.abort();
}

#[tokio::test]
async fn a_dropped_sleep_is_forgotten() {
    let clock = ManualClock::at(NOON);
    let sleep = clock.sleep_until(after(&clock, 5));
    tokio::select! {
        biased;
        () = sleep => panic!("nobody moved the clock"),
        () = std::future::ready(()) => {}
    }
    assert_eq!(clock.next_deadline(), None);
}

#[tokio::test]
async fn a_clock_set_back_wakes_nobody() {
    let clock = Arc::new(ManualClock::at(NOON));
    let at = after(&clock, 10);
    let sleeper = tokio::spawn({
        let clock = clock.clone();
        async move { clock.sleep_until(at).await }
    });
    clock.sleepers(1).await;
    clock.set("2025-06-01T11:00:00Z");
    clock.advance(Duration::from_mins(1));
    assert!(!sleeper.is_finished());
    clock.set("2025-06-01T12:00:10Z");
    sleeper.await.unwrap();
}

#[test]
fn the_zone_can_be_chosen() {
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    let clock = ManualClock::at(NOON).in_zone(zone);
    assert_eq!(clock.now().to_zoned(clock.time_zone()).hour(), 14);
}
