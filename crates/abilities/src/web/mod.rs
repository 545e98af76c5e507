//! The web, seen from inside: pages may be fetched, the user's own network may not.

mod address;
mod fetch;

pub use address::{Unreachable, check_host};
pub use fetch::{FetchError, Limits, Media, Network, Page, PublicNetwork, Silence, Web};
