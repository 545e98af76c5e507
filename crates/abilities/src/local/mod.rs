//! Tools that need no network.

pub mod calculate;
