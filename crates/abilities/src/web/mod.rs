//! Access to the public web, without access to the user's own network.

mod address;
mod fetch;

pub use address::{Unreachable, check_host};
pub use fetch::{FetchError, Limits, Media, Network, Page, PublicNetwork, Silence, Web};
