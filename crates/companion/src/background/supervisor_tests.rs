use std::sync::atomic::{AtomicU32, Ordering};

use host::ManualClock;
use tokio::sync::mpsc;

use super::*;

struct Counting {
    runs: Arc<AtomicU32>,
    ran: mpsc::UnboundedSender<u32>,
    fail_first: u32,
}

#[async_trait]
impl Process for Counting {
    fn id(&self) -> &'static str {
        "counting"
    }
    fn name(&self) -> &'static str {
        "Counting"
    }
    fn about(&self) -> &'static str {
        "Counts its runs."
    }
    fn every(&self) -> Duration {
        Duration::from_mins(5)
    }
    async fn run(&self) -> Result<String, String> {
        let run = self.runs.fetch_add(1, Ordering::SeqCst) + 1;
        self.ran.send(run).unwrap();
        if run <= self.fail_first { Err("not this time".into()) } else { Ok(format!("run {run}")) }
    }
}

struct Setup {
    clock: Arc<ManualClock>,
    supervisor: Supervisor,
    ran: mpsc::UnboundedReceiver<u32>,
}

impl Setup {
    fn new(fail_first: u32) -> Self {
        let clock = Arc::new(ManualClock::at("2026-01-01T00:00:00Z"));
        let supervisor = Supervisor::new(clock.clone());
        let (sender, ran) = mpsc::unbounded_channel();
        supervisor.add(Counting { runs: Arc::default(), ran: sender, fail_first });
        Self { clock, supervisor, ran }
    }

    async fn pass(&self, seconds: u64) {
        self.clock.sleepers(1).await;
        self.clock.advance(Duration::from_secs(seconds));
    }

    fn info(&self) -> ProcessInfo {
        self.supervisor.get("counting").unwrap()
    }
}

#[tokio::test]
async fn a_process_runs_on_its_schedule() {
    let mut setup = Setup::new(0);
    assert_eq!(setup.info().schedule, "every 5 minutes");
    assert_eq!(setup.info().next_run.as_deref(), Some("2026-01-01T00:05:00Z"));
    setup.pass(299).await;
    assert!(setup.ran.try_recv().is_err());
    setup.pass(1).await;
    assert_eq!(setup.ran.recv().await, Some(1));
    setup.pass(300).await;
    assert_eq!(setup.ran.recv().await, Some(2));
    setup.clock.sleepers(1).await;
    let info = setup.info();
    assert_eq!((info.runs, info.state), (2, ProcessState::Waiting));
    assert_eq!(info.last_outcome.map(|outcome| outcome.message).as_deref(), Some("run 2"));
    setup.supervisor.close().await;
}

#[tokio::test]
async fn failures_make_it_wait_longer_until_it_succeeds() {
    let mut setup = Setup::new(2);
    setup.pass(300).await;
    assert_eq!(setup.ran.recv().await, Some(1));
    setup.clock.sleepers(1).await;
    let info = setup.info();
    assert_eq!((info.failures, info.state), (1, ProcessState::BackingOff));
    setup.pass(300).await;
    assert!(setup.ran.try_recv().is_err(), "the second try comes after ten minutes");
    setup.pass(300).await;
    assert_eq!(setup.ran.recv().await, Some(2));
    setup.pass(1200).await;
    assert_eq!(setup.ran.recv().await, Some(3));
    setup.clock.sleepers(1).await;
    assert_eq!(setup.info().failures, 0);
}

#[tokio::test]
async fn it_can_be_paused_resumed_and_hurried() {
    let mut setup = Setup::new(0);
    setup.clock.sleepers(1).await;
    let paused = setup.supervisor.pause("counting").unwrap();
    assert_eq!((paused.state, paused.next_run), (ProcessState::Paused, None));
    setup.clock.advance(Duration::from_mins(150));
    tokio::task::yield_now().await;
    assert!(setup.ran.try_recv().is_err());
    setup.supervisor.run_now("counting").unwrap();
    assert_eq!(setup.ran.recv().await, Some(1), "a paused process still runs when asked to");
    setup.supervisor.resume("counting").unwrap();
    setup.pass(300).await;
    assert_eq!(setup.ran.recv().await, Some(2));
    assert!(setup.supervisor.pause("no such").is_none());
}

#[test]
fn waits_grow_and_end_at_an_hour() {
    let five = Duration::from_mins(5);
    let waits: Vec<u64> = (0..6).map(|failures| wait(five, failures).as_secs()).collect();
    assert_eq!(waits, [300, 600, 1200, 2400, 3600, 3600]);
    assert_eq!(wait(Duration::from_hours(24), 3).as_secs(), 86_400);
    assert_eq!(wait(five, u32::MAX).as_secs(), 3600);
}
