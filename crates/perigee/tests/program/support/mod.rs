//! Shared test support: a stage with all parts, and clients of the API.

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

/// A valid id that does not exist.
pub const NOBODY: &str = "0000000000001";

/// A limit far above any expected duration, so that a test fails instead of hanging.
const PATIENCE: Duration = Duration::from_secs(40);

/// The tag of this machine's Python, such as `cpython-312`. Packages that pip installs for one version do not work in
/// another.
pub fn python_tag() -> String {
    let told =
        Command::new("python3").args(["-c", "import sys; print(sys.implementation.cache_tag)"]).output();
    let told = told.expect("there is Python").stdout;
    String::from_utf8(told).expect("a name").trim().to_owned()
}

pub async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.unwrap_or_else(|_| panic!("{what}: nothing happens"))
}
