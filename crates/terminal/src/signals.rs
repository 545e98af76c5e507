//! Ctrl-C and the request to terminate.

use tokio::signal::unix::{SignalKind, signal};

/// The exit code that a shell reports for a program ended by Ctrl-C.
pub const INTERRUPTED: u8 = 130;
/// The exit code that a shell reports for a program ended by SIGTERM.
pub const TERMINATED: u8 = 143;

/// Waits for SIGINT or SIGTERM and returns the matching exit code. Signals count from the call on, even before the
/// future is polled.
pub fn interrupted() -> impl Future<Output = u8> {
    let signals = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    async move {
        let (Ok(mut interrupt), Ok(mut terminate)) = signals else { return std::future::pending().await };
        tokio::select! {
            _ = interrupt.recv() => INTERRUPTED,
            _ = terminate.recv() => TERMINATED,
        }
    }
}

/// Waits for SIGTERM, which counts from the call on.
pub fn terminated() -> impl Future<Output = ()> {
    let terminate = signal(SignalKind::terminate());
    async move {
        match terminate {
            Ok(mut terminate) => drop(terminate.recv().await),
            Err(_) => std::future::pending().await,
        }
    }
}
