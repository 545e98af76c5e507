//! The places at which a program may end, so that tests can end it at each of them.

#[cfg(not(test))]
pub(crate) fn step(_: &str) {}

/// Ends this process, as the power would, where the environment says so: `PERIGEE_END_AT` is the number of the step.
#[cfg(test)]
pub(crate) fn step(name: &str) {
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
