//! What the tests share: a stage with everything on it, and clients that speak to the doors.

mod client;
mod events;
mod raw;
mod socket;
mod stage;
mod walls;
pub mod work;

use std::future::Future;
use std::process::Command;
use std::time::Duration;

pub use client::{Answer, Client, Means};
pub use events::{Event, Stream, kinds, text};
pub use raw::raw_request;
pub use socket::{Socket, Wire, wire};
pub use stage::{BIN, Output, Setup, Stage, eventually};
pub use walls::{has_whole_sandbox, levels};

/// An id of the right form that nothing has.
pub const NOBODY: &str = "0000000000001";

/// Far beyond what anything here takes, so that a test fails rather than hangs.
const PATIENCE: Duration = Duration::from_secs(40);

/// The Python of this machine, as in `cpython-312`. What pip installs for one of them is of no use to another.
pub fn python_tag() -> String {
    let told =
        Command::new("python3").args(["-c", "import sys; print(sys.implementation.cache_tag)"]).output();
    let told = told.expect("there is Python").stdout;
    String::from_utf8(told).expect("a name").trim().to_owned()
}

pub async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.unwrap_or_else(|_| panic!("{what}: nothing happens"))
}
