//! What the tests share: a stage with everything on it, and clients that speak to the doors.

mod client;
mod events;
mod raw;
mod socket;
mod stage;
mod walls;
pub mod work;

use std::future::Future;
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

pub async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.unwrap_or_else(|_| panic!("{what}: nothing happens"))
}
