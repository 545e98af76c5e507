//! Access to the public web, without access to the user's own network.

mod address;
mod fetch;

pub use address::{AddressError, check_host};
pub use fetch::{ConnectionFailure, FetchError, FetchLimits, Media, PublicNetwork, Web, WebNetwork, WebPage};
