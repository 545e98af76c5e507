//! Marked steps at which tests can kill the process.

#[cfg(not(test))]
pub(crate) fn crash_point(_: &str) {}

/// Kills this process at the crash point whose number is in the environment variable `PERIGEE_END_AT`, as in a power failure.
#[cfg(test)]
pub(crate) fn crash_point(name: &str) {
    use std::sync::atomic::{AtomicUsize, Ordering};

    static STEPS: AtomicUsize = AtomicUsize::new(0);
    let Some(last) = std::env::var("PERIGEE_END_AT").ok().and_then(|text| text.parse::<usize>().ok()) else {
        return;
    };
    if STEPS.fetch_add(1, Ordering::SeqCst) == last {
        println!("ended at step {last}: {name}");
        let own = rustix::process::getpid();
        let _ = rustix::process::kill_process(own, rustix::process::Signal::KILL);
    }
}
